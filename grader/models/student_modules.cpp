#include "grader/models/student_modules.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/ask/inner_calls.h"
#include "grader/ask/module.h"
#include "reference/models/stack.h"

namespace attn::trained {
namespace {

using training::FeedForwardGradients;
using training::FeedForwardWeights;
using training::Kept;
using training::Masks;
using training::MaskView;
using training::Numbers;
using training::Read1;
using training::Read2;
using training::Read3;
using training::Read4;
using training::RecurrentGradients;
using training::View2;
using training::View3;
using training::View4;

template <class T, int Rank>
Array array_of(TensorView<const T, Rank> view) {
    Shape shape;
    for (int axis = 0; axis < Rank; ++axis) shape.push_back(view.size(axis));
    return Array("", shape, std::vector<std::remove_const_t<T>>(view.data(), view.data() + view.count()));
}

/// A call of a function of the contract: inputs and outputs in the order of its parameters.
class ContractCall {
  public:
    using Options = std::initializer_list<std::pair<const char*, double>>;

    ContractCall(const char* function, Options options)
        : function_(*ask::module_of(function)->find_function(function)) {
        for (const auto& [name, value] : options) inputs_.push_back(ask::option(name, value));
    }

    /// Inputs: views, and weights whose views follow each other.
    template <class... All>
    void in(const All&... all) {
        (add_input(all), ...);
    }
    /// Outputs: views, and gradients whose views follow each other. An empty view is computed and thrown away.
    template <class... All>
    void out(const All&... all) {
        (add_output(all), ...);
    }

    /// Whether the student's function answered. If so, its outputs stand in the views.
    bool answered_by(StudentOrReference& functions) const {
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

/// Rows that are projected and split into heads: [B H, N, D/H] of X [B, N, D].
Array head_rows(StudentOrReference& functions, training::Modules& modules, const char* name, Read3 X, Read2 W,
                Read1 b, int H) {
    const int B = X.size(0), N = X.size(1), D = W.size(1);
    Array projected = Array::zeros<float>("X", {B, N, D});
    modules.linear(training::rows_of(projected.view<float, 3>()), training::rows_of(X), W, b);
    return reshaped(functions("split_heads", {projected, ask::option("H", H)}).at(0), {B * H, N, D / H},
                    name);
}

struct Attended {
    Array A;  ///< [B, H, N_q, N_k]
    Array Y;  ///< [B, N_q, D], before the output's product
};

/// The attention of all heads, which are handed over as more batches.
Attended attended(StudentOrReference& functions, training::Modules& modules, Read3 X_q, Read3 X_kv,
                  const MultiHeadWeights<float>& w, Masks mask, int H) {
    const int B = X_q.size(0), N_q = X_q.size(1), N_k = X_kv.size(1), D = w.W_V.size(1);
    Arrays inputs = {head_rows(functions, modules, "Q", X_q, w.W_Q, w.b_Q, H),
                     head_rows(functions, modules, "K", X_kv, w.W_K, w.b_K, H),
                     head_rows(functions, modules, "V", X_kv, w.W_V, w.b_V, H)};
    if (mask) {
        Array of_heads = Array::zeros<std::uint8_t>("mask", {B * H, N_q, N_k});
        for (int k = 0; k < B * H; ++k)
            std::copy_n(mask[k / H].data(), N_q * N_k, of_heads.view<std::uint8_t, 3>()[k].data());
        inputs.push_back(of_heads);
    }
    const Arrays outputs =
        functions(mask ? "masked_attention" : "scaled_dot_product_attention", inputs, {"Y", "A"});
    return {reshaped(outputs.at(1), {B, H, N_q, N_k}, "A"),
            functions("merge_heads", {reshaped(outputs.at(0), {B, H, N_q, D / H}, "X")}).at(0)};
}

class StudentModules : public training::Modules {
  public:
    StudentModules(StudentOrReference& functions, std::unique_ptr<training::Modules> others,
                   LayerChoice choice)
        : functions_(functions), others_(std::move(others)), choice_(choice) {}
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
        if (!answers("layer_norm", std::tie(Y), std::tie(X, gamma, beta), {{"eps", eps}}))
            others_->layer_norm(Y, X, gamma, beta, eps);
    }
    void layer_norm_backward(View2 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta, Read2 dY,
                             Read2 X, Read1 gamma, Read1 beta, float eps) override {
        if (!answers("layer_norm_backward", std::tie(dX, dgamma, dbeta), std::tie(dY, X, gamma, beta),
                     {{"eps", eps}}))
            others_->layer_norm_backward(dX, dgamma, dbeta, dY, X, gamma, beta, eps);
    }

    // The forward of the others comes first, because their backward may need what it keeps.
    void transformer_block(View3 Y, Read3 X, const BlockWeights<float>& weights, Masks mask, int H, Norm norm,
                           Activation activation, float eps, Kept& kept) override {
        if (choice_.from != LayerChoice::From::block)
            return pre_norm_block(Y, X, weights, mask, H, activation, eps);
        others_->transformer_block(Y, X, weights, mask, H, norm, activation, eps, kept);
        answers("transformer_block", std::tie(Y), std::tie(X, weights, mask),
                {{"H", H}, {"norm", int(norm)}, {"activation", int(activation)}, {"eps", eps}});
    }
    void transformer_block_backward(View3 dX, const BlockGradients<float>& gradients, Read3 dY, Read3 X,
                                    const BlockWeights<float>& weights, Masks mask, int H, Norm norm,
                                    Activation activation, float eps, Kept& kept) override {
        if (!answers("transformer_block_backward", std::tie(dX, gradients), std::tie(dY, X, weights, mask),
                     {{"H", H}, {"norm", int(norm)}, {"activation", int(activation)}, {"eps", eps}}))
            others_->transformer_block_backward(dX, gradients, dY, X, weights, mask, H, norm, activation, eps,
                                                kept);
    }

    void multi_head_attention(View3 Y, Read3 X_q, Read3 X_kv, const MultiHeadWeights<float>& weights,
                              Masks mask, int H) override {
        if (choice_.from == LayerChoice::From::attention) {
            const Array heads = attended(functions_, *this, X_q, X_kv, weights, mask, H).Y;
            return linear(training::rows_of(Y), training::rows_of(heads.view<float, 3>()), weights.W_O,
                          weights.b_O);
        }
        if (!answers("multi_head_attention", std::tie(Y), std::tie(X_q, X_kv, weights, mask), {{"H", H}}))
            others_->multi_head_attention(Y, X_q, X_kv, weights, mask, H);
    }
    void multi_head_attention_backward(View3 dX_q, View3 dX_kv, const MultiHeadGradients<float>& gradients,
                                       Read3 dY, Read3 X_q, Read3 X_kv,
                                       const MultiHeadWeights<float>& weights, Masks mask, int H) override {
        if (!answers("multi_head_attention_backward", std::tie(dX_q, dX_kv, gradients),
                     std::tie(dY, X_q, X_kv, weights, mask), {{"H", H}}))
            others_->multi_head_attention_backward(dX_q, dX_kv, gradients, dY, X_q, X_kv, weights, mask, H);
    }

    void feed_forward(View2 Y, Read2 X, const FeedForwardWeights& w, Activation activation) override {
        if (!answers("feed_forward", std::tie(Y), std::tie(X, w.W_1, w.b_1, w.W_2, w.b_2),
                     {{"activation", int(activation)}}))
            others_->feed_forward(Y, X, w, activation);
    }
    void feed_forward_backward(View2 dX, const FeedForwardGradients& g, Read2 dY, Read2 X,
                               const FeedForwardWeights& w, Activation activation) override {
        if (!answers("feed_forward_backward", std::tie(dX, g.dW_1, g.db_1, g.dW_2, g.db_2),
                     std::tie(dY, X, w.W_1, w.b_1, w.W_2, w.b_2), {{"activation", int(activation)}}))
            others_->feed_forward_backward(dX, g, dY, X, w, activation);
    }

    void embed_patches(View3 Z, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) override {
        if (!answers("embed_patches", std::tie(Z), std::tie(X, E, b, cls, E_pos), {{"P", P}}))
            others_->embed_patches(Z, X, E, b, cls, E_pos, P);
    }
    void embed_patches_backward(View2 dE, TensorView<float, 1> db, TensorView<float, 1> dcls, View2 dE_pos,
                                Read3 dZ, Read4 X, Read2 E, Read1 b, Read1 cls, Read2 E_pos, int P) override {
        if (!answers("embed_patches_backward", std::tie(kUnused, dE, db, dcls, dE_pos),
                     std::tie(dZ, X, E, b, cls, E_pos), {{"P", P}}))
            others_->embed_patches_backward(dE, db, dcls, dE_pos, dZ, X, E, b, cls, E_pos, P);
    }

    void conv2d(View4 Y, Read4 X, Read4 W, Read1 bias, int S) override {
        if (!answers("conv2d", std::tie(Y), std::tie(X, W, bias), {{"S", S}}))
            others_->conv2d(Y, X, W, bias, S);
    }
    void conv2d_backward(View4 dX, View4 dW, TensorView<float, 1> dbias, Read4 dY, Read4 X, Read4 W,
                         Read1 bias, int S) override {
        others_->conv2d_backward(dX, dW, dbias, dY, X, W, bias, S);
    }

    void batch_norm(View3 Y, TensorView<float, 1> mean_new, TensorView<float, 1> variance_new, Read3 X,
                    Read1 gamma, Read1 beta, Read1 mean, Read1 variance, bool training, float momentum,
                    float eps) override {
        if (!answers("batch_norm", std::tie(Y, mean_new, variance_new),
                     std::tie(X, gamma, beta, mean, variance),
                     {{"training", training}, {"momentum", momentum}, {"eps", eps}}))
            others_->batch_norm(Y, mean_new, variance_new, X, gamma, beta, mean, variance, training, momentum,
                                eps);
    }
    void batch_norm_backward(View3 dX, TensorView<float, 1> dgamma, TensorView<float, 1> dbeta, Read3 dY,
                             Read3 X, Read1 gamma, Read1 beta, float eps) override {
        others_->batch_norm_backward(dX, dgamma, dbeta, dY, X, gamma, beta, eps);
    }

    void encode(View3 H, View3 last, Read3 X, TensorView<const int, 1> lengths,
                const RecurrentLayers<float>& weights) override {
        if (!answers("encode", std::tie(H, last), std::tie(X, lengths, weights)))
            others_->encode(H, last, X, lengths, weights);
    }

    void decode(View3 S, View3 A, Read3 h, MaskView mask, Read3 y, const DecoderWeights<float>& w,
                Kept& kept) override {
        others_->decode(S, A, h, mask, y, w, kept);
        const Read2 h_last(h.data(), h.size(0), h.size(2));
        if (choice_.plain_decoder)
            answers("decode_without_attention", std::tie(S),
                    std::tie(h_last, y, w.W_x, w.W_s, w.b, w.W_0, w.b_0), {{"L", S.size(1)}});
        else
            answers("decode", std::tie(S, A), std::tie(h, mask, y, w), {{"L", S.size(1)}});
    }
    void decode_backward(View3 dh, View3 dy, const DecoderGradients<float>& gradients, Read3 dS, Read3 h,
                         MaskView mask, Read3 y, const DecoderWeights<float>& weights, Kept& kept) override {
        if (!answers("decode_backward", std::tie(dh, dy, gradients), std::tie(dS, h, mask, y, weights)))
            others_->decode_backward(dh, dy, gradients, dS, h, mask, y, weights, kept);
    }

    void caption_states(View3 S, View3 A, Read4 grid, bool looks, Read3 y, const DecoderWeights<float>& w,
                        Kept& kept) override {
        others_->caption_states(S, A, grid, looks, y, w, kept);
        looks ? say_with_attention(S, A, grid, y, w) : say_without_attention(S, grid, y, w);
    }
    void caption_states_backward(View4 dgrid, View3 dy, const DecoderGradients<float>& gradients, Read3 dS,
                                 Read4 grid, bool looks, Read3 y, const DecoderWeights<float>& weights,
                                 Kept& kept) override {
        others_->caption_states_backward(dgrid, dy, gradients, dS, grid, looks, y, weights, kept);
    }

    void token_head(View3 logits, Read3 X, const training::TokenHead<const float>& w, float eps) override {
        if (!answers("token_head", std::tie(logits), std::tie(X, w.W, w.b, w.gamma, w.beta, w.table, w.bias),
                     {{"eps", eps}}))
            others_->token_head(logits, X, w, eps);
    }
    void token_head_backward(View3 dX, const training::TokenHead<float>& gradients, Read3 dlogits, Read3 X,
                             const training::TokenHead<const float>& weights, float eps) override {
        others_->token_head_backward(dX, gradients, dlogits, X, weights, eps);
    }
    void sentence_head(View2 logits, Read3 X, const training::SentenceHead<const float>& w) override {
        const TensorView<const int, 1> all_whole;
        if (!answers("sentence_head", std::tie(logits), std::tie(X, all_whole, w.W, w.b, w.W_c, w.b_c),
                     {{"token", int(SentenceToken::first)}}))
            others_->sentence_head(logits, X, w);
    }
    void sentence_head_backward(View3 dX, const training::SentenceHead<float>& gradients, Read2 dlogits,
                                Read3 X, const training::SentenceHead<const float>& weights) override {
        others_->sentence_head_backward(dX, gradients, dlogits, X, weights);
    }

    float cross_entropy(Read3 logits, TensorView<const int, 2> targets, float smoothing) override {
        float number = 0;
        const TensorView<float, 1> loss(&number, 1);
        if (!answers("cross_entropy", std::tie(loss, kUnused), std::tie(logits, targets),
                     {{"smoothing", smoothing}}))
            return others_->cross_entropy(logits, targets, smoothing);
        return number;
    }
    void cross_entropy_backward(View3 dlogits, float dloss, Read3 logits, TensorView<const int, 2> targets,
                                float smoothing) override {
        const Read1 upstream(&dloss, 1);
        if (!answers("cross_entropy_backward", std::tie(dlogits), std::tie(upstream, logits, targets),
                     {{"smoothing", smoothing}}))
            others_->cross_entropy_backward(dlogits, dloss, logits, targets, smoothing);
    }

  private:
    /// The states by first_state and caption_step. The vectors of step t are a table of words, and word b is image b's.
    void say_with_attention(View3 S, View3 A, Read4 grid, Read3 y, const DecoderWeights<float>& w) {
        const int B = S.size(0), D_s = S.size(2), D_y = y.size(2), R = grid.size(1), C = grid.size(2);
        Array s_prev = first_state(grid, w);
        Array s = s_prev, a = Array::zeros<float>("a", {B, R, C}), table = Array::zeros<float>("", {B, D_y});
        const Array W_o = Array::zeros<float>("", {D_s, B}), b_o = Array::zeros<float>("", {B});
        std::vector<int> order(static_cast<std::size_t>(B));
        std::iota(order.begin(), order.end(), 0);
        const TensorView<const int, 1> words(order.data(), B);
        for (int t = 0; t < S.size(1); ++t) {
            for (int b = 0; b < B; ++b) std::copy_n(y[b][t].data(), D_y, table.view<float, 2>()[b].data());
            ContractCall call("caption_step", {});
            call.in(words, std::as_const(s_prev).view<float, 2>(), grid,
                    std::as_const(table).view<float, 2>(), w, W_o.view<float, 2>(), b_o.view<float, 1>());
            call.out(s.view<float, 2>(), a.view<float, 3>(), kUnused);
            if (!call.answered_by(functions_)) return;
            for (int b = 0; b < B; ++b) {
                std::copy_n(s.view<float, 2>()[b].data(), D_s, S[b][t].data());
                std::copy_n(a.view<float, 3>()[b].data(), R * C, A[b][t].data());
            }
            s_prev = s;
        }
    }

    /// The states by show_and_tell, whose logits are the states themselves with a W_o of ones on the diagonal.
    void say_without_attention(View3 S, Read4 grid, Read3 y, const DecoderWeights<float>& w) {
        const int B = S.size(0), L = S.size(1), D_s = S.size(2), D_y = y.size(2);
        // Word 0 is START, and each other word of the table is read at one place.
        Array table = Array::zeros<float>("", {1 + B * L, D_y}), W_o = Array::zeros<float>("", {D_s, D_s});
        const Array b_o = Array::zeros<float>("", {D_s});
        std::vector<int> words(static_cast<std::size_t>(B * L));
        std::iota(words.begin(), words.end(), 1);
        std::copy_n(y[0][0].data(), D_y, table.view<float, 2>()[0].data());
        for (int b = 0; b < B; ++b)
            for (int t = 0; t < L; ++t)
                std::copy_n(y[b][t + 1].data(), D_y, table.view<float, 2>()[1 + b * L + t].data());
        for (int d = 0; d < D_s; ++d) W_o.view<float, 2>()(d, d) = 1;
        const TensorView<const int, 2> read(words.data(), B, L);
        const Read2 W_x(w.W_x.data(), D_y, D_s), ones = std::as_const(W_o).view<float, 2>(),
                                                 vectors = std::as_const(table).view<float, 2>();
        const Read1 zeros = b_o.view<float, 1>();
        answers("show_and_tell", std::tie(S),
                std::tie(read, grid, vectors, w.W_0, w.b_0, W_x, w.W_s, w.b, ones, zeros), {{"start", 0}});
    }

    Array first_state(Read4 grid, const DecoderWeights<float>& w) {
        return functions_("first_state",
                          {ask::named("grid", array_of(grid)), ask::named("W_0", array_of(w.W_0)),
                           ask::named("b_0", array_of(w.b_0))})
            .at(0);
    }

    /// Y = Z + feed_forward(layer_norm(Z)) with Z = X + multi_head_attention(layer_norm(X))
    void pre_norm_block(View3 Y, Read3 X, const BlockWeights<float>& w, Masks mask, int H,
                        Activation activation, float eps) {
        training::Tensor<3> normed, residual;
        const View3 N = normed.shaped(X.size(0), X.size(1), X.size(2)),
                    Z = residual.shaped(X.size(0), X.size(1), X.size(2));
        const auto add = [](View3 to, Read3 from) {
            std::transform(from.data(), from.data() + from.count(), to.data(), to.data(), std::plus<>());
        };
        layer_norm(training::rows_of(N), training::rows_of(X), w.gamma_1, w.beta_1, eps);
        multi_head_attention(Z, N, N, w.attention, mask, H);
        add(Z, X);
        layer_norm(training::rows_of(N), training::rows_of<const float>(Z), w.gamma_2, w.beta_2, eps);
        feed_forward(training::rows_of(Y), training::rows_of<const float>(N), {w.W_1, w.b_1, w.W_2, w.b_2},
                     activation);
        add(Y, Z);
    }

    /// Whether the student's function answered. If so, its outputs stand in the views.
    template <class Outputs, class Inputs>
    bool answers(const char* function, const Outputs& outputs, const Inputs& inputs,
                 ContractCall::Options options = {}) {
        ContractCall call(function, options);
        std::apply([&](const auto&... all) { call.out(all...); }, outputs);
        std::apply([&](const auto&... all) { call.in(all...); }, inputs);
        return call.answered_by(functions_);
    }

    /// An output that is computed and thrown away.
    static constexpr View2 kUnused = {};

    StudentOrReference& functions_;
    std::unique_ptr<training::Modules> others_;
    LayerChoice choice_;
};

Numbers gradient_of(training::Task& task, const Numbers& theta, training::Modules& modules) {
    Numbers gradient(theta.size());
    training::Random random(1, 1);
    task.gradients(modules, gradient, theta, random);
    return gradient;
}

/// The norm of a piece of x - y.
double distance(const Numbers& x, const Numbers& y, std::size_t first, std::size_t count) {
    double squares = 0;
    for (std::size_t k = first; k < first + count; ++k) squares += std::pow(double{x[k]} - double{y[k]}, 2);
    return std::sqrt(squares);
}

}  // namespace

std::unique_ptr<training::Modules> student_modules(StudentOrReference& functions,
                                                   std::unique_ptr<training::Modules> others,
                                                   LayerChoice choice) {
    return std::make_unique<StudentModules>(functions, std::move(others), choice);
}

Array attention_weights(StudentOrReference& functions, training::Modules& modules, Read3 X,
                        const BlockWeights<float>& weights, Masks mask, int H) {
    training::Tensor<3> normed;
    const View3 N = normed.shaped(X.size(0), X.size(1), X.size(2));
    modules.layer_norm(training::rows_of(N), training::rows_of(X), weights.gamma_1, weights.beta_1,
                       training::kEps);
    return attended(functions, modules, N, N, weights.attention, mask, H).A;
}

GradientCheck compare_gradients(training::Task& task, const Numbers& theta, training::Modules& yours,
                                training::Modules& right) {
    const Numbers a = gradient_of(task, theta, yours), b = gradient_of(task, theta, right),
                  zeros(theta.size());
    constexpr double kLeastShare = 1e-3;
    const double least = kLeastShare * distance(b, zeros, 0, b.size());
    GradientCheck check;
    for (const training::Layout::Entry& entry : task.layout().entries()) {
        const double share = distance(a, b, entry.first, entry.count) /
                             std::max(least, distance(b, zeros, entry.first, entry.count));
        // A difference that is no number is the largest.
        if (check.weight.empty() || !(share <= check.difference)) check = {share, entry.name};
        if (!(share == share)) break;
    }
    return check;
}

}  // namespace attn::trained
