#include <fstream>
#include <iostream>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <sys/stat.h>

#include "datasets/file_error.h"
#include "datasets/temporary_directory.h"
#include "grader/classes/commands/commands.h"
#include "grader/classes/commands/session.h"
#include "grader/classes/moments.h"
#include "grader/classes/taking_in.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

constexpr const char* kInitUsage =
    "usage: grader class init DIR --assignment N [options]\n"
    "Makes the folder of a class, which only you can enter, with a class.toml to edit and a secret seed.\n"
    "  grader class init autumn --assignment 2 --title \"Attention, autumn\" --due "
    "2026-11-20T23:59:00+01:00\n"
    "  grader class init autumn --assignment 1 --assignment 2 --public-seed\n";

constexpr const char* kAddUsage =
    "usage: grader class add [DOWNLOAD ..] [--roster FILE.csv] [options]\n"
    "Takes in the people of a class and what they handed in. A download is the archive or folder that a "
    "course platform gives,\n"
    "or a folder with a folder or archive for each student. What is already there is not taken in twice.\n"
    "  grader class add --roster participants.csv\n"
    "  grader class add --assignment 2 submissions.zip\n"
    "  grader class add --assignment 2 --platform canvas downloads/\n";

/// 32 hexadecimal digits that cannot be guessed.
std::string secret_seed() {
    std::random_device device;
    std::string text;
    for (int k = 0; k < 4; ++k) text += fmt::format("{:08x}", device());
    return text + "\n";
}

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) std::cout << "  note: " << report::one_line(note) << '\n';
}

}  // namespace

int init_command(const Words& words) {
    po::options_description options("options");
    options.add_options()("assignment,a", po::value<std::vector<int>>()->value_name("N"),
                          "an assignment of the class; may be repeated")(
        "title", po::value<std::string>()->default_value("Attention Lab"), "the title of the class")(
        "due", po::value<std::string>()->value_name("TIME"), "when it is due: 2026-11-20T23:59:00+01:00")(
        "public-seed", "grade with the public seed, which students know, instead of a secret one");
    const auto values = cli::parse(words, kInitUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const std::filesystem::path folder = arguments_of(*values, 1, 1, kInitUsage).front();
    if (values->count("assignment") == 0)
        throw cli::UsageError(std::string("name the assignments of the class with --assignment N\n") +
                              kInitUsage);
    std::optional<Moment> due;
    if (values->count("due") != 0) due = read_moment((*values)["due"].as<std::string>());
    const bool secret = values->count("public-seed") == 0;
    make_class_folder(folder, new_class_file((*values)["title"].as<std::string>(),
                                             (*values)["assignment"].as<std::vector<int>>(), due, secret));
    if (secret) {
        const std::filesystem::path file = folder / "secret.txt";
        const mode_t before = umask(S_IRWXG | S_IRWXO);
        cli::write_file(file.string(), secret_seed());
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
        "platform", po::value<std::string>()->value_name("NAME"),
        "where the download is from: moodle, canvas, gradescope, autolab, github or folder; by default it is "
        "recognised");
    add_class_options(options);
    const auto values = cli::parse(words, kAddUsage, options, kArguments);
    if (!values) return cli::kAllPassed;
    const Words downloads = arguments_of(*values, 0, std::numeric_limits<std::size_t>::max(), kAddUsage);
    if (downloads.empty() && values->count("roster") == 0)
        throw cli::UsageError(std::string("name a download or a roster to take in\n") + kAddUsage);
    Session session(*values, Database::Access::write);
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
    }
    return cli::kAllPassed;
}

}  // namespace attn::classes
