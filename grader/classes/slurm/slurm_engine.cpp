#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "grader/base/errors.h"
#include "grader/classes/slurm/slurm.h"
#include "grader/report/text.h"
#include "grader/worker/interrupt.h"

namespace attn::classes {
namespace {

namespace fs = std::filesystem;
using SlurmClock = std::chrono::steady_clock;

constexpr const char* kArrayPrefix = "grader-array-";

void make_slurm_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directory(folder, error);
    if (error) throw UserError(folder.string() + " cannot be made: " + error.message());
}

/// A name that no other array of this user has.
std::string new_array_name() {
    std::random_device random;
    return fmt::format("{}{:08x}{:08x}", kArrayPrefix, random(), random());
}

/// The script of every task. Single quotes keep the words as they are.
std::string script_of(const SlurmOptions& options, const fs::path& spool, const fs::path& folder) {
    std::string command = "exec";
    for (const std::string& word : options.worker) command += " " + report::quoted_for_shell(word);
    std::string place;
    if (!options.rules.scratch.empty()) {
        const std::string scratch = report::quoted_for_shell(options.rules.scratch.string());
        place = fmt::format(
            "scratch={}/attention_lab-$(id -u)\nmkdir -p -m 700 \"$scratch\" || exit 1\n"
            "export TMPDIR=\"$scratch\" XDG_CACHE_HOME=\"$scratch/cache\"\n",
            scratch);
    }
    return fmt::format("#!/bin/sh\numask 077\n{}{} {} {}/$SLURM_ARRAY_TASK_ID.job\n", place, command,
                       report::quoted_for_shell(spool.string()), report::quoted_for_shell(folder.string()));
}

/// One job array: a folder in the spool with a file for each job. The array's name is the folder's. The
/// destructor ends what still runs.
class JobArray {
  public:
    JobArray(const fs::path& spool, const SlurmOptions& options, const std::vector<const Job*>& jobs)
        : name_(new_array_name()), folder_(spool / name_), jobs_(jobs) {
        make_slurm_folder(folder_);
        for (std::size_t k = 0; k < jobs.size(); ++k)
            data::write_file(folder_ / fmt::format("{}.job", k), job_text(*jobs[k]));
        data::write_file(folder_ / "task.sh", script_of(options, spool, folder_));
        try {
            submit(words_of(options), folder_ / "task.sh");
        } catch (...) {
            remove_folder();
            throw;
        }
    }
    ~JobArray() {
        if (!over_) cancel_array(name_);
        remove_folder();
    }
    JobArray(const JobArray&) = delete;
    JobArray& operator=(const JobArray&) = delete;

    const std::string& name() const { return name_; }
    const std::vector<const Job*>& jobs() const { return jobs_; }
    void set_over() { over_ = true; }

    /// The last line that a task printed, to say why it has no ending.
    std::string last_words_of(std::size_t task) const {
        std::string text;
        try {
            text = data::read_file(folder_ / fmt::format("{}.log", task));
        } catch (const std::runtime_error&) {
            return "";
        }
        while (text.ends_with('\n')) text.pop_back();
        return report::shortened(report::one_line(text.substr(text.rfind('\n') + 1)), 200);
    }

  private:
    void remove_folder() const {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    std::vector<std::string> words_of(const SlurmOptions& options) const {
        const bool alone = std::ranges::any_of(jobs_, [](const Job* job) { return job->speed; });
        double limit_s = 0;
        for (const Job* job : jobs_) limit_s = std::max(limit_s, job->limit_s);
        constexpr double kMinute_s = 60, kStartAndEnd_min = 5;
        std::vector<std::string> words = {
            "--job-name=" + name_, fmt::format("--array=0-{}", jobs_.size() - 1), "--requeue", "--nodes=1",
            "--ntasks=1", fmt::format("--cpus-per-task={}", options.rules.processors),
            fmt::format("--mem={}M", options.rules.memory_mib),
            fmt::format("--time={:.0f}", std::ceil(limit_s / kMinute_s) + kStartAndEnd_min), "--chdir=/",
            "--open-mode=truncate", "--output=" + (folder_ / "%a.log").string(),
            // The rest of this process' environment is nothing for the nodes.
            "--export=PATH,HOME,LANG,XDG_CACHE_HOME"};
        if (options.rules.at_once > 0) words[1] += fmt::format("%{}", options.rules.at_once);
        if (alone) words.emplace_back("--exclusive");
        if (!options.rules.partition.empty()) words.push_back("--partition=" + options.rules.partition);
        if (!options.rules.account.empty()) words.push_back("--account=" + options.rules.account);
        if (!options.rules.gres.empty()) words.push_back("--gres=" + options.rules.gres);
        words.insert(words.end(), options.rules.more.begin(), options.rules.more.end());
        return words;
    }

    std::string name_;
    fs::path folder_;
    std::vector<const Job*> jobs_;
    bool over_ = false;
};

/// Waits in small steps, so that Ctrl-C is noticed.
void wait_for(double seconds) {
    const auto end = SlurmClock::now() + std::chrono::duration<double>(seconds);
    do {
        worker::throw_if_interrupted();
        std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(
            end - SlurmClock::now(), std::chrono::milliseconds(worker::kPollInterval_ms)));
    } while (SlurmClock::now() < end);
}

/// One call of SlurmEngine::run().
class SlurmRun {
  public:
    SlurmRun(const fs::path& spool, const SlurmOptions& options, int largest_array,
             const std::function<void(const Job& job)>& ended)
        : spool_(spool), options_(options), largest_array_(largest_array), ended_(ended) {}

    void run(const std::vector<Job>& jobs) {
        for (const Job& job : jobs) waiting_.insert(&job);
        take_endings();
        while (!waiting_.empty()) {
            const std::vector<const Job*> all(waiting_.begin(), waiting_.end());
            for (std::size_t begin = 0; begin < all.size() && !waiting_.empty();) {
                const std::size_t end =
                    std::min(all.size(), begin + static_cast<std::size_t>(largest_array_));
                run_array({all.begin() + static_cast<std::ptrdiff_t>(begin),
                           all.begin() + static_cast<std::ptrdiff_t>(end)});
                begin = end;
            }
        }
    }

  private:
    /// Calls ended_ for the jobs whose endings have appeared. The folder is listed, because on a network file
    /// system that is newer than what is known of a single name.
    void take_endings() {
        std::set<std::string> there;
        for (const auto& entry : fs::directory_iterator(spool_))
            there.insert(entry.path().filename().string());
        std::vector<const Job*> finished;
        for (const Job* job : waiting_)
            for (const Ending ending : {Ending::graded, Ending::refused, Ending::fault})
                if (there.contains(ending_file(spool_, job->name, ending).filename().string())) {
                    finished.push_back(job);
                    break;
                }
        for (const Job* job : finished) {
            waiting_.erase(job);
            ended_(*job);
        }
    }

    void run_array(const std::vector<const Job*>& jobs) {
        JobArray array(spool_, options_, jobs);
        std::set<std::size_t> gone, seen_missing;
        auto next_question =
            SlurmClock::now() + std::chrono::duration<double>(std::min(options_.poll_s, 2.0));
        auto last_answer = SlurmClock::now();
        constexpr double kLookAtSpool_s = 1;
        for (;;) {
            wait_for(std::min(kLookAtSpool_s, options_.poll_s));
            take_endings();
            const auto is_waiting = [&](std::size_t k) {
                return waiting_.contains(jobs[k]) && !gone.contains(k);
            };
            bool any = false;
            for (std::size_t k = 0; k < jobs.size(); ++k) any |= is_waiting(k);
            if (!any) break;
            if (SlurmClock::now() < next_question) continue;
            next_question = SlurmClock::now() + std::chrono::duration_cast<SlurmClock::duration>(
                                                    std::chrono::duration<double>(options_.poll_s));
            const auto tasks = ask_for_tasks(array.name());
            if (!tasks) {
                say("Slurm's controller does not answer; its jobs go on, and it is asked again");
                constexpr auto kPatience = std::chrono::minutes(30);
                if (SlurmClock::now() - last_answer > kPatience)
                    throw UserError(
                        "Slurm's controller has not answered for 30 minutes. Type the command again when it "
                        "does; what is finished is kept");
                continue;
            }
            last_answer = SlurmClock::now();
            say_what_they_wait_for(*tasks);
            for (std::size_t k = 0; k < jobs.size(); ++k) {
                if (!is_waiting(k)) continue;
                const auto task = tasks->find(static_cast<int>(k));
                const bool stuck = task != tasks->end() && is_stuck(task->second);
                if (task != tasks->end() && !stuck) {
                    seen_missing.erase(k);
                    continue;
                }
                if (stuck) cancel_task(array.name(), static_cast<int>(k));
                // A task leaves the queue before its last file can be seen everywhere, so it is gone if it is
                // missing twice.
                if (!stuck && seen_missing.insert(k).second) continue;
                gone.insert(k);
                lose(array, k, stuck ? task->second.reason : "");
            }
        }
        array.set_over();
    }

    /// A task ended without an ending: its job is run again with the next array, or becomes a fault.
    void lose(const JobArray& array, std::size_t task, const std::string& reason) {
        const Job& job = *array.jobs()[task];
        const int tries = ++tries_[job.name];
        std::string why = reason.empty() ? array.last_words_of(task) : reason;
        if (!why.empty()) why = ": " + why;
        if (tries < options_.tries) {
            options_.note(fmt::format("Slurm lost job {}{}; it is run again", job.name, why));
            return;
        }
        data::write_file(ending_file(spool_, job.name, Ending::fault),
                         fmt::format("Slurm ended the job {} times before it had a result{}", tries, why));
        take_endings();
    }

    void say(const std::string& sentence) {
        if (sentence != said_) options_.note(sentence);
        said_ = sentence;
    }

    /// Says why all tasks wait, if none runs.
    void say_what_they_wait_for(const std::map<int, SlurmTask>& tasks) {
        std::set<std::string> reasons;
        for (const auto& [number, task] : tasks) {
            if (task.state != "PENDING") {
                said_.clear();
                return;
            }
            if (task.reason != "JobArrayTaskLimit") reasons.insert(report::one_line(task.reason));
        }
        if (reasons.empty()) return;
        std::string words;
        for (const std::string& reason : reasons) words += (words.empty() ? "" : ", ") + reason;
        say(fmt::format("{} jobs wait in Slurm's queue: {}", tasks.size(), words));
    }

    const fs::path& spool_;
    const SlurmOptions& options_;
    int largest_array_;
    const std::function<void(const Job& job)>& ended_;
    struct ByName {
        bool operator()(const Job* a, const Job* b) const { return a->name < b->name; }
    };
    std::set<const Job*, ByName> waiting_;
    std::map<std::string, int> tries_;
    std::string said_;
};

class SlurmEngine : public Engine {
  public:
    SlurmEngine(fs::path spool, SlurmOptions options)
        : spool_(std::move(spool)), options_(std::move(options)), largest_array_(ask_for_array_size()) {}

    void run(const std::vector<Job>& jobs, const std::function<void(const Job& job)>& ended) override {
        cancel_leftovers();
        SlurmRun(spool_, options_, largest_array_, ended).run(jobs);
    }

  private:
    /// Ends the arrays of an earlier process that was killed. This process holds the lock of the class, so no
    /// other one waits for them.
    void cancel_leftovers() {
        std::vector<fs::path> folders;
        for (const auto& entry : fs::directory_iterator(spool_))
            if (entry.is_directory() && entry.path().filename().string().starts_with(kArrayPrefix))
                folders.push_back(entry.path());
        for (const fs::path& folder : folders) {
            cancel_array(folder.filename().string());
            std::error_code ignored;
            fs::remove_all(folder, ignored);
        }
    }

    fs::path spool_;
    SlurmOptions options_;
    int largest_array_;
};

}  // namespace

std::unique_ptr<Engine> slurm_engine(const std::filesystem::path& spool, const SlurmOptions& options) {
    return std::make_unique<SlurmEngine>(spool, options);
}

}  // namespace attn::classes
