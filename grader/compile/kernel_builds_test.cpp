// Looking up source lines in a library that a student controls.

#include "grader/compile/kernel_builds.h"

#include <chrono>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(kernel_builds, *boost::unit_test::label("long"))

std::string place(int library, const std::string& address) {
    return "@{/proc/self/fd/" + std::to_string(worker::kFirstLibrary + library) + "+" + address + "}";
}

struct Fixture {
    Fixture() : kernels(Builds(folder.path(), {}, Installation())) {
        std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
        folder.write("a.c", "int f(void) { return 1; }\nint g(void) { return 2; }\n");
        worker::Command compile;
        compile.argv = {
            "/usr/bin/cc", "-g", "-shared", "-fPIC", "-o", library().string(), (folder / "a.c").string()};
        compile.environment = {"PATH=/usr/bin:/bin"};
        BOOST_REQUIRE(worker::succeeded(worker::run_command(compile, 60, 1 << 16)));
        for (const char* name : {"f", "g"}) addresses.push_back(address_of(name));
    }
    std::filesystem::path library() const { return folder / "a.so"; }
    std::string address_of(const std::string& name) const {
        worker::Command nm;
        nm.argv = {"/usr/bin/nm", library().string()};
        const std::string symbols = worker::run_command(nm, 60, 1 << 16).printed;
        const auto at = symbols.find(" T " + name + "\n");
        BOOST_REQUIRE(at != std::string::npos);
        return "0x" + symbols.substr(at - 16, 16);
    }
    data::TemporaryDirectory folder;
    KernelBuilds kernels;
    std::vector<std::string> addresses;
};

BOOST_FIXTURE_TEST_CASE(all_places_of_a_finding_are_found, Fixture) {
    const std::string found = "race: " + place(0, addresses[0]) + " and " + place(0, addresses[1]) +
                              ", unlike " + place(3, addresses[0]) + " and @{/etc/passwd+0x1}";
    const std::string text = kernels.resolve({library()}, found);
    BOOST_TEST(text.starts_with("race: a.c:1 and a.c:2, unlike somewhere in "), text);
    // An address that is known is not looked up again.
    std::filesystem::remove(library());
    BOOST_TEST(kernels.resolve({library()}, found) == text);
}

BOOST_FIXTURE_TEST_CASE(forged_places_take_a_bounded_time, Fixture) {
    // A library that addr2line never finishes reading, and hundreds of places that are all different.
    std::filesystem::remove(library());
    std::filesystem::create_symlink("/dev/zero", library());
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < 300; ++k) {
        std::string found = "race: ";
        for (int j = 0; j < 30; ++j) found += place(0, "0x" + std::to_string(1000 + 30 * k + j)) + " ";
        BOOST_TEST(kernels.resolve({library()}, found).find("somewhere in") != std::string::npos);
    }
    BOOST_TEST(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 12);
}

BOOST_FIXTURE_TEST_CASE(what_is_no_address_is_not_passed_on, Fixture) {
    for (const char* no_address : {"0x", "0x1;id", "0x1 -e", "0x10000000000000000"}) {
        const std::string text = kernels.resolve({library()}, "race: " + place(0, no_address));
        BOOST_TEST((text.find("somewhere in") != std::string::npos || text.find("a.c") != std::string::npos),
                   text);
    }
}

const std::string kStub =
    "// Step 1; X [N, D]\n#include \"x_cuda.h\"\n\nnamespace attn::cuda {\n\nvoid f(TensorView<float, 2> "
    "Y,\n"
    "       cudaStream_t stream) {\n    // Your code.\n    (void)Y,\n        (void)stream;  // delete "
    "this\n}\n\n}\n";

BOOST_AUTO_TEST_CASE(a_stub_has_no_statement) {
    BOOST_TEST(!has_statement(kStub));
    BOOST_TEST(!has_statement(""));
    BOOST_TEST(has_statement(kStub + "int n;"));
    BOOST_TEST(has_statement("void f(float* Y) { *Y = 1; }"));
    BOOST_TEST(has_statement("\tkernel<<<1, 1>>>(Y);\r\n"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
