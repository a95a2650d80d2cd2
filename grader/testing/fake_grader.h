#pragma once
/// For tests of whole classes: a program in place of the grader that answers at once, with the report that
/// lies among the files of a submission.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/report/json.h"
#include "grader/rubric/rubric.h"

namespace attn::testing {

/// The report of a submission that is right except for these functions, as `grader grade --no-speed` would
/// write it, or with speed. `only`: the report of this one part.
inline report::Report fake_report(const rubric::Rubric& rubric, const std::set<std::string>& wrong,
                                  const std::string& only = "", bool speed = false) {
    report::Report report;
    report.submission = "anything";
    report::Assignment assignment;
    assignment.number = rubric.number;
    assignment.name = rubric.module->name;
    assignment.sources = {{rubric.sources.front(), true, true, ""}};
    for (const rubric::PartRubric& rules : rubric.parts) {
        report::Part part;
        part.function = rules.function->name;
        if (!only.empty() && only != part.function) continue;
        const Outcome outcome = wrong.contains(part.function) ? Outcome::wrong : Outcome::passed;
        const auto add = [&](const std::string& name, report::CheckKind kind) {
            report::Check check;
            check.name = name;
            check.id = fmt::format("{}.{}.{}", rubric.number, part.function, name);
            check.kind = kind;
            check.outcome = outcome;
            part.checks.push_back(check);
        };
        for (const rubric::CaseRubric& each : rules.cases) add(each.name, report::CheckKind::numeric);
        for (const auto* each : rules.properties) add(each->name, report::CheckKind::property);
        if (rules.speed && speed) {
            add("speed", report::CheckKind::speed);
            part.checks.back().speed.emplace().share = 0.5;
            part.checks.back().outcome = Outcome::slow;
        }
        assignment.parts.push_back(part);
    }
    report.assignments = {assignment};
    return report;
}

/// Writes the files of a submission that the fake grader answers with that report. `extra`: makes its content
/// another one.
inline void write_fake_submission(const std::filesystem::path& folder, const rubric::Rubric& rubric,
                                  const std::set<std::string>& wrong, const std::string& extra = "") {
    std::filesystem::create_directories(folder);
    const auto write = [&folder](const std::string& name, const std::string& text) {
        std::ofstream(folder / name) << text;
    };
    write(rubric.sources.front(), "// " + extra + "\n");
    write("report.json", report::to_json(fake_report(rubric, wrong)));
    for (const rubric::PartRubric& part : rubric.parts) {
        const std::string& name = part.function->name;
        write("part_" + name + ".json", report::to_json(fake_report(rubric, wrong, name, true)));
    }
}

/// The program. A file `exit` in a submission holds its exit code, `exit_once` that of the first call;
/// `seconds` how long it takes. It notes each call in a line of its file `calls`. After hold() no call ends
/// before release().
class FakeGrader {
  public:
    FakeGrader() {
        folder_.write("grader", R"sh(#!/bin/sh
here=$(dirname "$0")
if [ "$1" = --version ]; then echo "Attention Lab 1.0.0, a fake"; exit; fi
work=$2 answer=report
while [ $# -gt 0 ]; do
    case $1 in
        --full-json) out=$2;;
        --part) answer=part_$2;;
    esac
    shift
done
echo "$(basename "$work") $answer" >> "$here/calls"
while [ -f "$here/held" ]; do sleep 0.02; done
if [ -f "$work/seconds" ]; then sleep "$(cat "$work/seconds")"; fi
if [ -f "$work/exit" ]; then echo "grader: $work: this cannot be used" >&2; exit "$(cat "$work/exit")"; fi
if [ -f "$work/exit_once" ] && [ ! -f "$here/tried_$(basename "$work")" ]; then
    : > "$here/tried_$(basename "$work")"
    exit "$(cat "$work/exit_once")"
fi
cp "$work/$answer.json" "$out"
exit 1
)sh");
        std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    }

    std::filesystem::path program() const { return folder_ / "grader"; }

    /// Another version of the program, which answers the same.
    void become(const std::string& version) const {
        std::string text = data::read_file(program());
        const std::string before = "echo \"Attention Lab ";
        const std::size_t begin = text.find(before) + before.size();
        text.replace(begin, text.find(',', begin) - begin, version);
        std::ofstream(program()) << text;
    }

    void hold() const { std::ofstream(folder_ / "held") << '\n'; }
    void release() const { std::filesystem::remove(folder_ / "held"); }

    /// The calls since the last question, sorted.
    std::vector<std::string> calls() const {
        std::vector<std::string> lines;
        if (!std::filesystem::exists(folder_ / "calls")) return lines;
        std::istringstream text(data::read_file(folder_ / "calls"));
        for (std::string line; std::getline(text, line);) lines.push_back(line);
        std::filesystem::remove(folder_ / "calls");
        std::ranges::sort(lines);
        return lines;
    }

  private:
    data::TemporaryDirectory folder_;
};

}  // namespace attn::testing
