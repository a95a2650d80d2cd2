// Whole submissions made at random, of names, encodings, includes and assembly that are hard to read: each is
// graded from intake to every report, or refused as an archive. ATTN_FUZZ=100 grades 100 times as many.

#include <cstdlib>
#include <numeric>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "datasets/files/mutator.h"
#include "grader/grading/grade.h"
#include "grader/proof/harness.h"
#include "grader/report/html.h"
#include "grader/report/json.h"
#include "grader/report/platforms/formats.h"
#include "grader/report/terminal_report.h"
#include "grader/testing/archives.h"
#include "grader/testing/hostile_text.h"
#include "grader/testing/sample.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(submission_fuzz, *boost::unit_test::label("long"))

using intake::Entry;

const std::vector<std::string> kNames = {"self_attention.cpp",
                                         "self_attention.cu",
                                         "self_attention.h",
                                         "self_attention_cuda.h",
                                         "tensor.h",
                                         "self_attention.h.gch",
                                         "tensor.h.gch/any",
                                         "self_attention.cpp/a.h",
                                         "a/b/../c.h",
                                         "../a.h",
                                         "/a.h",
                                         "-o",
                                         "@a",
                                         "a b.h",
                                         "a\nb.h",
                                         "\xff.h",
                                         ".",
                                         "",
                                         std::string(255, 'n'),
                                         std::string(300, 'n'),
                                         "a.h"};

const std::vector<std::string> kPieces = {
    "#include \"a.h\"\n",
    "#include \"self_attention.h\"\n",
    "#include \"self_attention_cuda.h\"\n",
    "#include <self_attention.cpp>\n",
    "#include \"" + std::string(300, 'A') + "\"\n",
    "#include \"a/a/a/../..\"\n",
    "#include \"/root/x\"\n",
    "#include \"/proc/self/mem\"\n",
    "#include \"../build/self_attention.s\"\n",
    "#include \"../contract/symbols.map\"\n",
    "#include __FILE__\n",
    "#line 4294967295 \"/root/x\"\n",
    "#pragma GCC system_header\n",
    "#pragma GCC optimize(\"O3\")\n",
    "#pragma GCC pch_preprocess \"a.h\"\n",
    "#define float double\n",
    "#define JOIN(a, b) a##b\nJOIN(as, m)(\".incbin \\\"a.h\\\"\");\n",
    "__attribute__((section(\".tbss.x,\\\"awT\\\",@nobits\\nno_size:\\n#\"))) int in_tbss;\n",
    "__attribute__((section(\".text\\n.rept 100000\\n.symver a,b@c\\n.endr\\n#\"))) int many;\n",
    "__attribute__((section(\".gnu.lto_x\"))) int lto = 1;\n",
    "__attribute__((section(\".deplibs\"))) char libraries[] = \"a.h\";\n",
    "__attribute__((section(\".init_array\"))) void* start[] = {nullptr, (void*)1};\n",
    "__attribute__((ifunc(\"none\"))) int choose();\n",
    "extern \"C\" int main() { return 0; }\n",
    "thread_local int each = 1;\n",
    "int* p = &each;\n",
    "__global__ void k(float* x) { x[0] = 1; }\n",
    "void host(float* x) { k<<<1, 1>>>(x); }\n",
    "template <int N> struct T { int a[T<N + 1>::b]; }; T<0> t;\n",
    "\xef\xbb\xbf",
    "\xff\xfe",
    std::string(1, '\0'),
    "\r\n",
    "/*",
    "\"",
    "R\"x(",
};

std::string text_of(data::Mutator& mutate, const std::string& name) {
    std::string text;
    for (std::size_t k = mutate.up_to(4); k > 0; --k) text += mutate.pick(kPieces);
    const std::size_t rest = mutate.up_to(5);
    if (rest == 0) text += testing::filled_with(mutate.pick(testing::kHardTokens), mutate.up_to(1 << 20));
    if (rest == 1) text += mutate.pick(testing::kHardTokens);
    if (rest >= 3 && name.ends_with(".cpp")) text += solution("self_attention");
    return mutate.up_to(3) == 0 ? mutate({text}) : text;
}

/// Packs a submission in one of the formats, or damages an archive.
std::string packed(data::Mutator& mutate, const std::vector<Entry>& entries) {
    const std::string archive = mutate.up_to(1) == 0 ? intake::zip_of(entries) : intake::tar_of(entries);
    const std::string bytes = mutate.up_to(9) == 0 ? mutate({archive}) : archive;
    return mutate.up_to(2) == 0 ? intake::gzip_of(bytes) : bytes;
}

std::vector<Entry> random_entries(data::Mutator& mutate) {
    std::vector<Entry> entries;
    for (std::size_t k = 1 + mutate.up_to(3); k > 0; --k) {
        const std::string& name = mutate.up_to(1) == 0 ? kNames[mutate.up_to(2)] : mutate.pick(kNames);
        entries.push_back({name, text_of(mutate, name)});
    }
    return entries;
}

void grade_in_every_format(const std::filesystem::path& submission) {
    GradeOptions options;
    options.submission = submission;
    options.assignment = 2;
    options.speed = false;
    const report::Report report = grade(options);
    const report::Assignment& graded = report.assignments.at(0);
    BOOST_TEST((graded.points >= 0 && graded.points <= graded.max_points));
    std::ostringstream terminal;
    report::write_terminal(terminal, report, {.colour = false, .verbose = true});
    for (const std::string& text : {terminal.str(), report::to_json(report), report::to_html(report),
                                    report::to_junit(report), report::to_gradescope(report)})
        BOOST_TEST(text.size() > 100);
}

BOOST_AUTO_TEST_CASE(random_submissions_are_graded_or_refused) {
    const auto factor = static_cast<std::size_t>(data::fuzz_factor());
    std::vector<std::uint64_t> seeds(100 * factor);
    std::iota(seeds.begin(), seeds.end(), std::uint64_t{0});
    const Sample sample = at_most(4 * factor);
    std::size_t graded = 0;
    const data::TemporaryDirectory folder;
    const auto grade_or_refuse = [&](std::uint64_t seed) {
        data::Mutator mutate(seed);
        BOOST_TEST_CONTEXT("seed " << seed) {
            try {
                grade_in_every_format(
                    data::write_anew(folder, "work", packed(mutate, random_entries(mutate))));
                ++graded;
            } catch (const UserError&) {  // no archive, or one without files
            } catch (const std::exception& error) {
                BOOST_ERROR("it throws " << error.what());
            }
        }
    };
    for (const std::uint64_t seed : drawn(seeds, sample)) grade_or_refuse(seed);
    // Archives that are damaged, or have no usable name, are refused. A small sample can consist of them.
    for (std::size_t k = 0; graded == 0 && k < seeds.size(); ++k) grade_or_refuse(seeds[k]);
    BOOST_TEST(graded > (sample.is_all() ? seeds.size() / 4 : 0));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
