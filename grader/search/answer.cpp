#include "grader/search/answer.h"

#include <fmt/format.h>

#include "grader/report/text.h"

namespace attn::search {
namespace {

std::string place_of(const Passage& passage) {
    return fmt::format("{}:{}", passage.file, passage.line);
}

std::string headings_of(const Passage& passage) {
    return passage.title + (passage.title.empty() || passage.heading.empty() ? "" : " \u00b7 ") +
           passage.heading;
}

/// The assignment of a file, "2"; empty for a page of none.
std::string assignment_of(const std::string& file) {
    const std::size_t number = file.find('/') + 1;
    if (file.size() < number + 3 || !report::is_digit(file[number]) || !report::is_digit(file[number + 1]))
        return {};
    return file[number] == '0' ? file.substr(number + 1, 1) : file.substr(number, 2);
}

std::string indented(const std::string& text, std::size_t indent) {
    std::string result;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        result += std::string(indent, ' ') + text.substr(from, end - from) + '\n';
        from = end + 1;
    }
    return result;
}

trained::PointMap map_of(const Answered& answered) {
    trained::PointMap map{"All passages and the question", {}};
    const Plane plane = plane_of(answered.vectors);
    const auto add = [&](const Array& v, int row, const std::string& text, const std::string& group,
                         const std::string& mark) {
        const auto [x, y] = plane.place(v, row);
        map.points.push_back({x, y, text, group, mark});
    };
    for (std::size_t m = 0; m < answered.passages.size(); ++m) {
        const Passage& passage = answered.passages[m];
        const auto rank = std::ranges::find(answered.found, m, &Found::passage) - answered.found.begin();
        const bool is_found = static_cast<std::size_t>(rank) < answered.found.size();
        add(answered.vectors, static_cast<int>(m), headings_of(passage) + ", " + place_of(passage),
            assignment_of(passage.file), is_found ? std::to_string(rank + 1) : "");
    }
    if (!answered.found.empty()) add(answered.v, 0, "the question", "", "?");
    return map;
}

}  // namespace

std::string in_words(const Answered& answered, std::size_t columns) {
    constexpr std::size_t kIndent = 10, kLines = 4, kDots = 3;
    std::string text;
    for (std::size_t k = 0; k < answered.found.size(); ++k) {
        const Passage& passage = answered.passages[answered.found[k].passage];
        text += fmt::format("{}  {:.3f}  {}\n", k + 1, answered.found[k].score, place_of(passage));
        text += indented(report::wrapped(headings_of(passage), columns - kIndent), kIndent);
        const std::string prose = passage.prose.empty() ? passage.to_show() : passage.prose;
        const std::string lines = report::wrapped(report::one_line(prose), columns - kIndent - kDots);
        std::size_t end = 0;
        for (std::size_t line = 0; line < kLines && end < lines.size(); ++line)
            end = std::min(lines.find('\n', end), lines.size()) + 1;
        text += indented(lines.substr(0, end), kIndent);
        if (end < lines.size()) text.insert(text.size() - 1, " ..");
    }
    return text;
}

trained::ModelPage page_of(const Answered& answered) {
    trained::ModelPage page;
    page.title = report::shortened(answered.question, 120);
    page.good = answered.good;
    page.verdict = answered.verdict;
    if (page.verdict.empty())
        page.verdict = fmt::format("The {} passages of the course that are most like the question, of {}.",
                                   answered.found.size(), answered.passages.size());
    trained::Section found{"What the course says", {}};
    for (std::size_t k = 0; k < answered.found.size(); ++k) {
        const Passage& passage = answered.passages[answered.found[k].passage];
        found.samples.push_back(
            {fmt::format("{}  {:.3f}  {}\n", k + 1, answered.found[k].score, place_of(passage)),
             headings_of(passage), "\n" + passage.to_show(), true});
    }
    trained::Section map{"Where the question stands",
                         {"Each dot is a passage. The model gives it a vector of some hundred numbers, and "
                          "the map shows the plane in which "
                          "these vectors differ most. Near dots are often alike, but most of the differences "
                          "lie outside of this plane: "
                          "the passages with numbers are the nearest ones by all numbers. A large number "
                          "stands in the middle of an "
                          "assignment's passages."}};
    map.point_maps = {map_of(answered)};
    page.sections = {found, map};
    page.origins = answered.origins;
    page.notes = {
        "The vectors come from all-MiniLM-L6-v2 (Apache-2.0), a model of six transformer blocks with "
        "post-norm that has learned from "
        "a billion pairs of sentences. A score is the cosine of the angle between two vectors."};
    return page;
}

}  // namespace attn::search
