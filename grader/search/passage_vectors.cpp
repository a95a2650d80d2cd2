#include "grader/search/passage_vectors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/safetensors.h"
#include "grader/search/model_files.h"
#include "grader/worker/interrupt.h"

namespace attn::search {
namespace {

constexpr std::size_t kBatch = 16;
constexpr std::size_t kMostKept =
    20'000;                  ///< vectors of texts that are no longer there are kept up to this number
constexpr int kDigest = 32;  ///< characters of a text's SHA-256 that are kept

using Known = std::map<std::string, std::vector<float>>;  ///< from the digest of a text to its vector

std::string digest_of(const std::string& text) {
    return sha256_of(text).substr(0, kDigest);
}

Known read_known(const std::filesystem::path& file, const std::string& name, int D) {
    Known known;
    try {
        const data::Safetensors kept = data::read_safetensors(file);
        const auto model = kept.metadata.find("model");
        const Array &texts = data::array_named(kept.arrays, "texts"),
                    &vectors = data::array_named(kept.arrays, "vectors");
        if (model == kept.metadata.end() || model->second != name ||
            vectors.shape != Shape{texts.shape.at(0), D} || texts.shape != Shape{texts.shape[0], kDigest})
            return {};
        for (int m = 0; m < texts.shape[0]; ++m) {
            const std::uint8_t* const digest = texts.view<std::uint8_t, 2>()[m].data();
            const float* const numbers = vectors.view<float, 2>()[m].data();
            known[std::string(digest, digest + kDigest)] = {numbers, numbers + D};
        }
    } catch (const std::exception&) {  // what is kept can be computed again
        return {};
    }
    return known;
}

void write_known(const std::filesystem::path& file, const std::string& name, const Known& known, int D) {
    const int M = static_cast<int>(known.size());
    std::vector<std::uint8_t> digests;
    std::vector<float> numbers;
    for (const auto& [digest, vector] : known) {
        digests.insert(digests.end(), digest.begin(), digest.end());
        numbers.insert(numbers.end(), vector.begin(), vector.end());
    }
    try {
        data::write_safetensors(
            file,
            {Array("texts", {M, kDigest}, std::move(digests)), Array("vectors", {M, D}, std::move(numbers))},
            {{"model", name}});
    } catch (const data::FileError&) {  // without room on the disk they are computed again the next time
    }
}

}  // namespace

Array vectors_of(const std::vector<Passage>& passages, SentenceModel& model, const std::string& name,
                 const std::filesystem::path& file, const std::function<void(const std::string&)>& progress) {
    const int D = model.width();
    Known known = read_known(file, name, D);
    std::vector<std::string> digests, new_texts;
    std::vector<std::vector<std::int32_t>> tokens;
    for (const Passage& passage : passages) {
        const std::string text = passage.to_read();
        digests.push_back(digest_of(text));
        if (known.contains(digests.back())) continue;
        known[digests.back()] = {};
        new_texts.push_back(digests.back());
        tokens.push_back(model.tokens(text));
    }
    // Texts of like lengths together, so that little is computed for padding.
    std::vector<std::size_t> order(new_texts.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return tokens[k].size(); });
    const Functions fast = fast_functions();
    for (std::size_t first = 0; first < order.size(); first += kBatch) {
        worker::throw_if_interrupted();
        progress(fmt::format("reading the course: {} of {} new passages", first, order.size()));
        std::vector<std::vector<std::int32_t>> batch;
        const std::size_t end = std::min(first + kBatch, order.size());
        for (std::size_t k = first; k < end; ++k) batch.push_back(tokens[order[k]]);
        const Array v = model.vectors(batch, fast);
        for (std::size_t k = first; k < end; ++k) {
            const float* const row = v.view<float, 2>()[static_cast<int>(k - first)].data();
            known[new_texts[order[k]]] = {row, row + D};
        }
    }
    Array vectors = Array::zeros<float>("vectors", {static_cast<int>(passages.size()), D});
    for (std::size_t m = 0; m < digests.size(); ++m)
        std::ranges::copy(known[digests[m]], vectors.view<float, 2>()[static_cast<int>(m)].data());
    if (!new_texts.empty()) {
        if (known.size() > kMostKept)
            std::erase_if(known, [&](const auto& each) {
                return std::ranges::find(digests, each.first) == digests.end();
            });
        write_known(file, name, known, D);
    }
    progress("");
    return vectors;
}

std::vector<Found> best(const Array& v, const Array& vectors, std::size_t most) {
    std::vector<Found> all;
    for (int m = 0; m < vectors.shape.at(0); ++m)
        if (const double score = similarity(v, 0, vectors, m); std::isfinite(score))
            all.push_back({static_cast<std::size_t>(m), score});
    std::ranges::stable_sort(all, [](const Found& a, const Found& b) { return a.score > b.score; });
    all.resize(std::min(all.size(), most));
    return all;
}

std::pair<double, double> Plane::place(const Array& v, int row) const {
    const auto numbers = v.view<float, 2>()[row];
    double at[2] = {0, 0};
    for (int k = 0; k < 2; ++k)
        for (std::size_t d = 0; d < mean.size(); ++d)
            at[k] += (double{numbers(static_cast<int>(d))} - mean[d]) * directions[k][d];
    return {at[0], at[1]};
}

Plane plane_of(const Array& vectors) {
    const int M = vectors.shape.at(0), D = vectors.shape.at(1);
    const auto X = vectors.view<float, 2>();
    Plane plane;
    plane.mean.assign(static_cast<std::size_t>(D), 0);
    for (int m = 0; m < M; ++m)
        for (int d = 0; d < D; ++d) plane.mean[static_cast<std::size_t>(d)] += double{X(m, d)} / M;
    // Power iteration: w = C w / |C w| with the covariance C, the second w each time without its part along the first. For a
    // picture a few steps are enough.
    constexpr int kSteps = 12;
    for (auto& w : plane.directions) {
        w.resize(static_cast<std::size_t>(D));
        for (std::size_t d = 0; d < w.size(); ++d)  // any two directions
            w[d] = std::sin(static_cast<double>(&w - plane.directions) + static_cast<double>(d * (d + 1)));
    }
    for (int step = 0; step < kSteps; ++step) {
        std::vector<double> next[2] = {std::vector<double>(static_cast<std::size_t>(D)),
                                       std::vector<double>(static_cast<std::size_t>(D))};
        for (int m = 0; m < M; ++m) {
            const auto [x, y] = plane.place(vectors, m);
            for (std::size_t d = 0; d < next[0].size(); ++d) {
                const double off = double{X[m](static_cast<int>(d))} - plane.mean[d];
                next[0][d] += x * off;
                next[1][d] += y * off;
            }
        }
        for (int k = 0; k < 2; ++k) {
            std::vector<double>& w = next[k];
            const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
                return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
            };
            const double along = k == 0 ? 0 : dot(w, plane.directions[0]);
            for (std::size_t d = 0; d < w.size() && k > 0; ++d) w[d] -= along * plane.directions[0][d];
            const double length = std::sqrt(dot(w, w));
            if (length == 0) continue;  // they do not differ in a second direction
            for (std::size_t d = 0; d < w.size(); ++d) plane.directions[k][d] = w[d] / length;
        }
    }
    return plane;
}

}  // namespace attn::search
