#pragma once
/// The HTML page about a model. The build assembles it from grader/training/page/ and, for what it shares
/// with a report's page, from grader/report/page/.

#include <string_view>

namespace attn::trained {

/// The page's text before and after its JSON.
extern const std::string_view kShowPageBefore, kShowPageAfter;

}  // namespace attn::trained
