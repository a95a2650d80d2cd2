// Disclosure in a rubric, in its parts and in their cases; unknown words are refused.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include "grader/testing/broken_rubric.h"

namespace attn::rubric {
namespace {

BOOST_AUTO_TEST_SUITE(disclosure_rubric)

using proof::Edit;
using report::Disclosure;

constexpr bool kPublic = false, kSecret = true;
const std::string kPublicLine = "public = \"full\" ", kSecretLine = "secret = \"category\" ",
                  kTotal = "total  = \"always\" ", kOfPart = shipped::kCheckSizes + "\n[part.disclosure]\n",
                  kTall = "sizes = " + shipped::kTall;

Rubric read(const std::vector<Edit>& edits) {
    const data::TemporaryDirectory folder;
    return read_rubric(make_assignment(folder, "02_self_attention", proof::edited(shipped_text(), edits)));
}

const std::vector<Broken>& all_broken() {
    static const std::vector<Broken> kAll = {
        {"an unknown word",
         {{kSecretLine, "secret = \"sometimes\" "}},
         "secret = \"sometimes\"",
         "'secret' is 'sometimes'",
         "expected one of full, category, after_deadline, after_publication, never"},
        {"an unknown word for public cases",
         {{kPublicLine, "public = \"Full\" "}},
         "public = \"Full\"",
         "'public' is 'Full'",
         "full, category"},
        {"not a text", {{kSecretLine, "secret = false "}}, "secret = false", "'secret' is false", "a text"},
        {"an unknown word for total",
         {{kTotal, "total  = \"never\" "}},
         "total  = \"never\"",
         "'total' is 'never'",
         "expected one of always, with_checks"},
        {"an unknown key",
         {{kTotal, "totals = \"always\" "}},
         "totals = \"always\"",
         "unknown key 'totals'",
         "known are hints, public, secret, total"},
        {"an unknown word for hints",
         {{kTotal, "hints  = \"line\" "}},
         "hints  = \"line\"",
         "'hints' is 'line'",
         "expected one of question, place, name"},
        {"not a table",
         {{"[disclosure] ", "[[disclosure]] "}},
         "[[disclosure]]",
         "is an array",
         "[disclosure]"},
        {"an unknown word in a part",
         {{shipped::kCheckSizes, kOfPart + "secret = \"hidden\""}},
         "secret = \"hidden\"",
         "'secret' is 'hidden'",
         "after_deadline"},
        {"a part has no total",
         {{shipped::kCheckSizes, kOfPart + "total = \"always\""}},
         "total = \"always\"",
         "unknown key 'total'",
         "known are public, secret"},
        {"an unknown word in a case",
         {{kTall, kTall + ", disclosure = \"after\""}},
         "{ name = \"tall\"",
         "'disclosure' is 'after'",
         "after_publication"},
    };
    return kAll;
}

BOOST_AUTO_TEST_CASE(the_default_is_full_for_public_and_category_for_secret_seeds) {
    const Rubric rubric = read({{"[disclosure] ", ""}, {kPublicLine, ""}, {kSecretLine, ""}, {kTotal, ""}});
    BOOST_TEST(rubric.total_always);
    for (const PartRubric& part : rubric.parts) {
        BOOST_TEST((part.disclosure_of("ragged", kPublic) == Disclosure::full));
        BOOST_TEST((part.disclosure_of("ragged", kSecret) == Disclosure::category));
        BOOST_TEST((part.disclosure_of("speed", kSecret) == Disclosure::category));
    }
}

BOOST_AUTO_TEST_CASE(a_case_overrides_its_part_and_a_part_overrides_the_rubric) {
    const Rubric rubric = read({{kPublicLine, "public = \"category\" "},
                                {kSecretLine, "secret = \"after_deadline\" "},
                                {kTotal, "total = \"with_checks\" "},
                                {shipped::kCheckSizes, kOfPart + "secret = \"after_publication\""},
                                {kTall, kTall + ", disclosure = \"never\""}});
    BOOST_TEST(!rubric.total_always);
    const PartRubric &softmax = rubric.parts.at(0), &attention = rubric.parts.at(1);
    for (const bool seed : {kPublic, kSecret})
        BOOST_TEST((softmax.disclosure_of("tall", seed) == Disclosure::never));
    for (const char* check : {"long", "rows_sum_to_one", "speed", "growth"}) {
        BOOST_TEST((softmax.disclosure_of(check, kSecret) == Disclosure::after_publication));
        BOOST_TEST((softmax.disclosure_of(check, kPublic) == Disclosure::category));
        BOOST_TEST((attention.disclosure_of(check, kSecret) == Disclosure::after_deadline));
    }
}

BOOST_DATA_TEST_CASE(an_unknown_word_is_refused_with_its_line, boost::unit_test::data::make(all_broken()),
                     broken) {
    check_refused(broken);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::rubric
