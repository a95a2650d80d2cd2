#include "grader/diagnosis/think.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/listed_in_words.h"

namespace attn::diagnosis {

std::string question_about(const report::SmallestCase& smallest) {
    std::vector<std::string> wrong, names;
    for (std::size_t k = 0; k < smallest.wrong.size(); ++k)
        if (std::ranges::any_of(smallest.wrong[k].values, [](double each) { return each != 0; }))
            wrong.push_back(smallest.yours[k].name);
    // What they are computed from may be right.
    if (!wrong.empty() && wrong.size() < smallest.yours.size())
        return fmt::format(
            "In this small case only {} {} wrong. Write {} down, with all arrays and indices, and compare "
            "your code with {}, term by term. Where do they differ?",
            listed_in_words(wrong), wrong.size() == 1 ? "is" : "are",
            wrong.size() == 1 ? "its formula" : "their formulas", wrong.size() == 1 ? "it" : "them");
    for (const report::Tensor& each : smallest.intermediates)
        if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
    if (names.empty())
        return "Work out this case on paper, one equation after the other. After which one does your code "
               "have another number?";
    return fmt::format(
        "Print {} of your code for this case, with the sizes. What is the first thing that differs? If "
        "nothing does, the mistake comes after {}.",
        fmt::join(names, ", "), names.size() == 1 ? "it" : "them");
}

std::string question_about(const judge::Verdict& verdict) {
    switch (verdict.outcome) {
        case Outcome::out_of_bounds:
            return "Where does this index come from, a loop or a number of an input? Which values can it "
                   "have, and how long is the axis?";
        case Outcome::crashed:
            return "What does the line do that no program may: read past the end of an array, divide a whole "
                   "number by 0, or call itself without an end?";
        case Outcome::partly_written:
            return "Which loop writes the output, and for which indices does it not come to that line?";
        case Outcome::timed_out:
            return "Which loop does not end for these inputs, and which line should bring it nearer to its "
                   "end?";
        case Outcome::changed_input:
            return "Which line writes into this input, and where could it write instead?";
        case Outcome::threw:
            return "These inputs are allowed. Which line of your code throws, and what does it ask of them?";
        case Outcome::not_deterministic:
            return "What does your code read that it has not written in this call: a variable without a "
                   "value, an output, or what a static variable keeps?";
        case Outcome::wrong:
            // A call that must be refused has no numbers.
            return verdict.got.empty() && verdict.message != report::kRefusesEverything
                       ? "Which line of your code looks at this before anything is computed?"
                       : "";
        default:
            return "";
    }
}

}  // namespace attn::diagnosis
