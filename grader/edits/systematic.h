#pragma once
/// Edits that are made from the text of a function alone, without a list: a loop ends elsewhere, an index or
/// an array is replaced by another, a term is left out, and so on.

#include <string>
#include <utility>
#include <vector>

#include "grader/edits/edit.h"
#include "grader/edits/program.h"

namespace attn::edits {

/// What an edit changes. The hint for the student follows from it.
enum class Kind {
    bound,      ///< where a loop begins or ends
    index,      ///< an index of an array
    array,      ///< which array is used
    operation,  ///< + for -, max for min, another function
    missing,    ///< a term, a factor or a step is left out
    extra,      ///< a term, a factor or a step too many
    number,     ///< a constant or a size
    reset,      ///< a variable that is not reset
    condition,  ///< when something is done
    order       ///< the order of steps
};

/// An edit of one function, in several places if a name has to be changed in all of them.
struct SystematicEdit {
    struct Change {
        int first = 0, last = 0;  ///< tokens of the function's body
        std::string text;
    };
    int function = 0;
    std::vector<Change> changes;
    Kind kind = Kind::operation;
    std::string said;            ///< completes "when ..": "the range of d ends at N_q instead of D_q"
    std::string array;           ///< the array that is changed as a whole, if there is one
    bool written = false;        ///< whether the function writes this array
    int caller = -1, call = -1;  ///< as in Edit
    /// A number that is used instead of a variable: the variable and the number.
    std::pair<std::string, std::string> constant = {};
};

/// All edits of one function, without those at a single call.
std::vector<SystematicEdit> systematic_edits(const Program& program, int function);

/// `function`, and the functions of plain loops that it calls, they call, and so on.
std::vector<int> functions_reached_from(const Program& program, int function);

/// `function`, and those of them that it reaches without a function of a contract in between: its own helpers.
std::vector<int> own_functions(const Program& program, int function);

/// A function whose edits can change what another one computes, everywhere or at one call. Edits of a low rank are
/// the likelier ones: those of the function itself, of its helpers, of functions that have cases of their own.
struct EditPlace {
    int function = 0;
    int caller = -1, call = -1;  ///< as in Edit
    int rank = 0;
};

/// All places of edits that can change what `function` computes, by their ranks.
std::vector<EditPlace> edit_places(const Program& program, int function);

/// The same as edits of tokens.
std::vector<Edit> as_edits(Program& program, const SystematicEdit& edit);

/// What the edit does, whatever the names are. Edits of siblings have the same pattern: those that transpose W_Q and W_K.
std::string pattern_of(Program& program, const SystematicEdit& edit);

/// The equation in which the edit stands: the one that computes or reads the array that is changed, the last comment of
/// the code before it, or the documentation of the function or of its caller. Of a helper's callers, those come first that
/// `user` is made of, the function whose answers are explained. Of an edit in another function of a contract it is the
/// equation above `user`'s call, if there is one.
std::string equation_of(const Program& program, const SystematicEdit& edit, int user = -1);

/// The other function of a contract in which the edit stands, where `user`'s equation calls it. Empty if it stands in
/// `user` or in a helper of its own.
std::string function_around(const Program& program, const SystematicEdit& edit, int user);

/// What the helpers do whose calls stand in these words of an edit: " (words_of: The number of words of ..)". Otherwise nothing.
std::string helpers_in_words(const Program& program, const SystematicEdit& edit, const std::string& said);

/// The equations of this function that compute what these words of an edit name and the equation at the edit does not:
/// " (Z = LN_1(S) with S = X + MHA(X, X))". Otherwise nothing.
std::string arrays_in_words(const Program& program, const SystematicEdit& edit, const std::string& equation,
                            const std::string& said);

/// " in exp(x)" where what is changed, x, stands more than once at its equation; otherwise nothing.
std::string place_in_words(const Program& program, const SystematicEdit& edit);

}  // namespace attn::edits
