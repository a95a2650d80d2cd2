#include "grader/search/wordpiece.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <utf8proc.h>

namespace attn::search {
namespace {

constexpr std::array<const char*, 5> kSpecial = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
constexpr std::size_t kLongestWord = 100;  ///< in characters

bool is_blank(char32_t c) {
    if (c == '\t' || c == '\n' || c == '\r') return true;
    const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP;
}

/// Control, format and private characters, and the sign for what could not be read.
bool is_left_out(char32_t c) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_CO:
        case UTF8PROC_CATEGORY_CS:
            return !is_blank(c);
        default:
            return c == 0xFFFD;
    }
}

bool is_punctuation(char32_t c) {
    // All marks of ASCII count, also $, + and the like, which are no punctuation in Unicode.
    if (c < 128)
        return c > ' ' && c < 127 && !(c >= '0' && c <= '9') && !((c | 32) >= 'a' && (c | 32) <= 'z');
    const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

/// The blocks of Chinese characters that BERT knows. Japanese and Korean alphabets are not among them.
bool is_chinese(char32_t c) {
    constexpr std::pair<char32_t, char32_t> kBlocks[] = {
        {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
        {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
    return std::any_of(std::begin(kBlocks), std::end(kBlocks),
                       [&](const auto& block) { return c >= block.first && c <= block.second; });
}

/// The characters of a text.
std::u32string read_utf8(std::string_view text) {
    std::u32string characters;
    while (!text.empty()) {
        utf8proc_int32_t c = 0;
        const utf8proc_ssize_t length =
            utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                             static_cast<utf8proc_ssize_t>(text.size()), &c);
        if (length > 0) characters += static_cast<char32_t>(c);
        text.remove_prefix(length > 0 ? static_cast<std::size_t>(length) : 1);
    }
    return characters;
}

std::string to_utf8(std::u32string_view characters) {
    std::string text;
    for (const char32_t c : characters) {
        std::array<utf8proc_uint8_t, 4> bytes{};
        const auto count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes.data());
        text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count));
    }
    return text;
}

/// Steps 2 and 3. What a character is made of stays in its order, because only marks would change theirs, and marks go.
std::u32string normalised(std::u32string_view text) {
    std::u32string result;
    for (const char32_t c : text) {
        if (is_left_out(c)) continue;
        if (is_blank(c) || is_chinese(c)) result += U' ';
        if (is_blank(c)) continue;
        constexpr std::size_t kMostParts = 8;  // Unicode's longest canonical decomposition has 4
        std::array<utf8proc_int32_t, kMostParts> parts{};
        int boundary = 0;
        const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(),
                                                               kMostParts, UTF8PROC_DECOMPOSE, &boundary);
        for (utf8proc_ssize_t k = 0; k < std::min<utf8proc_ssize_t>(count, kMostParts); ++k)
            if (utf8proc_category(parts[static_cast<std::size_t>(k)]) != UTF8PROC_CATEGORY_MN)
                result += static_cast<char32_t>(utf8proc_tolower(parts[static_cast<std::size_t>(k)]));
        if (is_chinese(c)) result += U' ';
    }
    return result;
}

}  // namespace

WordPiece::WordPiece(std::string_view vocabulary) {
    for (std::size_t end = 0; !vocabulary.empty(); vocabulary.remove_prefix(end)) {
        end = std::min(vocabulary.find('\n'), vocabulary.size());
        std::string_view piece = vocabulary.substr(0, end);
        if (piece.ends_with('\r')) piece.remove_suffix(1);
        pieces_.emplace_back(piece);
        end = std::min(end + 1, vocabulary.size());
    }
    for (std::size_t k = 0; k < pieces_.size(); ++k)
        if (!numbers_.emplace(pieces_[k], static_cast<std::int32_t>(k)).second)
            throw std::invalid_argument("line " + std::to_string(k + 1) + ": the piece \"" + pieces_[k] +
                                        "\" is there for the second time");
    for (const char* const special : kSpecial) number_of(special);
    unknown_ = number_of("[UNK]");
    first_ = number_of("[CLS]");
    last_ = number_of("[SEP]");
}

std::int32_t WordPiece::number_of(const std::string& piece) const {
    const auto found = numbers_.find(piece);
    if (found == numbers_.end())
        throw std::invalid_argument("line " + std::to_string(pieces_.size()) +
                                    " is the last one, and no line is " + piece);
    return found->second;
}

std::vector<std::int32_t> WordPiece::numbers(std::string_view text, std::size_t most) const {
    std::vector<std::int32_t> result = {first_};
    for (std::size_t from = 0; from < text.size();) {
        const auto next = std::min_element(kSpecial.begin(), kSpecial.end(), [&](auto a, auto b) {
            return text.find(a, from) < text.find(b, from);
        });
        const std::size_t at = std::min(text.find(*next, from), text.size());
        add_words(result, text.substr(from, at - from));
        if (at < text.size()) result.push_back(number_of(*next));
        from = at + std::string_view(*next).size();
    }
    if (result.size() + 1 > most) result.resize(most - 1);
    result.push_back(last_);
    return result;
}

void WordPiece::add_words(std::vector<std::int32_t>& numbers, std::string_view text) const {
    std::u32string word;
    const auto end_word = [&] {
        if (!word.empty()) add_word(numbers, word);
        word.clear();
    };
    for (const char32_t c : normalised(read_utf8(text))) {
        if (is_blank(c)) {
            end_word();
        } else if (is_punctuation(c)) {
            end_word();
            add_word(numbers, {&c, 1});
        } else {
            word += c;
        }
    }
    end_word();
}

void WordPiece::add_word(std::vector<std::int32_t>& numbers, std::u32string_view word) const {
    std::vector<std::int32_t> found;
    for (std::size_t from = 0; from < word.size() && word.size() <= kLongestWord;) {
        std::size_t to = word.size();
        auto piece = numbers_.end();
        for (; to > from && piece == numbers_.end(); --to)
            piece = numbers_.find((from > 0 ? "##" : "") + to_utf8(word.substr(from, to - from)));
        if (piece == numbers_.end()) {
            found.clear();
            break;
        }
        found.push_back(piece->second);
        from = to + 1;
    }
    if (found.empty()) found = {unknown_};
    numbers.insert(numbers.end(), found.begin(), found.end());
}

std::vector<std::string> WordPiece::pieces(const std::vector<std::int32_t>& numbers) const {
    std::vector<std::string> result;
    for (const std::int32_t number : numbers) result.push_back(pieces_.at(static_cast<std::size_t>(number)));
    return result;
}

}  // namespace attn::search
