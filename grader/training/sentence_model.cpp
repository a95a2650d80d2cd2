#include "grader/training/sentence_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "datasets/sentences.h"
#include "grader/ask/inputs.h"

namespace attn::trained {
namespace {

/// Softmax in double; the sum is that of the finite numbers.
std::vector<double> probabilities(const float* logits, int V) {
    const float most = *std::max_element(logits, logits + V);
    std::vector<double> p;
    double sum = 0;
    for (int v = 0; v < V; ++v) sum += p.emplace_back(std::exp(double{logits[v]} - double{most}));
    for (double& each : p) each /= sum;
    return p;
}

}  // namespace

const SentenceWorld& sentence_world() {
    static const SentenceWorld world = [] {
        SentenceWorld result{{"START", "EOS"}, {}};
        for (const char* const name : {"think", "like", "network"}) {
            std::vector<int>& sentence = result.sentences.emplace_back();
            for (const std::string& word : data::lecture_tokens(name)) {
                const auto known = std::find(result.words.begin(), result.words.end(), word);
                sentence.push_back(static_cast<int>(known - result.words.begin()));
                if (known == result.words.end()) result.words.push_back(word);
            }
            sentence.push_back(kSentenceEnd);
        }
        return result;
    }();
    return world;
}

SentenceModel::SentenceModel(Functions& f, const Weights& weights, From from)
    : f_(f),
      weights_(weights),
      table_(weights("table")),
      positions_(weights("P")),
      N_(positions_.shape.at(0)),
      options_{kSentenceHeads, from, {}} {
    const int N = N_;
    const Array causal = only(f("causal_mask", {ask::option("N_q", N), ask::option("N_k", N)}));
    options_.mask = reshaped(causal, {1, N, N}, "mask");
}

Array SentenceModel::before_last_block(const std::vector<int>& tokens) {
    const int D = table_.shape.at(1);
    Array X = Array::zeros<float>("X", {1, N_, D});
    const auto table = table_.view<float, 2>(), P = positions_.view<float, 2>();
    for (int i = 0; i < N_; ++i) {
        const int token =
            i < static_cast<int>(tokens.size()) ? tokens[static_cast<std::size_t>(i)] : kSentenceStart;
        for (int d = 0; d < D; ++d) X.view<float, 3>()(0, i, d) = table(token, d) + P(i, d);
    }
    for (int l = 0; l + 1 < weights_.blocks(); ++l) X = block_output(f_, X, weights_.block(l), options_);
    return X;
}

Array SentenceModel::logits(const std::vector<int>& tokens) {
    const Array X =
        block_output(f_, before_last_block(tokens), weights_.block(weights_.blocks() - 1), options_);
    const Array Y = normed(f_, X, weights_("gamma"), weights_("beta"));
    const int V = table_.shape.at(0), D = table_.shape.at(1), N = static_cast<int>(tokens.size());
    Array result = Array::zeros<float>("logits", {N, V});
    const auto table = table_.view<float, 2>();
    const auto y = Y.view<float, 3>();
    for (int i = 0; i < N; ++i)
        for (int v = 0; v < V; ++v)
            for (int d = 0; d < D; ++d) result.view<float, 2>()(i, v) += y(0, i, d) * table(v, d);
    return result;
}

std::vector<int> SentenceModel::completed(std::vector<int> words) {
    std::vector<int> tokens = {kSentenceStart};
    tokens.insert(tokens.end(), words.begin(), words.end());
    while (static_cast<int>(tokens.size()) < N_) {
        const int next = largest(logits(tokens)).back();
        if (next == kSentenceEnd) break;
        tokens.push_back(next);
        words.push_back(next);
    }
    return words;
}

double SentenceModel::loss() {
    double sum = 0;
    int count = 0;
    for (const std::vector<int>& sentence : sentence_world().sentences) {
        std::vector<int> tokens = {kSentenceStart};
        tokens.insert(tokens.end(), sentence.begin(), sentence.end() - 1);
        const Array all = logits(tokens);
        const int V = all.shape[1];
        for (std::size_t i = 0; i < sentence.size(); ++i, ++count)
            sum -= std::log(probabilities(&all.as<float>()[i * static_cast<std::size_t>(V)],
                                          V)[static_cast<std::size_t>(sentence[i])]);
    }
    return sum / count;
}

Array SentenceModel::attention(const std::vector<int>& words) {
    std::vector<int> tokens = {kSentenceStart};
    tokens.insert(tokens.end(), words.begin(), words.end());
    BlockOptions options = options_;
    options.from = From::masked_attention;
    const Array A =
        attention_in_block(f_, before_last_block(tokens), weights_.block(weights_.blocks() - 1), options);
    const int H = A.shape[1], N = static_cast<int>(tokens.size());
    Array part = Array::zeros<float>("A", {H, N, N});
    const auto whole = A.view<float, 4>();
    for (int h = 0; h < H; ++h)
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) part.view<float, 3>()(h, i, j) = whole(0, h, i, j);
    return part;
}

}  // namespace attn::trained
