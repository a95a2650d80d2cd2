#pragma once
/// Writes a page about a model.

#include <string>

#include "grader/training/model_page.h"

namespace attn::trained {

/// The page as JSON that is safe inside of HTML. NaN and infinity become null.
std::string to_json(const ModelPage& page);

/// The page as one HTML file that loads nothing else.
std::string to_html(const ModelPage& page);

}  // namespace attn::trained
