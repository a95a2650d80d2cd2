#pragma once
/// The HTML page that shows an insight. The build assembles it from grader/classes/insight/page/ and, for
/// what it shares with a report's page, from grader/report/page/.

#include <string_view>

namespace attn::classes {

/// The page's text before and after the insight's JSON.
extern const std::string_view kInsightPageBefore, kInsightPageAfter;

}  // namespace attn::classes
