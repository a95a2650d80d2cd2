#pragma once
/// Reading the cases of a part, from the rubric or from secret.toml.

#include <vector>

#include "grader/rubric/rubric.h"
#include "grader/rubric/toml_reader.h"

namespace attn::submission {

/// Adds what stands under `cases` to those that a part has. No two have one name.
void read_cases(TableReader& reader, const ask::Module& module, const ask::Function& function,
                std::vector<CaseRubric>& cases);

/// A report tells its checks apart by their names: refuses a case that is called as another check is. For
/// when all of the part is known.
void refuse_shared_names(const TableReader& reader, const PartRubric& part);

}  // namespace attn::submission
