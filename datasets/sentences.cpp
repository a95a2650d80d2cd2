#include "datasets/sentences.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <locale>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "datasets/files/file_error.h"
#include "datasets/shipped.h"

namespace attn::data {
namespace {

constexpr const char* kForm = "expected name<tab>language<tab>text";

/// Whether `text` is well-formed UTF-8: no stray or missing bytes, overlong forms or surrogates.
bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (length == 0 || lead > 0xf4 || length > text.size() - at) return false;
        std::uint32_t code = length == 1 ? lead : lead & (0x7fU >> length);
        for (std::size_t k = 1; k < length; ++k) {
            const auto byte = static_cast<unsigned char>(text[at + k]);
            if ((byte & 0xc0) != 0x80) return false;
            code = code << 6 | (byte & 0x3f);
        }
        const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
        if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
        at += length;
    }
    return true;
}

/// 64-bit FNV-1a of the bytes.
std::uint64_t hash(std::string_view bytes) {
    std::uint64_t value = 0xcbf29ce484222325;
    for (const char c : bytes) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return value;
}

/// One draw of splitmix64.
std::uint64_t draw(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/// A number in [-sqrt(3), sqrt(3)) from the top 24 bits. The 24 bits and the power of two are exact in float,
/// so only one product is rounded, and IEEE rounding is the same on every platform.
float uniform(std::uint64_t bits) {
    constexpr float kSqrt3 = 0x1.bb67aep0F;
    const auto centred = static_cast<std::int32_t>(bits >> 40) - (1 << 23);
    return static_cast<float>(centred) * (kSqrt3 * 0x1p-23F);
}

}  // namespace

std::vector<Sentence> read_sentences(const std::filesystem::path& path) {
    std::istringstream file(read_file(path));
    std::vector<Sentence> sentences;
    std::set<std::string> names;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        const std::string where = "line " + std::to_string(++number);
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty() || line.starts_with('#')) continue;
        if (!is_utf8(line))
            throw FileError(path, where + ": " + in_quotes(line), "expected UTF-8", "convert the file");

        std::vector<std::string> fields(1);
        for (const char c : line) {
            if (c == '\t') {
                fields.emplace_back();
            } else {
                fields.back() += c;
            }
        }
        if (fields.size() != 3)
            throw FileError(path, where + " has " + std::to_string(fields.size()) + " fields", kForm,
                            "put one tab, not spaces, between the fields of " + in_quotes(line));
        for (const std::string& field : fields)
            if (field.find_first_not_of(' ') == std::string::npos)
                throw FileError(path, where + " has an empty field", kForm, "fill it in: " + in_quotes(line));
        if (!names.insert(fields[0]).second)
            throw FileError(path, where + ": the name " + in_quotes(fields[0]) + " occurs a second time",
                            "expected each name once", "give the sentence another name");
        sentences.push_back({std::move(fields[0]), std::move(fields[1]), std::move(fields[2])});
    }
    if (sentences.empty()) throw FileError(path, "no sentence", kForm, "write one line for each sentence");
    return sentences;
}

const Sentence& find_sentence(const std::vector<Sentence>& sentences, std::string_view name) {
    const auto found = std::find_if(sentences.begin(), sentences.end(),
                                    [&](const Sentence& sentence) { return sentence.name == name; });
    if (found != sentences.end()) return *found;
    std::string names;
    for (const Sentence& sentence : sentences) names += (names.empty() ? "" : ", ") + sentence.name;
    throw std::invalid_argument("there is no sentence named " + in_quotes(name) +
                                "; those that exist: " + (names.empty() ? "none" : names));
}

std::vector<std::string> tokens(const Sentence& sentence) {
    std::istringstream text(sentence.text);
    text.imbue(std::locale::classic());
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    if (!words.empty() && words.back().size() > 1 && words.back().ends_with('.')) {
        words.back().pop_back();
        words.emplace_back(".");
    }
    return words;
}

std::vector<std::string> lecture_tokens(const std::string& name) {
    return tokens(find_sentence(read_sentences(shipped("lecture_sentences.txt")), name));
}

Array embed(const std::vector<std::string>& tokens, int D) {
    if (D < 1)
        throw std::invalid_argument("embed: D is " + std::to_string(D) + "; expected at least 1 feature");
    std::vector<float> X;
    X.reserve(tokens.size() * static_cast<std::size_t>(D));
    for (const std::string& token : tokens) {
        std::uint64_t state = hash(token);
        for (int d = 0; d < D; ++d) X.push_back(uniform(draw(state)));
    }
    return Array("X", {1, static_cast<int>(tokens.size()), D}, std::move(X));
}

}  // namespace attn::data
