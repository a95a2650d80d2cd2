#pragma once
/// For tests of what is made for a whole class: reports that the grader made of real submissions to
/// assignment 2.

#include <string>
#include <vector>

#include "datasets/files/file_error.h"
#include "grader/report/json.h"
#include "grader/testing/drawn_class.h"
#include "grader/testing/run_grader.h"

namespace attn::classes {

/// The full reports of some submissions: with mistakes, right, unwritten, not compiled. Graded once in a
/// process, with one measured speed.
inline const std::vector<report::Report>& graded_reports() {
    static const std::vector<report::Report> reports = [] {
        const data::TemporaryDirectory folder;
        const std::filesystem::path sources = testing::built().sources;
        const std::string right =
            data::read_file(sources / "grader/assignments/self_attention/proof/solution.cpp");
        const auto edited = [&](const std::string& what, const std::string& instead) {
            std::string text = right;
            const std::size_t at = text.find(what);
            BOOST_REQUIRE(at != std::string::npos);
            return text.replace(at, what.size(), instead);
        };
        const std::string no_scale = edited("dot / scale", "dot"),
                          by_D_q = edited("std::sqrt(float(D_q))", "float(D_q)");
        const std::vector<std::pair<std::string, bool>> submissions = {
            {no_scale, false},
            {right, true},
            {data::read_file(sources / "grader/proof/demo/self_attention.cpp"), false},
            {by_D_q, false},
            {data::read_file(sources / "student/self_attention.cpp"), false},
            {right + "\nint main( {\n", false}};
        std::vector<report::Report> made;
        for (std::size_t k = 0; k < submissions.size(); ++k) {
            const auto& [text, speed] = submissions[k];
            const std::string name = fmt::format("work-{}", k), file = (folder / (name + ".json")).string();
            std::filesystem::create_directory(folder / name);
            folder.write(name + "/self_attention.cpp", text);
            cli::Words words{"grade",
                             (folder / name).string(),
                             "--assignment",
                             "2",
                             "--jobs",
                             "1",
                             "--quiet",
                             "--full-json",
                             file};
            if (!speed) words.push_back("--no-speed");
            const cli::Run run = cli::run_grader(words);
            BOOST_REQUIRE_MESSAGE(run.exit_code == 0 || run.exit_code == 1, run.text);
            made.push_back(report::from_json(data::read_file(file)));
        }
        return made;
    }();
    return reports;
}

}  // namespace attn::classes
