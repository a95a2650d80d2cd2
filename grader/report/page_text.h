#pragma once
/// The text of the page that shows a report, as the build puts it together from grader/report/page/.

#include <string_view>

namespace attn::report {

/// The report's JSON stands between the two.
extern const std::string_view kPageBeforeReport, kPageAfterReport;

}  // namespace attn::report
