#include "grader/edits/packed.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace attn::edits {
namespace {

/// Writes texts and numbers as indices of words.
class Writer {
  public:
    void text(const std::string& text) { data_.push_back({&*words_.insert(text).first, 0}); }
    void number(std::size_t value) { data_.push_back({nullptr, value}); }

    /// In alphabetical order, so that the words do not show the text.
    const std::set<std::string>& words() const { return words_; }
    std::vector<std::size_t> data() const {
        std::map<std::string, std::size_t> places;
        for (const std::string& word : words_) places.emplace(word, places.size());
        std::vector<std::size_t> numbers;
        for (const Entry& entry : data_) {
            numbers.push_back(entry.word == nullptr ? entry.number : places.at(*entry.word));
            if (numbers.back() > std::numeric_limits<std::uint16_t>::max())
                throw SourceError(
                    "packed source", 0,
                    "found " + std::to_string(numbers.back()) + " words; expected at most 65535");
        }
        return numbers;
    }

  private:
    struct Entry {
        const std::string* word;
        std::size_t number;
    };
    std::set<std::string> words_;
    std::vector<Entry> data_;
};

class Reader {
  public:
    Reader(std::span<const char* const> words, std::span<const std::uint16_t> data)
        : words_(words), data_(data) {}
    std::string text() { return words_[number()]; }
    std::size_t number() { return data_[at_++]; }

  private:
    std::span<const char* const> words_;
    std::span<const std::uint16_t> data_;
    std::size_t at_ = 0;
};

void write_tokens(Writer& to, Words& words, const std::string& text) {
    const Tokens tokens = tokens_of(words, "an edit", text);
    to.number(tokens.size());
    for (const Token& token : tokens) to.text(words.text(token.id));
}

std::string read_tokens(Reader& from) {
    std::string text;
    for (std::size_t left = from.number(); left > 0; --left) text += (text.empty() ? "" : " ") + from.text();
    return text;
}

Content read_content(Reader from, Words& words) {
    Content content;
    content.source = from.text();
    for (std::size_t files = from.number(); files > 0; --files) {
        PackedFile file{from.text(), {}};
        for (std::size_t left = from.number(); left > 0; --left) {
            const std::string text = from.text();
            file.tokens.push_back({words.id_of(text), token_kind(text), false, 0, 0});
        }
        content.files.push_back(std::move(file));
    }
    for (std::size_t mistakes = from.number(); mistakes > 0; --mistakes) {
        ListedMistake mistake;
        mistake.name = from.text();
        mistake.when = from.text();
        mistake.hint = from.text();
        for (std::size_t edits = from.number(); edits > 0; --edits) {
            WrittenEdit edit;
            edit.function = from.text();
            edit.place = read_tokens(from);
            edit.becomes = read_tokens(from);
            edit.call = read_tokens(from);
            mistake.edits.push_back(std::move(edit));
        }
        content.mistakes.push_back(std::move(mistake));
    }
    return content;
}

std::string literal(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return quoted + "\"";
}

struct Registered {
    std::string name;
    std::span<const char* const> words;
    std::span<const std::uint16_t> data;
};

std::vector<Registered>& registered() {
    static std::vector<Registered> all;
    return all;
}

std::unique_ptr<Library> make_library() {
    auto made = std::make_unique<Library>();
    std::vector<std::pair<std::string, Content>> contents;
    for (const Registered& each : registered()) {
        contents.emplace_back(each.name, read_content(Reader(each.words, each.data), made->program.words()));
        for (const PackedFile& file : contents.back().second.files) made->program.add(file.path, file.tokens);
    }
    for (const auto& [name, content] : contents) {
        Library::Mistakes mistakes{name, content.source, {}};
        for (const ListedMistake& mistake : content.mistakes) {
            std::vector<Edit> edits;
            for (const WrittenEdit& edit : mistake.edits)
                edits.push_back(locate(made->program, content.source, edit));
            mistakes.edits.push_back(std::move(edits));
        }
        made->mistakes.push_back(std::move(mistakes));
    }
    return made;
}

}  // namespace

std::string packed_source(const std::string& name, const Words& words, const Content& content) {
    Writer to;
    Words mistakes_words;
    to.text(content.source);
    to.number(content.files.size());
    for (const PackedFile& file : content.files) {
        to.text(file.path);
        to.number(file.tokens.size());
        for (const Token& token : file.tokens) to.text(words.text(token.id));
    }
    to.number(content.mistakes.size());
    for (const ListedMistake& mistake : content.mistakes) {
        to.text(mistake.name);
        to.text(mistake.when);
        to.text(mistake.hint);
        to.number(mistake.edits.size());
        for (const WrittenEdit& edit : mistake.edits) {
            to.text(edit.function);
            write_tokens(to, mistakes_words, edit.place);
            write_tokens(to, mistakes_words, edit.becomes);
            write_tokens(to, mistakes_words, edit.call);
        }
    }
    std::string source =
        "// Written by the build from the plain loops and the listed mistakes of " + name + ".\n\n";
    source += "#include \"grader/edits/packed.h\"\n\nnamespace {\n\nconstexpr const char* kWords[] = {\n";
    for (const std::string& word : to.words()) source += "    " + literal(word) + ",\n";
    source += "};\nconstexpr std::uint16_t kData[] = {";
    std::size_t column = 0;
    for (const std::size_t number : to.data())
        source += (column++ % 24 == 0 ? "\n    " : " ") + std::to_string(number) + ",";
    source +=
        "\n};\nconst attn::edits::Packed kPacked(\"" + name + "\", kWords, kData);\n\n}  // namespace\n";
    return source;
}

Packed::Packed(const char* name, std::span<const char* const> words, std::span<const std::uint16_t> data) {
    registered().push_back({name, words, data});
}

std::vector<ListedMistake> listed_mistakes(const std::string& assignment) {
    for (const Registered& each : registered()) {
        Words words;
        if (each.name == assignment) return read_content(Reader(each.words, each.data), words).mistakes;
    }
    return {};
}

const Library::Mistakes* Library::find(const std::string& assignment) const {
    const auto found = std::ranges::find(mistakes, assignment, &Mistakes::assignment);
    return found == mistakes.end() ? nullptr : &*found;
}

Library& library() {
    thread_local const std::unique_ptr<Library> kLibrary = make_library();
    return *kLibrary;
}

}  // namespace attn::edits
