#pragma once
/// Which submissions resemble each other. The comparison itself is Debian's similarity-tester (sim_c++),
/// which sees through other names, comments and layout.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace attn::classes {

/// The files of one hand-in. A group's hand-in is one input.
struct SimilarityInput {
    std::string name;  ///< as the pages show it: a pseudonym, or the names of a group
    std::filesystem::path folder;
    int student = 0;  ///< inputs of the same student are not compared
};

struct SimilarityOptions {
    std::vector<std::filesystem::path> given;  ///< stubs, headers and handouts (.md): see template_lines.h
    int shortest_run = 24;                     ///< in tokens
    double least_share = 0.3;                  ///< pairs that share less are not listed
    std::size_t most_pairs = 200;              ///< outside of groups
    /// Of a hand-in's sources; the smallest files count.
    std::uintmax_t most_bytes = std::uintmax_t{256} << 10;
};

/// Lines of two inputs that match: `count` tokens.
struct SimilarRun {
    int first_a = 0, last_a = 0, first_b = 0, last_b = 0, count = 0;
    bool common = false;  ///< found in many hand-ins, and so left out of the share
};

struct SimilarPair {
    std::size_t a = 0, b = 0;  ///< indices of inputs
    double share = 0;          ///< of the shorter one's own tokens that match, without common code
    double share_with_common = 0;
    std::vector<SimilarRun> runs;  ///< the longest first
    bool in_group = false;         ///< of the first of a group with another of its members
};

/// Three or more inputs of different students that are nearly the same. Their pairs are those of the first with each
/// of the others.
struct SimilarGroup {
    std::vector<std::size_t> members;
};

/// All files of an input as one text, a line "// FILE: name" before each.
struct ComparedText {
    std::string whole, own;  ///< as handed in, and without what was given; both have the same lines
    int tokens = 0;          ///< of its own, as sim_c++ counts them
};

struct Similarity {
    std::string missing;  ///< why nothing was compared: the tool is not installed
    std::vector<ComparedText> texts;
    std::vector<SimilarPair> pairs;  ///< the most similar first
    std::vector<SimilarGroup> groups;
    std::size_t compared = 0, alike = 0;  ///< pairs of different students
    std::vector<std::string> notes;       ///< what was not compared, and why
};

/// Compares the .cpp, .cu and .h files of all inputs with each other. Code that more than a tenth of the
/// inputs share (at least four) counts as common, because it comes from the lecture or from how such a
/// function is usually written; a pair that shares four fifths or more of its code is listed all the same.
/// What a student hands in can make neither this nor sim_c++ run for long: large files are left out, and so is an
/// input that sim_c++ cannot compare with itself in a second. Throws UserError if all together take ten minutes.
Similarity find_similar(const std::vector<SimilarityInput>& inputs, const SimilarityOptions& options);

/// Finds the groups among the pairs, and drops the pairs of a group that do not contain its first member.
void group_similar(Similarity& found, const std::vector<SimilarityInput>& inputs);

/// Writes index.html and a page for each pair into `folder`, a new or empty one. They say that they are a
/// hint.
void write_similarity(const Similarity& found, const std::vector<SimilarityInput>& inputs,
                      const std::filesystem::path& folder);

}  // namespace attn::classes
