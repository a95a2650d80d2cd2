#include "grader/classes/grading_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/classes/moments.h"
#include "grader/report/json.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

std::string time_in_words(double seconds) {
    constexpr double kMinute_s = 60, kHour_s = 3600, kShort_s = 90;
    if (seconds < kShort_s) return fmt::format("{:.0f} s", seconds);
    if (seconds < 2 * kHour_s) return fmt::format("{:.0f} min", seconds / kMinute_s);
    return fmt::format("{:.1f} h", seconds / kHour_s);
}

/// The speed that a job with some parts measured, without the numbers that it had to check again.
report::Report speed_only(report::Report report) {
    for (report::Part& part : report.assignments.at(0).parts)
        std::erase_if(part.checks, report::is_correctness_check);
    return report;
}

}  // namespace

std::string RunProgress::text() const {
    std::string text = fmt::format("{}: {} of {}", what, ended, all);
    if (ended > 0 && ended < all)
        text += fmt::format(", about {} left", time_in_words(elapsed_s / static_cast<double>(ended) *
                                                             static_cast<double>(all - ended)));
    if (ended == all && all > 0) text += fmt::format(" in {}", time_in_words(elapsed_s));
    if (!fails_most.empty()) text += "; fails most: " + fails_most;
    return text;
}

RunSummary GradingRun::run() {
    const std::vector<Attempt> attempts = gradebook_.attempts(exercise_.number());
    gradebook_.forget_faults(exercise_.number());
    run_jobs(numbers_to_grade(attempts), "numbers");
    if (exercise_.speed()) run_jobs(speed_to_measure(attempts), "speed");
    return summary_;
}

std::vector<Exercise::Planned> GradingRun::numbers_to_grade(const std::vector<Attempt>& attempts) {
    std::vector<Planned> planned;
    std::set<std::string> keys;
    for (const Attempt& attempt : attempts) {
        if (!attempt.problem.empty()) continue;
        const Result wanted = exercise_.wanted_numbers(attempt);
        if (!keys.insert(wanted.key).second || gradebook_.has_result(wanted.key)) {
            ++summary_.reused;
            continue;
        }
        planned.push_back(exercise_.plan(attempt, wanted, gradebook_.similar_result(wanted)));
    }
    return planned;
}

std::vector<Exercise::Planned> GradingRun::speed_to_measure(const std::vector<Attempt>& attempts) {
    std::vector<Planned> planned;
    std::set<std::string> keys;
    for (const Attempt& attempt : attempts) {
        if (!attempt.problem.empty()) continue;
        const auto numbers = gradebook_.result(exercise_.wanted_numbers(attempt).key);
        if (!numbers || numbers->refused) continue;
        const Result wanted = exercise_.wanted_speed(attempt, unpacked_report(numbers->report));
        if (wanted.parts.empty() || !keys.insert(wanted.key).second || gradebook_.has_result(wanted.key))
            continue;
        planned.push_back(exercise_.plan(attempt, wanted, std::nullopt));
    }
    return planned;
}

void GradingRun::run_jobs(std::vector<Planned> planned, const std::string& what) {
    const auto start = std::chrono::steady_clock::now();
    RunProgress progress{what, 0, planned.size(), 0, ""};
    const auto show = [&] {
        progress.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const auto most = std::ranges::max_element(failures_, {}, &decltype(failures_)::value_type::second);
        if (most != failures_.end())
            progress.fails_most = fmt::format("{} ({} of {})", most->first, most->second, reports_);
        progress_(progress);
    };
    // An earlier run that was killed may have left endings.
    std::erase_if(planned, [&](const Planned& each) {
        const bool taken = take_in(each) && tries_[each.job.name] == 0;
        if (taken) ++progress.ended;
        return taken;
    });
    for (int round = 0; round < kTries && !planned.empty(); ++round) {
        std::map<std::string, const Planned*> by_name;
        std::vector<Job> jobs;
        for (const Planned& each : planned) {
            by_name[each.job.name] = &each;
            jobs.push_back(each.job);
        }
        show();
        engine_.run(jobs, [&](const Job& job) {
            if (take_in(*by_name.at(job.name)) && tries_[job.name] <= round) ++progress.ended;
            show();
        });
        std::erase_if(planned, [&](const Planned& each) { return gradebook_.has_result(each.wanted.key); });
    }
    if (planned.empty()) return;
    const std::vector<Fault> faults = gradebook_.faults();
    for (const Planned& each : planned)
        std::ranges::copy_if(faults, std::back_inserter(summary_.faults),
                             [&each](const Fault& fault) { return fault.key == each.wanted.key; });
}

bool GradingRun::take_in(const Planned& planned) {
    const std::string& name = planned.job.name;
    const auto file_of = [&](Ending ending) { return ending_file(folder_.spool(), name, ending); };
    for (const Ending ending : {Ending::graded, Ending::refused, Ending::fault}) {
        const fs::path file = file_of(ending);
        if (!fs::exists(file)) continue;
        exercise_.require_unchanged();
        const std::string text = data::read_file(file);
        Transaction transaction(gradebook_.database());
        if (ending == Ending::fault) {
            const Id attempt = std::stoll(planned.job.submission.filename().string());
            gradebook_.add_fault({planned.wanted.key, attempt, ++tries_[name], report::one_line(text)},
                                 now());
        } else if (ending == Ending::refused) {
            Result result = planned.wanted;
            result.refused = report::one_line(text);
            gradebook_.add_result(result, now());
            ++summary_.refused;
        } else {
            gradebook_.add_result(result_of(planned, text), now());
            ++summary_.graded;
        }
        transaction.commit();
        std::error_code ignored;
        fs::remove(file, ignored);
        return true;
    }
    return false;
}

Result GradingRun::result_of(const Planned& planned, const std::string& json) {
    report::Report report = report::from_json(json);
    Result result = planned.wanted;
    result.seconds = report.duration_s;
    if (result.kind == ResultKind::speed) {
        report = speed_only(std::move(report));
    } else {
        if (planned.base) {
            const auto base = gradebook_.result(*planned.base);
            if (!base) throw std::logic_error("the gradebook has lost the result " + *planned.base);
            report = with_parts(unpacked_report(base->report), report, exercise_.rubric());
        }
        count_failures(report);
    }
    result.report = packed_report(std::move(report));
    return result;
}

void GradingRun::count_failures(const report::Report& report) {
    ++reports_;
    for (const report::Part& part : report.assignments.at(0).parts)
        for (const report::Check& check : part.checks)
            if (report::is_correctness_check(check) && check.outcome != Outcome::passed &&
                !report::is_left_out(check))
                ++failures_[part.function + "." + check.name];
}

AttemptState state_of(Gradebook& gradebook, Exercise& exercise, const Attempt& attempt,
                      const std::vector<Fault>& faults) {
    AttemptState state;
    state.problem = attempt.problem;
    if (!state.problem.empty()) return state;
    const auto pending = [&](const Result& wanted) {
        state.pending = true;
        const auto fault = std::ranges::find(faults, wanted.key, &Fault::key);
        if (fault != faults.end()) state.problem = fault_in_words(*fault);
    };
    const Result wanted = exercise.wanted_numbers(attempt);
    const auto numbers = gradebook.result(wanted.key);
    if (!numbers) {
        pending(wanted);
        return state;
    }
    state.numbers = numbers->key;
    if (numbers->refused) {
        state.problem = *numbers->refused;
        return state;
    }
    report::Report report = unpacked_report(numbers->report);
    std::optional<Result> speed;
    if (exercise.speed())
        if (const Result wanted_speed = exercise.wanted_speed(attempt, report); !wanted_speed.parts.empty()) {
            speed = gradebook.result(wanted_speed.key);
            if (!speed) {
                pending(wanted_speed);
                return state;
            }
            state.speed = speed->key;
        }
    state.report = report_of(attempt, std::move(report), speed, exercise.scoring());
    return state;
}

report::Report report_of(const Attempt& attempt, report::Report numbers, const std::optional<Result>& speed,
                         const Scoring& scoring) {
    std::optional<report::Report> measured;
    if (speed && !speed->refused) measured = unpacked_report(speed->report);
    numbers.notes.insert(numbers.notes.begin(), attempt.notes.begin(), attempt.notes.end());
    return assembled(std::move(numbers), measured, scoring);
}

std::string fault_in_words(const Fault& fault) {
    return "a fault of the grader, not of the submission: " + fault.text;
}

void clear_spool(const fs::path& spool) {
    std::error_code ignored;
    for (const fs::directory_entry& each : fs::directory_iterator(spool))
        fs::remove_all(each.path(), ignored);
}

}  // namespace attn::classes
