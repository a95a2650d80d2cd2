#include "grader/classes/exercise.h"

#include <algorithm>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"
#include "grader/cli/seed_file.h"
#include "grader/intake/file_kind.h"
#include "grader/rubric/course.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

std::string text_if_there(const fs::path& file) {
    return fs::exists(file) ? data::read_file(file) : std::string();
}

}  // namespace

Exercise::Exercise(const ClassFolder& folder, const ClassRules& rules, int assignment,
                   const Installation& installation, const fs::path& grader)
    : folder_(folder),
      rules_(rules.exercise(assignment)),
      seed_file_(rules.seed_file),
      grader_(grader),
      speed_(rules.speed),
      course_(rules.course) {
    if (secret() && read_seed_file(seed_file_).readable_by_all)
        throw UserError(
            fmt::format("{}: all users of this machine can read the secret seed; expected that only you can; "
                        "type chmod 600 {}",
                        seed_file_.string(), seed_file_.string()));
    rubrics_ = rubric::read_rubrics(installation.assignments,
                                    secret() ? rubric::SecretCases::added : rubric::SecretCases::left_out);
    const auto found = std::ranges::find(rubrics_, assignment, &rubric::Rubric::number);
    if (found == rubrics_.end())
        throw UserError(
            fmt::format("class.toml has an exercise for assignment {}, which does not exist; `grader list` "
                        "shows the assignments",
                        assignment));
    index_ = static_cast<std::size_t>(found - rubrics_.begin());
    const auto course = rubric::read_course(rubrics_, installation.assignments, course_);
    found->title = course.at(assignment).whole_title;
    path_ = course.path();
    if (speed_ && !installation.no_speed.empty())
        throw UserError(
            fmt::format("class.toml asks for speed, which this machine cannot measure ({}); write "
                        "speed = false, or grade on another machine",
                        installation.no_speed));
    rubric_text_ = data::read_file(rubric().folder / "rubric.toml");
    if (secret()) secret_text_ = text_if_there(rubric().folder / "secret.toml");
    state_ = state_of_files();
    digests_ = digests_of_rubric(rubric().folder, secret());
    grader_digest_ = digest_of_grader(installation, grader, rubric());
    seed_digest_ = secret() ? digest({data::read_file(seed_file_)}) : "public";
    unused_ = unused_sources(rubric(), rubrics_, installation);
}

Scoring Exercise::scoring() const {
    return {&rubrics_[index_], &rubrics_, secret(), speed_, path_};
}

std::string Exercise::state_of_files() const {
    std::string state = rubric().folder.string();
    for (const fs::path& file : {rubric().folder / "rubric.toml", rubric().folder / "secret.toml"})
        state += "\n" + digest({text_if_there(file)});
    std::error_code error;
    return state + fmt::format("\n{} {}", fs::file_size(grader_, error),
                               fs::last_write_time(grader_, error).time_since_epoch().count());
}

void Exercise::require_unchanged() const {
    if (state_of_files() != state_)
        throw UserError(
            fmt::format("{}: the rubric or the grader was changed while the class was being graded; expected "
                        "that they stay as they are; type grader class grade again: what is finished is kept",
                        rubric().folder.string()));
}

const std::string& Exercise::content_of(const Attempt& attempt) {
    std::string& content = contents_[attempt.number];
    if (content.empty()) content = digest_of_files(folder_.attempt(attempt.number), unused_);
    return content;
}

bool Exercise::has_kernels(const Attempt& attempt) const {
    // Also under another name: see take_in_sources().
    const fs::directory_iterator files(folder_.attempt(attempt.number));
    return rubric().cuda && std::ranges::any_of(files, [](const fs::directory_entry& file) {
               return intake::source_language(file.path().filename().string()) == "cu";
           });
}

Result Exercise::wanted_numbers(const Attempt& attempt) {
    Result wanted;
    wanted.exercise = number();
    wanted.content = content_of(attempt);
    wanted.common = digest({digests_.common, seed_digest_, grader_digest_});
    std::vector<std::string> texts{"numbers", std::to_string(number()), wanted.content, wanted.common};
    for (const rubric::PartRubric& part : rubric().parts) {
        const std::string& function = part.function->name;
        wanted.parts[function] = digests_.parts.at(function);
        texts.push_back(function);
        texts.push_back(wanted.parts[function]);
    }
    wanted.key = digest(texts);
    return wanted;
}

Result Exercise::wanted_speed(const Attempt& attempt, const report::Report& numbers) {
    Result wanted = wanted_numbers(attempt);
    wanted.kind = ResultKind::speed;
    wanted.parts.clear();
    std::vector<std::string> texts{"speed", std::to_string(number()), wanted.content, wanted.common};
    for (const std::string& function : parts_to_measure(numbers, rubric())) {
        wanted.parts[function] = digests_.speed.at(function);
        texts.push_back(function);
        texts.push_back(wanted.parts[function]);
    }
    wanted.key = digest(texts);
    return wanted;
}

Exercise::Planned Exercise::plan(const Attempt& attempt, const Result& wanted,
                                 const std::optional<Result>& base) const {
    constexpr std::size_t kNameDigits = 32;
    constexpr double kSpare_s =
        900;  // for what the budget of a submission does not count: compiling, waiting
    Planned planned;
    planned.wanted = wanted;
    Job& job = planned.job;
    job.submission = folder_.attempt(attempt.number);
    job.assignment = number();
    job.course = course_;
    job.seed_file = seed_file_;
    job.limit_s = 2 * rubric().budget_s + kSpare_s;
    if (wanted.kind == ResultKind::speed) {
        job.speed = true;
        for (const auto& [function, ignored] : wanted.parts) job.parts.push_back(function);
    } else if (base && !has_kernels(attempt)) {
        // Kernels of one part are graded with those of the others, so they are always graded together.
        for (const rubric::PartRubric& part : rubric().parts) {
            const std::string& function = part.function->name;
            const auto earlier = base->parts.find(function);
            if (earlier == base->parts.end() || earlier->second != wanted.parts.at(function))
                job.parts.push_back(function);
        }
        if (!job.parts.empty() && job.parts.size() < rubric().parts.size())
            planned.base = base->key;
        else
            job.parts.clear();
    }
    std::vector<std::string> texts{wanted.key, planned.base.value_or("")};
    texts.insert(texts.end(), job.parts.begin(), job.parts.end());
    job.name = digest(texts).substr(0, kNameDigits);
    return planned;
}

}  // namespace attn::classes
