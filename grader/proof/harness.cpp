#include "grader/proof/harness.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/grading/grade.h"
#include "grader/proof/contradictions.h"

namespace attn::proof {

std::string source(const std::string& name) {
    return data::read_file(Installation().proof / name);
}

std::string solution(const std::string& module) {
    return data::read_file(Installation().proof_of(module) / "solution.cpp");
}

report::Report grade_source(const std::string& text, const Conditions& conditions) {
    const data::TemporaryDirectory folder;
    GradeOptions options;
    options.submission = folder.path() / "submission";
    const rubric::Rubric rubric =
        rubric::read_rubric(options.installation.assignments / conditions.assignment);
    options.assignment = rubric.number;
    options.extra = conditions.extra;
    if (options.extra.cache.empty()) options.extra.cache = build_cache(options.installation);
    options.speed = false;
    options.hints = conditions.hints;
    std::filesystem::create_directory(options.submission);
    folder.write("submission/" + rubric.sources.front(), text);
    if (conditions.time_s != 0) {
        const auto copy = folder.path() / "assignments";
        std::filesystem::copy(options.installation.assignments, copy,
                              std::filesystem::copy_options::recursive);
        options.installation.assignments = copy;
        const std::string file = "assignments/" + conditions.assignment + "/rubric.toml";
        folder.write(file, edited(data::read_file(folder.path() / file),
                                  {{"time_s     = 5", "time_s     = " + std::to_string(conditions.time_s)}}));
    }
    report::Report report = grade(options);
    for (const report::Assignment& assignment : report.assignments)
        for (const report::Part& each : assignment.parts)
            for (const std::string& refuted : contradictions(each))
                throw std::logic_error("the report contradicts itself: " + refuted);
    return report;
}

const report::Part& part(const report::Report& report, std::string_view function) {
    for (const report::Assignment& assignment : report.assignments)
        for (const report::Part& each : assignment.parts)
            if (each.function == function) return each;
    throw std::invalid_argument("no part " + std::string(function));
}

std::string outcomes_of(const report::Part& part) {
    std::set<std::string> all;
    for (const report::Check& check : part.checks)
        if (!report::is_left_out(check)) all.emplace(name_of(check.outcome));
    std::string text;
    for (const std::string& outcome : all) text += (text.empty() ? "" : " ") + outcome;
    return text;
}

const report::Check& first_with(const report::Part& part, Outcome outcome) {
    const auto found =
        std::find_if(part.checks.begin(), part.checks.end(),
                     [outcome](const report::Check& check) { return check.outcome == outcome; });
    if (found == part.checks.end()) {
        throw std::invalid_argument(part.function + " has no check that is " + std::string(name_of(outcome)) +
                                    ", only: " + outcomes_of(part));
    }
    return *found;
}

}  // namespace attn::proof
