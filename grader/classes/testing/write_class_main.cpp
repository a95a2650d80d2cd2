/// Writes what an instructor has: the downloads of a made-up class, under the names that each platform gives,
/// and its roster. Usage: write_class FOLDER NUMBER. The submissions are right solutions, solutions with a
/// known mistake, and junk; no two are equal. See class_of.sh.

#include <iostream>
#include <random>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/installation.h"
#include "grader/classes/moments.h"
#include "grader/cli/program.h"
#include "grader/proof/proof_submissions.h"
#include "grader/testing/class_downloads.h"

namespace attn::classes {
namespace {

constexpr const char* kSource = "self_attention.cpp";

/// The texts that students hand in; what cannot be a source stands last.
std::vector<std::string> texts_of_class() {
    const Installation installation;
    const auto proof = proof::read_proof_submissions(installation.proof_of("self_attention"));
    std::vector<std::string> texts{proof.solution};
    for (const auto& right : proof.rights) texts.push_back(right.text);
    for (const auto& slip : proof.slips) texts.push_back(slip.text);
    texts.push_back(data::read_file(installation.sources / "student" / kSource));
    texts.push_back(data::read_file(installation.proof / "demo" / kSource));
    texts.emplace_back("this is not C++\n");
    texts.emplace_back("#include \"self_attention.h\"\nint main() { for (;;) {} }\n");
    return texts;
}

int write_class(const cli::Words& words) {
    if (words.size() != 2) throw cli::UsageError("usage: write_class FOLDER NUMBER");
    const std::filesystem::path folder = words[0];
    const int number = std::stoi(words[1]);
    const std::vector<std::string> texts = texts_of_class();
    const std::vector<std::string> platforms{"moodle",     "moodle_flat", "canvas",
                                             "gradescope", "autolab",     "folder"};
    std::map<std::string, std::vector<SampleHandIn>> by_platform;
    std::mt19937 random(7);
    const Moment due = read_moment("2026-11-20T22:59:00Z");
    constexpr int kSpread_s = 6 * 86400, kLatest_s = 2 * 86400;
    std::string roster = "name,email,id\n";
    for (int k = 0; k < number; ++k) {
        const Person person{std::to_string(5000 + k), fmt::format("Student{} Number{}", k, k),
                            fmt::format("student{}@example.org", k), "", ""};
        roster += fmt::format("{},{},{}\n", person.name, person.email, person.key);
        SampleHandIn hand_in;
        hand_in.people = {person};
        hand_in.when = due + kLatest_s - static_cast<int>(random() % kSpread_s);
        hand_in.files[kSource] =
            texts[static_cast<std::size_t>(k) % texts.size()] + fmt::format("// {}\n", random());
        if (k % 50 == 49) hand_in.files = {{"essay.txt", "I could not do it."}};
        if (k % 60 == 59) hand_in.files = {{"work.zip", "PK\x03\x04 and then nothing"}};
        by_platform[platforms[static_cast<std::size_t>(k) % platforms.size()]].push_back(hand_in);
    }
    std::filesystem::create_directories(folder);
    for (const auto& [platform, hand_ins] : by_platform)
        write_sample_zip(folder / (platform + ".zip"), sample_download(platform, hand_ins));
    std::ofstream(folder / "roster.csv") << roster << "Nobody Handedin,nobody@example.org,9999\n";
    std::cout << fmt::format("{} submissions in {} downloads\n", number, by_platform.size());
    return cli::kAllPassed;
}

}  // namespace
}  // namespace attn::classes

int main(int argc, char** argv) {
    return attn::cli::run_program("write_class", argc, argv, attn::classes::write_class);
}
