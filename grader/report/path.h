#pragma once
/// The path of a course: its assignments in their order, with what each of them builds on.

#include <string>
#include <vector>

namespace attn::report {

/// An assignment on the path, whether a report grades it or not.
struct PathStep {
    int number = 0;
    std::string title;                ///< as the course calls it: "Homework 3: Transformer block"
    std::string handout = {};         ///< empty if the assignment comes later
    std::vector<int> builds_on = {};  ///< the assignments whose functions this one calls
    bool later = false;               ///< the course names it, but it cannot be worked on yet
    friend bool operator==(const PathStep&, const PathStep&) = default;
};

/// "builds on 3 and 5". Empty if the assignment builds on no other one.
std::string builds_on_in_words(const PathStep& step);

/// "a", "a and b", "a, b and c".
std::string listed_in_words(const std::vector<std::string>& words);

}  // namespace attn::report
