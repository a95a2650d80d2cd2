#include "grader/edits/program.h"

#include <algorithm>

#include "grader/edits/function_reader.h"

namespace attn::edits {

/// Reads what stands outside of functions.
class DeclarationReader {
  public:
    DeclarationReader(Program& program, const std::string& file, const Tokens& tokens)
        : program_(program), file_(file), cursor_(program.words_, file, tokens) {}

    void all() {
        while (!cursor_.at_end()) declaration();
    }

  private:
    void declaration() {
        switch (cursor_.next()) {
            case known::namespace_:
                cursor_.take();
                unnamed_.push_back(cursor_.next() == known::open_brace);
                while (!cursor_.take_if(known::open_brace)) cursor_.take();
                return;
            case known::close_brace:
                if (unnamed_.empty()) cursor_.refuse("a declaration");
                cursor_.take();
                unnamed_.pop_back();
                return;
            case known::using_:
                while (!cursor_.take_if(known::semicolon)) cursor_.take();
                return;
            case known::semicolon:
                cursor_.take();
                return;
            case known::open_bracket:
                cursor_.skip_matching(known::open_bracket, known::close_bracket);
                return;
            case known::template_:
                cursor_.take();
                template_parameters();
                return;
            case known::inline_:
            case known::constexpr_:
            case known::static_:
                cursor_.take();
                return;
            case known::struct_:
            case known::class_:
                structure();
                return;
            case known::enum_:
                enumeration();
                return;
            default:
                break;
        }
        if (cursor_.ahead(1) == known::open) {  // a macro's name
            cursor_.take();
            cursor_.skip_matching(known::open, known::close);
            return;
        }
        function(-1);
    }

    /// A template parameter that is a type other than T is a function: class Visit.
    void template_parameters() {
        cursor_.expect(known::less);
        do {
            const bool type = cursor_.next() == known::class_;
            cursor_.take();
            if (cursor_.next() == known::dot) cursor_.refuse("a template without parameter packs");
            const int name = cursor_.word("the name of a template parameter");
            if (type && name != known::T) program_.callables_.push_back(name);
        } while (cursor_.take_if(known::comma));
        cursor_.expect(known::greater);
    }

    void enumeration() {
        cursor_.take();
        cursor_.expect(known::class_);
        Program::Enumeration read{cursor_.word("the name of the enum"), {}};
        cursor_.expect(known::open_brace);
        while (!cursor_.take_if(known::close_brace)) {
            read.names.push_back(cursor_.word("an enumerator"));
            cursor_.take_if(known::comma);
        }
        cursor_.expect(known::semicolon);
        program_.enumerations_.push_back(std::move(read));
    }

    /// Whether the class owns an array: it has a vector.
    bool owns_array() const {
        Cursor ahead = cursor_;
        const int begin = ahead.place();
        ahead.skip_matching(known::open_brace, known::close_brace);
        const auto body = ahead.tokens().subspan(static_cast<std::size_t>(begin),
                                                 static_cast<std::size_t>(ahead.place_behind() - begin));
        return std::ranges::any_of(body, [](const Token& token) { return token.id == known::vector; });
    }

    void structure() {
        cursor_.take();
        Structure read;
        read.word = cursor_.word("the name of the struct");
        if (cursor_.take_if(known::semicolon)) return;
        read.owns_array = owns_array();
        const int number = static_cast<int>(program_.structures_.size());
        if (read.owns_array) {
            read.owned_rank = constructor_parameters(read.word);
            cursor_.skip_matching(known::open_brace, known::close_brace);
            add(std::move(read));
        } else {
            cursor_.expect(known::open_brace);
            add(std::move(read));
            while (!cursor_.take_if(known::close_brace)) member(number);
        }
        cursor_.expect(known::semicolon);
    }

    void add(Structure read) {
        program_.structures_.push_back(std::move(read));
        program_.structure_files_.push_back(file_);
    }

    /// The number of parameters of the first constructor: of Tokens(int B, int N, int D) three.
    int constructor_parameters(int name) {
        Cursor ahead = cursor_;
        while (ahead.next() != name) ahead.take();
        ahead.take();
        ahead.expect(known::open);
        int parameters = 1;
        while (!ahead.take_if(known::close)) parameters += ahead.take() == known::comma ? 1 : 0;
        return parameters;
    }

    void member(int structure) {
        // A method has a body, a member ends with a semicolon.
        Cursor ahead = cursor_;
        program_.read_type(ahead, file_);
        ahead.word("the name of a member");
        if (ahead.next() == known::open) return function(structure);
        const Type type = program_.read_type(cursor_, file_);
        auto& members = program_.structures_[static_cast<std::size_t>(structure)].members;
        do {
            members.push_back({cursor_.word("the name of a member"), type});
        } while (cursor_.take_if(known::comma));
        cursor_.expect(known::semicolon);
    }

    void function(int structure) {
        Declaration read;
        read.file = file_;
        read.first_doc = cursor_.take_comment();
        if (read.first_doc >= 0 && !program_.words_.text(read.first_doc).starts_with("///"))
            read.first_doc = -1;
        read.member_of = structure;
        read.result = program_.read_type(cursor_, file_);
        read.name = program_.words_.text(cursor_.word("the name of a function"));
        cursor_.expect(known::open);
        while (!cursor_.take_if(known::close)) {
            read.parameters.push_back(parameter());
            if (cursor_.next() != known::close) cursor_.expect(known::comma);
        }
        cursor_.take_if(known::const_);
        if (cursor_.take_if(known::semicolon)) {
            if (read.first_doc >= 0) program_.contract_comments_.push_back({read.name, read.first_doc});
            return;
        }
        const int begin = cursor_.place();
        Cursor inside = cursor_;
        inside.skip_matching(known::open_brace, known::close_brace);
        cursor_.go_behind(inside.place_behind());
        const auto body = cursor_.tokens().subspan(static_cast<std::size_t>(begin),
                                                   static_cast<std::size_t>(cursor_.place_behind() - begin));
        read.body.assign(body.begin(), body.end());
        read.first = begin;
        if (structure >= 0)
            program_.structures_[static_cast<std::size_t>(structure)].methods.push_back(program_.count());
        program_.functions_.push_back(std::move(read));
        program_.local_.push_back(std::ranges::find(unnamed_, true) != unnamed_.end());
        program_.read_.emplace_back();
    }

    ParameterDeclaration parameter() {
        ParameterDeclaration read;
        if (cursor_.next() == known::open_bracket)  // [[maybe_unused]]
            cursor_.skip_matching(known::open_bracket, known::close_bracket);
        read.type = program_.read_type(cursor_, file_);
        read.word = cursor_.word("the name of a parameter");
        if (cursor_.take_if(known::set)) {
            if (cursor_.kind() != TokenKind::number) cursor_.refuse("a number as default");
            read.default_value = std::stod(cursor_.text());
            read.has_default = true;
            cursor_.take();
        }
        return read;
    }

    Program& program_;
    const std::string& file_;
    Cursor cursor_;
    std::vector<bool> unnamed_;
};

void Program::add(const std::string& file, const Tokens& tokens) {
    if (std::ranges::find(files_, file) != files_.end()) return;
    files_.push_back(file);
    DeclarationReader(*this, file, tokens).all();
}

int Program::find(const std::string& name, const std::string& file) const {
    int elsewhere = -1;
    for (int k = 0; k < count(); ++k) {
        if (declaration(k).name != name || declaration(k).member_of >= 0) continue;
        if (declaration(k).file == file) return k;
        if (!local_[static_cast<std::size_t>(k)]) elsewhere = k;
    }
    return elsewhere;
}

int Program::find_public(const std::string& name) const {
    int found = -1;
    for (int k = 0; k < count(); ++k)
        if (declaration(k).name == name && is_public(k)) found = k;
    return found;
}

int Program::find_structure(int word, const std::string& file) const {
    int elsewhere = -1;
    for (std::size_t k = 0; k < structures_.size(); ++k) {
        if (structures_[k].word != word) continue;
        if (structure_files_[k] == file) return static_cast<int>(k);
        // One that owns an array is local to its source file, unless a header has it.
        if (!structures_[k].owns_array || structure_files_[k].ends_with(".h"))
            elsewhere = static_cast<int>(k);
    }
    return elsewhere;
}

bool Program::is_enumeration(int word) const {
    return std::ranges::find(enumerations_, word, &Enumeration::word) != enumerations_.end();
}

std::optional<int> Program::enumerator(int enumeration, int name) const {
    const auto found = std::ranges::find(enumerations_, enumeration, &Enumeration::word);
    if (found == enumerations_.end()) return std::nullopt;
    const auto value = std::ranges::find(found->names, name);
    if (value == found->names.end()) return std::nullopt;
    return static_cast<int>(value - found->names.begin());
}

std::vector<std::string> Program::enumerators(const std::string& enumeration) const {
    std::vector<std::string> names;
    for (const Enumeration& each : enumerations_)
        if (words_.text(each.word) == enumeration)
            for (const int name : each.names) names.push_back(words_.text(name));
    return names;
}

const FunctionTree& Program::function(int number) const {
    auto& kept = read_[static_cast<std::size_t>(number)];
    if (!kept) kept = std::make_unique<FunctionTree>(read(number, declaration(number).body));
    return *kept;
}

FunctionTree Program::read(int number, Tokens body) const {
    return FunctionReader(*this, declaration(number), std::move(body)).read();
}

Type Program::read_type(Cursor& cursor, const std::string& file) const {
    Type type;
    type.constant = cursor.take_if(known::const_);
    const int word = cursor.word("a type");
    switch (word) {
        case known::int_:
            type.base = Base::integer;
            break;
        case known::T:
        case known::float_:
        case known::double_:
            type.base = Base::real;
            break;
        case known::bool_:
            type.base = Base::boolean;
            break;
        case known::void_:
            break;
        case known::std_:
            cursor.expect(known::scope);
            if (cursor.take_if(known::uint8_t_) || cursor.take_if(known::size_t_) ||
                cursor.take_if(known::int64_t_)) {
                type.base = Base::integer;
                break;
            }
            cursor.refuse("std::size_t, std::int64_t or std::uint8_t");
        case known::TensorView:
            type.base = Base::view;
            cursor.expect(known::less);
            type.constant = cursor.take_if(known::const_);
            if (cursor.take_if(known::std_)) {
                cursor.expect(known::scope);
                cursor.expect(known::uint8_t_);
                type.element = Element::byte;
            } else if (cursor.take_if(known::int_)) {
                type.element = Element::whole;
            } else if (!cursor.take_if(known::T) && !cursor.take_if(known::float_)) {
                cursor.refuse("T, int or std::uint8_t");
            }
            cursor.expect(known::comma);
            if (cursor.kind() != TokenKind::number) cursor.refuse("a number of axes");
            type.rank = std::stoi(cursor.text());
            cursor.take();
            cursor.expect(known::greater);
            break;
        default:
            if (is_enumeration(word)) {
                type.base = Base::integer;
                type.enumeration = word;
            } else if (const int found = find_structure(word, file); found >= 0) {
                type.base = Base::weights;
                type.structure = found;
                if (cursor.next() == known::less) cursor.skip_matching(known::less, known::greater);
            } else if (std::ranges::find(callables_, word) != callables_.end()) {
                type.base = Base::callable;
            } else {
                throw SourceError(
                    file, 0, "found '" + words_.text(word) + "'; expected a type that this reader knows");
            }
    }
    cursor.take_if(known::ampersand);
    return type;
}

int Program::views_of(const Type& type) const {
    if (type.base == Base::view) return 1;
    if (type.base != Base::weights) return 0;
    int views = 0;
    for (const auto& member : structure(type.structure).members) views += views_of(member.type);
    return views;
}

std::string Program::documentation(int function) const {
    const Declaration& declared = declaration(function);
    for (const Comment& comment : contract_comments_)
        if (comment.name == declared.name &&
            is_public(function))  // a helper may have the name of another contract's
            return words_.text(comment.word).substr(3);
    return declared.first_doc < 0 ? std::string() : words_.text(declared.first_doc).substr(3);
}

}  // namespace attn::edits
