// Assignment 4: the recipes of inputs.

#include <algorithm>
#include <cmath>

#include "contracts/masking_reference.h"
#include "datasets/sentences.h"
#include "datasets/shipped.h"
#include "grader/ask/inputs.h"

namespace attn::ask::masking {
namespace {

constexpr ElementType u8 = ElementType::u8;

/// Lengths 0 .. N_k. If there are three or more batches, one has length 0 and one has length N_k. The first
/// batch is neither of the two if possible, so a program that uses its length for all batches fails.
Array some_lengths(int B, int N_k, Random& random) {
    std::vector<int> lengths;
    for (int b = 0; b < B; ++b) lengths.push_back((1 + random.below(N_k) + b) % (N_k + 1));
    if (B > 2) {
        lengths[0] = std::max(1, N_k / 2);
        const int empty = 1 + random.below(B - 1), full = 1 + empty % (B - 1);
        lengths[static_cast<std::size_t>(empty)] = 0;
        lengths[static_cast<std::size_t>(full)] = N_k;
    }
    return {"lengths", {B}, lengths};
}

/// The causal mask [N_q, N_k].
Array causal(const std::string& name, int N_q, int N_k) {
    Array M = Array::zeros<std::uint8_t>(name, {N_q, N_k});
    cpu::causal_mask(M.view<std::uint8_t, 2>());
    return M;
}

Array padding(const std::string& name, const Array& lengths, int N_q, int N_k) {
    Array M = Array::zeros<std::uint8_t>(name, {lengths.shape[0], N_q, N_k});
    cpu::padding_mask(M.view<std::uint8_t, 3>(), lengths.view<int, 1>());
    return M;
}

Array both(const Array& causal, const Array& padding) {
    Array M = Array::zeros<std::uint8_t>("mask", padding.shape);
    cpu::combine_masks(M.view<std::uint8_t, 3>(), causal.view<std::uint8_t, 2>(),
                       padding.view<std::uint8_t, 3>());
    return M;
}

/// Random ones and zeros. If a batch has several rows, one row is all 0 and one is all 1, at places that
/// differ between the batches.
Array scattered(const std::string& name, const Shape& shape, Random& random) {
    Array M = random_mask(name, shape, random);
    const int D = shape.back(), N = shape[shape.size() - 2];
    if (N == 1) return M;
    for (std::size_t start = 0; start < M.count(); start += static_cast<std::size_t>(N * D)) {
        const auto first = M.as<std::uint8_t>().begin() + static_cast<std::ptrdiff_t>(start);
        const int batch = static_cast<int>(start) / (N * D), empty = (batch + 1 + random.below(N - 1)) % N;
        std::fill_n(first + empty * D, D, std::uint8_t{0});
        std::fill_n(first + (empty + 1) % N * D, D, std::uint8_t{1});
        // A third row gets at least one 0, because a row of ones would look unmasked.
        if (N > 2 && D > 1) first[(empty + 2) % N * D + random.below(D)] = 0;
    }
    return M;
}

Arrays normal(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        inputs.push_back(spec.type == ElementType::i32 ? some_lengths(shape[0], sizes.at("N_k"), random)
                         : spec.type == u8             ? scattered(spec.name, shape, random)
                                                       : ask::normal(spec.name, shape, random));
    }
    return inputs;
}

/// As a decoder masks: no key behind the query, and of each sequence only what is no padding.
Arrays decoder(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal(function, sizes, random);
    if (inputs.empty()) return inputs;
    const bool softmax = function.name == "masked_softmax";
    const int N_q = sizes.at(softmax ? "N" : "N_q"), N_k = sizes.at(softmax ? "D" : "N_k");
    const Array lengths = some_lengths(softmax ? 1 : sizes.at("B"), N_k, random);
    const Array front = causal("causal", N_q, N_k), real = padding("padding", lengths, N_q, N_k);
    if (has(inputs, "lengths")) by_name(inputs, "lengths") = lengths;
    if (has(inputs, "causal")) by_name(inputs, "causal") = front;
    if (has(inputs, "padding")) by_name(inputs, "padding") = real;
    if (has(inputs, "mask")) by_name(inputs, "mask").values = both(front, real).values;
    return inputs;
}

/// Every mask is all 1.
Arrays all_allowed(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal(function, sizes, random);
    for (Array& input : inputs)
        if (type_of(input) == u8) input = map(input, [](double) { return 1.0; });
    return inputs;
}

/// Some rows have all scores near 10000, others all scores near -10000, masked scores included. In
/// masked_softmax every third row has both: its allowed scores alternate, or only the last one is near 10000, which
/// a maximum over the first ones misses, and its masked ones are near -10000.
/// So a number that replaces masked scores must lie far below -10000. The inputs have few binary digits, so
/// that plain loops in float have hardly any rounding error.
Arrays far_from_0(const Function& function, const Sizes& sizes, Random& random) {
    constexpr double kFar = 10000;
    Arrays inputs = normal(function, sizes, random);
    const auto coarse = [](double x) { return std::round(8 * x) / 8; };
    const auto sign = [](std::size_t row) { return row % 2 == 0 ? -1.0 : 1.0; };
    if (has(inputs, "X")) {
        Array& X = by_name(inputs, "X");
        const auto D = static_cast<std::size_t>(X.shape[1]);
        const auto& mask = by_name(inputs, "mask").as<std::uint8_t>();
        for (std::size_t row = 0; row < X.count() / D; ++row) {
            double both_ends = -1;
            std::size_t last = row * D;
            for (std::size_t k = row * D; k < (row + 1) * D; ++k)
                if (mask[k] != 0) last = k;
            for (std::size_t k = row * D; k < (row + 1) * D; ++k) {
                const double here = row % 3 != 2   ? sign(row)
                                    : mask[k] == 0 ? -1
                                    : row % 2 == 1 ? (k == last ? 1 : -1)
                                                   : std::exchange(both_ends, -both_ends);
                X.as<float>()[k] =
                    static_cast<float>(coarse(static_cast<double>(X.as<float>()[k])) + kFar * here);
            }
        }
        return inputs;
    }
    for (const char* name : {"Q", "K"}) {
        Array& array = by_name(inputs, name);
        array = map(array, coarse);
        const auto D_q = static_cast<std::size_t>(array.shape[2]),
                   N = static_cast<std::size_t>(array.shape[1]);
        const bool query = array.name == "Q";
        // q . k / sqrt(D_q): feature 0 contributes +-kFar, the other features a normal number.
        for (std::size_t row = 0; row < array.count() / D_q; ++row)
            array.as<float>()[row * D_q] = static_cast<float>(
                query ? 100 * sign(row % N) : coarse(kFar / 100 * std::sqrt(static_cast<double>(D_q))));
    }
    return inputs;
}

/// Masked scores lie far above the allowed scores of their row, so that exp of an allowed score minus the
/// largest of all is 0. In masked_softmax, masked scores are near 200 or 10000, and in every third row the
/// allowed ones near -10000; every row has both. In masked_attention, neighbouring keys differ in steps of 400;
/// a query prefers late or early keys, so that its mask hides its best key where possible.
Arrays loud_masked(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs = normal(function, sizes, random);
    if (!has(inputs, "mask")) return inputs;
    const auto coarse = [](double x) { return std::round(8 * x) / 8; };
    if (has(inputs, "X")) {
        const auto rows = by_name(inputs, "mask").view<std::uint8_t, 2>();
        for (int i = 0; i < rows.size(0) && rows.size(1) > 1; ++i) {
            rows(i, i % rows.size(1)) = 0;
            rows(i, (i + 1) % rows.size(1)) = 1;
        }
        const auto& mask = by_name(inputs, "mask").as<std::uint8_t>();
        Array& X = by_name(inputs, "X");
        const auto D = static_cast<std::size_t>(X.shape[1]);
        std::size_t k = 0;
        X = map(X, [&](double x) {
            const std::size_t kind = k / D % 3;
            const bool allowed = mask[k++] != 0;
            return coarse(x) + (allowed ? kind == 2 ? -10000 : 0 : kind == 0 ? 200 : 10000);
        });
        return inputs;
    }
    constexpr double kStep = 400, kQuery = 100;
    Array &Q = by_name(inputs, "Q"), &K = by_name(inputs, "K");
    Q = map(Q, coarse), K = map(K, coarse);
    const auto q = Q.view<float, 3>(), k = K.view<float, 3>();
    const auto m = by_name(inputs, "mask").view<std::uint8_t, 3>();
    const int N_k = k.size(1);
    const double per_step = coarse(kStep / kQuery * std::sqrt(static_cast<double>(q.size(2))));
    for (int b = 0; b < q.size(0); ++b) {
        for (int j = 0; j < N_k; ++j) {
            const int pair = j / 2;
            k(b, j, 0) = static_cast<float>(per_step * pair);
        }
        for (int i = 0; i < q.size(1); ++i)
            q(b, i, 0) = static_cast<float>(m(b, i, N_k - 1) == 0 ? kQuery : -kQuery);
    }
    return inputs;
}

const std::vector<std::vector<std::string>>& three_sentences_tokens() {
    static const auto kTokens = [] {
        const auto all = data::read_sentences(data::shipped("lecture_sentences.txt"));
        std::vector<std::vector<std::string>> found;
        for (const char* name : {"think", "like", "network"})
            found.push_back(data::tokens(data::find_sentence(all, name)));
        return found;
    }();
    return kTokens;
}
constexpr int kLongest = 7;  ///< "I am not just a neural network"

std::vector<std::vector<std::string>> padded(std::vector<std::vector<std::string>> sentences) {
    for (std::vector<std::string>& tokens : sentences) tokens.resize(kLongest, "<pad>");
    return sentences;
}

/// Three sentences of a lecture as one batch, padded to equal length. Each word has its fixed embedding.
Arrays three_sentences(const Function& function, const Sizes& sizes, Random& random) {
    const auto& sentences = three_sentences_tokens();
    std::vector<int> lengths;
    for (const auto& tokens : sentences) lengths.push_back(static_cast<int>(tokens.size()));
    const Array given("lengths", {static_cast<int>(lengths.size())}, lengths);
    Arrays inputs = normal(function, sizes, random);
    const Array front = causal("causal", kLongest, kLongest);
    const Array real = padding("padding", given, kLongest, kLongest);
    if (has(inputs, "lengths")) by_name(inputs, "lengths") = given;
    if (has(inputs, "causal")) by_name(inputs, "causal") = front;
    if (has(inputs, "padding")) by_name(inputs, "padding") = real;
    if (!has(inputs, "mask")) return inputs;
    by_name(inputs, "mask") = both(front, real);
    constexpr int kWidth = 16;
    Array X = Array::zeros<float>("X", {given.shape[0], kLongest, kWidth});
    auto to = X.as<float>().begin();
    for (const std::vector<std::string>& tokens : padded(sentences)) {
        const Array embedded = data::embed(tokens, kWidth);
        to = std::copy(embedded.as<float>().begin(), embedded.as<float>().end(), to);
    }
    for (const char* name : {"Q", "K", "V"}) {
        const Array W = map(ask::normal("W", {kWidth, by_name(inputs, name).shape[2]}, random),
                            [](double w) { return w / std::sqrt(1.0 * kWidth); });
        inputs = with(std::move(inputs), name, product(X, W));
    }
    return inputs;
}

}  // namespace

std::vector<Recipe> recipes() {
    return {
        {"normal", "random numbers, masks and lengths", {}, normal},
        {"decoder", "a causal mask and padding together", {}, decoder},
        {"all_allowed", "masks of ones", {}, all_allowed},
        {"far_from_0", "scores near 10000 and near -10000", {}, far_from_0},
        {"loud_masked", "masked scores far above the allowed ones", {}, loud_masked},
        {"three_sentences",
         "three sentences of 5, 4 and 7 words, padded, with a causal mask",
         {{"B", 3}, {"N_q", kLongest}, {"N_k", kLongest}},
         three_sentences,
         [] {
             const auto words = padded(three_sentences_tokens());
             return Scene{{{"N_q", words}, {"N_k", words}}};
         }},
    };
}

}  // namespace attn::ask::masking
