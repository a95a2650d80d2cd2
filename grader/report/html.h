#pragma once
/// The report as a page for a browser: a single file that needs no network.

#include <string>
#include <string_view>

#include "grader/report/report.h"

namespace attn::report {

/// A page that the build assembled (page/assemble.cmake): its text before and after the data that it draws.
struct Page {
    std::string_view before, after;

    /// The page with its data. The JSON must contain no '<', which could close the element that holds it.
    std::string with(std::string_view json) const {
        return std::string(before) + std::string(json) + std::string(after);
    }
};

/// The pages about a report, a class and a model. Each stands in the library of its folder.
extern const Page kReportPage, kInsightPage, kShowPage;

/// The page. It contains the report's JSON and draws it with JavaScript.
std::string to_html(const Report& dirty);

}  // namespace attn::report
