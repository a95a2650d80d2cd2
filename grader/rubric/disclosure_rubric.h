#pragma once
/// Whom a rubric tells what.

#include "grader/report/disclosure.h"

namespace attn::submission {

/// What students are told of a failed check, by the seed it was asked with.
struct DisclosureRubric {
    report::Disclosure with_public_seed = report::Disclosure::full;
    report::Disclosure with_secret_seed = report::Disclosure::category;
};

class TableReader;

/// The word under `key`. Throws UserError for one that is none.
report::Disclosure read_disclosure(TableReader& reader, const char* key);

/// The keys `public` and `secret` of a [disclosure]; what it does not say is as in `otherwise`. Likewise.
DisclosureRubric read_disclosures(TableReader& reader, DisclosureRubric otherwise);

/// The key `total`: whether points are shown that checks count in of which nothing is told yet. Likewise.
bool read_total_always(TableReader& reader);

}  // namespace attn::submission
