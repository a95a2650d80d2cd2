#include "grader/report/html.h"

#include "grader/report/json.h"
#include "grader/report/page_text.h"

namespace attn::report {

std::string to_html(const Report& dirty) {
    // No tag begins in the JSON, so nothing in it can end the element that holds it.
    return std::string(kPageBeforeReport) + to_json(dirty) + std::string(kPageAfterReport);
}

}  // namespace attn::report
