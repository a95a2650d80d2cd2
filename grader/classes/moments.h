#pragma once
/// Moments as text.

#include <string>

#include "grader/classes/records.h"

namespace attn::classes {

/// Reads a moment as ISO 8601 writes it: "2026-11-20T23:59:00+01:00", "2026-11-20 22:59:00 UTC", "2026-11-20T22:59Z".
/// Throws UserError for anything else, also for a time without a zone, because nobody could say when it was.
Moment read_moment(const std::string& text);

/// "2026-11-20T22:59:00Z".
std::string moment_text(Moment moment);

Moment now();

}  // namespace attn::classes
