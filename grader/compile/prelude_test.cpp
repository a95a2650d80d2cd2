// Precompiled headers: they are used only where they cannot change the result.

#include "grader/compile/prelude.h"

#include <fstream>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/testing/emulator_tools.h"
#include "grader/testing/submission_folder.h"

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(prelude, *boost::unit_test::label("long"))

namespace fs = std::filesystem;

/// Skips a test if preludes cannot be used: without GCC, or if the compiler cannot read their folder.
auto usable() {
    return boost::unit_test::precondition([](auto) {
#if defined(__GNUC__) && !defined(__clang__)
        return boost::test_tools::assertion_result(is_readable_by_compiler(Installation().preludes));
#else
        return boost::test_tools::assertion_result(false);
#endif
    });
}

/// The name of the prelude for a file of this text.
std::string prelude_of(const std::string& text, const TestFolder& fixture) {
    Installation installation;
    installation.assignments = fixture.assignments;
    return prelude_for(leading_includes(text), fixture.submission, installation).filename().string();
}

const std::string kHeader = "#include \"self_attention.h\"\n";

BOOST_AUTO_TEST_CASE(the_largest_prelude_whose_headers_are_all_included_is_used, *usable()) {
    const TestFolder fixture;
    BOOST_TEST(prelude_of(kHeader, fixture) == "contract");
    BOOST_TEST(prelude_of("#include <vector>\n" + kHeader, fixture) == "contract");
    BOOST_TEST(prelude_of(kHeader + "#include <vector>\n#include <cmath>\n", fixture) == "numbers");
    BOOST_TEST(
        prelude_of("#include <map>\n#include <vector>\n#include <algorithm>\n#include <cmath>\n" + kHeader,
                   fixture) == "algorithms");
    BOOST_TEST(prelude_of("#include <cmath>\n#include <vector>\n", fixture) == "");
}

BOOST_AUTO_TEST_CASE(headers_after_a_header_of_the_student_do_not_count, *usable()) {
    const TestFolder fixture;
    fixture.write("own.h", "#define float double\n");
    const std::string rest = "#include <cmath>\n#include <vector>\n";
    BOOST_TEST(prelude_of("#include \"own.h\"\n" + kHeader + rest, fixture) == "");
    BOOST_TEST(prelude_of(kHeader + "#include \"own.h\"\n" + rest, fixture) == "contract");
    fixture.write("self_attention.h", "");  // found before the contract's
    BOOST_TEST(prelude_of(kHeader + rest, fixture) == "");
}

BOOST_AUTO_TEST_CASE(a_prelude_of_outdated_headers_is_not_used, *usable()) {
    const TestFolder fixture;
    BOOST_TEST(prelude_of(kHeader, fixture) == "contract");
    fixture.folder.write("assignments/tensor.h", data::read_file(fixture.assignments / "tensor.h") +
                                                     "// changed by the instructor\n");
    BOOST_TEST(prelude_of(kHeader, fixture) == "");
}

BOOST_AUTO_TEST_CASE(the_compiler_uses_the_prelude, *usable()) {
    const TestFolder fixture;
    for (const std::string& includes :
         {std::string(), std::string("#include <cmath>\n#include <vector>\n"),
          std::string("#include <algorithm>\n#include <cmath>\n#include <vector>\n")}) {
        fixture.write("self_attention.cpp", includes + kHeader +
                                                "void attn::softmax(TensorView<float, 2> Y, "
                                                "TensorView<const float, 2>) { Y(0, 0) = 1; }\n");
        const Build built = fixture.build();
        BOOST_TEST(built.sources.at(0).messages == "");
        BOOST_TEST(built.compiled_with_prelude == 1);
    }
}

/// Builds without a prelude.
Build build_without_prelude(const TestFolder& fixture) {
    Installation installation;
    installation.preludes = fixture.folder / "nowhere";
    return build_submission(fixture.submission,
                            rubric::read_rubric(fixture.assignments / "02_self_attention"), installation);
}

BOOST_AUTO_TEST_CASE(a_prelude_does_not_change_the_library, *usable()) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    const Build with = fixture.build(), without = build_without_prelude(fixture);
    BOOST_TEST(with.compiled_with_prelude == 1);
    BOOST_TEST(without.compiled_with_prelude == 0);
    BOOST_TEST((data::read_file(with.library) == data::read_file(without.library)));
}

BOOST_AUTO_TEST_CASE(a_prelude_does_not_change_the_messages) {
    const TestFolder fixture;
    for (const char* body : {"int unused;", "Y(0);", "nobody();"}) {
        fixture.write("self_attention.cpp",
                      kHeader +
                          "void attn::softmax(TensorView<float, 2> Y, TensorView<const float, 2>) {\n    " +
                          body + "\n}\n");
        const Build with = fixture.build(), without = build_without_prelude(fixture);
        BOOST_TEST(with.sources.at(0).compiled == without.sources.at(0).compiled);
        BOOST_TEST(with.sources.at(0).messages == without.sources.at(0).messages);
        BOOST_TEST(contains(with.sources.at(0).messages, "self_attention.cpp:"));
    }
}

BOOST_AUTO_TEST_CASE(a_damaged_prelude_costs_only_time, *usable()) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", solution());
    Installation installation;
    installation.preludes = fixture.folder / "preludes";
    const rubric::Rubric rubric = rubric::read_rubric(fixture.assignments / "02_self_attention");
    fs::copy(Installation().preludes, installation.preludes, fs::copy_options::recursive);
    fs::permissions(fixture.folder.path(), fs::perms::others_exec, fs::perm_options::add);
    BOOST_TEST(build_submission(fixture.submission, rubric, installation).compiled_with_prelude == 1);
    fixture.folder.write("preludes/algorithms/prelude.h.gch", "gpch of another compiler");
    const Build built = build_submission(fixture.submission, rubric, installation);
    BOOST_TEST(built.compiled_with_prelude == 0);
    BOOST_TEST(built.sources.at(0).compiled);
    BOOST_TEST(built.sources.at(0).messages == "");
    fs::permissions(fixture.folder.path(), fs::perms::others_exec, fs::perm_options::remove);
    fs::remove_all(installation.preludes);
    BOOST_TEST(build_submission(fixture.submission, rubric, installation).sources.at(0).compiled);
}

/// The first line of `g++ -H` for a .cu file: "! FILE" if it loads FILE precompiled, ". FILE" if it reads its text.
std::string first_header(emulator::Mode mode, const fs::path& prelude, const TestFolder& fixture) {
    const Installation installation;
    fixture.write("k.cu", "__global__ void k(float* x) { x[threadIdx.x] = 1; }\n");
    auto flags = emulator::compile_flags(mode, installation.emulator_headers.string());
    for (const std::string& word :
         {std::string("-H"), std::string("-include"), prelude_header(prelude).string(), std::string("-S"),
          std::string("k.cu"), std::string("-o"), std::string("/dev/null")})
        flags.push_back(word);
    const auto result = emulator::run_program(installation.compiler, flags, fixture.submission);
    BOOST_TEST(worker::succeeded(result), result.printed);
    return result.printed.substr(0, result.printed.find('\n'));
}

BOOST_AUTO_TEST_CASE(kernels_are_compiled_with_a_prelude,
                     *usable() * boost::unit_test::precondition(emulator::has_emulator)) {
    const TestFolder fixture;
    for (const emulator::Mode mode : {emulator::Mode::fast, emulator::Mode::check}) {
        const fs::path prelude = kernel_prelude(mode, Installation());
        BOOST_TEST(first_header(mode, prelude, fixture) == "! " + prelude_header(prelude).string() + ".gch");
    }
}

BOOST_AUTO_TEST_CASE(a_prelude_of_kernels_is_made_once_for_the_same_headers,
                     *usable() * boost::unit_test::precondition(emulator::has_emulator)) {
    constexpr emulator::Mode kMode = emulator::Mode::check;
    const TestFolder fixture;
    Installation installation;
    installation.preludes = fixture.folder / "preludes";
    BOOST_TEST(kernel_prelude(kMode, installation).empty());  // the compiler cannot enter the folder
    fs::permissions(fixture.folder.path(), fs::perms::others_exec, fs::perm_options::add);
    const fs::path prelude = kernel_prelude(kMode, installation);
    const fs::path compiled = prelude_header(prelude).string() + ".gch";
    const auto made = fs::last_write_time(compiled);
    BOOST_TEST(kernel_prelude(kMode, installation) == prelude);
    BOOST_TEST((fs::last_write_time(compiled) == made));
    std::ofstream(compiled) << "gpch of another compiler";
    BOOST_TEST(kernel_prelude(kMode, installation) == prelude);
    BOOST_TEST(!first_header(kMode, prelude, fixture).starts_with("! "));
    // Headers that do not compile have no prelude. What is right again is made again.
    installation.emulator_headers = fixture.folder / "headers";
    fs::create_directories(installation.emulator_headers);
    std::ofstream(installation.emulator_headers / emulator::kFirstHeader) << "#error broken\n";
    BOOST_TEST(kernel_prelude(kMode, installation).empty());
    installation.emulator_headers = Installation().emulator_headers;
    BOOST_TEST(first_header(kMode, kernel_prelude(kMode, installation), fixture) == "! " + compiled.string());
    for (const auto& entry : fs::directory_iterator(installation.preludes))  // no draft is left
        BOOST_TEST(entry.path().extension() == "");
}

BOOST_AUTO_TEST_CASE(a_prelude_does_not_change_what_is_said_of_kernels,
                     *usable() * boost::unit_test::precondition(emulator::has_emulator)) {
    const TestFolder fixture;
    Installation without;
    without.preludes = fixture.folder / "nowhere";
    const rubric::Rubric rubric = rubric::read_rubric(fixture.assignments / "02_self_attention");
    for (const char* body : {"int unused;", "nobody();"}) {
        fixture.write("self_attention.cu",
                      "#include \"self_attention_cuda.h\"\n"
                      "void attn::cuda::softmax(TensorView<float, 2> Y, TensorView<const float, 2>) {\n    " +
                          std::string(body) + "\n}\n");
        BuildOptions options;
        options.kernels = Kernels::watched;
        const auto with = build_submission(fixture.submission, rubric, Installation(), options).sources.at(0);
        const auto plain = build_submission(fixture.submission, rubric, without, options).sources.at(0);
        BOOST_TEST(with.compiled == plain.compiled);
        BOOST_TEST(with.messages == plain.messages);
        BOOST_TEST(contains(with.messages, "self_attention.cu:3"));
    }
    BOOST_TEST(!fs::exists(without.preludes));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
