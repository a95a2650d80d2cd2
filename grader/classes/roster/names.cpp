#include "grader/classes/roster/names.h"

#include <algorithm>
#include <array>
#include <cwctype>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <iconv.h>
#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is POSIX's

#include "grader/report/text.h"

namespace attn::classes {

namespace {
namespace names {

/// The bytes of the first character of valid UTF-8.
std::size_t first_character(std::string_view text) {
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t bytes = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return std::min(bytes, text.size());
}

/// Marks without a width: of the writing direction, zero-width spaces and joiners, the byte order mark.
bool is_invisible(std::string_view character) {
    // NOLINTBEGIN(misc-misleading-bidirectional): these characters are what is looked for
    static const std::set<std::string_view> kInvisible = {
        "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d",
        "\u202e", "\u2060", "\u2066", "\u2067", "\u2068", "\u2069", "\u061c", "\ufeff", "\u00ad"};
    // NOLINTEND(misc-misleading-bidirectional)
    return kInvisible.count(character) != 0;
}

/// Makes characters plain in a UTF-8 locale of its own, whatever the locale of the process.
class Folder {
  public:
    Folder()
        : utf8_(newlocale(LC_ALL_MASK, "C.UTF-8", nullptr)),
          to_ascii_(iconv_open("ASCII//TRANSLIT", "UTF-8")),
          to_wide_(iconv_open("WCHAR_T", "UTF-8")),
          from_wide_(iconv_open("UTF-8", "WCHAR_T")) {}
    ~Folder() {
        for (iconv_t converter : {to_ascii_, to_wide_, from_wide_}) iconv_close(converter);
        if (utf8_ != nullptr) freelocale(utf8_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /// A name in lower case without accents, with a space for each other character.
    std::string folded_name(std::string_view name) {
        // The characters' plain forms are those of the thread's locale.
        const locale_t before = utf8_ != nullptr ? uselocale(utf8_) : nullptr;
        const std::string valid = report::clean(name);
        std::string result;
        for (std::string_view rest = valid; !rest.empty();) {
            const std::string_view character = rest.substr(0, first_character(rest));
            rest.remove_prefix(character.size());
            if (!is_invisible(character)) result += folded(character);
        }
        if (before != nullptr) uselocale(before);
        return result;
    }

  private:
    /// A character in lower case without accents; a space if it is no letter or digit; nothing for an accent.
    std::string folded(std::string_view character) {
        if (character == "'") return "";  // O'Brien, also with the printer's apostrophe
        std::string ascii = converted(to_ascii_, character);
        const bool foreign = ascii.find('?') != std::string::npos;
        if (!foreign && !ascii.empty()) {
            std::string result;
            for (const char c : ascii)
                if (std::isalnum(static_cast<unsigned char>(c)) != 0)
                    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            return result.empty() ? (character.size() == 1 ? " " : "") : result;
        }
        if (character.size() == 1) return foreign ? " " : "";
        std::string wide = converted(to_wide_, character);
        if (wide.size() != sizeof(wchar_t)) return std::string(character);
        wchar_t letter = 0;
        std::copy(wide.begin(), wide.end(), reinterpret_cast<char*>(&letter));
        if (utf8_ != nullptr) {
            if (iswalnum_l(static_cast<wint_t>(letter), utf8_) == 0) return "";
            letter = static_cast<wchar_t>(towlower_l(static_cast<wint_t>(letter), utf8_));
        }
        return converted(from_wide_, {reinterpret_cast<const char*>(&letter), sizeof letter});
    }

    static std::string converted(iconv_t converter, std::string_view text) {
        std::string in(text);
        std::array<char, 64> buffer{};
        char *next = in.data(), *out = buffer.data();
        std::size_t left = in.size(), room = buffer.size();
        iconv(converter, nullptr, nullptr, nullptr, nullptr);
        if (iconv(converter, &next, &left, &out, &room) == static_cast<std::size_t>(-1)) return "";
        return {buffer.data(), buffer.size() - room};
    }

    locale_t utf8_;
    iconv_t to_ascii_, to_wide_, from_wide_;
};

std::string folded(std::string_view name) {
    thread_local Folder folder;  // to make it takes longer than to fold a name
    return folder.folded_name(name);
}

}  // namespace names
}  // namespace

std::string tidy_name(std::string_view name) {
    std::string visible;
    for (std::string_view rest = name; !rest.empty();) {
        const std::string_view character = rest.substr(0, names::first_character(rest));
        rest.remove_prefix(character.size());
        // Persian and Indian names are written with joiners.
        if (character == "\u200c" || character == "\u200d" || !names::is_invisible(character))
            visible += character;
    }
    std::string line = report::one_line(visible);
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) return "";
    return line.substr(first, line.find_last_not_of(' ') - first + 1);
}

std::string name_words(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char c : names::folded(name)) {
        if (c != ' ')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    std::sort(words.begin(), words.end());
    std::string result;
    for (const std::string& word : words)
        if (!word.empty()) result += (result.empty() ? "" : " ") + word;
    return result;
}

std::string name_letters(std::string_view name) {
    std::string letters = names::folded(name);
    std::erase(letters, ' ');
    return letters;
}

namespace {

constexpr std::array kPseudonymWords{
    "amber",  "brave", "bright",  "calm",  "clear",  "clever", "copper", "cosy",   "crisp",
    "eager",  "early", "fair",    "fleet", "fresh",  "gentle", "glad",   "golden", "green",
    "happy",  "jolly", "keen",    "kind",  "lively", "lucky",  "mellow", "merry",  "modest",
    "neat",   "noble", "patient", "plain", "polite", "proud",  "quick",  "quiet",  "rapid",
    "silver", "smart", "sunny",   "swift", "tidy",   "warm",   "wise",   "witty"};

constexpr std::array kPseudonymAnimals{
    "badger", "beaver", "bee",     "bison", "crane", "cricket", "deer",   "dolphin", "eagle",
    "falcon", "ferret", "finch",   "fox",   "frog",  "gull",    "hare",   "hawk",    "heron",
    "horse",  "ibis",   "koala",   "lark",  "lemur", "lynx",    "magpie", "marten",  "mole",
    "moose",  "newt",   "otter",   "owl",   "panda", "puffin",  "rabbit", "raven",   "robin",
    "salmon", "seal",   "sparrow", "stork", "swan",  "tapir",   "trout",  "wren"};

}  // namespace

std::string new_pseudonym() {
    static std::random_device device;
    const auto below = [](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(device);
    };
    constexpr std::size_t kNumbers = 90, kFirst = 10;
    return fmt::format("{}-{}-{}", kPseudonymWords[below(kPseudonymWords.size())],
                       kPseudonymAnimals[below(kPseudonymAnimals.size())], kFirst + below(kNumbers));
}

}  // namespace attn::classes
