#pragma once
/// The HTML page that shows a report. The build assembles it from grader/report/page/.

#include <string_view>

namespace attn::report {

/// The page's text before and after the report's JSON.
extern const std::string_view kPageBeforeReport, kPageAfterReport;

}  // namespace attn::report
