#pragma once
/// What follows from the collected numbers of a class. Each function fills one member of the insight.
/// insight_rules() states the rules, and the pages show them.

#include "grader/classes/insight/insight.h"

namespace attn::classes {

void find_hardest_part(Insight& insight);
void find_pairs(Insight& insight);
void find_outliers(Insight& insight);

}  // namespace attn::classes
