#include <algorithm>

#include <fmt/format.h>
#include <sys/stat.h>

#include "grader/base/errors.h"
#include "grader/base/text_lines.h"
#include "grader/classes/exports/exports.h"
#include "grader/classes/similarity/similarity.h"
#include "grader/report/html.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {
namespace fs = std::filesystem;
using report::escape_xml;

namespace similarity_page {

/// The report's own style, so that the pages look alike.
std::string style() {
    const std::string_view page = report::kReportPage.before;
    constexpr std::string_view kOpen = "<style>", kClose = "</style>";
    const std::size_t begin = page.find(kOpen), end = page.find(kClose);
    std::string style(page.substr(begin + kOpen.size(), end - begin - kOpen.size()));
    style +=
        "\nmain > * { margin-top: 1rem; }\n"
        ".pairs { border-collapse: collapse; }\n"
        ".pairs th, .pairs td { text-align: left; padding: .3rem 1.5rem .3rem 0; vertical-align: top; "
        "border-bottom: 1px solid var(--line); }\n"
        ".pairs td.counted { text-align: right; font-variant-numeric: tabular-nums; }\n"
        ".run { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; }\n"
        ".run pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: "
        ".6rem; "
        "overflow: auto; max-height: none; white-space: pre; font-size: .75rem; line-height: 1.45; }\n"
        ".run .at, .run .given { color: var(--dim); }\n"
        ".run .at { user-select: none; }\n"
        "@media (max-width: 50rem) { .run { grid-template-columns: minmax(0, 1fr); } }\n";
    return style;
}

std::string document(const std::string& title, const std::string& body) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "base-uri 'none'; "
        "form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<meta "
        "name=\"referrer\" "
        "content=\"no-referrer\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<header><p "
        "class=\"brand\">Attention Lab</p></header>\n<main>\n<h1>{}</h1>\n<p class=\"next\">This is a hint, "
        "never a "
        "verdict. Short functions with one usual solution look alike without any copying, as do solutions "
        "that follow the "
        "same lecture or the same book. Read the lines side by side, and talk to the students, before you "
        "conclude "
        "anything.</p>\n{}</main>\n</body>\n</html>\n",
        escape_xml(title), style(), escape_xml(title), body);
}

/// Where a line of the joined text stands in its file.
struct Place {
    std::string file;
    int line = 0;
};

/// The lines of one input, as handed in and without what was given, and the place of each in its file.
class Side {
  public:
    explicit Side(const ComparedText& text) : whole_(lines_in(text.whole)), own_(lines_in(text.own)) {
        constexpr std::string_view kMark = "// FILE: ";
        for (int k = 0; k < static_cast<int>(whole_.size()); ++k) {
            if (whole_[static_cast<std::size_t>(k)].starts_with(kMark)) mark_ = k;
            marks_.push_back(mark_);
        }
    }

    Place place(int line) const {
        if (whole_.empty()) return {"", line};
        constexpr std::string_view kMark = "// FILE: ";
        const auto k = static_cast<std::size_t>(std::clamp(line, 1, static_cast<int>(whole_.size()))) - 1;
        if (marks_[k] < 0) return {"", line};
        return {whole_[static_cast<std::size_t>(marks_[k])].substr(kMark.size()), line - marks_[k] - 1};
    }

    std::string lines(int first, int last) const {
        std::string text;
        for (int line = first; line <= last && line <= static_cast<int>(whole_.size()); ++line) {
            const auto k = static_cast<std::size_t>(line) - 1;
            const bool given = k < own_.size() && own_[k].find_first_not_of(' ') == std::string::npos;
            text += fmt::format("<span class=\"at\">{:4} </span>{}{}{}\n", line - marks_[k] - 1,
                                given ? "<span class=\"given\">" : "", escape_xml(whole_[k]),
                                given ? "</span>" : "");
        }
        return text;
    }

  private:
    std::vector<std::string> whole_, own_;
    std::vector<int> marks_;  ///< of each line: the index of the line that names its file
    int mark_ = -1;
};

std::string place_text(const Place& first, const Place& last) {
    return first.line == last.line ? fmt::format("{}, line {}", first.file, first.line)
                                   : fmt::format("{}, lines {} to {}", first.file, first.line, last.line);
}

std::string pair_page(const Similarity& found, const std::vector<SimilarityInput>& inputs,
                      const SimilarPair& pair) {
    const Side a(found.texts[pair.a]), b(found.texts[pair.b]);
    std::string body = fmt::format(
        "<p>{:.0f} % of the shorter one's own code matches; {:.0f} % with code that many hand-ins share. "
        "Names, comments, "
        "layout and the values of numbers are not compared. What the students were given, and what "
        "a hand-in repeats very often, is grey and not counted.</p>\n<p><a href=\"index.html\">All "
        "pairs</a></p>\n",
        pair.share * 100, pair.share_with_common * 100);
    constexpr std::size_t kMostRuns = 100;
    if (pair.runs.size() > kMostRuns)
        body += fmt::format("<p>The longest {} of {} places are shown.</p>\n", kMostRuns, pair.runs.size());
    for (std::size_t k = 0; k < std::min(kMostRuns, pair.runs.size()); ++k) {
        const SimilarRun& run = pair.runs[k];
        body += fmt::format(
            "<h3>{} tokens{}</h3>\n<div class=\"run\">\n<div><p class=\"dim\">{}: "
            "{}</p><pre>{}</pre></div>\n<div><p class=\"dim\">{}: {}</p><pre>{}</pre></div>\n</div>\n",
            run.count, run.common ? ", which many hand-ins share" : "", escape_xml(inputs[pair.a].name),
            escape_xml(place_text(a.place(run.first_a), a.place(run.last_a))),
            a.lines(run.first_a, run.last_a), escape_xml(inputs[pair.b].name),
            escape_xml(place_text(b.place(run.first_b), b.place(run.last_b))),
            b.lines(run.first_b, run.last_b));
    }
    return document(fmt::format("{} and {}", inputs[pair.a].name, inputs[pair.b].name), body);
}

/// One row of the index: a pair, or a group.
std::string row(const std::string& who, double least, double most, double with_common, int longest) {
    const std::string share = fmt::format("{:.0f} %", least * 100), top = fmt::format("{:.0f} %", most * 100);
    return fmt::format(
        "<tr><td>{}</td><td class=\"counted\">{}</td><td class=\"counted\">{:.0f} %</td><td "
        "class=\"counted\">{}</td></tr>\n",
        who, share == top ? share : share + " to " + top, with_common * 100, longest);
}

/// Writes the page of each pair, and returns the table of all of them.
std::string table(const Similarity& found, const std::vector<SimilarityInput>& inputs,
                  const fs::path& folder) {
    std::string groups, pairs;
    std::vector<std::string> pages;
    for (std::size_t k = 0; k < found.pairs.size(); ++k) {
        const SimilarPair& pair = found.pairs[k];
        pages.push_back(fmt::format("pair_{:03}.html", k + 1));
        write_private_file(folder / pages[k], pair_page(found, inputs, pair));
        if (!pair.in_group)
            pairs += row(fmt::format("<a href=\"{}\">{} and {}</a>", pages[k],
                                     escape_xml(inputs[pair.a].name), escape_xml(inputs[pair.b].name)),
                         pair.share, pair.share, pair.share_with_common, pair.runs.front().count);
    }
    for (const SimilarGroup& group : found.groups) {
        const std::size_t first = group.members.front();
        std::string who = fmt::format("{} hand-ins that are nearly the same: {}, compared with",
                                      group.members.size(), escape_xml(inputs[first].name));
        double least = 1, most = 0, with_common = 1;
        int longest = 0;
        for (std::size_t k = 0; k < found.pairs.size(); ++k) {
            const SimilarPair& pair = found.pairs[k];
            const std::size_t other = pair.a == first ? pair.b : pair.a;
            if (!pair.in_group || (pair.a != first && pair.b != first)) continue;
            who += fmt::format("{} <a href=\"{}\">{}</a>", longest == 0 ? "" : ",", pages[k],
                               escape_xml(inputs[other].name));
            least = std::min(least, pair.share);
            most = std::max(most, pair.share);
            with_common = std::min(with_common, pair.share_with_common);
            longest = std::max(longest, pair.runs.front().count);
        }
        groups += row(who, least, most, with_common, longest);
    }
    return fmt::format(
        "<p>{} of {} pairs of different students, the most similar first. Three or more hand-ins that are "
        "nearly "
        "the same are one row.</p>\n<table class=\"pairs\">\n<tr><th>who</th><th>share of the shorter one's "
        "own "
        "code</th><th>with code that many share</th><th>longest run, in tokens</th></tr>\n{}{}</table>\n",
        found.alike, found.compared, groups, pairs);
}

}  // namespace similarity_page
}  // namespace

void write_similarity(const Similarity& found, const std::vector<SimilarityInput>& inputs,
                      const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && (!fs::is_directory(folder) || !fs::is_empty(folder)))
        throw UserError(
            fmt::format("{}: there is such a file or a folder that is not empty; remove it, or name another",
                        folder.string()));
    if (!fs::exists(folder, error) && mkdir(folder.c_str(), 0700) != 0)
        throw UserError(
            fmt::format("{} cannot be made ({})", folder.string(), std::generic_category().message(errno)));
    std::string body;
    if (!found.missing.empty())
        body = "<p>" + escape_xml(found.missing) + "</p>\n";
    else if (found.pairs.empty())
        body = fmt::format("<p>None of the {} pairs shares enough to be listed.</p>\n", found.compared);
    else
        body = similarity_page::table(found, inputs, folder);
    for (const std::string& note : found.notes) body += "<p>" + escape_xml(note) + ".</p>\n";
    write_private_file(folder / "index.html", similarity_page::document("Similar submissions", body));
}

}  // namespace attn::classes
