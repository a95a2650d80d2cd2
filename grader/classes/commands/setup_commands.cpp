#include <fstream>
#include <iostream>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <sys/stat.h>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "datasets/files/temporary_directory.h"
#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/moments.h"
#include "grader/classes/taking_in.h"
#include "grader/classes/times/give_times.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

constexpr const char* kInitUsage =
    "usage: grader class init DIR --assignment N [options]\n"
    "Makes the folder of a class, which only you can enter, with a class.toml to edit and a secret seed.\n"
    "  grader class init autumn --assignment 2 --zone Europe/Berlin --due 2026-11-20T23:59\n"
    "  grader class init autumn --assignment 1 --assignment 2 --public-seed\n";

constexpr const char* kAddUsage =
    "usage: grader class add [DOWNLOAD ..] [--roster FILE.csv] [--times FILE] [options]\n"
    "Takes in the people of a class, what they handed in, and when. A download is the archive or\n"
    "folder that a course platform gives, or a folder with a folder or archive for each student. What\n"
    "is already there is not taken in twice. The downloads of Moodle and Canvas do not say when\n"
    "people handed in: give Moodle's grading worksheet, what Canvas' API answers to\n"
    "/api/v1/courses/COURSE/assignments/ASSIGNMENT/submissions, or a table with the columns email and\n"
    "time.\n"
    "  grader class add --roster participants.csv\n"
    "  grader class add --assignment 2 submissions.zip --times worksheet.csv\n"
    "  grader class add --assignment 2 --platform canvas downloads/\n";

/// 32 hexadecimal digits that cannot be guessed.
std::string secret_seed() {
    std::random_device device;
    std::string text;
    for (int k = 0; k < 4; ++k) text += fmt::format("{:08x}", device());
    return text + "\n";
}

}  // namespace

int init_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("assignment,a", po::value<std::vector<int>>()->value_name("N"),
                          "an assignment of the class; may be repeated")(
        "title", po::value<std::string>()->default_value("Attention Lab"), "the title of the class")(
        "zone", po::value<std::string>()->value_name("NAME"),
        "the zone of the course, such as Europe/Berlin: of times that have none, and of times that are "
        "shown")("due", po::value<std::string>()->value_name("TIME"),
                 "when it is due: 2026-11-20T23:59, in the zone of the course, or 2026-11-20T23:59:00+01:00")(
        "public-seed", "grade with the public seed, which students know, instead of a secret one");
    const auto values = cli::parse(words, kInitUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const std::filesystem::path folder = arguments_of(*values, 1, 1, kInitUsage).front();
    if (values->count("assignment") == 0)
        throw cli::UsageError(std::string("name the assignments of the class with --assignment N\n") +
                              kInitUsage);
    std::optional<Moment> due;
    if (values->count("zone") != 0) use_course_zone((*values)["zone"].as<std::string>());
    if (values->count("due") != 0) due = read_moment((*values)["due"].as<std::string>());
    const bool secret = values->count("public-seed") == 0;
    make_class_folder(folder, new_class_file((*values)["title"].as<std::string>(),
                                             (*values)["assignment"].as<std::vector<int>>(), due, secret));
    if (secret) {
        const std::filesystem::path file = folder / "secret.txt";
        const mode_t before = umask(S_IRWXG | S_IRWXO);
        data::write_file(file, secret_seed());
        umask(before);
    }
    static_cast<void>(read_class_file(folder));
    std::cout << fmt::format(
        "Made {}. Look at {}/class.toml, then type:\n  cd {}\n  grader class add --roster FILE.csv\n",
        folder.string(), folder.string(), report::quoted_for_shell(folder.string()));
    return cli::kAllPassed;
}

int add_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("roster", po::value<std::string>()->value_name("FILE"),
                          "the people of the class, as CSV")(
        "times", po::value<std::vector<std::string>>()->value_name("FILE"),
        "when people handed in; may be repeated")(
        "platform", po::value<std::string>()->value_name("NAME"),
        "where the download is from: moodle, canvas, gradescope, autolab, github or folder; by default it is "
        "recognised");
    add_class_options(options);
    const auto values = cli::parse(words, kAddUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const Words downloads = arguments_of(*values, 0, std::numeric_limits<std::size_t>::max(), kAddUsage);
    const Words times = values->count("times") != 0 ? (*values)["times"].as<Words>() : Words();
    if (downloads.empty() && times.empty() && values->count("roster") == 0)
        throw cli::UsageError(std::string("name a download, a roster or times to take in\n") + kAddUsage);
    Session session(*values, Database::Access::write);
    // All of them are read before anything is taken in, so that a mistake in one changes nothing.
    std::vector<std::pair<std::string, TimesFile>> times_files;
    for (const std::string& file : times) times_files.emplace_back(file, read_times_file(file));
    if (values->count("roster") != 0) {
        const TakenIn taken = take_in_roster(session.gradebook(), (*values)["roster"].as<std::string>());
        std::cout << fmt::format("{}: {} people, {} of them new\n", (*values)["roster"].as<std::string>(),
                                 taken.all, taken.added);
        print_notes(taken.notes);
    }
    std::optional<std::string> platform;
    if (values->count("platform") != 0) platform = (*values)["platform"].as<std::string>();
    for (const std::string& download : downloads) {
        const TakenIn taken =
            take_in_download(session.folder(), session.gradebook(), session.exercise(), download, platform);
        std::cout << fmt::format("{} ({}): {} hand-ins, {} of them new, {} that cannot be read\n", download,
                                 taken.platform, taken.all, taken.added, taken.unreadable);
        print_notes(taken.notes);
        if (times.empty() && !taken.time_note.empty()) print_notes({taken.time_note});
    }
    for (const auto& [file, given] : times_files) {
        const GivenTimes result = give_times(session.gradebook(), session.exercise(), given);
        std::cout << fmt::format("{}: the times of {} of {} hand-ins are from {}\n", file, result.given,
                                 result.of, given.name);
        print_notes(result.notes);
    }
    return cli::kAllPassed;
}

}  // namespace attn::classes
