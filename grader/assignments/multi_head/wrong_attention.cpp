// Assignment 3: multi-head attention as a Variant says.

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/ask/inputs.h"
#include "grader/assignments/multi_head/variant.h"

namespace attn::ask::multi_head {
namespace {

/// Y [B, H, N, D_h] from X [B, N, D]. False if this kind would read beyond the end of X.
template <class T>
bool split(Split kind, TensorView<T, 4> Y, TensorView<const T, 3> X) {
    const int B = Y.size(0), H = Y.size(1), N = Y.size(2), D_h = Y.size(3);
    if (kind == Split::view) {
        std::copy_n(X.data(), X.count(), Y.data());
        return true;
    }
    if (kind == Split::from_h_H && (H - 1) * H + D_h > X.size(2)) return false;
    for (int b = 0; b < B; ++b) {
        for (int h = 0; h < H; ++h) {
            const int begin = kind == Split::head_0 ? 0 : kind == Split::from_h_H ? h * H : h * D_h;
            for (int i = 0; i < N; ++i)
                for (int d = 0; d < D_h; ++d)
                    Y(b, h, i, d) = X(b, i, kind == Split::interleaved ? d * H + h : begin + d);
        }
    }
    return true;
}

/// Y [B, N, H D_h] from X [B, H, N, D_h]. Columns that are not written are 0.
template <class T>
void merge(Merge kind, TensorView<T, 3> Y, TensorView<const T, 4> X) {
    const int B = X.size(0), H = X.size(1), N = X.size(2), D_h = X.size(3);
    if (kind == Merge::view) {
        std::copy_n(X.data(), X.count(), Y.data());
        return;
    }
    std::fill_n(Y.data(), Y.count(), T{0});
    for (int b = 0; b < B; ++b) {
        for (int h = 0; h < H; ++h) {
            for (int i = 0; i < N; ++i) {
                for (int d = 0; d < D_h; ++d) {
                    const int column = kind == Merge::columns       ? h * D_h + d
                                       : kind == Merge::interleaved ? d * H + h
                                                                    : d;
                    const T share = kind == Merge::averaged ? static_cast<T>(H) : T{1};
                    Y(b, i, column) += X(b, h, i, d) / share;
                }
            }
        }
    }
}

/// One call of multi_head_attention.
template <class T>
class Layer {
  public:
    Layer(const Variant& variant, const Arrays& inputs, int H)
        : variant_(variant),
          inputs_(inputs),
          D_(by_name(inputs, "b_Q").shape[0]),
          H_(variant.H_and_D_h_swapped ? D_ / H : H),
          D_h_(D_ / H_) {
        for (const Array& input : inputs)
            if (input.name == "mask") mask_ = input.view<std::uint8_t, 3>();
    }

    bool run(Array& result) {
        const bool swapped = variant_.sides == Sides::swapped, to_q = variant_.sides == Sides::keys_from_X_q;
        const Array& asks = in(swapped ? "X_kv" : "X_q");
        const Array& keys = in(swapped || to_q ? "X_q" : "X_kv");
        const Array& values = in(variant_.sides == Sides::values_from_X_q ? "X_q" : keys.name);
        N_q_ = asks.shape[1], N_k_ = keys.shape[1];
        if (N_q_ != result.shape[1] || values.shape[1] != N_k_) return false;
        if (mask_ && variant_.masking != Masking::ignored && N_k_ > mask_.size(2)) return false;

        const char* b_Q = variant_.b_Q ? "b_Q" : "";
        const bool keys_ask = variant_.W_Q_W_K_swapped;
        const Array Q = keys_ask ? project(asks, "W_K", "b_K") : project(asks, "W_Q", b_Q);
        const Array K = keys_ask ? project(keys, "W_Q", b_Q) : project(keys, "W_K", "b_K");
        const Array V = project(values, "W_V", variant_.b_V ? "b_V" : "");
        if (!split_all(Q, K, V)) return false;
        weigh();
        const Array O = attend(V);
        if (variant_.output == Output::not_projected)
            result.as<T>() = O.template as<T>();
        else
            result.as<T>() = project_out(O).template as<T>();
        return true;
    }

  private:
    const Array& in(const std::string& name) const { return by_name(inputs_, name); }

    /// X W + b
    Array product(const Array& X, const char* W, const char* bias, bool transposed, bool own_block) const {
        Array result = X;
        const auto x = X.view<T, 3>();
        const auto w = in(W).template view<T, 2>();
        const auto y = result.view<T, 3>();
        for (int b = 0; b < y.size(0); ++b) {
            for (int i = 0; i < y.size(1); ++i) {
                for (int d = 0; d < D_; ++d) {
                    const int begin = own_block ? d / D_h_ * D_h_ : 0, end = own_block ? begin + D_h_ : D_;
                    T sum = 0;
                    for (int k = begin; k < end; ++k) sum += x(b, i, k) * (transposed ? w(d, k) : w(k, d));
                    y(b, i, d) = *bias == '\0' ? sum : sum + in(bias).template view<T, 1>()(d);
                }
            }
        }
        return result;
    }
    Array project(const Array& X, const char* W, const char* bias) const {
        return product(X, W, bias, variant_.projections_transposed, variant_.X_split_first);
    }
    Array project_out(const Array& O) const {
        return product(O, "W_O", variant_.b_O ? "b_O" : "", variant_.output == Output::transposed, false);
    }

    bool split_all(const Array& Q, const Array& K, const Array& V) {
        const int B = Q.shape[0];
        for (const auto& [to, from] : {std::pair{&Q_, &Q}, {&K_, &K}, {&V_, &V}}) {
            *to = Array::zeros<T>("", {B, H_, from->shape[1], D_h_});
            if (!split<T>(variant_.split, to->template view<T, 4>(), from->template view<T, 3>()))
                return false;
        }
        return true;
    }

    T divisor() const {
        const T D_h = static_cast<T>(D_h_), D = static_cast<T>(D_), H = static_cast<T>(H_);
        return variant_.scale == Scale::none     ? T{1}
               : variant_.scale == Scale::D_h    ? D_h
               : variant_.scale == Scale::sqrt_D ? std::sqrt(D)
               : variant_.scale == Scale::sqrt_H ? std::sqrt(H)
                                                 : std::sqrt(D_h);
    }

    /// Whether query i of this batch and head may attend to key j.
    bool allowed(int b, int h, int i, int j) const {
        if (!mask_ || variant_.masking == Masking::ignored) return true;
        const int batch = variant_.masking == Masking::tiled        ? (b * H_ + h) % mask_.size(0)
                          : variant_.masking == Masking::of_batch_0 ? 0
                                                                    : b;
        return (mask_(batch, i, j) != 0) != (variant_.masking == Masking::inverted);
    }

    /// A_ [B, H, N_q, N_k]
    void weigh() {
        const int B = Q_.shape[0];
        A_ = Array::zeros<T>("", {B, H_, N_q_, N_k_});
        const auto E = A_.template view<T, 4>();
        const auto Q = std::as_const(Q_).template view<T, 4>(), K = std::as_const(K_).template view<T, 4>();
        for (int b = 0; b < B; ++b) {
            for (int h = 0; h < H_; ++h) {
                const bool all = variant_.scores == Scores::summed;
                for (int i = 0; i < N_q_; ++i) {
                    for (int j = 0; j < N_k_; ++j) {
                        T dot = 0;
                        for (int g = all ? 0 : h; g < (all ? H_ : h + 1); ++g)
                            for (int d = 0; d < D_h_; ++d) dot += Q(b, g, i, d) * K(b, g, j, d);
                        E(b, h, i, j) = dot / divisor();
                    }
                }
            }
            for (int i = 0; i < N_q_; ++i) {
                if (variant_.over == Over::keys)
                    for (int h = 0; h < H_; ++h) normalise(b, i, h, h + 1, 0, N_k_);
                else
                    for (int j = 0; j < N_k_; ++j) normalise(b, i, 0, H_, j, j + 1);
            }
        }
    }

    /// Softmax over some heads and keys of one query, in place.
    void normalise(int b, int i, int h_0, int h_end, int j_0, int j_end) {
        const auto E = A_.template view<T, 4>();
        const auto each = [&](const auto& visit) {
            for (int h = h_0; h < h_end; ++h)
                for (int j = j_0; j < j_end; ++j) visit(E(b, h, i, j), allowed(b, h, i, j));
        };
        const bool late = variant_.masking == Masking::after_softmax,
                   zero = variant_.masking == Masking::times_scores;
        bool empty = true;
        each([&](T&, bool may) { empty = empty && !may; });
        const bool uniform = empty && variant_.masking == Masking::empty_uniform;
        if (uniform || zero) each([&](T& e, bool may) { e = may ? e : T{0}; });
        const auto counts = [&](bool may) { return may || late || zero || uniform; };
        T m = -std::numeric_limits<T>::infinity(), sum = 0;
        const bool of_all =
            variant_.subtract == Subtract::of_all || variant_.subtract == Subtract::of_all_or_0;
        each([&](T e, bool may) { m = of_all || counts(may) ? std::max(m, e) : m; });
        if (variant_.subtract == Subtract::nothing) m = 0;
        each([&](T& e, bool may) { sum += e = counts(may) ? std::exp(e - m) : T{0}; });
        const bool zero_stays =
            (empty && variant_.masking != Masking::empty_nan) || variant_.subtract == Subtract::of_all_or_0;
        if (sum == 0 && zero_stays) sum = 1;
        each([&](T& e, bool may) { e = may || !late ? e / sum : T{0}; });
    }

    /// O [B, N_q, D]
    Array attend(const Array& V) const {
        const int B = Q_.shape[0];
        Array heads = Array::zeros<T>("", {B, H_, N_q_, D_h_}), O = Array::zeros<T>("", {B, N_q_, D_});
        const auto a = A_.template view<T, 4>(), v = V_.template view<T, 4>();
        const auto whole = V.view<T, 3>();
        const auto o = heads.template view<T, 4>();
        const auto joined = O.template view<T, 3>();
        const T share = variant_.values == Values::whole_averaged ? static_cast<T>(H_) : T{1};
        for (int b = 0; b < B; ++b) {
            for (int h = 0; h < H_; ++h) {
                for (int i = 0; i < N_q_; ++i) {
                    for (int j = 0; j < N_k_; ++j) {
                        for (int d = 0; d < D_h_; ++d) o(b, h, i, d) += a(b, h, i, j) * v(b, h, j, d);
                        if (variant_.values == Values::own) continue;
                        for (int d = 0; d < D_; ++d)
                            joined(b, i, d) += a(b, h, i, j) / share * whole(b, j, d);
                    }
                }
            }
        }
        if (variant_.values == Values::own)
            merge<T>(variant_.merge, joined, std::as_const(heads).template view<T, 4>());
        return O;
    }

    const Variant& variant_;
    const Arrays& inputs_;
    int D_, H_, D_h_, N_q_ = 0, N_k_ = 0;
    TensorView<const std::uint8_t, 3> mask_;
    Array Q_, K_, V_, A_;
};

template <class T>
bool compute(const Variant& variant, const Function& function, Array& output, const Arrays& inputs) {
    if (function.name == "multi_head_attention")
        return Layer<T>(variant, inputs, static_cast<int>(function.option_value(inputs, "H"))).run(output);
    const Array& X = by_name(inputs, "X");
    if (function.name == "split_heads") return split<T>(variant.split, output.view<T, 4>(), X.view<T, 3>());
    merge<T>(variant.merge, output.view<T, 3>(), X.view<T, 4>());
    return true;
}

}  // namespace

std::optional<Arrays> computed(const Variant& variant, const Function& function, const Arrays& inputs,
                               Precision precision) {
    const bool single = precision == Precision::f32;
    const TensorSpec& spec = function.outputs.front();
    Arrays converted = inputs;
    if (!single)
        for (Array& input : converted)
            if (type_of(input) == ElementType::f32) input = input.cast<double>();
    Arrays outputs = {zeros_of(single ? ElementType::f32 : ElementType::f64, spec.name,
                               shape_of(spec, sizes_of(function, inputs)))};
    const bool possible = single ? compute<float>(variant, function, outputs[0], converted)
                                 : compute<double>(variant, function, outputs[0], converted);
    if (!possible) return std::nullopt;
    return outputs;
}

}  // namespace attn::ask::multi_head
