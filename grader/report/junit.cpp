#include "grader/report/junit.h"

#include <fmt/format.h>

#include "grader/report/clean.h"
#include "grader/report/text.h"

namespace attn::report {
namespace {

std::string case_of(const Assignment& assignment, const Part& part, const Check& check) {
    std::string text =
        fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\"", escape_xml(assignment.name),
                    escape_xml(part.function), escape_xml(check.name));
    if (check.outcome == Outcome::passed) return text + "/>\n";
    if (check.outcome == Outcome::skipped)
        return text + fmt::format("><skipped message=\"{}\"/></testcase>\n", escape_xml(check.message));
    std::string told = check.message;
    if (check.smallest) told += "\nThe smallest case that still fails: " + check.smallest->sizes;
    if (check.diagnosis) told += "\n" + check.diagnosis->sentence;
    text += fmt::format("><failure message=\"{}\" type=\"{}\">{}</failure>", escape_xml(check.message),
                        name_of(check.outcome), escape_xml(told));
    if (!check.printed.empty()) text += fmt::format("<system-out>{}</system-out>", escape_xml(check.printed));
    return text + "</testcase>\n";
}

/// Notes on the submission stand in every suite: each may be all that somebody looks at.
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

std::string to_junit(const Report& dirty) {
    const Report report = cleaned(dirty);
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites time=\"{:.3f}\">\n", report.duration_s);
    for (const Assignment& assignment : report.assignments) {
        Counts counts;
        std::string cases;
        for (const Part& part : assignment.parts) {
            for (const Check& check : part.checks) {
                ++counts.tests;
                if (check.outcome == Outcome::skipped)
                    ++counts.skipped;
                else if (check.outcome != Outcome::passed)
                    ++counts.failures;
                cases += case_of(assignment, part, check);
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
