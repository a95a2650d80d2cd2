#pragma once
/// Errors that the user can fix.

#include <stdexcept>

namespace attn {

/// A command line, a rubric, a submission's archive or an input file that the grader cannot use. Its text
/// says what was found, what was expected and what to do. Programs print it and exit with code 2. Any other
/// exception is a fault of the grader and exits with code 3.
class UserError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace attn
