// Assignment 10: the functions with their recipes and properties.

#include "contracts/encoder_decoder_functions.h"
#include "grader/assignments/encoder_decoder/parts.h"

namespace attn::ask::encoder_decoder {
namespace {

const Registration kRegistered({"encoder_decoder", contract_functions(), recipes(), properties(), {}, {}});

}  // namespace
}  // namespace attn::ask::encoder_decoder
