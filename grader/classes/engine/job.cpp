#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "datasets/files/replacement.h"
#include "grader/base/errors.h"
#include "grader/classes/engine/engine.h"
#include "grader/worker/process.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;

/// What the grader's processes inherit: where programs, the cache of builds and temporary files are.
std::vector<std::string> job_environment() {
    std::vector<std::string> environment;
    for (const char* name : {"PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "LANG"})
        if (const char* value = std::getenv(name)) environment.push_back(fmt::format("{}={}", name, value));
    return environment;
}

/// The last lines that a program printed, as one line of at most 500 characters.
std::string last_words(const std::string& printed) {
    constexpr std::size_t kMost = 500;
    std::string text = printed.size() > kMost ? ".. " + printed.substr(printed.size() - kMost) : printed;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text;
}

/// The message of `grader` without its name and without the attempt's folder, which says nothing to people.
std::string refusal_in(std::string printed, const Job& job) {
    const std::string begin = "grader: ", folder = job.submission.string() + ": ";
    if (printed.starts_with(begin)) printed.erase(0, begin.size());
    if (printed.starts_with(folder)) printed.erase(0, folder.size());
    return last_words(printed);
}

}  // namespace

fs::path ending_file(const fs::path& spool, const std::string& name, Ending ending) {
    switch (ending) {
        case Ending::graded:
            return spool / (name + ".json");
        case Ending::refused:
            return spool / (name + ".refused");
        case Ending::fault:
            break;
    }
    return spool / (name + ".fault");
}

std::vector<std::string> grader_words(const Job& job, const fs::path& report) {
    std::vector<std::string> words{
        "grade",   job.submission.string(), "--assignment", std::to_string(job.assignment), "--jobs", "1",
        "--quiet", "--full-json",           report.string()};
    if (!job.course.empty()) words.insert(words.end(), {"--course", job.course});
    for (const std::string& part : job.parts) words.insert(words.end(), {"--part", part});
    if (!job.speed) words.emplace_back("--no-speed");
    if (!job.seed_file.empty()) words.insert(words.end(), {"--seed-file", job.seed_file.string()});
    return words;
}

std::string job_text(const Job& job) {
    const nlohmann::json json = {{"name", job.name},
                                 {"submission", job.submission.string()},
                                 {"assignment", job.assignment},
                                 {"course", job.course},
                                 {"parts", job.parts},
                                 {"speed", job.speed},
                                 {"seed_file", job.seed_file.string()},
                                 {"limit_s", job.limit_s}};
    return json.dump(2) + "\n";
}

Job read_job(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    try {
        Job job;
        job.name = json.at("name");
        job.submission = json.at("submission").get<std::string>();
        job.assignment = json.at("assignment");
        job.course = json.at("course");
        job.parts = json.at("parts").get<std::vector<std::string>>();
        job.speed = json.at("speed");
        job.seed_file = json.at("seed_file").get<std::string>();
        job.limit_s = json.at("limit_s");
        return job;
    } catch (const nlohmann::json::exception&) {
        throw UserError("this file is no job of `grader class grade`; give it one that an engine wrote");
    }
}

Ending run_job(const Job& job, const fs::path& spool, const fs::path& grader) {
    const fs::path draft = spool / fmt::format("{}.draft-{}", job.name, getpid());
    const auto end_as = [&](Ending ending, const std::string& text) {
        data::write_file(ending_file(spool, job.name, ending), text);
        return ending;
    };
    std::error_code ignored;
    worker::CommandResult result;
    try {
        worker::Command command;
        command.argv = {grader.string()};
        for (std::string& word : grader_words(job, draft)) command.argv.push_back(std::move(word));
        command.environment = job_environment();
        command.confinement.limits = {0, 0, 0, 0, 0, 0};  // the grader limits its own children
        constexpr std::size_t kOutputBytes = 1 << 20;
        result = worker::run_command(command, job.limit_s, kOutputBytes);
    } catch (const std::runtime_error& error) {
        fs::remove(draft, ignored);
        return end_as(Ending::fault, error.what());
    }
    const int code = result.ending.exit_code;
    if (result.ending.signal == 0 && !result.timed_out && (code == 0 || code == 1) &&
        fs::exists(draft, ignored)) {
        fs::rename(draft, ending_file(spool, job.name, Ending::graded));
        return Ending::graded;
    }
    fs::remove(draft, ignored);
    if (result.timed_out)
        return end_as(Ending::fault, fmt::format("the grader did not end within {:g} s", job.limit_s));
    if (result.ending.signal != 0)
        return end_as(Ending::fault,
                      "the grader ended with " + worker::describe_signal(result.ending.signal));
    if (code == 2) return end_as(Ending::refused, refusal_in(result.printed, job));
    return end_as(Ending::fault,
                  fmt::format("the grader ended with exit code {}: {}", code, last_words(result.printed)));
}

}  // namespace attn::classes
