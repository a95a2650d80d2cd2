// What reads a student's text returns or refuses it, whatever the text is, in time that is proportional to
// its length. `make fuzz` does the same for an hour, guided by coverage.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/mutator.h"
#include "grader/base/installation.h"
#include "grader/compile/compile_sandbox.h"
#include "grader/proof/read_hostile_text.h"
#include "grader/testing/hostile_text.h"
#include "grader/testing/sample.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(source_fuzz, *boost::unit_test::label("long"))

using testing::cpu_time_of;
using testing::filled_with;
using testing::kHardTokens;

// Half of what the reader's sandbox allows. A linear reader takes a second on a slow machine; one whose time grows
// like the square takes minutes.
constexpr double kMostTime_s = compile::kReadTime_s / 2;

constexpr std::size_t kTokensInASample = 12;

BOOST_AUTO_TEST_CASE(a_megabyte_of_any_token_is_read_within_half_the_limit) {
    for (const std::string& token : drawn(kHardTokens, at_most(kTokensInASample))) {
        const std::string text = filled_with(token, std::size_t{1} << 20);
        for (int reader = 0; reader < kTextReaders; ++reader) {
            const double time_s = cpu_time_of([&] { read_hostile_text(reader, text); });
            BOOST_TEST(time_s < kMostTime_s,
                       "reader " << reader << " takes " << time_s << " s for " << token);
        }
    }
}

/// The words that the readers look for, each without the others. A pass that looks ahead from every place
/// takes minutes for a part of this.
BOOST_AUTO_TEST_CASE(the_facts_of_all_tokens_are_read_at_once) {
    for (const std::string& token : kHardTokens) {
        const std::string text = filled_with(token, std::size_t{1} << 18);
        const double time_s = cpu_time_of([&] { read_hostile_text(kFactsReader, text); });
        BOOST_TEST(time_s < kMostTime_s, time_s << " s for " << token);
    }
}

/// Two tokens in turn, the second many times after the first, and a nest of one closed by the other.
BOOST_AUTO_TEST_CASE(a_megabyte_of_two_tokens_is_read_within_half_the_limit) {
    data::Mutator mutate(17);
    constexpr int kAttempts = 10;
    for (int k = 0; k < kAttempts; ++k) {
        const std::string &a = mutate.pick(kHardTokens), &b = mutate.pick(kHardTokens);
        constexpr std::size_t kHalf = std::size_t{1} << 19;
        const std::string text =
            k % 2 == 0 ? filled_with(a + b, 2 * kHalf) : filled_with(a, kHalf) + filled_with(b, kHalf);
        const int reader = static_cast<int>(mutate.up_to(kTextReaders - 1));
        const double time_s = cpu_time_of([&] { read_hostile_text(reader, text); });
        BOOST_TEST(time_s < kMostTime_s,
                   "reader " << reader << ", " << time_s << " s: " << a << " and " << b);
    }
}

/// Real sources, damaged, and mixed with hard tokens.
BOOST_AUTO_TEST_CASE(damaged_sources_are_read_or_refused) {
    const std::filesystem::path reference = Installation().sources / "reference";
    std::vector<std::string> files = {data::read_file(reference / "self_attention.cu"),
                                      data::read_file(reference / "masking.cu"),
                                      "#include \"a.h\"\n#include <vector>\nint f();\n",
                                      "\t.section\t.tbss,\"awT\"\na:\n\t.zero\t4\n\t.size\ta, 4\n"
                                      "\tmovq\t%fs:a@tpoff, %rax\n"};
    files.insert(files.end(), kHardTokens.begin(), kHardTokens.end());
    data::Mutator mutate(18);
    for (int k = 600 * data::fuzz_factor(); k > 0; --k) {
        const std::string text = mutate(files);
        const int reader = static_cast<int>(mutate.up_to(kReaders - 1));
        BOOST_CHECK_NO_THROW(read_hostile_text(reader, text));
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
