// The stubs in student/ repeat the signatures of the contracts, because students read and edit them. Each
// stub has to have every function of its contract, with its parameters, and must write nothing.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "grader/base/installation.h"
#include "grader/contract/contract_reader.h"
#include "grader/contract/layout.h"

BOOST_AUTO_TEST_SUITE(student_stubs)

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
}

const fs::path kProject = attn::Installation().sources;

}  // namespace

BOOST_AUTO_TEST_CASE(stubs_have_the_functions_of_their_contract_and_write_nothing) {
    int checked = 0;
    for (const fs::directory_entry& folder : fs::directory_iterator(kProject / "assignments")) {
        if (!folder.is_directory()) continue;
        const std::string name = folder.path().filename().string(), x = name.substr(name.find('_') + 1);
        const Contract contract = read_contract((folder.path() / (x + ".h")).string(), text_of_file);
        check_stub(contract, kProject / "student" / (x + ".cpp"), false);
        if (fs::exists(kProject / "student" / (x + ".cu")))
            check_stub(contract, kProject / "student" / (x + ".cu"), true);
        ++checked;
    }
    BOOST_TEST(checked > 0);
}

BOOST_AUTO_TEST_SUITE_END()
