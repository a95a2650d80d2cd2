#include <fmt/format.h>

#include "grader/report/check_description.h"
#include "grader/report/clean.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/report_queries.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

/// The description without printed text, which has an element of its own.
std::string description_without_output(const Report& report, const Part& part, const Check& check) {
    Description description = describe(report, part, check);
    std::erase_if(description,
                  [](const Paragraph& paragraph) { return paragraph.kind == ParagraphKind::printed; });
    return plain_text(description);
}

std::string case_of(const Report& report, const Assignment& assignment, const Part& part, const Check& check,
                    const std::string& file) {
    std::string text =
        fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\"", escape_xml(assignment.name),
                    escape_xml(part.function), escape_xml(check.name));
    if (!file.empty()) text += fmt::format(" file=\"{}\"", escape_xml(file));
    if (check.outcome == Outcome::passed) return text + "/>\n";
    if (check.outcome == Outcome::skipped)
        return text + fmt::format("><skipped message=\"{}\"/></testcase>\n", escape_xml(check.message));
    text += fmt::format("><failure message=\"{}\" type=\"{}\">{}</failure>", escape_xml(check.message),
                        name_of(check.outcome), escape_xml(description_without_output(report, part, check)));
    if (!check.printed.empty()) text += fmt::format("<system-out>{}</system-out>", escape_xml(check.printed));
    return text + "</testcase>\n";
}

/// The notes on the submission, which every suite repeats because readers may open only one suite.
std::string properties_of(const Report& report) {
    if (report.notes.empty()) return "";
    std::string text = "    <properties>\n";
    for (const std::string& note : report.notes)
        text += fmt::format("      <property name=\"note\" value=\"{}\"/>\n", escape_xml(note));
    return text + "    </properties>\n";
}

struct Counts {
    int tests = 0, failures = 0, skipped = 0;
};

}  // namespace

std::string to_junit(const Report& dirty, JunitDialect dialect) {
    const Report report = cleaned(dirty);
    std::string text =
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites time=\"{:.3f}\">\n",
                    finite(report.duration_s));
    for (const Assignment& assignment : report.assignments) {
        Counts counts;
        std::string cases;
        const std::string file = dialect == JunitDialect::gitlab ? file_of(report, assignment) : "";
        for (const Part& part : assignment.parts) {
            for (const Check& check : part.checks) {
                ++counts.tests;
                if (check.outcome == Outcome::skipped)
                    ++counts.skipped;
                else if (check.outcome != Outcome::passed)
                    ++counts.failures;
                cases += case_of(report, assignment, part, check, file);
            }
        }
        text += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}{}  "
            "</testsuite>\n",
            escape_xml(assignment.name), counts.tests, counts.failures, counts.skipped, properties_of(report),
            cases);
    }
    return text + "</testsuites>\n";
}

}  // namespace attn::report
