#pragma once
/// The insight as JSON: schemas/insight.schema.json describes it. The page draws the same text.

#include <string>

#include "grader/classes/insight/insight.h"

namespace attn::classes {

/// In one line, with a final line feed. It contains no '<', so that a page can hold it.
std::string to_json(const Insight& insight);

}  // namespace attn::classes
