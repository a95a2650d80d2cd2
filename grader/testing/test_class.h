#pragma once
/// For tests: a class whose submissions a fake grader answers, and the commands of `grader class` on it, in this process.

#include <iostream>
#include <sstream>

#include "grader/classes/commands/commands.h"
#include "grader/testing/archives.h"
#include "grader/testing/built.h"
#include "grader/testing/fake_grader.h"

namespace attn::testing {

class TestClass {
  public:
    TestClass() {
        command({"init", folder_.string(), "--assignment", "2", "--public-seed"});
        change_rules("speed = true ", "speed = false ");
    }

    const std::filesystem::path& folder() const { return folder_; }
    const FakeGrader& grader() const { return grader_; }
    std::filesystem::path file(const std::string& name) const { return place_ / name; }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((place_ / name).parent_path());
        return place_.write(name, text);
    }
    void change_rules(const std::string& before, const std::string& after) const {
        std::string rules = data::read_file(folder_ / "class.toml");
        rules.replace(rules.find(before), before.size(), after);
        std::ofstream(folder_ / "class.toml") << rules;
    }

    /// What a command prints. Throws what it throws.
    std::string run(classes::Words words) const {
        for (const std::string& word :
             {std::string("--class"), folder_.string(), std::string("--grader"), grader_.program().string()})
            words.push_back(word);
        return command(words);
    }

    /// The message of a command that is refused; empty if it is not.
    std::string refused(const classes::Words& words) const {
        try {
            run(words);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }

    /// Files that are worth all of the 85 points but those of these functions, and that nobody else has handed in.
    static std::map<std::string, std::string> files_of_work(const std::set<std::string>& wrong,
                                                            const std::string& whose) {
        const data::TemporaryDirectory work;
        const rubric::Rubric rubric = rubric::read_rubric(built().assignments / "02_self_attention");
        write_fake_submission(work.path(), rubric, wrong, whose);
        std::map<std::string, std::string> files;
        for (const auto& file : std::filesystem::directory_iterator(work.path()))
            files[file.path().filename().string()] = data::read_file(file.path());
        return files;
    }

    /// The same in a zip.
    static std::string zip_of_work(const std::set<std::string>& wrong, const std::string& whose) {
        std::vector<intake::Entry> entries;
        for (const auto& [name, bytes] : files_of_work(wrong, whose)) entries.push_back({name, bytes});
        return intake::zip_of(entries);
    }

    /// What is exported in a form when everything is graded and published.
    std::string exported(classes::Words how) const {
        run({"grade", "--jobs", "2"});
        run({"publish"});
        how.insert(how.begin(), {"export", "--grades", file("grades").string()});
        run(how);
        return data::read_file(file("grades"));
    }

  private:
    static std::string command(const classes::Words& words) {
        std::ostringstream printed, progress;
        std::streambuf *const out = std::cout.rdbuf(printed.rdbuf()), *const err =
                                                                          std::cerr.rdbuf(progress.rdbuf());
        const auto back = [&] {
            std::cout.rdbuf(out);
            std::cerr.rdbuf(err);
        };
        try {
            classes::class_command(words);
        } catch (...) {
            back();
            throw;
        }
        back();
        return printed.str();
    }

    data::TemporaryDirectory place_;
    FakeGrader grader_;
    std::filesystem::path folder_ = place_ / "autumn";
};

}  // namespace attn::testing
