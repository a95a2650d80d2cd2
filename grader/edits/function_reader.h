#pragma once
/// Reads a function's body into a tree: the small part of C++ in which the plain loops are written. Anything
/// else is an error.

#include <string>
#include <vector>

#include "grader/edits/cursor.h"
#include "grader/edits/program.h"
#include "grader/edits/tree.h"

namespace attn::edits {

class FunctionReader {
  public:
    FunctionReader(const Program& program, const Declaration& declared, Tokens body);
    /// Throws SourceError.
    FunctionTree read();

  private:
    // Statements (function_reader.cpp).
    std::int32_t statement();
    std::int32_t block();
    std::int32_t declaration();
    std::int32_t declare_one(const Type& type, bool constant, bool owner, bool memory);
    std::int32_t memory(const Type& type);
    std::int32_t for_loop();
    std::int32_t select();
    std::int32_t give_back();
    std::int32_t call_of_std_statement();
    bool starts_declaration() const;
    void declare_parameters();
    void declare_members(const Type& weights, int slot, const std::string& path, bool by_name);
    int declare(int word, const Type& type, bool constant, bool loop = false);
    void leave_scope(std::size_t symbols);

    // Calls (call_reader.cpp).
    std::int32_t call_symbol(const Symbol& symbol, int first);
    std::int32_t call(int function, std::int32_t self, int first);
    std::int32_t argument(const Type& wanted, bool any_element);
    std::int32_t lambda();
    std::int32_t std_name();
    std::int32_t std_call(int word, int first);

    // Expressions (expression_reader.cpp).
    std::int32_t expression();
    std::int32_t conditional();
    std::int32_t binary(int level);
    std::int32_t unary();
    std::int32_t postfix();
    std::int32_t primary();
    std::int32_t literal();
    std::int32_t name();
    std::int32_t cast(Base to, int close, int first);
    std::int32_t rounded(int type, std::int32_t value);
    std::int32_t member_of(std::int32_t of, int first);
    std::int32_t element_of(std::int32_t of, int first);
    std::int32_t made_view(const Type& type, int close, int first);
    std::int32_t real(std::int32_t node);
    std::int32_t whole(std::int32_t node);
    std::int32_t truth(std::int32_t node);
    std::int32_t view(std::int32_t node);
    std::int32_t arithmetic(Op op, std::int32_t a, std::int32_t b, int first);
    std::int32_t comparison(Op op, std::int32_t a, std::int32_t b, int first);

    std::int32_t add(Op op, Type type, int first, std::int32_t a = -1, std::int32_t b = -1,
                     std::int32_t c = -1, std::int32_t d = -1);
    Node& at(std::int32_t k) { return result_.nodes[static_cast<std::size_t>(k)]; }
    const Type& type_of(std::int32_t k) { return at(k).type; }
    const Symbol* find(int word) const;
    void chain(std::int32_t& first, std::int32_t& last, std::int32_t node);

    const Program& program_;
    const Declaration& declared_;
    FunctionTree result_;
    Cursor cursor_;
    std::vector<std::size_t> visible_;  ///< indices of symbols
};

}  // namespace attn::edits
