#include "grader/training/student_modules.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "grader/ask/check.h"

namespace attn::trained {
namespace {

using training::FeedForwardGradients;
using training::FeedForwardWeights;
using training::Kept;
using training::Masks;
using training::MaskView;
using training::Read1;
using training::Read2;
using training::Read3;
using training::Read4;
using training::RecurrentGradients;
using training::View2;
using training::View3;

template <class T, int Rank>
Array array_of(TensorView<const T, Rank> view) {
    Shape shape;
    for (int axis = 0; axis < Rank; ++axis) shape.push_back(view.size(axis));
    return Array("", shape, std::vector<std::remove_const_t<T>>(view.data(), view.data() + view.count()));
}

/// A call of a function of the contract: inputs and outputs in the order of its parameters.
class ContractCall {
  public:
    explicit ContractCall(const char* function)
        : function_(*ask::module_of(function)->find_function(function)) {}

    /// Inputs: views, and weights whose views follow each other.
    template <class... All>
    ContractCall& in(const All&... all) {
        (add_input(all), ...);
        return *this;
    }
    ContractCall& option(const char* name, double value) {
        inputs_.push_back(ask::option(name, value));
        return *this;
    }
    /// Outputs: views, and gradients whose views follow each other.
    template <class... All>
    ContractCall& out(const All&... all) {
        (add_output(all), ...);
        return *this;
    }
    /// An output that is computed and thrown away.
    ContractCall& unused() {
        outputs_.emplace_back(nullptr, 0);
        return *this;
    }

    /// Whether the student's function answered. If so, its outputs stand in the views.
    bool answered_by(Functions& functions) const {
        const auto answers = functions.of_student(function_.name, inputs_);
        if (!answers) return false;
        for (std::size_t k = 0; k < outputs_.size(); ++k)
            if (outputs_[k].first != nullptr)
                std::copy_n(answers->at(k).as<float>().begin(), outputs_[k].second, outputs_[k].first);
        return true;
    }

  private:
    template <class T, int Rank>
    void add_input(TensorView<const T, Rank> view) {
        const std::string& name = function_.inputs.at(given_++).name;
        if (view) inputs_.push_back(array_of(view)), inputs_.back().name = name;
    }
    void add_input(const MultiHeadWeights<float>& w) {
        in(w.W_Q, w.b_Q, w.W_K, w.b_K, w.W_V, w.b_V, w.W_O, w.b_O);
    }
    void add_input(const BlockWeights<float>& w) {
        in(w.gamma_1, w.beta_1, w.attention, w.gamma_2, w.beta_2, w.W_1, w.b_1, w.W_2, w.b_2);
    }
    void add_input(const DecoderWeights<float>& w) { in(w.W_q, w.W_k, w.v, w.W_x, w.W_s, w.b, w.W_0, w.b_0); }
    void add_input(const RecurrentLayers<float>& w) { in(w.W_x, w.W_h, w.b); }

    template <int Rank>
    void add_output(TensorView<float, Rank> view) {
        outputs_.push_back({view.data(), static_cast<std::size_t>(view.count())});
    }
    void add_output(const MultiHeadGradients<float>& g) {
        out(g.dW_Q, g.db_Q, g.dW_K, g.db_K, g.dW_V, g.db_V, g.dW_O, g.db_O);
    }
    void add_output(const BlockGradients<float>& g) {
        out(g.dgamma_1, g.dbeta_1, g.attention, g.dgamma_2, g.dbeta_2, g.dW_1, g.db_1, g.dW_2, g.db_2);
    }
    void add_output(const DecoderGradients<float>& g) {
        out(g.dW_q, g.dW_k, g.dv, g.dW_x, g.dW_s, g.db, g.dW_0, g.db_0);
    }

    const ask::Function& function_;
    std::size_t given_ = 0;
    Arrays inputs_;
    std::vector<std::pair<float*, std::size_t>> outputs_;
};

class StudentModules : public training::Modules {
  public:
    StudentModules(Functions& functions, std::unique_ptr<training::Modules> others)
        : functions_(functions), others_(std::move(others)) {}
    std::string name() const override { return "student"; }

    // The contract has no functions for these.
    void linear(View2 Y, Read2 X, Read2 W, Read1 b) override { others_->linear(Y, X, W, b); }
    void linear_backward(View2 dX, View2 dW, TensorView<float, 1> db, Read2 dY, Read2 X, Read2 W) override {
        others_->linear_backward(dX, dW, db, dY, X, W);
    }
    void score_words(View2 logits, Read2 Y, Read2 table) override { others_->score_words(logits, Y, table); }
    void score_words_backward(View2 dY, View2 dtable, Read2 dlogits, Read2 Y, Read2 table) override {
        others_->score_words_backward(dY, dtable, dlogits, Y, table);
    }
    void encode_backward(View3 dX, const RecurrentGradients<float>& gradients, Read3 dH, Read3 X,
                         TensorView<const int, 1> lengths, const RecurrentLayers<float>& weights,
                         Read3 H) override {
        others_->encode_backward(dX, gradients, dH, X, lengths, weights, H);
    }

    void layer_norm(View2 Y, Read2 X, Read1 gamma, Read1 beta, float eps) override {
        if (!ContractCall("layer_norm")
                 .out(Y)
                 .in(X, gamma, beta)
                 .option("eps", double{eps})
                 .answered_by(functions_))
            others_->layer_norm(Y, X, gamma, beta, eps);
    }
    void layer_norm_backward(View2 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta, Read2 dY,
                             Read2 X, Read1 gamma, Read1 beta, float eps) override {
        if (!ContractCall("layer_norm_backward")
                 .out(dX, dgamma, dbeta)
                 .in(dY, X, gamma, beta)
                 .option("eps", double{eps})
                 .answered_by(functions_))
            others_->layer_norm_backward(dX, dgamma, dbeta, dY, X, gamma, beta, eps);
    }

    // The forward of the others comes first, because their backward may need what it keeps.
    void transformer_block(View3 Y, Read3 X, const BlockWeights<float>& weights, Masks mask, int H, Norm norm,
                           Activation activation, float eps, Kept& kept) override {
        others_->transformer_block(Y, X, weights, mask, H, norm, activation, eps, kept);
        ContractCall call("transformer_block");
        call.out(Y).in(X, weights, mask);
        with_options(call, H, norm, activation, eps).answered_by(functions_);
    }
    void transformer_block_backward(View3 dX, const BlockGradients<float>& gradients, Read3 dY, Read3 X,
                                    const BlockWeights<float>& weights, Masks mask, int H, Norm norm,
                                    Activation activation, float eps, Kept& kept) override {
        ContractCall call("transformer_block_backward");
        call.out(dX, gradients).in(dY, X, weights, mask);
        if (!with_options(call, H, norm, activation, eps).answered_by(functions_))
            others_->transformer_block_backward(dX, gradients, dY, X, weights, mask, H, norm, activation, eps,
                                                kept);
    }

    void multi_head_attention(View3 Y, Read3 X_q, Read3 X_kv, const MultiHeadWeights<float>& weights,
                              Masks mask, int H) override {
        ContractCall call("multi_head_attention");
        call.out(Y).in(X_q).in(X_kv).in(weights).in(mask).option("H", H);
        if (!call.answered_by(functions_)) others_->multi_head_attention(Y, X_q, X_kv, weights, mask, H);
    }
    void multi_head_attention_backward(View3 dX_q, View3 dX_kv, const MultiHeadGradients<float>& gradients,
                                       Read3 dY, Read3 X_q, Read3 X_kv,
                                       const MultiHeadWeights<float>& weights, Masks mask, int H) override {
        ContractCall call("multi_head_attention_backward");
        call.out(dX_q).out(dX_kv).out(gradients).in(dY).in(X_q).in(X_kv).in(weights).in(mask).option("H", H);
        if (!call.answered_by(functions_))
            others_->multi_head_attention_backward(dX_q, dX_kv, gradients, dY, X_q, X_kv, weights, mask, H);
    }

    void feed_forward(View2 Y, Read2 X, const FeedForwardWeights& w, Activation activation) override {
        ContractCall call("feed_forward");
        call.out(Y).in(X).in(w.W_1).in(w.b_1).in(w.W_2).in(w.b_2);
        if (!call.option("activation", static_cast<int>(activation)).answered_by(functions_))
            others_->feed_forward(Y, X, w, activation);
    }
    void feed_forward_backward(View2 dX, const FeedForwardGradients& g, Read2 dY, Read2 X,
                               const FeedForwardWeights& w, Activation activation) override {
        ContractCall call("feed_forward_backward");
        call.out(dX).out(g.dW_1).out(g.db_1).out(g.dW_2).out(g.db_2);
        call.in(dY).in(X).in(w.W_1).in(w.b_1).in(w.W_2).in(w.b_2);
        if (!call.option("activation", static_cast<int>(activation)).answered_by(functions_))
            others_->feed_forward_backward(dX, g, dY, X, w, activation);
    }

    void embed_patches(View3 Z, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) override {
        if (!ContractCall("embed_patches")
                 .out(Z)
                 .in(X, E, b, cls, E_pos)
                 .option("P", P)
                 .answered_by(functions_))
            others_->embed_patches(Z, X, E, b, cls, E_pos, P);
    }
    void embed_patches_backward(View2 dE, TensorView<float, 1> db, TensorView<float, 1> dcls, View2 dE_pos,
                                Read3 dZ, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) override {
        if (!ContractCall("embed_patches_backward")
                 .unused()
                 .out(dE, db, dcls, dE_pos)
                 .in(dZ, X, E, b, cls, E_pos)
                 .option("P", P)
                 .answered_by(functions_))
            others_->embed_patches_backward(dE, db, dcls, dE_pos, dZ, X, E, b, cls, E_pos, P);
    }

    void encode(View3 H, Read3 X, TensorView<const int, 1> lengths,
                const RecurrentLayers<float>& weights) override {
        if (!ContractCall("encode").out(H).unused().in(X, lengths, weights).answered_by(functions_))
            others_->encode(H, X, lengths, weights);
    }

    void decode(View3 S, View3 A, Read3 h, MaskView mask, Read3 y, const DecoderWeights<float>& weights,
                Kept& kept) override {
        others_->decode(S, A, h, mask, y, weights, kept);
        ContractCall("decode")
            .out(S, A)
            .in(h, mask, y, weights)
            .option("L", S.size(1))
            .answered_by(functions_);
    }
    void decode_backward(View3 dh, View3 dy, const DecoderGradients<float>& gradients, Read3 dS, Read3 h,
                         MaskView mask, Read3 y, const DecoderWeights<float>& weights, Kept& kept) override {
        if (!ContractCall("decode_backward")
                 .out(dh, dy, gradients)
                 .in(dS, h, mask, y, weights)
                 .answered_by(functions_))
            others_->decode_backward(dh, dy, gradients, dS, h, mask, y, weights, kept);
    }

    float cross_entropy(Read3 logits, TensorView<const int, 2> targets, float smoothing) override {
        float loss = 0;
        const bool answered = ContractCall("cross_entropy")
                                  .out(TensorView<float, 1>(&loss, 1))
                                  .unused()
                                  .in(logits, targets)
                                  .option("smoothing", double{smoothing})
                                  .answered_by(functions_);
        return answered ? loss : others_->cross_entropy(logits, targets, smoothing);
    }
    void cross_entropy_backward(View3 dlogits, float dloss, Read3 logits, TensorView<const int, 2> targets,
                                float smoothing) override {
        if (!ContractCall("cross_entropy_backward")
                 .out(dlogits)
                 .in(Read1(&dloss, 1), logits, targets)
                 .option("smoothing", double{smoothing})
                 .answered_by(functions_))
            others_->cross_entropy_backward(dlogits, dloss, logits, targets, smoothing);
    }

  private:
    static ContractCall& with_options(ContractCall& call, int H, Norm norm, Activation activation,
                                      float eps) {
        return call.option("H", H)
            .option("norm", static_cast<int>(norm))
            .option("activation", static_cast<int>(activation))
            .option("eps", double{eps});
    }

    Functions& functions_;
    std::unique_ptr<training::Modules> others_;
};

}  // namespace

std::unique_ptr<training::Modules> student_modules(Functions& functions,
                                                   std::unique_ptr<training::Modules> others) {
    return std::make_unique<StudentModules>(functions, std::move(others));
}

}  // namespace attn::trained
