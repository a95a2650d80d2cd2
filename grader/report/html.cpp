#include "grader/report/html.h"

#include "grader/report/json.h"
#include "grader/report/page_text.h"

namespace attn::report {

std::string to_html(const Report& dirty) {
    // to_json escapes every '<', so the JSON cannot close the element that holds it.
    return std::string(kPageBeforeReport) + to_json(dirty) + std::string(kPageAfterReport);
}

}  // namespace attn::report
