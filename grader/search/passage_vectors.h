#pragma once
/// The vectors of passages, which are computed once and kept in a file.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/search/passages.h"
#include "grader/search/sentence_model.h"

namespace attn::search {

/// A vector for each passage [M, D]. Those whose text `file` knows come from there; all others are computed with the fast
/// functions, and then the file knows them, too. A file that cannot be read, or belongs to another model (`model` names it),
/// is written anew. `progress` hears how far it is.
Array vectors_of(const std::vector<Passage>& passages, SentenceModel& model, const std::string& name,
                 const std::filesystem::path& file, const std::function<void(const std::string&)>& progress);

/// A passage that was found.
struct Found {
    std::size_t passage;
    double score;
};

/// The passages by their similarity to the query v [1, D], the most similar first, and not more than `most`. Without numbers
/// that are finite nothing is found.
std::vector<Found> best(const Array& v, const Array& vectors, std::size_t most);

/// Places of the vectors [M, D] in a plane: along the two directions in which they differ most (the first two principal
/// components).
struct Plane {
    std::vector<double> mean;
    std::vector<double> directions[2];
    /// The place of the vector in a row of v.
    std::pair<double, double> place(const Array& v, int row) const;
};
Plane plane_of(const Array& vectors);

}  // namespace attn::search
