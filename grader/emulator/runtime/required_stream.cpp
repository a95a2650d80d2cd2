#include "required_stream.h"

#include "attn_emulator.h"
#include "findings.h"

namespace attn::emulator {
namespace {

const void* required = nullptr;

}  // namespace

void require_stream(const void* stream) {
    required = stream;
}

void check_stream(const std::string& work, cudaStream_t stream, const std::string& write) {
    if (required == nullptr || stream == required) return;
    const bool is_default = stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
    note("wrong_stream", work,
         work + " is on " + (is_default ? "the default stream" : "another stream") +
             ". The function has to queue all of its work on the stream that it was given: write " + write +
             ".");
}

}  // namespace attn::emulator
