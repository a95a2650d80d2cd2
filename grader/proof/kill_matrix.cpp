#include "grader/proof/kill_matrix.h"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/numeric.h"
#include "grader/grading/judge_part.h"
#include "grader/grading/questions.h"
#include "grader/judge/in_process.h"

namespace attn::proof {
namespace {

using rubric::PartRubric;
using rubric::Rubric;

/// The names in the diagnoses of a part, each once.
std::vector<std::string> names_in(const std::vector<report::Check>& checks) {
    std::vector<std::string> names;
    for (const report::Check& check : checks)
        if (check.diagnosis)
            for (const std::string& name : check.diagnosis->mistakes)
                if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return names;
}

/// The part without the cases that no mistake needs, unless there are no others.
PartRubric needed(PartRubric part) {
    const auto has_reason = [](const auto& each) { return !each.why.empty(); };
    if (!std::ranges::all_of(part.cases, has_reason)) std::erase_if(part.cases, has_reason);
    return part;
}

/// What a student reads of a part: also the smallest case, and where the function is right.
report::Part report_of(const PartRubric& part, Judged& judged, const judge::CallFunction& student) {
    diagnosis::SearchWork no_search{.left = 0, .left_for_pairs = 0};
    diagnosis::illustrate(judged.numeric, student, report::Hints::name, no_search);
    report::Part report;
    report.function = part.function->name;
    report.checks = judged.checks();
    return report;
}

/// Makes the mistake and lets the checks of `asked` judge it. They are some of the matrix' columns.
void judge_mistake(const Rubric& rubric, const PartRubric& asked, std::uint64_t seed, std::size_t mistake,
                   PartMatrix& matrix, bool is_first) {
    const judge::CallFunction student = judge::mistaken_student(*rubric.module, {static_cast<int>(mistake)});
    Judged judged = judge_part(rubric, asked, seed, student);
    const auto checks = judged.checks();
    std::vector<bool>& caught = matrix.caught.at(mistake);
    for (const report::Check& check : checks) {
        const auto column = std::ranges::find_if(matrix.columns, [&](const Column& each) {
            return each.name == check.name && each.property == (check.kind == report::CheckKind::property);
        });
        caught.at(static_cast<std::size_t>(column - matrix.columns.begin())) =
            check.outcome != Outcome::passed;
    }
    matrix.called.at(mistake) = names_in(checks);
    // All of them would take twice as long.
    if (is_first && mistake % 2 == 0 && matrix.catches(mistake))
        matrix.reports.push_back(report_of(asked, judged, student));
}

}  // namespace

bool PartMatrix::catches(std::size_t mistake) const {
    return std::find(caught[mistake].begin(), caught[mistake].end(), true) != caught[mistake].end();
}

int PartMatrix::number_caught(std::size_t column) const {
    return static_cast<int>(std::count_if(caught.begin(), caught.end(),
                                          [column](const std::vector<bool>& row) { return row[column]; }));
}

int PartMatrix::number_first_caught(std::size_t column) const {
    int count = 0;
    for (const std::vector<bool>& row : caught) {
        bool earlier = false;
        for (std::size_t before = 0; before < column; ++before)
            earlier = earlier || (row[before] && columns[before].property == columns[column].property);
        if (row[column] && !earlier) ++count;
    }
    return count;
}

std::vector<PartMatrix> kill_matrix(const Rubric& rubric, std::uint64_t seed, PartsAsked asked) {
    const std::size_t mistakes = rubric.module->mistakes.size();
    std::vector<PartMatrix> parts;
    for (const PartRubric& part : rubric.parts) {
        PartMatrix& matrix = parts.emplace_back();
        matrix.function = part.function->name;
        for (const auto& each : part.cases) matrix.columns.push_back({each.name, false, each.why});
        for (const auto* property : part.properties) matrix.columns.push_back({property->name, true, {}});
        matrix.caught.assign(mistakes, std::vector<bool>(matrix.columns.size()));
        matrix.called.resize(mistakes);
        for (std::size_t mistake = 0; mistake < mistakes; ++mistake) {
            const bool is_first =
                std::none_of(parts.begin(), parts.end() - 1,
                             [mistake](const PartMatrix& before) { return before.catches(mistake); });
            if (is_first || asked == PartsAsked::all)
                judge_mistake(rubric, needed(part), seed, mistake, matrix, is_first);
        }
    }
    for (std::size_t mistake = 0; mistake < mistakes; ++mistake) {
        const auto first =
            std::ranges::find_if(parts, [mistake](const PartMatrix& part) { return part.catches(mistake); });
        if (first != parts.end() && first->called[mistake].size() == 1) continue;
        for (std::size_t k = 0; k < parts.size(); ++k)
            if (first == parts.end() || parts.begin() + static_cast<std::ptrdiff_t>(k) == first)
                judge_mistake(rubric, rubric.parts[k], seed, mistake, parts[k], first == parts.end());
    }
    return parts;
}

std::vector<std::string> names_of(const std::vector<PartMatrix>& parts, const std::string& mistake,
                                  std::size_t number) {
    for (const PartMatrix& part : parts) {
        if (!part.catches(number)) continue;
        const std::vector<std::string>& called = part.called[number];
        return std::find(called.begin(), called.end(), mistake) == called.end() ? std::vector<std::string>{}
                                                                                : called;
    }
    return {};
}

std::vector<std::string> pass_when_rounded(const Rubric& rubric, std::uint64_t seed, int bits) {
    std::vector<std::string> passing;
    for (const PartRubric& part : rubric.parts) {
        bool changed = false;
        const auto round = [&changed, bits](const Arrays&, Arrays& outputs) {
            for (Array& output : outputs) {
                if (type_of(output) != ElementType::f32) continue;  // masks are exact in any precision
                for (float& value : output.as<float>()) {
                    int exponent = 0;
                    const float mantissa = std::frexp(value, &exponent);
                    const float rounded =
                        std::ldexp(std::nearbyint(std::ldexp(mantissa, bits)), exponent - bits);
                    changed = changed || rounded != value;
                    value = rounded;
                }
            }
        };
        const judge::CallFunction rounding = judge::reference_student(round);
        const auto questions = numeric_questions(rubric, part, seed);
        const bool all_pass = std::ranges::all_of(questions, [&rounding](const judge::Question& question) {
            return judge::answer(question, rounding).outcome == Outcome::passed;
        });
        if (changed && all_pass) passing.push_back(part.function->name);
    }
    return passing;
}

}  // namespace attn::proof
