// Assignment 2: the mistakes that the grader recognises, and attention with a switch for each of them, so
// that any two can be combined.

#include <algorithm>
#include <cmath>

#include "grader/ask/inputs.h"
#include "grader/ask/switches.h"
#include "grader/assignments/self_attention/parts.h"

namespace attn::ask::self_attention {
namespace {

enum class Scale { sqrt_D_q, none, D_q, sqrt_N, sqrt_D_v, after_softmax };
enum class Over { rows, columns, matrix };                            // what the softmax sums over
enum class Subtract { maximum, nothing, global, maximum_with_zero };  // before exp
enum class Scores { Q_KT, Q_K, K_QT };
enum class Values { V, K, X };

/// With its default values: the right computation.
struct Variant {
    Scale scale = Scale::sqrt_D_q;
    Over over = Over::rows;
    Subtract subtract = Subtract::maximum;
    bool exponential = true;
    Scores scores = Scores::Q_KT;
    bool weights_transposed = false;
    Values values = Values::V;
    bool projections_transposed = false;
    bool next_batch_keys = false;
    bool queries_are_keys = false;
    bool operator==(const Variant&) const = default;
};

struct Entry {
    Mistake mistake;
    void (*make)(Variant& variant);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries = {
        {{"no_scale", "the scores are not divided by sqrt(D_q)",
          "How does the size of q . k grow with D_q, and what does softmax do with large scores?"},
         [](Variant& variant) { variant.scale = Scale::none; }},
        {{"scale_D_q", "the scores are divided by D_q instead of its square root",
          "Take entries of variance 1: what is the standard deviation of q . k, and what is its variance?"},
         [](Variant& variant) { variant.scale = Scale::D_q; }},
        {{"scale_sqrt_N", "the scores are divided by the square root of the number of keys",
          "A score is one dot product. Over which index does it sum, and how many terms are there?"},
         [](Variant& variant) { variant.scale = Scale::sqrt_N; }},
        {{"scale_sqrt_D_v", "the scores are divided by sqrt(D_v)",
          "Which arrays take part in a score? Is V among them?"},
         [](Variant& variant) { variant.scale = Scale::sqrt_D_v; }},
        {{"softmax_over_columns",
          "the softmax runs over the rows of each column instead of the columns of each row",
          "One query shares out its attention. Which index of A(i, j) has to sum to 1?"},
         [](Variant& variant) { variant.over = Over::columns; }},
        {{"softmax_over_matrix", "the softmax sums over the whole matrix",
          "How much attention does each query have to give away: its own 1, or a part of one common 1?"},
         [](Variant& variant) { variant.over = Over::matrix; }},
        {{"K_not_transposed", "the scores are Q K, without the transpose",
          "Write down the index that the sum runs over, in Q and in K: the same feature of both?"},
         [](Variant& variant) { variant.scores = Scores::Q_K; }},
        {{"K_Q_transposed", "the scores are K Q^T instead of Q K^T",
          "Row i of E belongs to one vector. Is it a query or a key?"},
         [](Variant& variant) { variant.scores = Scores::K_QT; }},
        {{"A_transposed", "the output is A^T V",
          "Output i is a mean of the values, weighted by row i of A. Which index of A does your sum run "
          "over?"},
         [](Variant& variant) { variant.weights_transposed = true; }},
        {{"V_is_K", "the weights average the keys instead of the values",
          "Keys are for being found. What is handed out once they are?"},
         [](Variant& variant) { variant.values = Values::K; }},
        {{"V_is_X", "the weights average the inputs X instead of the values X W_V",
          "Three projections are given. Is each of them used?"},
         [](Variant& variant) { variant.values = Values::X; }},
        {{"scale_after_softmax",
          "the weights are divided by sqrt(D_q) after the softmax instead of the scores before it",
          "Add up a row of your A. What has it to be?"},
         [](Variant& variant) { variant.scale = Scale::after_softmax; }},
        {{"no_maximum", "exp is taken of the scores as they are",
          "exp(1000) is infinity and exp(-1000) is 0 in float: what can be subtracted from a row without "
          "changing its softmax?"},
         [](Variant& variant) { variant.subtract = Subtract::nothing; }},
        {{"global_maximum", "one maximum of all scores is subtracted from every row",
          "Take a row that lies 1000 below another. What is left of it after your subtraction, and what is "
          "its sum?"},
         [](Variant& variant) { variant.subtract = Subtract::global; }},
        {{"maximum_from_zero", "the search for a row's maximum begins at 0",
          "What is the maximum of a row in which all scores are negative? What does your search return?"},
         [](Variant& variant) { variant.subtract = Subtract::maximum_with_zero; }},
        {{"no_exp", "the scores are divided by their sum, without exp",
          "Scores may be negative. Which function makes every number positive and keeps their order?"},
         [](Variant& variant) { variant.exponential = false; }},
        {{"W_transposed", "the weight matrices are used transposed",
          "Vectors are rows and weights are [in, out]. Which index of W meets the features of X?"},
         [](Variant& variant) { variant.projections_transposed = true; }},
        {{"next_batch_keys", "each batch looks at the next batch's keys",
          "Batches are independent. Follow the index b through Q, K and V."},
         [](Variant& variant) { variant.next_batch_keys = true; }},
        {{"W_Q_W_K_swapped", "W_Q and W_K are swapped",
          "Row i of E asks, column j answers. Which projection makes the vector that asks?"},
         [](Variant& variant) { variant.queries_are_keys = true; }},
    };
    return kEntries;
}

/// A from E [N_q, N_k], in place.
template <class T>
void normalise(const Variant& variant, TensorView<T, 2> E) {
    const int N = E.size(0), D = E.size(1);
    const auto group = [&variant](int i, int j) {
        return variant.over == Over::rows ? i : variant.over == Over::columns ? j : 0;
    };
    const auto groups = static_cast<std::size_t>(std::max(N, D));
    std::vector<T> maximum(groups, -std::numeric_limits<T>::infinity()), sum(groups, 0);
    const auto at = [&group](std::vector<T>& v, int i, int j) -> T& {
        return v[static_cast<std::size_t>(group(i, j))];
    };
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < D; ++j) at(maximum, i, j) = std::max(at(maximum, i, j), E(i, j));
    if (variant.subtract == Subtract::global)
        std::fill(maximum.begin(), maximum.end(), *std::max_element(maximum.begin(), maximum.end()));
    if (variant.subtract == Subtract::maximum_with_zero)
        for (T& m : maximum) m = std::max(m, T{0});
    if (variant.subtract == Subtract::nothing) std::fill(maximum.begin(), maximum.end(), T{0});
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < D; ++j) {
            if (variant.exponential) E(i, j) = std::exp(E(i, j) - at(maximum, i, j));
            at(sum, i, j) += E(i, j);
        }
    }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < D; ++j) E(i, j) /= at(sum, i, j);
}

template <class T>
T divisor(Scale scale, int N_k, int D_q, int D_v) {
    switch (scale) {
        case Scale::sqrt_D_q:
            return std::sqrt(static_cast<T>(D_q));
        case Scale::D_q:
            return static_cast<T>(D_q);
        case Scale::sqrt_N:
            return std::sqrt(static_cast<T>(N_k));
        case Scale::sqrt_D_v:
            return std::sqrt(static_cast<T>(D_v));
        default:
            return 1;
    }
}

/// The attention of one batch. False if the shapes do not allow this variant.
template <class T>
bool attend(const Variant& variant, TensorView<T, 2> Y, TensorView<T, 2> A, TensorView<const T, 2> Q,
            TensorView<const T, 2> K, TensorView<const T, 2> V) {
    const int N_q = Q.size(0), N_k = K.size(0), D_q = Q.size(1), D_v = V.size(1);
    if (variant.scores == Scores::Q_K && N_k != D_q) return false;
    if ((variant.scores == Scores::K_QT || variant.weights_transposed) && N_q != N_k) return false;
    const T divide = divisor<T>(variant.scale, N_k, D_q, D_v);
    for (int i = 0; i < N_q; ++i) {
        for (int j = 0; j < N_k; ++j) {
            T dot = 0;
            for (int d = 0; d < D_q; ++d) {
                dot += variant.scores == Scores::Q_KT  ? Q(i, d) * K(j, d)
                       : variant.scores == Scores::Q_K ? Q(i, d) * K(d, j)
                                                       : K(i, d) * Q(j, d);
            }
            A(i, j) = dot / divide;
        }
    }
    normalise(variant, A);
    if (variant.scale == Scale::after_softmax)
        for (int i = 0; i < N_q; ++i)
            for (int j = 0; j < N_k; ++j) A(i, j) /= std::sqrt(static_cast<T>(D_q));
    for (int i = 0; i < N_q; ++i) {
        for (int d = 0; d < D_v; ++d) {
            T sum = 0;
            for (int j = 0; j < N_k; ++j) sum += (variant.weights_transposed ? A(j, i) : A(i, j)) * V(j, d);
            Y(i, d) = sum;
        }
    }
    return true;
}

template <class T>
bool attend(const Variant& variant, TensorView<T, 3> Y, TensorView<T, 3> A, TensorView<const T, 3> Q,
            TensorView<const T, 3> K, TensorView<const T, 3> V) {
    if (variant.values == Values::K && K.size(2) != V.size(2)) return false;
    const int B = Q.size(0);
    for (int b = 0; b < B; ++b) {
        const auto K_b = K[variant.next_batch_keys ? (b + 1) % B : b];
        if (!attend<T>(variant, Y[b], A[b], Q[b], K_b, variant.values == Values::K ? K_b : V[b]))
            return false;
    }
    return true;
}

/// X W or X W^T
template <class T>
Array project(const Array& X, const Array& W, bool transposed) {
    const auto x = X.view<T, 3>();
    const auto w = W.view<T, 2>();
    Array result = Array::zeros<T>("", {x.size(0), x.size(1), w.size(1)});
    const auto y = result.view<T, 3>();
    for (int b = 0; b < x.size(0); ++b)
        for (int i = 0; i < x.size(1); ++i)
            for (int d = 0; d < w.size(1); ++d)
                for (int k = 0; k < x.size(2); ++k)
                    y(b, i, d) += x(b, i, k) * (transposed ? w(d, k) : w(k, d));
    return result;
}

template <class T>
bool compute(const Variant& variant, const std::string& function, Arrays& outputs, const Arrays& inputs) {
    if (function == "softmax") {
        outputs[0].as<T>() = by_name(inputs, "X").as<T>();
        normalise(variant, outputs[0].view<T, 2>());
        return true;
    }
    const bool layer = function == "self_attention";
    if (!layer) {
        if (variant.values == Values::X) return false;
        return attend<T>(variant, outputs[0].view<T, 3>(), outputs[1].view<T, 3>(),
                         by_name(inputs, "Q").view<T, 3>(), by_name(inputs, "K").view<T, 3>(),
                         by_name(inputs, "V").view<T, 3>());
    }
    const Array &X = by_name(inputs, "X"), &W_Q = by_name(inputs, "W_Q"), &W_K = by_name(inputs, "W_K");
    const Array& W_V = by_name(inputs, "W_V");
    const int D_x = X.shape[2];
    if (variant.projections_transposed && (W_Q.shape[1] != D_x || W_V.shape[1] != D_x)) return false;
    if (variant.values == Values::X && W_V.shape[1] != D_x) return false;
    const auto project_by = [&](const Array& W) { return project<T>(X, W, variant.projections_transposed); };
    const Array Q = project_by(variant.queries_are_keys ? W_K : W_Q),
                K = project_by(variant.queries_are_keys ? W_Q : W_K);
    const Array V = variant.values == Values::X ? X : project_by(W_V);
    Array A = Array::zeros<T>("A", {X.shape[0], X.shape[1], X.shape[1]});
    return attend<T>(variant, outputs[0].view<T, 3>(), A.view<T, 3>(), Q.view<T, 3>(), K.view<T, 3>(),
                     V.view<T, 3>());
}

}  // namespace

std::vector<Mistake> mistakes() {
    return mistakes_of(entries());
}

std::optional<Arrays> mistaken(const Function& function, std::span<const int> mistake_numbers,
                               const Arrays& inputs, Precision precision) {
    const auto variant = variant_of<Variant>(entries(), mistake_numbers);
    if (!variant) return std::nullopt;

    const Sizes sizes = sizes_of(function, inputs);
    Arrays outputs, converted;
    const bool single = precision == Precision::f32;
    for (const TensorSpec& spec : function.outputs) {
        const Shape shape = shape_of(spec, sizes);
        outputs.push_back(single ? Array::zeros<float>(spec.name, shape)
                                 : Array::zeros<double>(spec.name, shape));
    }
    for (const Array& input : inputs) converted.push_back(single ? input : input.cast<double>());
    const bool possible = single ? compute<float>(*variant, function.name, outputs, converted)
                                 : compute<double>(*variant, function.name, outputs, converted);
    if (!possible) return std::nullopt;
    return outputs;
}

}  // namespace attn::ask::self_attention
