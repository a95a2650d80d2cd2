#pragma once
/// Reads the cases of a part, from the rubric or from secret.toml.

#include <vector>

#include "grader/rubric/rubric.h"
#include "grader/rubric/toml_reader.h"

namespace attn::rubric {

/// Appends the tables under the key `cases` to the cases of a part. Refuses two cases of the same name.
void read_cases(TableReader& reader, const ask::Module& module, const ask::Function& function,
                std::vector<CaseRubric>& cases);

/// Refuses a case with the name of another check, because a report identifies checks by their names. Call
/// this when the whole part is read.
void refuse_shared_names(const TableReader& reader, const PartRubric& part);

}  // namespace attn::rubric
