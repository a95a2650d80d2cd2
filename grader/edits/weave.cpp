#include "grader/edits/weave.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "grader/edits/weave_body.h"

namespace attn::edits {
namespace {

Tokens code_of(const Tokens& tokens) {
    Tokens kept;
    std::ranges::copy_if(tokens, std::back_inserter(kept),
                         [](const Token& token) { return token.kind != TokenKind::comment; });
    return kept;
}

bool same_text(const Token& a, const Token& b) {
    return a.id == b.id;
}

/// The function's place among its own tokens: of those of the body that are no comments, and without {.
int place_in_code(const Tokens& body, int place) {
    return static_cast<int>(
               std::count_if(body.begin(), body.begin() + place,
                             [](const Token& token) { return token.kind != TokenKind::comment; })) -
           1;
}

/// A call that is edited as it is made there alone.
struct Call {
    int caller = 0, token = 0;  ///< token: of the caller's body
    int callee = 0;
};

/// The edits of all functions.
class Atoms {
  public:
    Atoms(Program& program, const std::string& source, const Listed& listed) : program_(program) {
        for (std::size_t k = 0; k < listed.mistakes.size(); ++k)
            for (const WrittenEdit& written : listed.mistakes[k].edits)
                add(static_cast<int>(k), source, listed, listed.mistakes[k], written);
    }

    bool changes(int function) const {
        return std::ranges::any_of(all_, [&](const auto& each) { return each.first == function; }) ||
               std::ranges::any_of(calls_, [&](const Call& call) { return call.caller == function; });
    }

    /// The statements of a function and its edits. Calls that are edited alone have their numbers.
    std::pair<Tokens, std::vector<Atom>> of(int function) {
        const Tokens& body = program_.declaration(function).body;
        Tokens code = code_of(body);
        code = {code.begin() + 1, code.end() - 1};
        std::vector<Atom> atoms;
        for (const auto& [in, atom] : all_)
            if (in == function) atoms.push_back(atom);
        for (std::size_t k = 0; k < calls_.size(); ++k)
            if (calls_[k].caller == function)
                code[static_cast<std::size_t>(place_in_code(body, calls_[k].token))].site =
                    static_cast<std::uint8_t>(k + 1);
        return {std::move(code), std::move(atoms)};
    }

    /// The numbers of the calls of a function that are edited alone.
    std::vector<int> sites_of(int function) const {
        std::vector<int> sites;
        for (std::size_t k = 0; k < calls_.size(); ++k)
            if (calls_[k].callee == function) sites.push_back(static_cast<int>(k) + 1);
        return sites;
    }

  private:
    void add(int mistake, const std::string& source, const Listed& listed, const ListedMistake& named,
             const WrittenEdit& written) {
        Edit edit;
        try {
            edit = locate(program_, source, written);
        } catch (const SourceError& error) {
            throw SourceError(listed.file, written.line, "mistake " + named.name + ": " + error.what());
        }
        const Tokens& body = program_.declaration(edit.function).body;
        const Tokens code = code_of({body.begin() + edit.first, body.begin() + edit.last});
        Tokens text = edit.text;
        // Lines of the list of mistakes are negative.
        for (Token& token : text) token.line = -(token.line + written.line - 1);
        Atom atom;
        atom.mistake = mistake;
        atom.site = edit.caller < 0 ? 0 : site_of({edit.caller, edit.call, edit.function});
        atom.first = place_in_code(body, edit.first);
        atom.last = atom.first + static_cast<int>(code.size());
        atom.place = code;
        if (written.place != "*") {
            const auto begin = std::ranges::mismatch(code, text, same_text);
            atom.offset = static_cast<int>(begin.in1 - code.begin());
            auto old_end = code.end();
            auto new_end = text.end();
            while (old_end != begin.in1 && new_end != begin.in2 &&
                   same_text(*(old_end - 1), *(new_end - 1))) {
                --old_end;
                --new_end;
            }
            atom.last -= static_cast<int>(code.end() - old_end);
            atom.first += atom.offset;
            text = {begin.in2, new_end};
            if (atom.first == atom.last && text.empty())
                throw SourceError(listed.file, written.line,
                                  "mistake " + named.name + ": found an edit that changes nothing");
        }
        atom.text = std::move(text);
        all_.emplace_back(edit.function, std::move(atom));
    }

    int site_of(const Call& call) {
        const auto known = std::ranges::find_if(
            calls_, [&](const Call& each) { return each.caller == call.caller && each.token == call.token; });
        if (known != calls_.end()) return static_cast<int>(known - calls_.begin()) + 1;
        calls_.push_back(call);
        return static_cast<int>(calls_.size());
    }

    Program& program_;
    std::vector<std::pair<int, Atom>> all_;  ///< with the function
    std::vector<Call> calls_;                ///< the site k is calls_[k - 1]
};

std::string stem_of(const std::string& path) {
    return std::filesystem::path(path).stem().string();
}

bool is_source(const SourceFile& file) {
    return file.path.ends_with(".cpp");
}

/// The headers that the plain loops include, without those that the build writes. Structs come first.
std::string includes_of(const std::vector<SourceFile>& files, bool of_the_standard_library) {
    std::set<std::string> standard;
    std::string own;
    for (const SourceFile& file : files) {
        if (!is_source(file)) own += "#include \"" + file.path + "\"\n";
        std::istringstream lines(file.text);
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("#include <")) standard.insert(line);
    }
    if (!of_the_standard_library) return own;
    std::string all;
    for (const std::string& line : standard) all += line + "\n";
    return all;
}

std::string namespace_of(const std::string& path) {
    return "cpu_" + stem_of(path);
}

class SourceWriter {
  public:
    SourceWriter(Program& program, const Listed& listed, Atoms& atoms)
        : program_(program), listed_(listed), atoms_(atoms) {}

    /// A file of plain loops, in the namespace cpu_x instead of cpu.
    std::string file(const SourceFile& file) {
        LineWriter to(program_.words(), file.path, listed_.file);
        const Tokens tokens = tokens_of(program_.words(), file.path, file.text);
        int at = 0;
        for (int function = 0; function < program_.count(); ++function) {
            const Declaration& declared = program_.declaration(function);
            if (declared.file != file.path || !atoms_.changes(function)) continue;
            outside(tokens, at, declared.first, file.path, to);
            to.text(" { const woven::Made made;");
            const auto [code, atoms] = atoms_.of(function);
            weave_body(program_.words(), code, atoms, to, conflicts_);
            to.text("\n}\n");
            at = declared.first + static_cast<int>(declared.body.size());
            for (const int site : atoms_.sites_of(function)) calling(tokens, declared, site, to);
        }
        outside(tokens, at, static_cast<int>(tokens.size()), file.path, to);
        return to.written() + "\n";
    }

    /// What the file may use of an earlier file.
    std::string uses(const std::string& path, const std::string& earlier) const {
        std::string text;
        for (int k = 0; k < program_.count(); ++k) {
            const Declaration& declared = program_.declaration(k);
            if (declared.file != earlier || !is_public(k)) continue;
            const std::string name = "using " + namespace_of(earlier) + "::" + declared.name;
            text += name + ";\n";
            for (const int site : atoms_.sites_of(k)) text += name + suffix_of_site(site) + ";\n";
        }
        return text.empty() ? text : "namespace attn::" + namespace_of(path) + " {\n" + text + "}\n";
    }

    /// Functions that call the contract's functions, and their table.
    std::string table(const std::string& name, const std::string& source) const {
        std::string calls, entries;
        for (int k = 0; k < program_.count(); ++k) {
            const Declaration& declared = program_.declaration(k);
            if (declared.file != source || !is_public(k)) continue;
            entries += "    {\"" + declared.name + "\"";
            for (const char* const type : {"float", "double"}) {
                const std::string wrapper = "call_" + declared.name + "_" + type;
                calls += "void " + wrapper + "(const void* arguments, int count) {\n    call(&" +
                         declared.name + (is_template(declared) ? std::string("<") + type + ">" : "") +
                         ", static_cast<const Argument*>(arguments), count);\n}\n";
                entries += ", attn_woven_" + name + "::" + namespace_of(source) + "::" + wrapper;
            }
            entries += "},\n";
        }
        return "namespace attn::" + namespace_of(source) + " {\n" + calls +
               "}\n#undef attn\n\nnamespace {\nconstexpr woven::WovenFunction kFunctions[] = {\n" + entries +
               "};\n";
    }

    std::string conflicts() const {
        // An array must not be empty.
        std::string text = "constexpr woven::Conflict kConflicts[] = {\n    {-1, -1},";
        std::size_t column = 0;
        for (const auto& [one, other] : conflicts_)
            text += (++column % 10 == 0 ? "\n    {" : " {") + std::to_string(one) + ", " +
                    std::to_string(other) + "},";
        return text + "\n};\n";
    }

  private:
    bool is_public(int function) const {
        return program_.is_public(function) && program_.declaration(function).member_of < 0;
    }

    /// Whether it is one text for float and double.
    static bool is_template(const Declaration& declared) {
        return std::ranges::any_of(declared.parameters, [](const ParameterDeclaration& parameter) {
            return parameter.type.base == Base::real || parameter.type.base == Base::weights ||
                   (parameter.type.base == Base::view && parameter.type.element == Element::real);
        });
    }

    /// A function that makes the call with this number: it has the head of the called one.
    void calling(const Tokens& tokens, const Declaration& declared, int site, LineWriter& to) const {
        const auto text = [&](int k) {
            return program_.words().text(tokens[static_cast<std::size_t>(k)].id);
        };
        const auto ends = [](const std::string& token) {
            return token == ";" || token == "}" || token == "{";
        };
        int head = declared.first;
        while (head > 0 && !ends(text(head - 1))) --head;
        bool named = false;
        std::string templated;
        for (int k = head; k < declared.first; ++k) {
            Token token = tokens[static_cast<std::size_t>(k)];
            if (token.kind == TokenKind::comment) continue;
            if (text(k) == "class" && text(k + 1) == "T" && text(k + 2) == ">") templated = "<T>";
            if (!named && text(k) == declared.name && text(k + 1) == "(") {
                token.site = static_cast<std::uint8_t>(site);
                named = true;
            }
            to.token(token);
        }
        std::string arguments;
        for (const ParameterDeclaration& parameter : declared.parameters)
            arguments += (arguments.empty() ? "" : ", ") + program_.words().text(parameter.word);
        to.text(" {\n    const woven::Site woven_site(" + std::to_string(site) + ");\n    return " +
                declared.name + templated + "(" + arguments + ");\n}\n");
    }

    void outside(const Tokens& tokens, int first, int last, const std::string& path, LineWriter& to) {
        for (int k = first; k < last; ++k) {
            Token token = tokens[static_cast<std::size_t>(k)];
            if (token.kind == TokenKind::comment) continue;
            const bool in_namespace =
                k >= 3 && program_.words().text(tokens[static_cast<std::size_t>(k - 3)].id) == "namespace";
            if (in_namespace && program_.words().text(token.id) == "cpu")
                token.id = program_.words().id_of(namespace_of(path));
            to.token(token);
        }
    }

    Program& program_;
    const Listed& listed_;
    Atoms& atoms_;
    std::set<std::pair<int, int>> conflicts_;
};

}  // namespace

std::string woven_source(Program& program, const std::string& source, const std::vector<SourceFile>& files,
                         const Listed& listed) {
    const std::string name = stem_of(source);
    std::string head =
        "// Written by the build from the plain loops and the listed mistakes of " + name + ".\n";
    if (listed.mistakes.empty()) return head;
    Atoms atoms(program, source, listed);
    SourceWriter writer(program, listed, atoms);
    // The views of this file check their bounds, so all that it includes is compiled in a namespace of its
    // own.
    std::string text = head + "#include \"grader/edits/woven.h\"\n\n#include <cstdint>\n#include <tuple>\n" +
                       includes_of(files, true) +
                       "\nnamespace woven = attn::edits::woven;\n#undef ATTN_BOUNDS_CHECK\n"
                       "#define ATTN_BOUNDS_CHECK 1\n#define attn attn_woven_" +
                       name + "\n#include \"assignments/call.h\"\n" + includes_of(files, false);
    for (std::size_t k = 0; k < files.size(); ++k) {
        if (!is_source(files[k])) continue;
        for (std::size_t earlier = 0; earlier < k; ++earlier)
            if (is_source(files[earlier])) text += writer.uses(files[k].path, files[earlier].path);
        text += writer.file(files[k]);
    }
    text += "\n#line 1 \"" + name + "_woven.cpp\"\n" + writer.table(name, source) + writer.conflicts() +
            "const woven::Registration kWoven(\"" + name + "\", kFunctions, kConflicts);\n}  // namespace\n";
    return text;
}

}  // namespace attn::edits
