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

std::vector<MistakeWords> read_mistakes(Reader& from) {
    std::vector<MistakeWords> mistakes(from.number());
    for (MistakeWords& mistake : mistakes)
        for (std::string* text : {&mistake.name, &mistake.when, &mistake.hint}) *text = from.text();
    return mistakes;
}

/// What stands after the mistakes.
std::vector<PackedFile> read_files(Reader& from, Words& words) {
    std::vector<PackedFile> read;
    for (std::size_t files = from.number(); files > 0; --files) {
        PackedFile file{from.text(), {}};
        for (std::size_t left = from.number(); left > 0; --left) {
            const std::string text = from.text();
            file.tokens.push_back({words.id_of(text), token_kind(text), false, 0});
        }
        read.push_back(std::move(file));
    }
    return read;
}

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

void write_edits(Writer& to, Words& words, const std::vector<WrittenEdit>& edits) {
    to.number(edits.size());
    for (const WrittenEdit& edit : edits) {
        to.text(edit.function);
        for (const std::string* text : {&edit.place, &edit.becomes, &edit.call})
            write_tokens(to, words, *text);
    }
}

/// What stands after the files.
std::vector<WrittenEdit> read_edits(Reader& from) {
    std::vector<WrittenEdit> edits(from.number());
    for (WrittenEdit& edit : edits) {
        edit.function = from.text();
        for (std::string* text : {&edit.place, &edit.becomes, &edit.call}) *text = read_tokens(from);
    }
    return edits;
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

std::unique_ptr<Program> make_program() {
    auto made = std::make_unique<Program>();
    for (const Registered& each : registered()) {
        Reader from(each.words, each.data);
        read_mistakes(from);
        for (const PackedFile& file : read_files(from, made->words())) made->add(file.path, file.tokens);
    }
    return made;
}

}  // namespace

std::string packed_source(const std::string& name, const Words& words, const Content& content) {
    Writer to;
    to.number(content.mistakes.size());
    for (const ListedMistake& mistake : content.mistakes)
        for (const std::string* text : {&mistake.name, &mistake.when, &mistake.hint}) to.text(*text);
    to.number(content.files.size());
    for (const PackedFile& file : content.files) {
        to.text(file.path);
        to.number(file.tokens.size());
        for (const Token& token : file.tokens) to.text(words.text(token.id));
    }
    Words words_of_edits;
    for (const ListedMistake& mistake : content.mistakes) write_edits(to, words_of_edits, mistake.edits);
    // Several of these files are compiled together, so each has a namespace of its own.
    const std::string scope = "namespace packed_" + name;
    std::string source =
        "// Written by the build from the plain loops and the listed mistakes of " + name + ".\n\n";
    source += "#include \"grader/edits/packed.h\"\n\n" + scope + " {\n\nconstexpr const char* kWords[] = {\n";
    for (const std::string& word : to.words()) source += "    " + literal(word) + ",\n";
    source += "};\nconstexpr std::uint16_t kData[] = {";
    std::size_t column = 0;
    for (const std::size_t number : to.data())
        source += (column++ % 24 == 0 ? "\n    " : " ") + std::to_string(number) + ",";
    source +=
        "\n};\nconst attn::edits::Packed kPacked(\"" + name + "\", kWords, kData);\n\n}  // " + scope + "\n";
    return source;
}

Packed::Packed(const char* name, std::span<const char* const> words, std::span<const std::uint16_t> data) {
    registered().push_back({name, words, data});
}

std::vector<MistakeWords> listed_mistakes(const std::string& assignment) {
    const auto found = std::ranges::find(registered(), assignment, &Registered::name);
    if (found == registered().end()) return {};
    Reader from(found->words, found->data);
    return read_mistakes(from);
}

std::vector<std::vector<Edit>> listed_edits(const std::string& assignment) {
    const auto found = std::ranges::find(registered(), assignment, &Registered::name);
    if (found == registered().end()) return {};
    Program& program = packed_program();
    Reader from(found->words, found->data);
    const std::size_t mistakes = read_mistakes(from).size();
    const std::vector<PackedFile> files = read_files(from, program.words());
    if (files.empty()) return {};
    std::vector<std::vector<Edit>> all(mistakes);
    for (std::vector<Edit>& edits : all)
        for (const WrittenEdit& written : read_edits(from))
            edits.push_back(locate(program, files.back().path, written));
    return all;
}

Program& packed_program() {
    thread_local const std::unique_ptr<Program> kProgram = make_program();
    return *kProgram;
}

}  // namespace attn::edits
