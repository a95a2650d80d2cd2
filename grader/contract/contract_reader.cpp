#include "grader/contract/contract_reader.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "grader/contract/comments.h"
#include "grader/contract/function_reader.h"
#include "grader/contract/parser.h"
#include "grader/contract/tokens.h"

namespace attn::contract {
namespace {

/// The path of an included contract: #include "../03_multi_head/multi_head.h" in assignments/05_x/x.h is
/// assignments/03_multi_head/multi_head.h. Empty for other files, such as "../tensor.h".
std::string included_contract(const std::string& from, const std::string& include) {
    if (!include.starts_with("../")) return "";
    const std::string rest = include.substr(3);
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos || rest.empty() || std::isdigit(static_cast<unsigned char>(rest[0])) == 0)
        return "";
    const std::size_t file = from.rfind('/');
    const std::size_t folder =
        file == std::string::npos || file == 0 ? std::string::npos : from.rfind('/', file - 1);
    return folder == std::string::npos ? rest : from.substr(0, folder + 1) + rest;
}

std::string stem_of(const std::string& path) {
    const std::size_t slash = path.rfind('/'), start = slash == std::string::npos ? 0 : slash + 1;
    return path.substr(start, path.rfind('.') - start);
}

/// Adds the declarations of one header to a Contract, which may already have those of included headers.
class HeaderReader {
  public:
    HeaderReader(const std::string& path, const std::string& text, Contract& contract)
        : path_(path), parser_(path, tokens_of(path, text)), contract_(contract) {}

    template <class Include>
    void read(Include include) {
        while (parser_.next().kind != TokenKind::end) {
            const Token token = parser_.next();
            if (token.kind == TokenKind::include) {
                include(token);
                parser_.take();
            } else if (token.kind == TokenKind::comment) {
                if (first_comment_) definitions_ = read_definitions(path_, token);
                first_comment_ = false;
                comment_ = parser_.take();
            } else if (parser_.take_if("namespace")) {
                parser_.expect("attn", "namespace attn {");
                parser_.expect("{", "namespace attn {");
                ++open_;
            } else if (open_ > 0 && parser_.take_if("}")) {
                --open_;
            } else if (!parser_.take_if(";")) {
                read_declaration();
                comment_ = {};
            }
        }
        if (open_ > 0) parser_.refuse("} at the end of namespace attn");
    }

  private:
    void read_declaration() {
        if (open_ == 0) parser_.refuse("namespace attn { around what is declared");
        if (parser_.next().is("enum"))
            read_enum();
        else if (parser_.next().is("template"))
            read_struct();
        else if (parser_.next().is("void"))
            read_one_function();
        else
            parser_.refuse("enum class, template <class T> struct, or a function that returns void");
    }

    void read_enum() {
        parser_.take();
        parser_.expect("class", "enum class Name { first, second };");
        Enum enumeration{parser_.word("the name of the enum"), {}};
        parser_.expect("{", "{ and the names of the enum's values");
        do {
            while (parser_.skip_comment()) {
            }
            enumeration.values.push_back(parser_.word("the name of a value"));
            while (parser_.skip_comment()) {
            }
        } while (parser_.take_if(","));
        while (parser_.skip_comment()) {
        }
        parser_.expect("}", ", or } after a value; values have no numbers of their own and count from 0");
        require_new_name(enumeration.name);
        contract_.enums.push_back(std::move(enumeration));
    }

    void read_struct() {
        for (const char* word : {"template", "<", "class", "T", ">", "struct"})
            parser_.expect(word, "template <class T> struct Name { .. };");
        Struct structure{parser_.word("the name of the struct"), stem_of(path_), false, {}};
        parser_.expect("{", "{ and the members of the struct");
        while (!parser_.take_if("}"))
            if (!parser_.skip_comment() && !skip_method()) read_members(structure);
        require_new_name(structure.name);
        if (structure.members.empty()) parser_.refuse("a member in struct " + structure.name);
        contract_.structs.push_back(std::move(structure));
    }

    /// Skips a member function of a struct, because the grader does not need it.
    bool skip_method() {
        const std::size_t parenthesis = parser_.find_before_end_of_declaration("(");
        if (parenthesis == Parser::kNowhere) return false;
        parser_.go_to(parenthesis);
        parser_.skip_matching("(", ")");
        parser_.take_if("const");
        if (!parser_.take_if(";")) parser_.skip_matching("{", "}");
        return true;
    }

    void read_members(Struct& structure) {
        const Token type = parser_.next();
        std::vector<Member> declared;
        if (const Struct* inner = contract_.find_struct(type.text); inner != nullptr) {
            parser_.take();
            for (const char* word : {"<", "T", ">"}) parser_.expect(word, inner->name + "<T> member;");
            Member& member = declared.emplace_back();
            member.structure = inner->name;
            name_of_member(member);
            set_direction(structure, inner->output);
        } else if (type.is("TensorView")) {
            const ViewType view = parser_.view(/*real=*/"T");
            set_direction(structure, !view.constant);
            do {
                Member& member = declared.emplace_back();
                name_of_member(member);
                member.tensor.element = view.element;
                member.tensor.rank = view.rank;
            } while (parser_.take_if(","));
        } else {
            parser_.refuse(
                "a member of type TensorView<const T, RANK>, TensorView<T, RANK> for arrays that a function "
                "writes, "
                "or a struct that is declared above");
        }
        parser_.expect(";", "; after the member");
        NamedShape shape;
        if (parser_.next().kind == TokenKind::remark)
            shape = read_remark(path_, parser_.take(), definitions_);
        for (Member& member : declared) {
            if (member.structure.empty()) {
                member.tensor.dims = shape.dims;
                member.tensor.optional = shape.optional;
                check_rank(path_, member.tensor, "///< [..] after its declaration");
            }
            for (const Member& other : structure.members)
                if (other.tensor.name == member.tensor.name)
                    throw ContractError(
                        path_, member.tensor.line,
                        "struct " + structure.name + " has two members " + member.tensor.name);
            structure.members.push_back(std::move(member));
        }
    }

    /// The first member decides whether a struct is of arrays that a function writes or reads.
    void set_direction(Struct& structure, bool output) {
        if (structure.members.empty()) structure.output = output;
        if (structure.output != output)
            parser_.refuse("a member that a function " + std::string(structure.output ? "writes" : "reads") +
                           ", like the members of " + structure.name + " above it, before this");
    }

    void name_of_member(Member& member) {
        member.tensor.line = parser_.next().line;
        member.tensor.name = parser_.word("the member's name");
    }

    void read_one_function() {
        Function function = read_function(path_, parser_, comment_, definitions_, contract_);
        for (const Function& other : contract_.functions)
            if (other.name == function.name)
                throw ContractError(path_, function.line,
                                    "there are two functions " + function.name +
                                        "; the other is declared in line " + std::to_string(other.line));
        contract_.functions.push_back(std::move(function));
    }

    void require_new_name(const std::string& name) {
        if (contract_.find_struct(name) != nullptr || contract_.find_enum(name) != nullptr)
            throw ContractError(path_, parser_.next().line, name + " is declared twice");
    }

    const std::string& path_;
    Parser parser_;
    Contract& contract_;
    Token comment_;  ///< the last comment before a declaration
    Definitions definitions_;
    bool first_comment_ = true;
    int open_ = 0;
};

void read_into(Contract& contract, const std::string& path, const Load& load,
               std::set<std::string>& being_read) {
    contract.read.push_back(path);
    being_read.insert(path);
    HeaderReader(path, load(path), contract).read([&](const Token& include) {
        const std::string other = included_contract(path, include.text);
        if (other.empty()) return;
        if (being_read.count(other) != 0)
            throw ContractError(path, include.line, "this contract and " + other + " include each other");
        if (std::find(contract.read.begin(), contract.read.end(), other) != contract.read.end()) return;
        read_into(contract, other, load, being_read);
        contract.functions.clear();  // they belong to another assignment
    });
    being_read.erase(path);
}

}  // namespace

Contract read_contract(const std::string& path, const Load& load) {
    Contract contract;
    contract.path = path;
    contract.name = stem_of(path);
    std::set<std::string> being_read;
    read_into(contract, path, load, being_read);
    if (contract.functions.empty())
        throw ContractError(path, 1,
                            "this contract declares no function; expected for example void softmax(..);");
    return contract;
}

}  // namespace attn::contract
