#pragma once
/// Walks over a function and collects its systematic edits.

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/edits/systematic.h"

namespace attn::edits {

class Generator {
  public:
    Generator(const Program& program, int function);
    std::vector<SystematicEdit> all();
    /// See place_in_words().
    std::string place_in_words(const SystematicEdit& edit) const;

  private:
    struct Loop {
        std::string index, bound;
        int first = 0, last = 0;  ///< tokens of the loop
        int body = 0;             ///< first token of the body
    };
    /// A declaration that moves in front of a loop, so that the variable is not reset in it.
    struct Reset {
        SystematicEdit::Change before, inside;
        std::string name, index;
    };

    // generator.cpp: statements.
    void visit(std::int32_t k);
    void loop(const Node& n);
    void block(const Node& n);
    void evaluate(const Node& n);
    void call_statement(const Node& statement, const Node& call);
    void if_else(const Node& n);
    void declaration(const Node& n);
    void memory(const Node& n);
    void not_reset(int first, const Node& n, const std::string& name, const std::string& value);
    std::vector<std::pair<int, Reset>> in_front_of_loops(const std::string& declared,
                                                         const SystematicEdit::Change& inside,
                                                         const std::string& name, const std::string& value);
    void largest_with(const SystematicEdit::Change& change, const std::string& said);
    void all_resets(const std::vector<Reset>& together);
    void renamed_arrays();
    void sizes_for_inputs();
    void swapped_arrays();

    // operation_edits.cpp: sums, products, comparisons.
    void arithmetic(const Node& n);
    void whole_arithmetic(const Node& n);
    void comparison(const Node& n);
    void as_unsigned(const Node& n);

    // value_edits.cpp: other expressions.
    void value(const Node& n);
    void element(const Node& n, bool target);
    void index(const Node& n, const std::string& array, int axis, bool target);
    void other_arrays(const Node& n);
    void assignment(const Node& n);
    void assigned_value(const Node& n, const std::string& target, const std::string& operation);
    void local_real(const Node& n);
    void size_in_real(const Node& n);
    void other_axis(const Node& n);
    void choice(const Node& n);
    void argument(const Node& n);
    void scaled_argument(const Node& statement, const Node& n);
    void row(const Node& n);

    // function_edits.cpp: functions and constants.
    void function_of(const Node& n);
    void largest_or_smallest(const Node& n);
    void other_functions(const Node& n, const std::string& x, const std::string& of);
    void returned(const Node& n);
    void number(const Node& n);
    void value_of_call(const Node& n);
    void outside_of_function(const Node& n, const Node& argument, const std::string& name);
    void inside_of_function(const Node& n);
    void other_brackets(const Node& n);
    std::string with_argument(const Node& call, const Node& argument, const std::string& text) const;

    // edit_places.cpp: where an edit stands.
    std::span<const Token> tokens_of_equation(int token) const;
    std::span<const Token> tokens(int first, int last) const;
    std::vector<const Node*> expressions_around(const SystematicEdit::Change& change) const;

    // array_edits.cpp: whole arrays.
    void inputs();
    void outputs();
    void input_as(const Symbol& input, const std::string& value, const std::string& said, Kind kind);
    void input_filled_by(const Symbol& input, const std::string& statement, const std::string& said,
                         Kind kind);
    void output_as(const Symbol& output, const std::string& statements, const std::string& said, Kind kind);
    void fill_under_mask();
    void mask_at_the_end(const Symbol& mask, const Symbol& output);
    void fill_scores(const Symbol& mask, const Symbol& scores);
    void rename(const Symbol& array, const std::string& other,
                std::vector<SystematicEdit::Change>& changes) const;
    void other_shapes();
    void written_over_input();
    void local_as_output(const Node& block);

    const Node& at(std::int32_t k) const { return function_.at(k); }
    /// The token } of the body.
    int end() const { return static_cast<int>(function_.body.size()) - 1; }
    std::string source(const Node& n) const;
    std::string shown(const Node& n) const;
    /// The text with the handout's letters, and without calls that only give an array another shape.
    std::string in_letters(std::string text) const;
    /// A statement without the code of a loop: "the step that computes R".
    std::string step_in_words(const Node& step) const;
    std::string name_of(const Symbol& symbol) const;
    std::vector<const Symbol*> visible(int token, Base base) const;
    std::vector<const Symbol*> views(int token, Element element, int rank) const;
    std::vector<std::string> indices(int token) const;
    std::vector<std::string> sizes(int token) const;
    std::vector<std::string> sizes_of_views(int token) const;
    std::vector<std::string> sizes_without_name(int token) const;
    std::vector<const Loop*> loops_around(int token) const;
    void add(const Node& n, const std::string& text, Kind kind, const std::string& said);
    void add_value(const Node& n, const std::string& text, Kind kind, const std::string& said);
    void add_changes(std::vector<SystematicEdit::Change> changes, Kind kind, const std::string& said,
                     const std::string& array = {}, bool written = false);

    const Program& program_;
    int number_;
    const FunctionTree& function_;
    std::vector<Loop> loops_;
    std::map<std::string, std::string> parameters_behind_;  ///< of constant numbers, by their names
    std::vector<std::string> reshapes_;
    std::set<std::string> renamed_;             ///< paths of arrays that have a view of another name
    std::map<int, std::vector<Reset>> resets_;  ///< by the first token of the loop
    std::vector<SystematicEdit> all_;
    std::set<std::string> seen_;
};

/// "std::FUNCTION(ARGUMENT)".
std::string call_of(const char* function, const std::string& argument);
std::string in_brackets(const std::string& text);
/// Whether it is a function of one number, such as exp.
bool has_one_argument(Op op);
/// The number without its decimals, as a conversion to int leaves it.
std::string truncated(const std::string& text);

/// ", X.size(0), X.size(1)": the lengths of an array's axes as arguments.
std::string lengths(const std::string& name, int rank);

/// The text with other words in place of those that are names here.
std::string with_words(const std::string& text, const std::map<std::string, std::string>& others);

/// The equation that a line of a comment has, without its shapes. Empty if it has none.
std::string equation_in(std::string line);

/// Text of tokens as a formula: without std:: and casts, with few spaces.
std::string as_formula(std::string text);

}  // namespace attn::edits
