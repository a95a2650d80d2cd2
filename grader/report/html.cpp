#include "grader/report/html.h"

#include "grader/report/json.h"

namespace attn::report {

std::string to_html(const Report& dirty) {
    return kReportPage.with(to_json(dirty));
}

}  // namespace attn::report
