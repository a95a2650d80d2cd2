// Grades with a secret seed submissions that try to reveal the hidden inputs through the report. With the
// public seed, whose inputs are not secret, each of them succeeds; this shows that the attack works.

#include <algorithm>
#include <cmath>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "grader/ask/inputs.h"
#include "grader/cli/seed_file.h"
#include "grader/grading/grade.h"
#include "grader/grading/questions.h"
#include "grader/proof/harness.h"
#include "grader/sandbox/layers.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

BOOST_AUTO_TEST_SUITE(secret_seed, *boost::unit_test::label("long"))

using proof::edited;
using proof::solution;
using proof::source;

const std::string kSecret = "no bird nor beast", kFunction = "self_attention";

/// The texts that reveal an input. For an attack that prints the number: its first six digits, cut off or
/// rounded; none if the number has fewer digits, as pixels have.
std::vector<std::string> as_number(float value) {
    const std::string exact = fmt::format("{:.9g}", std::abs(value));
    const std::size_t first = exact.find_first_not_of("0."), point = exact.find('.');
    const std::size_t length = first + 6 + (point != std::string::npos && point > first ? 1 : 0);
    if (exact.size() < length) return {};
    return {exact.substr(0, length), fmt::format("{:.6g}", std::abs(value))};
}
std::vector<std::string> as_index(float value) {
    return {fmt::format(", {})", static_cast<int>(std::abs(value) * 1e6F))};
}
std::vector<std::string> as_exit_code(float value) {
    return {fmt::format("exit code {},", 100 + static_cast<int>(std::abs(value) * 100) % 100)};
}

struct Leak {
    std::string name, code;
    std::vector<std::string> (*shows)(float value) = as_number;

    friend std::ostream& operator<<(std::ostream& out, const Leak& leak) { return out << leak.name; }
};

const std::string kTop = "#include <math.h>\n#include <stdio.h>\n#include <stdexcept>\n#include <unistd.h>\n",
                  kFirst = "const float first = fabsf(X(0, 0, 0));\n",
                  kEcho =
                      "for (int b = 0; b < Y.size(0); b++)\n"
                      "    for (int i = 0; i < Y.size(1); i++)\n"
                      "        for (int d = 0; d < Y.size(2); d++) Y(b, i, d) = X(b, i, d % X.size(2))";

const std::vector<Leak> kLeaks = {
    {"prints the inputs",
     "for (int d = 0; d < X.size(2); d++) printf(\"%.9g\\n\", X(0, 0, d));\n" + kEcho + " * 0;"},
    {"throws an input", kFirst + "char text[32]; snprintf(text, sizeof text, \"%.9g\", first);\n"
                                 "throw std::runtime_error(text);"},
    {"returns the inputs", kEcho + ";"},
    {"returns other outputs in each call",
     "static int calls = 0;\ncalls++;\n" + kEcho + " * (1 + calls % 2);"},
    {"writes at an index that an input gives", kFirst + "Y(0, 0, int(first * 1e6f)) = 0;", as_index},
    {"exits with an input", kFirst + "_exit(100 + int(first * 100) % 100);", as_exit_code},
};

/// The outputs of grading: the terminal, and a file for each format.
struct Outputs {
    Run run;
    std::string json, junit, full;

    std::string for_students() const { return run.text + json + junit; }
};

struct Marking {
    TestFolder test_folder;
    std::string seed_file = test_folder.file("secret.txt"), report = test_folder.file("report.json");

    explicit Marking(const std::string& text = kSecret + "\n") {
        test_folder.folder.write("secret.txt", text);
        std::filesystem::permissions(seed_file, std::filesystem::perms::owner_read);
    }
    Outputs grade(const std::string& text, bool secret, const Words& more = {}) const {
        Words words = {"grade",       test_folder.submission(text),
                       "-a",          "2",
                       "--no-speed",  "--verbose",
                       "--json",      report,
                       "--junit",     test_folder.file("j"),
                       "--full-json", test_folder.file("full")};
        if (secret) words.insert(words.end(), {"--seed-file", seed_file});
        words.insert(words.end(), more.begin(), more.end());
        Outputs outputs{run_grader(words), {}, {}, {}};
        auto json = nlohmann::json::parse(data::read_file(report));
        json.erase("duration_s");  // it could be mistaken for an input
        outputs.json = json.dump();
        outputs.junit = data::read_file(test_folder.file("j"));
        outputs.full = data::read_file(test_folder.file("full"));
        return outputs;
    }
};

/// The texts that reveal the inputs of any case of the attacked function, for the first numbers of X.
std::vector<std::string> inputs_shown_by(const Leak& leak, std::uint64_t seed) {
    const rubric::Rubric rubric =
        rubric::read_rubric(Installation().assignments / "02_self_attention", rubric::SecretCases::added);
    std::vector<std::string> shown;
    for (const rubric::PartRubric& part : rubric.parts) {
        if (part.function->name != kFunction) continue;
        for (const judge::Question& question : numeric_questions(rubric, part, seed)) {
            const Arrays inputs = question.make_inputs();
            const auto& values = ask::by_name(inputs, "X").as<float>();
            const std::size_t some = leak.shows == as_number ? std::min<std::size_t>(values.size(), 40) : 1;
            for (std::size_t k = 0; k < some; ++k)
                if (std::abs(values[k]) > 0.01F && std::abs(values[k]) < 100)
                    for (const std::string& text : leak.shows(values[k])) shown.push_back(text);
        }
    }
    return shown;
}

std::size_t found_in(const std::string& text, const std::vector<std::string>& shown) {
    std::size_t count = 0;
    for (const std::string& each : shown) count += contains(text, each) ? 1 : 0;
    return count;
}

BOOST_DATA_TEST_CASE(no_output_for_students_holds_a_secret_input, boost::unit_test::data::make(kLeaks),
                     leak) {
    const std::string text = edited(source("hostile/base.cpp"), {{"//@top", kTop}, {"//@code", leak.code}});
    const Marking marking;

    const Outputs open = marking.grade(text, false);
    const auto open_inputs = inputs_shown_by(leak, kPublicSeed);
    BOOST_TEST(found_in(open.run.text, open_inputs) > 0U);
    BOOST_TEST(found_in(open.json, open_inputs) > 0U);

    const Outputs mark = marking.grade(text, true);
    BOOST_TEST_CONTEXT(mark.for_students()) {
        const auto secret_inputs = inputs_shown_by(leak, seed_of(kSecret));
        BOOST_TEST(secret_inputs.size() > 5U);
        BOOST_TEST(found_in(mark.full, secret_inputs) > 0U);
        BOOST_TEST(found_in(mark.for_students(), secret_inputs) == 0U);
        for (const char* key : {"\"printed\"", "\"difference\"", "\"smallest\"", "\"pictures\"", "N=5"})
            BOOST_TEST(!contains(mark.for_students(), key), key);
        BOOST_TEST(contains(mark.run.text, "secret seed"));
        BOOST_TEST(contains(mark.json, "\"seed\":null"));
        BOOST_TEST(!contains(mark.full, std::to_string(seed_of(kSecret))));
        BOOST_TEST(mark.run.exit_code == 1);
    }
    check_run({"explain", "2." + kFunction + ".ragged", "--report", marking.report}, 2,
              {"has inputs that are not shown"});
}

BOOST_AUTO_TEST_CASE(a_mark_names_the_mistake) {
    const Marking marking;
    const Outputs mark = marking.grade(edited(solution("self_attention"), {{"dot / scale", "dot"}}), true);
    BOOST_TEST_CONTEXT(mark.run.text) {
        BOOST_TEST(contains(mark.run.text, "scaled_dot_product_attention, case ragged: wrong"));
        BOOST_TEST(contains(mark.run.text, "Wrong numbers."));
        BOOST_TEST(contains(mark.run.text, "when the scores are not divided by sqrt(D_q)"));
        BOOST_TEST(contains(mark.run.text, "Think: "));
        BOOST_TEST(contains(mark.run.text, "tile_rest"));
        BOOST_TEST(!contains(mark.run.text, "make explain"));
    }
}

/// What a mark can tell of each check: an outcome, one of two sentences about wrong numbers, and one listed
/// mistake, of kernels or beside wrong numbers or NaN, made in the forward pass or in another one.
double bits_of(const ask::Module& module) {
    constexpr std::size_t kKernelMistakes = 21, kWaysToName = 4;
    return std::log2(static_cast<double>(kOutcomeNames.size() + 1 + kKernelMistakes +
                                         kWaysToName * module.mistakes.size()));
}

BOOST_AUTO_TEST_CASE(a_check_tells_as_many_bits_as_the_threat_model_says) {
    double least = 64, most = 0;
    for (const ask::Module& module : ask::modules()) {
        least = std::min(least, bits_of(module));
        most = std::max(most, bits_of(module));
    }
    const std::string model = data::read_file(Installation().sources / "grader/sandbox/README.md");
    BOOST_TEST(contains(model, fmt::format("between {:.1f} and {:.1f} bits for each check", least, most)),
               least << " to " << most);
}

BOOST_AUTO_TEST_CASE(a_mark_does_not_tell_which_unlisted_mistake_was_made) {
    const Marking marking;
    const std::string text =
        edited(solution("self_attention"), {{"V(b, j, d)", "V(b, std::max(j - 1, 0), d)"}});
    const std::string told = "after one change in";
    BOOST_TEST(contains(marking.grade(text, false).json, told));
    const Outputs mark = marking.grade(text, true);
    BOOST_TEST(contains(mark.full, told));
    BOOST_TEST(!contains(mark.json + mark.junit, told));
    BOOST_TEST(contains(mark.run.text, "Wrong numbers."));
    BOOST_TEST(!contains(mark.run.text, "comes out"), mark.run.text);
}

/// Runs a test only if this machine can hide files from a submission's code.
auto if_files_are_hidden() {
    return boost::unit_test::precondition([](auto) {
        return boost::test_tools::assertion_result(
            std::ranges::count(worker::missing_layers({}), worker::Layer::files) == 0);
    });
}

BOOST_AUTO_TEST_CASE(the_compiler_does_not_see_secret_cases, *if_files_are_hidden()) {
    const std::string file = (Installation().assignments / "02_self_attention/secret.toml").string();
    const Marking marking;
    for (const std::string& name : {file, std::string("secret.toml")}) {
        const Outputs mark =
            marking.grade("#include \"self_attention.h\"\n#include \"" + name + "\"\n", true);
        BOOST_TEST(contains(mark.run.text, "does not compile"));
        BOOST_TEST(!contains(mark.for_students(), "sizes = {"));
    }
    // Without the layers the compiler reads the file, so the attack works.
    const Outputs open =
        marking.grade("#include \"" + file + "\"\n", true, {"--without", "files", "--without", "identity"});
    BOOST_TEST(contains(open.run.text, "sizes = {"));
}

BOOST_AUTO_TEST_CASE(an_invalid_seed_file_is_refused) {
    const Marking marking;
    check_run({"grade", "student", "--seed-file", marking.seed_file, "--seed", "5"}, 2,
              {"give --seed or --seed-file, not both"});
    check_run({"grade", "student", "--seed-file", marking.test_folder.file("none")}, 2,
              {marking.test_folder.file("none") + ": ", "no such file"});
    const Marking empty(""), brief("melon\n");
    check_run({"grade", "student", "--seed-file", empty.seed_file}, 2,
              {empty.seed_file + ": ", "is empty", "at least 16", "openssl rand -hex 16"});
    check_run({"grade", "student", "--seed-file", brief.seed_file}, 2, {"has 5 characters", "at least 16"});
    check_run({"grade", "student", "-a", "2", "--seed-file", marking.seed_file}, 1,
              {"secret seed", "not implemented yet", "Next: write softmax"});
    check_run({"grade", "student", "-a", "2", "--after-deadline", "--published"}, 1, {"seed 2026"});
}

BOOST_AUTO_TEST_CASE(a_seed_file_that_all_users_can_read_causes_a_note) {
    const Marking marking;
    const Words words = {"grade", "student", "-a", "2", "--seed-file", marking.seed_file};
    BOOST_TEST(!contains(run_grader(words).text, "all users of this machine"));
    std::filesystem::permissions(marking.seed_file, std::filesystem::perms::others_read,
                                 std::filesystem::perm_options::add);
    check_run(words, 1, {"note: all users of this machine can read " + marking.seed_file, "chmod 600"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
