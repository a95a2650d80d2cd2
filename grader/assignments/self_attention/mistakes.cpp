// Assignment 2, what is usually got wrong: one attention with a switch for every misconception, so that any
// two of them can be made at once.

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

/// How somebody computes attention. As it stands: rightly.
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
    void (*make)(Variant& way);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries = {
        {{"no_scale", "the scores are not divided by sqrt(D_q)",
          "How does the size of q . k grow with D_q, and what does softmax do with large scores?"},
         [](Variant& way) { way.scale = Scale::none; }},
        {{"scale_D_q", "the scores are divided by D_q instead of its square root",
          "Take entries of variance 1: what is the standard deviation of q . k, and what is its variance?"},
         [](Variant& way) { way.scale = Scale::D_q; }},
        {{"scale_sqrt_N", "the scores are divided by the square root of the number of keys",
          "A score is one dot product. Over which index does it sum, and how many terms are there?"},
         [](Variant& way) { way.scale = Scale::sqrt_N; }},
        {{"scale_sqrt_D_v", "the scores are divided by sqrt(D_v)",
          "Which arrays take part in a score? Is V among them?"},
         [](Variant& way) { way.scale = Scale::sqrt_D_v; }},
        {{"softmax_over_columns",
          "the softmax runs over the rows of each column instead of the columns of each row",
          "One query shares out its attention. Which index of A(i, j) has to sum to 1?"},
         [](Variant& way) { way.over = Over::columns; }},
        {{"softmax_over_matrix", "the softmax sums over the whole matrix",
          "How much attention does each query have to give away: its own 1, or a part of one common 1?"},
         [](Variant& way) { way.over = Over::matrix; }},
        {{"K_not_transposed", "the scores are Q K, without the transpose",
          "Write down the index that the sum runs over, in Q and in K: the same feature of both?"},
         [](Variant& way) { way.scores = Scores::Q_K; }},
        {{"K_Q_transposed", "the scores are K Q^T instead of Q K^T",
          "Row i of E belongs to one vector. Is it a query or a key?"},
         [](Variant& way) { way.scores = Scores::K_QT; }},
        {{"A_transposed", "the output is A^T V",
          "Output i is a mean of the values, weighted by row i of A. Which index of A does your sum run "
          "over?"},
         [](Variant& way) { way.weights_transposed = true; }},
        {{"V_is_K", "the weights average the keys instead of the values",
          "Keys are for being found. What is handed out once they are?"},
         [](Variant& way) { way.values = Values::K; }},
        {{"V_is_X", "the weights average the inputs X instead of the values X W_V",
          "Three projections are given. Is each of them used?"},
         [](Variant& way) { way.values = Values::X; }},
        {{"scale_after_softmax",
          "the weights are divided by sqrt(D_q) after the softmax instead of the scores before it",
          "Add up a row of your A. What has it to be?"},
         [](Variant& way) { way.scale = Scale::after_softmax; }},
        {{"no_maximum", "exp is taken of the scores as they are",
          "exp(1000) is infinity and exp(-1000) is 0 in float: what can be subtracted from a row without "
          "changing its softmax?"},
         [](Variant& way) { way.subtract = Subtract::nothing; }},
        {{"global_maximum", "one maximum of all scores is subtracted from every row",
          "Take a row that lies 1000 below another. What is left of it after your subtraction, and what is "
          "its sum?"},
         [](Variant& way) { way.subtract = Subtract::global; }},
        {{"maximum_from_zero", "the search for a row's maximum begins at 0",
          "What is the maximum of a row in which all scores are negative? What does your search return?"},
         [](Variant& way) { way.subtract = Subtract::maximum_with_zero; }},
        {{"no_exp", "the scores are divided by their sum, without exp",
          "Scores may be negative. Which function makes every number positive and keeps their order?"},
         [](Variant& way) { way.exponential = false; }},
        {{"W_transposed", "the weight matrices are used transposed",
          "Vectors are rows and weights are [in, out]. Which index of W meets the features of X?"},
         [](Variant& way) { way.projections_transposed = true; }},
        {{"next_batch_keys", "each batch looks at the next batch's keys",
          "Batches are independent. Follow the index b through Q, K and V."},
         [](Variant& way) { way.next_batch_keys = true; }},
        {{"W_Q_W_K_swapped", "W_Q and W_K are swapped",
          "Row i of E asks, column j answers. Which projection makes the vector that asks?"},
         [](Variant& way) { way.queries_are_keys = true; }},
    };
    return kEntries;
}

/// A from E [N_q, N_k], in place.
template <class T>
void normalise(const Variant& way, TensorView<T, 2> E) {
    const int N = E.size(0), D = E.size(1);
    const auto group = [&way](int i, int j) {
        return way.over == Over::rows ? i : way.over == Over::columns ? j : 0;
    };
    const auto groups = static_cast<std::size_t>(std::max(N, D));
    std::vector<T> maximum(groups, -std::numeric_limits<T>::infinity()), sum(groups, 0);
    const auto at = [&group](std::vector<T>& v, int i, int j) -> T& {
        return v[static_cast<std::size_t>(group(i, j))];
    };
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < D; ++j) at(maximum, i, j) = std::max(at(maximum, i, j), E(i, j));
    if (way.subtract == Subtract::global)
        std::fill(maximum.begin(), maximum.end(), *std::max_element(maximum.begin(), maximum.end()));
    if (way.subtract == Subtract::maximum_with_zero)
        for (T& m : maximum) m = std::max(m, T{0});
    if (way.subtract == Subtract::nothing) std::fill(maximum.begin(), maximum.end(), T{0});
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < D; ++j) {
            if (way.exponential) E(i, j) = std::exp(E(i, j) - at(maximum, i, j));
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

/// The attention of one batch, the way somebody does it. False where the shapes do not allow it.
template <class T>
bool attend(const Variant& way, TensorView<T, 2> Y, TensorView<T, 2> A, TensorView<const T, 2> Q,
            TensorView<const T, 2> K, TensorView<const T, 2> V) {
    const int N_q = Q.size(0), N_k = K.size(0), D_q = Q.size(1), D_v = V.size(1);
    if (way.scores == Scores::Q_K && N_k != D_q) return false;
    if ((way.scores == Scores::K_QT || way.weights_transposed) && N_q != N_k) return false;
    const T divide = divisor<T>(way.scale, N_k, D_q, D_v);
    for (int i = 0; i < N_q; ++i) {
        for (int j = 0; j < N_k; ++j) {
            T dot = 0;
            for (int d = 0; d < D_q; ++d) {
                dot += way.scores == Scores::Q_KT  ? Q(i, d) * K(j, d)
                       : way.scores == Scores::Q_K ? Q(i, d) * K(d, j)
                                                   : K(i, d) * Q(j, d);
            }
            A(i, j) = dot / divide;
        }
    }
    normalise(way, A);
    if (way.scale == Scale::after_softmax)
        for (int i = 0; i < N_q; ++i)
            for (int j = 0; j < N_k; ++j) A(i, j) /= std::sqrt(static_cast<T>(D_q));
    for (int i = 0; i < N_q; ++i) {
        for (int d = 0; d < D_v; ++d) {
            T sum = 0;
            for (int j = 0; j < N_k; ++j) sum += (way.weights_transposed ? A(j, i) : A(i, j)) * V(j, d);
            Y(i, d) = sum;
        }
    }
    return true;
}

template <class T>
bool attend(const Variant& way, TensorView<T, 3> Y, TensorView<T, 3> A, TensorView<const T, 3> Q,
            TensorView<const T, 3> K, TensorView<const T, 3> V) {
    if (way.values == Values::K && K.size(2) != V.size(2)) return false;
    const int B = Q.size(0);
    for (int b = 0; b < B; ++b) {
        const auto K_b = K[way.next_batch_keys ? (b + 1) % B : b];
        if (!attend<T>(way, Y[b], A[b], Q[b], K_b, way.values == Values::K ? K_b : V[b])) return false;
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
bool compute(const Variant& way, const std::string& function, Arrays& outputs, const Arrays& inputs) {
    if (function == "softmax") {
        outputs[0].as<T>() = by_name(inputs, "X").as<T>();
        normalise(way, outputs[0].view<T, 2>());
        return true;
    }
    const bool layer = function == "self_attention";
    if (!layer) {
        if (way.values == Values::X) return false;
        return attend<T>(way, outputs[0].view<T, 3>(), outputs[1].view<T, 3>(),
                         by_name(inputs, "Q").view<T, 3>(), by_name(inputs, "K").view<T, 3>(),
                         by_name(inputs, "V").view<T, 3>());
    }
    const Array &X = by_name(inputs, "X"), &W_Q = by_name(inputs, "W_Q"), &W_K = by_name(inputs, "W_K");
    const Array& W_V = by_name(inputs, "W_V");
    const int D_x = X.shape[2];
    if (way.projections_transposed && (W_Q.shape[1] != D_x || W_V.shape[1] != D_x)) return false;
    if (way.values == Values::X && W_V.shape[1] != D_x) return false;
    const auto project_by = [&](const Array& W) { return project<T>(X, W, way.projections_transposed); };
    const Array Q = project_by(way.queries_are_keys ? W_K : W_Q),
                K = project_by(way.queries_are_keys ? W_Q : W_K);
    const Array V = way.values == Values::X ? X : project_by(W_V);
    Array A = Array::zeros<T>("A", {X.shape[0], X.shape[1], X.shape[1]});
    return attend<T>(way, outputs[0].view<T, 3>(), A.view<T, 3>(), Q.view<T, 3>(), K.view<T, 3>(),
                     V.view<T, 3>());
}

}  // namespace

std::vector<Mistake> mistakes() {
    return mistakes_of(entries());
}

std::optional<Arrays> mistaken(const Function& function, std::span<const int> made, const Arrays& inputs,
                               Precision precision) {
    const auto way = variant_of<Variant>(entries(), made);
    if (!way) return std::nullopt;

    const Sizes sizes = sizes_of(function, inputs);
    Arrays outputs, given;
    const bool single = precision == Precision::f32;
    for (const TensorSpec& spec : function.outputs) {
        const Shape shape = shape_of(spec, sizes);
        outputs.push_back(single ? Array::zeros<float>(spec.name, shape)
                                 : Array::zeros<double>(spec.name, shape));
    }
    for (const Array& input : inputs) given.push_back(single ? input : input.cast<double>());
    const bool possible = single ? compute<float>(*way, function.name, outputs, given)
                                 : compute<double>(*way, function.name, outputs, given);
    if (!possible) return std::nullopt;
    return outputs;
}

}  // namespace attn::ask::self_attention
