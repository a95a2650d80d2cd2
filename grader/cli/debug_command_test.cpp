// Runs `grader debug` from the command line, and the programs that it writes.

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/cli/debug_program.h"
#include "grader/contract/contract_reader.h"
#include "grader/proof/harness.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(debug_command, *boost::unit_test::label("long"))

/// Runs a built program. It is the student's own, so it needs no sandbox.
std::string output_of(const std::string& program) {
    worker::Command command;
    command.argv = {program};
    command.confinement.limits = kNoLimits;
    return worker::run_command(command, 60, 1 << 20).printed;
}

BOOST_AUTO_TEST_CASE(the_program_makes_the_call_of_the_check) {
    const TestFolder folder;
    const std::string sum = "sum += Y(i, j);";
    const std::string work = folder.submission(proof::edited(
        proof::solution("self_attention"),
        {{sum, sum + " if (i == 1) print(\"m\", m);"},
         {"#include \"self_attention.h\"", "#include \"print.h\"\n#include \"self_attention.h\""},
         {"Y(i, j) = Y(i, j) / sum", "Y(i, j) = Y(i, j)"}}));
    const std::string report = folder.file("report.json");
    // What the function prints is shown and costs nothing.
    check_run({"grade", work, "-a", "2", "--no-speed", "--json", report}, 1, {"it printed:", "| m = "});
    check_run({"debug", "2.softmax.ragged", "--report", report, "--write", folder.file("program")}, 0,
              {"outside of the sandbox", "normal numbers, N=5 D=7", "break attn::softmax"});
    const std::string printed = output_of(folder.file("program/debug"));
    BOOST_TEST_CONTEXT(printed) {
        BOOST_TEST(contains(printed, "m = "));
        BOOST_TEST(contains(printed, "Y yours [5, 7]\n"));
        BOOST_TEST(contains(printed, "Y expected [5, 7]\n"));
        BOOST_TEST(!contains(printed, "nan"));
    }
    check_run({"debug", "2.softmax.nothing", "--report", report}, 2, {"there is no check"});
    // Grading takes a source of another name, but gdb shows the file itself.
    std::filesystem::rename(work + "/self_attention.cpp", work + "/self_attention (1).cpp");
    check_run({"debug", "2.softmax.ragged", "--report", report}, 2,
              {"there is no self_attention.cpp; the debugger needs the source under this name; rename it"});
}

BOOST_AUTO_TEST_CASE(the_inputs_of_a_secret_check_are_not_written) {
    const TestFolder folder;
    const std::string seed = folder.file("seed.txt"), report = folder.file("report.json");
    folder.folder.write("seed.txt", "a secret of more than sixteen characters\n");
    const std::string work = folder.submission(
        proof::edited(proof::solution("self_attention"), {{"Y(i, j) = Y(i, j) / sum", "Y(i, j) = Y(i, j)"}}));
    check_run({"grade", work, "-a", "2", "--no-speed", "--seed-file", seed, "--json", report}, 1, {});
    const Run run =
        run_grader({"debug", "2.softmax.ragged", "--report", report, "--write", folder.file("program")});
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(!std::filesystem::exists(folder.file("program")));
}

BOOST_AUTO_TEST_CASE(gdb_prints_views_as_arrays) {
    if (!std::filesystem::exists("/usr/bin/gdb")) {
        BOOST_TEST_MESSAGE("skipped: no gdb (apt-get install gdb)");
        return;
    }
    const TestFolder folder;
    folder.folder.write(
        "all.cpp",
        "#include <vector>\n#include \"tensor.h\"\n"
        "void stop(const attn::TensorView<float, 2>& E, attn::TensorView<const float, 3> Q,\n"
        "          attn::TensorView<const unsigned char, 1> mask, attn::TensorView<float, 1> A) {\n"
        "    (void)E, (void)Q, (void)mask, (void)A;\n}\n"
        "int main() {\n    std::vector<float> x = {1, 2, 3, 4, 5, 0.25};\n"
        "    const unsigned char m[] = {1, 0};\n"
        "    stop({x.data(), 2, 3}, {x.data(), 2, 1, 3}, {m, 2}, {});\n}\n");
    const std::string assignments = Installation().assignments.string(), program = folder.file("all");
    const auto run = [](std::vector<std::string> argv) {
        worker::Command command;
        command.argv = std::move(argv);
        command.environment = {"PATH=/usr/bin:/bin", "HOME=/nonexistent"};
        command.confinement.limits = kNoLimits;
        return worker::run_command(command, 120, 1 << 20).printed;
    };
    run({Installation().compiler, "-std=c++20", "-g", "-O0", "-I" + assignments, folder.file("all.cpp"), "-o",
         program});
    const std::string said =
        run({"/usr/bin/gdb", "-q", "-batch", "-x", assignments + "/tensor_gdb.py", "-ex", "break stop", "-ex",
             "run", "-ex", "print E", "-ex", "print Q", "-ex", "print mask", "-ex", "print A", program});
    BOOST_TEST_CONTEXT(said) {
        BOOST_TEST(contains(
            said, "= [2, 3]\n            1          2          3\n            4          5       0.25\n"));
        BOOST_TEST(contains(said, "= [2, 1, 3]\n[0]\n"));
        BOOST_TEST(contains(said, "= [2]\n      1    0\n"));
        BOOST_TEST(contains(said, "= a view of nothing\n"));
    }
}

/// Structs of weights, choices and options are written as the header declares them: every call compiles.
BOOST_AUTO_TEST_CASE(every_function_of_the_course_can_be_called) {
    const Installation installation;
    const TestFolder folder;
    std::string all = "int main() {}\n", includes;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation.assignments)) {
        for (const rubric::PartRubric& part : rubric.parts) {
            report::RecordedCheck recorded;
            recorded.assignment = rubric.number;
            recorded.function = part.function->name;
            recorded.check.name = part.cases.front().name;
            const RecordedCall call = recorded_call(recorded, installation);
            const DebugProgram program = debug_program(
                "id", call, contract::read_contract(call.contract.string(), [](const std::string& path) {
                    return data::read_file(path);
                }));
            const std::string space = "debug_" + part.function->name;
            std::string main = program.main.substr(program.main.find("int main() {"));
            main.replace(0, 10, "inline void main_()");
            all += "namespace " + space + " {\n" + program.arrays.substr(program.arrays.find("inline")) +
                   main + "}\n";
        }
        includes += "#include \"" + rubric.module->name + ".h\"\n";
    }
    folder.folder.write(
        "all.cpp",
        "#include <cmath>\n#include <cstdint>\n#include <vector>\n#include \"print.h\"\n" + includes + all);
    worker::Command compiler;
    compiler.argv = {installation.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"};
    compiler.argv.push_back("-I" + installation.assignments.string());
    for (const auto& entry : std::filesystem::directory_iterator(installation.assignments))
        if (entry.is_directory()) compiler.argv.push_back("-I" + entry.path().string());
    compiler.argv.push_back(folder.file("all.cpp"));
    compiler.environment = {"PATH=/usr/bin:/bin"};
    compiler.confinement.limits = kNoLimits;
    const worker::CommandResult compiled = worker::run_command(compiler, 120, 1 << 16);
    BOOST_TEST(worker::succeeded(compiled), compiled.printed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
