// The stubs in student/ repeat the signatures of the contracts, because students read and edit them. Each
// stub has to have every function of its contract, with its parameters, and must write nothing.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/contract/contract_reader.h"
#include "grader/contract/layout.h"
#include "grader/contract/stub_writer.h"
#include "grader/worker/process.h"

BOOST_AUTO_TEST_SUITE(student_stubs, *boost::unit_test::label("long"))

namespace {

namespace fs = std::filesystem;
using namespace attn::contract;

std::string text_of_file(const fs::path& file) {
    std::ifstream stream(file);
    BOOST_TEST_REQUIRE(stream.good(), file << " can be read");
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The code without comments, with each run of white space replaced by one space.
std::string code_of(const fs::path& file) {
    const std::string code = std::regex_replace(text_of_file(file), std::regex("//[^\n]*"), "");
    return std::regex_replace(code, std::regex("\\s+"), " ");
}

/// "void f(int a, int b) { (void)a, (void)b; }"
std::string stub_of(const Function& function, bool on_gpu) {
    std::vector<std::string> parameters = declared_parameters(function), unused = parameter_names(function);
    if (on_gpu) {
        parameters.emplace_back("cudaStream_t stream");
        unused.emplace_back("stream");
    }
    for (std::string& name : unused) name = "(void)" + name;
    return "void " + function.name + "(" + listed(parameters) + ") { " + listed(unused) + "; } ";
}

/// Finds fault with a file that is not the contract's stub.
void check_stub(const Contract& contract, const fs::path& file, bool on_gpu) {
    const std::string space = on_gpu ? "attn::cuda" : "attn";
    std::string expected = "namespace " + space + " { ";
    for (const Function& function : contract.functions) expected += stub_of(function, on_gpu);
    const std::string code = code_of(file);
    BOOST_TEST(code.ends_with(expected + "} "),
               file << " has to have these functions in this order, with nothing but comments inside:\n"
                    << expected << "\nbut its code is:\n"
                    << code);
    constexpr std::size_t kLongest = 120;
    std::istringstream lines(text_of_file(file));
    for (std::string line; std::getline(lines, line);)
        BOOST_TEST(line.size() <= kLongest, file << " has a long line: " << line);
}

const fs::path kProject = attn::Installation().sources;

}  // namespace

/// The folders 01_rnn_attention and so on.
std::vector<fs::path> folders_of_contracts() {
    std::vector<fs::path> folders;
    for (const fs::directory_entry& each : fs::directory_iterator(kProject / "assignments"))
        if (std::isdigit(static_cast<unsigned char>(each.path().filename().string()[0])) != 0)
            folders.push_back(each.path());
    return folders;
}

/// "rnn_attention" of "01_rnn_attention".
std::string name_in(const fs::path& folder) {
    const std::string name = folder.filename().string();
    return name.substr(name.find('_') + 1);
}

BOOST_AUTO_TEST_CASE(stubs_have_the_functions_of_their_contract_and_write_nothing) {
    int checked = 0;
    for (const fs::path& folder : folders_of_contracts()) {
        const std::string x = name_in(folder);
        const Contract contract = read_contract((folder / (x + ".h")).string(), text_of_file);
        check_stub(contract, kProject / "student" / (x + ".cpp"), false);
        if (fs::exists(kProject / "student" / (x + ".cu")))
            check_stub(contract, kProject / "student" / (x + ".cu"), true);
        ++checked;
    }
    BOOST_TEST(checked > 0);
}

// A stub that `make stubs` wrote was not changed, and the header has not changed since.
BOOST_AUTO_TEST_CASE(written_stubs_are_those_of_their_header) {
    int written = 0;
    for (const fs::path& folder : folders_of_contracts()) {
        const std::string x = name_in(folder);
        const Contract contract = read_contract((folder / (x + ".h")).string(), text_of_file);
        const fs::path cpp = kProject / "student" / (x + ".cpp"), cu = kProject / "student" / (x + ".cu");
        if (!text_of_file(cpp).starts_with(stub_mark(contract))) continue;
        BOOST_TEST(text_of_file(cpp) == stub(contract));
        if (fs::exists(cu)) BOOST_TEST(text_of_file(cu) == kernel_stub(contract));
        ++written;
    }
    BOOST_TEST(written > 0);
}

// Editors compile a file of student/ with the flags in compile_flags.txt. `grader new` adds a line to it.
BOOST_AUTO_TEST_CASE(an_editor_finds_the_headers_of_every_stub) {
    for (const fs::path& folder : folders_of_contracts()) {
        attn::worker::Command command;
        command.argv = {"/bin/sh", "-c",
                        "g++ $(cat compile_flags.txt) -fsyntax-only -Werror " + name_in(folder) + ".cpp"};
        command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin"};
        command.directory = kProject / "student";
        command.confinement.limits = {0, 0, 0, 0, 0, 0};
        constexpr double kTimeLimit_s = 60;
        const auto result = attn::worker::run_command(command, kTimeLimit_s, 1 << 16);
        BOOST_TEST(result.ending.exit_code == 0, result.printed);
    }
}

BOOST_AUTO_TEST_SUITE_END()
