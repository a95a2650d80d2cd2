// Assignment 1, what is asked: the functions with their truth.

#include "grader/ask/check.h"

#include "grader/ask/flop.h"
#include "grader/assignments/rnn_attention/parts.h"
#include "reference/rnn_attention.h"

namespace attn::ask::rnn_attention {
namespace {

const TensorSpec kSource = {"h", {"B", "T", "D_h"}};
const TensorSpec kMask = {"mask", {"B", "T"}, false, ElementType::u8};
const TensorSpec kState = {"s_prev", {"B", "D_s"}};
const TensorSpec kW_q = {"W_q", {"D_s", "D_a"}}, kW_k = {"W_k", {"D_h", "D_a"}}, kV = {"v", {"D_a"}};
const TensorSpec kW_x = {"W_x", {"D_y+D_h", "D_s"}}, kW_s = {"W_s", {"D_s", "D_s"}}, kBias = {"b", {"D_s"}};

std::vector<Function> functions() {
    std::vector<Function> all = {
        with_flop(make_function("additive_scores", {{"e", {"B", "T"}}}, {kState, kSource, kW_q, kW_k, kV},
                                cpu::additive_scores<float>, cpu::additive_scores<double>),
                  flop::additive_scores),
        make_function("attention_context", {{"a", {"B", "T"}}, {"c", {"B", "D_h"}}},
                      {{"e", {"B", "T"}}, kSource, kMask}, cpu::attention_context<float>,
                      cpu::attention_context<double>),
        make_function("decoder_step", {{"s", {"B", "D_s"}}},
                      {{"y_prev", {"B", "D_y"}}, {"c", {"B", "D_h"}}, kState, kW_x, kW_s, kBias},
                      cpu::decoder_step<float>, cpu::decoder_step<double>),
        with_flop(make_function("decode", {{"S", {"B", "L", "D_s"}}, {"A", {"B", "L", "T"}}},
                                {kSource,
                                 kMask,
                                 {"y", {"B", "L+1", "D_y"}},
                                 kW_q,
                                 kW_k,
                                 kV,
                                 kW_x,
                                 kW_s,
                                 kBias,
                                 {"W_0", {"D_h", "D_s"}},
                                 {"b_0", {"D_s"}}},
                                cpu::decode<float>, cpu::decode<double>),
                  flop::decode),
        with_flop(make_function("grid_attention", {{"a", {"B", "R", "C"}}, {"c", {"B", "D_h"}}},
                                {kState, {"grid", {"B", "R", "C", "D_h"}}, kW_q, kW_k, kV},
                                cpu::grid_attention<float>, cpu::grid_attention<double>),
                  flop::grid_attention),
    };
    all[3].options = {output_length("L")};  // y has L + 1 words
    return all;
}

const Registration kRegistered({"rnn_attention", functions(), recipes(), properties(), mistakes(), mistaken});

}  // namespace
}  // namespace attn::ask::rnn_attention
