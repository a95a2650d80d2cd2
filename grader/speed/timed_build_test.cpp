// Timed code is compiled for one instruction set, and the page about speed says for which.

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/base/timed_level.h"
#include "grader/compile/build.h"
#include "grader/proof/harness.h"
#include "grader/speed/speed_checks.h"

namespace attn::speed {
namespace {

BOOST_AUTO_TEST_SUITE(timed_build)

/// The installation of a default build on x86-64.
Installation default_installation() {
    Installation here;
    here.compiler = "/usr/bin/g++";
    here.timed_level = "x86-64-v3";
    here.timed_flags = "-O3 -march=x86-64-v3";
    return here;
}

/// Without backticks, and with a space for each line break.
std::string without_markup(std::string text) {
    std::erase(text, '`');
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

BOOST_AUTO_TEST_CASE(the_page_prints_the_compile_line_and_what_is_allowed) {
    const Installation installation = default_installation();
    const std::string page = without_markup(data::read_file(installation.assignments / "speed.md"));
    const report::TimedBuild build = speed::timed_build(installation, "NAME.cpp", 1);
    for (const std::string& text : {build.command, "It may use: " + build.allowed})
        BOOST_TEST((page.find(without_markup(text)) != std::string::npos), "speed.md lacks: " << text);
    int parts = 0;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(installation.assignments))
        for (const rubric::PartRubric& part : rubric.parts) {
            if (!part.speed) continue;
            ++parts;
            BOOST_TEST(part.speed->threads == 1, part.function->name);  // as the page says
            const std::string handout = data::read_file(rubric.folder / "README.md");
            BOOST_TEST((handout.find("(../speed.md#how-speed-is-judged)") != std::string::npos),
                       rubric.folder.filename());
        }
    BOOST_TEST(parts >= 6);
}

BOOST_AUTO_TEST_CASE(every_level_has_its_vector_unit) {
    Installation installation = default_installation();
    const auto unit_of = [&](const char* level) {
        installation.timed_level = level;
        return speed::timed_build(installation, "x.cpp", 1).vector_unit;
    };
    BOOST_TEST(unit_of("x86-64-v3") == "AVX2");
    BOOST_TEST(unit_of("armv8-a") == "NEON");
    BOOST_TEST(speed::timed_build(installation, "x.cpp", 4).allowed.find("up to 4 threads") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(this_build_times_code_for_one_level) {
    const Installation here;
    BOOST_TEST(here.timed_flags.find("-march=" + here.timed_level) != std::string::npos);
    BOOST_TEST(obstacle_to_speed("") == "");
    BOOST_TEST(obstacle_to_speed(here.timed_level) == here.no_speed);
}

#if defined(__x86_64__)

BOOST_AUTO_TEST_CASE(wider_instructions_do_not_compile) {
    const Installation installation = default_installation();
    const rubric::Rubric rubric = rubric::read_rubric(installation.assignments / "02_self_attention");
    const std::string right = proof::solution("self_attention");
    const auto built_with = [&](const std::string& addition) {
        const data::TemporaryDirectory folder;
        folder.write("self_attention.cpp", "#include <immintrin.h>\n" + addition + right);
        compile::BuildOptions options;
        options.timed = true;
        return compile::build_submission(folder.path(), rubric, installation, options).sources.at(0);
    };
    const report::SourceFile same_width = built_with(R"(
void scaled(float* y, const float* x) {
    _mm256_storeu_ps(y, _mm256_fmadd_ps(_mm256_loadu_ps(x), _mm256_loadu_ps(x), _mm256_loadu_ps(y)));
}
)");
    BOOST_TEST(same_width.compiled, same_width.messages);
    const report::SourceFile wider = built_with(R"(
__attribute__((target("avx512f"))) void scaled(float* y, const float* x) {
    _mm512_storeu_ps(y, _mm512_mul_ps(_mm512_loadu_ps(x), _mm512_loadu_ps(x)));
}
)");
    BOOST_TEST(!wider.compiled);
    BOOST_TEST(wider.messages.find("it uses instructions that x86-64-v3 does not have") == 0U,
               wider.messages);
}

#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::speed
