// The machines of .devcontainer/, of the project and of the handout: their commands run here, with an apt that only
// writes down what it is asked to install.

#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grader/testing/kit.h"

namespace attn::kits {
namespace {

std::set<std::string> set_of_words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

/// The words of a variable of the Makefile, with those of the variables that it names.
std::set<std::string> variable_of(const fs::path& makefile, const std::string& name) {
    const Run run =
        in_shell("printf 'include Makefile\\nwords-of: ; @echo $(" + name + ")\\n' | make -s -f - words-of",
                 makefile.parent_path());
    BOOST_REQUIRE(run.exit_code == 0);
    return set_of_words(run.text);
}

/// The value of a Dockerfile's instructions of one kind, in order.
std::vector<std::string> instructions(const fs::path& dockerfile, const std::string& kind) {
    std::vector<std::string> all;
    std::istringstream lines(data::read_file(dockerfile.string()));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(kind + " ")) all.push_back(line.substr(kind.size() + 1));
    return all;
}

/// The packages that a Dockerfile installs on a machine that has none.
std::set<std::string> installed_by(const fs::path& dockerfile, const fs::path& context) {
    const data::TemporaryDirectory place;
    fs::create_directories(place / "bin");
    fs::create_directories(place / "machine");
    const auto program = [&](const std::string& name, const std::string& body) {
        place.write("bin/" + name, "#!/bin/sh\n" + body + "\n");
        fs::permissions(place / ("bin/" + name), fs::perms(0755));
    };
    program("apt-get",
            "[ \"$1\" != install ] || for w; do case $w in install | -*) ;; *) echo $w; esac; done >>" +
                (place / "asked").string());
    program("apt-cache", "true");
    program("dpkg-query", "true");
    program("id", "echo 0");
    for (const std::string& copied : instructions(dockerfile, "COPY")) {
        const fs::path from = copied.substr(0, copied.find(' ')), to = copied.substr(copied.find(' ') + 1);
        const fs::path target = place / "machine" / (to == "." ? from.filename() : to);
        fs::create_directories(target.parent_path());
        fs::copy(context / from, target);
    }
    const auto commands = instructions(dockerfile, "RUN");
    BOOST_TEST(!commands.empty());
    for (const std::string& command : commands) {
        const Run run =
            in_shell("PATH=" + (place / "bin").string() + ":$PATH; " + command + " 2>&1", place / "machine");
        BOOST_TEST(run.exit_code == 0, command << ": " << run.text);
    }
    return set_of_words(data::read_file((place / "asked").string()));
}

/// Checks what devcontainer.json names, and the base image.
void check_files(const fs::path& folder) {
    const auto json = nlohmann::json::parse(data::read_file((folder / "devcontainer.json").string()));
    const fs::path dockerfile = folder / json.at("build").at("dockerfile").get<std::string>();
    BOOST_TEST(fs::exists(dockerfile));
    BOOST_TEST((instructions(dockerfile, "FROM") == std::vector<std::string>{"debian:12"}));
    BOOST_TEST(json.at("customizations").at("vscode").at("extensions").size() == 1U);
}

const fs::path kSources = testing::built().sources;

BOOST_AUTO_TEST_SUITE(devcontainer)

BOOST_AUTO_TEST_CASE(the_projects_machine_has_every_package_of_the_makefile) {
    check_files(kSources / ".devcontainer");
    std::set<std::string> expected = {"make"};
    for (const char* variable : {"PACKAGES", "TEST_PACKAGES", "DEVELOPER_PACKAGES"})
        expected.merge(variable_of(kSources / "Makefile", variable));
    BOOST_TEST(expected.size() > 20U);
    const auto installed = installed_by(kSources / ".devcontainer/Dockerfile", kSources);
    BOOST_TEST(installed == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_handouts_machine_has_what_its_page_names) {
    const fs::path handout = kSources / "grader/kits/handout";
    check_files(handout / "devcontainer");
    const auto installed = installed_by(handout / "devcontainer/Dockerfile", handout);
    std::smatch named;
    const std::string page = data::read_file((handout / "README.md").string());
    BOOST_REQUIRE(std::regex_search(page, named, std::regex("apt-get install ([^`]*)`")));
    for (const std::string& package : set_of_words(named[1]))
        BOOST_TEST(installed.contains(package), package);
}

BOOST_AUTO_TEST_CASE(apt_knows_the_handouts_packages) {
    const auto installed = installed_by(kSources / "grader/kits/handout/devcontainer/Dockerfile", kSources);
    if (in_shell("apt-cache show make >/dev/null 2>&1", "/").exit_code != 0) {
        BOOST_TEST_MESSAGE("skipped: apt has no lists of packages here");
        return;
    }
    for (const std::string& package : installed)
        BOOST_TEST(in_shell("apt-cache show " + package + " >/dev/null", "/").exit_code == 0, package);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::kits
