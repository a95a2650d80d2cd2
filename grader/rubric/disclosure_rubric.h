#pragma once
/// What a rubric says about disclosure: how much of a failed check students see.

#include "grader/report/report.h"

namespace attn::rubric {

/// How much of a failed check students see, for checks with the public seed and with a secret seed.
struct DisclosureRubric {
    report::Disclosure with_public_seed = report::Disclosure::full;
    report::Disclosure with_secret_seed = report::Disclosure::category;
};

class TableReader;

/// Reads the disclosure under `key`. Throws UserError for an unknown word.
report::Disclosure read_disclosure(TableReader& reader, const char* key);

/// Reads the keys `public` and `secret` of a table [disclosure]. Absent keys have the values of `defaults`.
/// Throws like read_disclosure.
DisclosureRubric read_disclosures(TableReader& reader, DisclosureRubric defaults);

/// Reads the key `hints`: how much is told of a mistake that is not listed. Throws like read_disclosure.
report::Hints read_hint_level(TableReader& reader);

/// Reads the key `total`: whether the total includes hidden checks. Throws like read_disclosure.
bool read_total_always(TableReader& reader);

}  // namespace attn::rubric
