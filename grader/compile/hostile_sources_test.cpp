// A build gives an outcome, whatever the student writes. It throws no exception, changes no other student's
// outcome, and does not tell the student which files the machine has.

#include <ostream>
#include <string>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/sandbox/file_view.h"
#include "grader/testing/emulator_tools.h"
#include "grader/testing/hostile_text.h"
#include "grader/testing/submission_folder.h"

namespace attn::compile {
namespace {

BOOST_AUTO_TEST_SUITE(hostile_sources, *boost::unit_test::label("long"))

namespace fs = std::filesystem;

/// What a source begins with, and what its message says.
struct Hostile {
    std::string name, text, says;
    friend std::ostream& operator<<(std::ostream& out, const Hostile& each) { return out << each.name; }
};

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int k = 0; k < times; ++k) result += text;
    return result;
}

std::string included(const std::string& name) {
    return "#include \"" + name + "\"\n";
}

const std::vector<Hostile> kEverywhere = {
    {"a_long_name", included(std::string(300, 'A') + ".h"), "AAA"},
    {"a_long_path", included(repeated("a/", 3000) + "x.h"), "a/a/"},
    {"a_path_through_a_file", included("self_attention.cpp/../x.h"), "x.h"},
    {"a_path_that_ends_above", included("a/a/a/../.."), "error"},
    {"a_private_folder", included("/root/x"), "No such file or directory"},
    {"an_empty_name", included(""), "error"},
    {"a_name_of_bytes", included("\xff\xfe\x80"), "error"},
    {"a_null_byte", included(std::string("a\0b", 3)), "error"},
    {"a_source_of_more_than_a_megabyte", repeated(" ", 1 << 20), "a source may have 1 MiB"},
};

BOOST_DATA_TEST_CASE(a_source_is_not_compiled_with, boost::unit_test::data::make(kEverywhere), each) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", each.text + solution());
    const Build built = fixture.build();
    BOOST_TEST(!built.sources.at(0).compiled);
    BOOST_TEST_CONTEXT(built.sources.at(0).messages)
    BOOST_TEST(contains(built.sources.at(0).messages, each.says));
}

/// Assembly that the emulator's pass cannot read, hidden from the search for `asm`.
const std::string kHiddenAssembly =
    "int attack() { return 0; }\n"
    "__attribute__((section(\".tbss.x,\\\"awT\\\",@nobits\\nno_size:\\n#\"))) int hidden;\n";

std::vector<Hostile> kernel_texts() {
    std::vector<Hostile> all = kEverywhere;
    std::erase_if(all, [](const Hostile& each) { return each.name == "a_null_byte"; });  // g++ only warns
    all.push_back({"a_label_without_a_size", kHiddenAssembly, "does not give the size of no_size"});
    all.push_back({"half_a_megabyte_of_quotes", testing::filled_with("1'", 1 << 19), ""});
    return all;
}

BOOST_DATA_TEST_CASE(kernels_are_not_compiled_with, boost::unit_test::data::make(kernel_texts()), each) {
    const TestFolder fixture;
    fixture.write("self_attention.cu", each.text + "int f();\n");
    const Installation installation;
    if (installation.emulator_library.empty()) return;
    BuildOptions options;
    options.kernels = Kernels::watched;
    const Build built =
        build_submission(fixture.submission, rubric::read_rubric(fixture.assignments / "02_self_attention"),
                         installation, options);
    BOOST_TEST(!built.sources.at(0).compiled);
    BOOST_TEST_CONTEXT(built.sources.at(0).messages)
    BOOST_TEST(contains(built.sources.at(0).messages, each.says));
}

BOOST_AUTO_TEST_CASE(a_hostile_source_costs_its_own_assignment_only) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", kEverywhere.front().text + solution());
    fixture.write("self_attention.cu", kEverywhere.front().text);
    fixture.write("masking.cpp", proof::solution("masking"));
    GradeOptions options;
    options.submission = fixture.submission;
    options.speed = false;
    const report::Report report = attn::grade(options);
    for (const report::Assignment& assignment : report.assignments) {
        const bool right = assignment.name == "masking", hostile = assignment.name == "self_attention";
        for (const report::Part& part : assignment.parts)
            for (const report::Check& check : part.checks) {
                if (right)
                    BOOST_TEST((check.outcome == Outcome::passed || check.outcome == Outcome::skipped));
                if (hostile) BOOST_TEST((check.outcome != Outcome::passed));
            }
    }
}

/// A library of the cache is for exactly the files that the compiler saw.
struct Cached : TestFolder {
    BuildOptions options;
    explicit Cached(const fs::path& cache) { options.cache = cache; }
    Build build() const {
        return build_submission(submission, rubric::read_rubric(assignments / "02_self_attention"),
                                Installation(), options);
    }
};

/// Reads data.bin by an assembler directive that no search of the text finds.
const std::string kHiddenRead =
    "#define JOIN(a, b) a##b\nJOIN(as, m)(\".section .rodata\\n.incbin \\\"data.bin\\\"\\n.text\");\n";

BOOST_AUTO_TEST_CASE(a_file_that_is_read_by_hidden_means_is_not_there) {
    const data::TemporaryDirectory cache;
    const Cached attacker(cache / "cache"), victim(cache / "cache");
    for (const Cached* each : {&attacker, &victim})
        each->write("self_attention.cpp", kHiddenRead + solution());
    attacker.write("data.bin", "wrong");
    victim.write("data.bin", "right");
    const Build first = attacker.build(), second = victim.build();
    BOOST_TEST(!first.sources.at(0).compiled);
    BOOST_TEST(contains(first.sources.at(0).messages, "data.bin"));
    BOOST_TEST(!second.from_cache);
    // Control: where the text says that it may read any file, it reads this one, and the file is in the key.
    for (const Cached* each : {&attacker, &victim})
        each->write("self_attention.cpp",
                    "// asm\n#if __has_include(\"x\")\n#endif\n" + kHiddenRead + solution());
    const Build wrong = attacker.build(), right = victim.build();
    BOOST_TEST(wrong.sources.at(0).compiled);
    BOOST_TEST(!right.from_cache);
    BOOST_TEST(contains(data::read_file(wrong.library), "wrong"));
    BOOST_TEST(contains(data::read_file(right.library), "right"));
}

/// A precompiled header in the submission, which says other than the contract's header of its name.
void write_precompiled(const TestFolder& fixture, const std::string& header, const std::string& precompiled) {
    const data::TemporaryDirectory folder;
    folder.write("self_attention.h", header);
    fs::create_directories((fixture.submission / precompiled).parent_path());
    std::vector<std::string> arguments = compiler_flags();
    for (const std::string& flag : include_flags(fixture.assignments.string(), Installation()))
        arguments.push_back(flag);
    for (const std::string& word :
         {std::string("-x"), std::string("c++-header"), std::string("self_attention.h"), std::string("-o"),
          (fixture.submission / precompiled).string()})
        arguments.push_back(word);
    emulator::run_gxx(folder.path(), arguments);
}

BOOST_DATA_TEST_CASE(a_precompiled_header_replaces_no_header,
                     boost::unit_test::data::make(std::vector<std::string>{"self_attention.h.gch",
                                                                           "self_attention.h.gch/any"}),
                     precompiled) {
    const data::TemporaryDirectory cache;
    const Cached attacker(cache / "cache"), victim(cache / "cache");
    for (const Cached* each : {&attacker, &victim}) each->write("self_attention.cpp", solution());
    const std::string contract = data::read_file(attacker.assignments / "02_self_attention/self_attention.h");
    std::string evil = contract.substr(contract.find("namespace attn"));
    evil = "#pragma once\n#include \"" + (attacker.assignments / "tensor.h").string() +
           "\"\n#define softmax other_softmax\n" + evil;
    write_precompiled(attacker, evil, precompiled);
    const Build poisoned = attacker.build(), honest = victim.build();
    BOOST_TEST(poisoned.sources.at(0).compiled);
    BOOST_TEST(honest.from_cache);  // of the same library, made of the contract's header
    BOOST_TEST(contains(data::read_file(honest.library), "softmax"));
    BOOST_TEST(!contains(data::read_file(honest.library), "other_softmax"));
}

/// What the compiler says about a file that exists, with its name replaced.
std::string said_about(const std::string& name, const std::string& before, const std::string& after,
                       const worker::Layers& layers = {}) {
    const TestFolder fixture;
    fixture.write("self_attention.cpp", before + name + after);
    BuildOptions options;
    options.layers = layers;
    std::string text =
        build_submission(fixture.submission, rubric::read_rubric(fixture.assignments / "02_self_attention"),
                         Installation(), options)
            .sources.at(0)
            .messages;
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos;)
        text.replace(at, name.size(), "@");
    // The names of g++'s temporary files: /cc, six characters, .s
    constexpr std::size_t kRandom = 6;
    for (std::size_t at = 0; (at = text.find("/cc", at)) != std::string::npos; ++at)
        if (text.substr(at + 3 + kRandom, 2) == ".s") text.erase(at + 3, kRandom);
    return text;
}

BOOST_AUTO_TEST_CASE(a_forbidden_file_and_a_missing_one_are_the_same_to_a_compiler) {
    const data::TemporaryDirectory secret;
    secret.write("file", "a secret");
    fs::create_directory(secret / "folder");
    // Names of one length, because g++ underlines them.
    const std::string there = (secret / "file").string(), missing = (secret / "none").string();
    const auto tells = [&](const std::string& before, const std::string& after,
                           const worker::Layers& layers = {}) {
        return said_about(there, before, after, layers) != said_about(missing, before, after, layers);
    };
    BOOST_TEST(!tells("#include \"", "\"\n"));
    if (!worker::can_have_file_view()) return;
    BOOST_TEST(!tells("#if __has_include(\"", "\")\n#error it exists\n#endif\n"));
    BOOST_TEST(!tells("asm(\".incbin \\\"", "\\\"\");\n"));
    BOOST_TEST(!tells("asm(\".include \\\"", "\\\"\");\n"));
    const std::string folder = (secret / "folder").string(), none = (secret / "absent").string();
    const auto way = [](const std::string& by) {
        std::string up;  // to the root, from wherever temporary folders are
        for (const auto& step : fs::path(by).relative_path()) up += step.empty() ? "" : "/..";
        return by + up + "/usr/include/stdio.h";
    };
    BOOST_TEST(said_about(way(folder), "#include \"", "\"\n") ==
               said_about(way(none), "#include \"", "\"\n"));
    // Control: without the layer each of them tells.
    const auto open = worker::Layers().without(worker::Layer::files).without(worker::Layer::identity);
    BOOST_TEST(tells("#include \"", "\"\n", open));
    BOOST_TEST(tells("#if __has_include(\"", "\")\n#error it exists\n#endif\n", open));
    BOOST_TEST(said_about(way(folder), "#include \"", "\"\n", open) !=
               said_about(way(none), "#include \"", "\"\n", open));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::compile
