// secret.toml is read only on request, and as strictly as the rubric. grader/proof/mark_test.cpp grades with
// the shipped ones.

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include "datasets/files/message_contains.h"
#include "datasets/files/mutator.h"
#include "grader/testing/broken_rubric.h"

namespace attn::rubric {
namespace {

BOOST_AUTO_TEST_SUITE(secret_cases)

using data::message_contains;

const std::string kModule = "02_self_attention", kSoftmax = "[[part]]\nfunction = \"softmax\"\ncases = [\n",
                  kCase = "    { name = \"more\", inputs = \"normal\", sizes = { N = 2, D = 3 } },\n";

/// The shipped rubric with this text as its secret.toml.
struct RubricWithSecrets {
    data::TemporaryDirectory folder;
    std::filesystem::path path = make_assignment(folder, kModule, shipped_text());

    explicit RubricWithSecrets(const std::string& text) { folder.write(kModule + "/secret.toml", text); }
    std::string file() const { return (path / "secret.toml").string(); }
    Rubric read() const { return read_rubric(path, SecretCases::added); }
};

struct Refused {
    std::string text, line, found, expected;

    friend std::ostream& operator<<(std::ostream& out, const Refused& refused) {
        return out << refused.found;
    }
};

const std::vector<Refused>& all_refused() {
    static const std::vector<Refused> kAll = {
        {"x = ", "1", "", ""},
        {"", "", "needs at least one 'part'", "each a table"},
        {"seed = 1\n" + kSoftmax + kCase + "]\n", "1", "unknown key 'seed'", "known are part"},
        {"[[part]]\nfunction = \"hardmax\"\n", "2", "no part 'hardmax'",
         "known are softmax, scaled_dot_product_attention, self_attention"},
        {"[[part]]\nfunction = \"softmax\"\n", "1", "'cases'", "at least one"},
        {kSoftmax + kCase + "]\n" + kSoftmax + kCase + "]\n", "7", "there is already a part 'softmax'", ""},
        {kSoftmax + kCase + kCase + "]\n", "3", "two cases of softmax", "'more'"},
        {kSoftmax + "\n    { name = \"tall\", inputs = \"normal\", sizes = { N = 2, D = 3 } },\n]\n", "3",
         "two cases of softmax", "'tall'"},
        {kSoftmax + "{ name = \"shift_invariant\", inputs = \"normal\", sizes = { N = 2, D = 3 } }]\n", "3",
         "'shift_invariant' is also the name of another check", "rename the case"},
        {kSoftmax + "{ name = \"more\", inputs = \"odd\", sizes = { N = 2, D = 3 } }]\n", "4",
         "no inputs called 'odd'", "known are normal"},
        {kSoftmax + "{ name = \"more\", inputs = \"normal\", sizes = { N = 2 } }]\n", "4", "gives no D",
         "softmax needs N, D"},
        {kSoftmax + "{ name = \"more\", inputs = \"normal\", sizes = { N = 2, D = 3 }, points = 5 }]\n", "4",
         "unknown key 'points'", "disclosure, inputs, look, name"},
        {kSoftmax + kCase + "]\nnumeric = 5\n", "6", "unknown key 'numeric'", "known are cases, function"},
    };
    return kAll;
}

BOOST_AUTO_TEST_CASE(secret_cases_are_added_only_on_request) {
    const RubricWithSecrets secrets(kSoftmax + kCase + "]\n");
    const Rubric open = read_rubric(secrets.path), all = secrets.read();
    BOOST_TEST(all.points() == open.points());
    BOOST_REQUIRE(all.parts.at(0).cases.size() == open.parts.at(0).cases.size() + 1);
    BOOST_TEST(all.parts.at(1).cases.size() == open.parts.at(1).cases.size());
    const CaseRubric& added = all.parts.at(0).cases.back();
    BOOST_TEST(added.name == "more");
    BOOST_TEST(added.recipe->name == "normal");
    BOOST_TEST((added.sizes == ask::Sizes{{"N", 2}, {"D", 3}}));
    BOOST_TEST(read_rubrics(secrets.folder.path(), SecretCases::added).at(0).parts.at(0).cases.size() ==
               all.parts.at(0).cases.size());
    BOOST_TEST(read_rubrics(secrets.folder.path()).at(0).parts.at(0).cases.size() ==
               open.parts.at(0).cases.size());
}

BOOST_AUTO_TEST_CASE(secret_toml_is_optional) {
    const RubricWithSecrets secrets(kSoftmax + kCase + "]\n");
    std::filesystem::remove(secrets.file());
    BOOST_TEST(secrets.read().parts.at(0).cases.size() == read_rubric(secrets.path).parts.at(0).cases.size());
}

BOOST_DATA_TEST_CASE(an_invalid_file_is_refused_with_its_line, boost::unit_test::data::make(all_refused()),
                     refused) {
    const RubricWithSecrets secrets(refused.text);
    BOOST_CHECK_EXCEPTION(
        secrets.read(), UserError,
        message_contains({secrets.file() + ":" + refused.line + (refused.line.empty() ? "" : ": "),
                          refused.found, refused.expected}));
    read_rubric(secrets.path);
}

BOOST_AUTO_TEST_CASE(mutated_files_are_read_or_refused) {
    const std::string shipped = data::read_file(kAssignments / kModule / "secret.toml");
    const RubricWithSecrets secrets(shipped);
    data::Mutator mutate(7);
    data::fuzz<UserError>(1000, [&](int) {
        data::write_anew(secrets.folder, kModule + "/secret.toml", mutate({shipped}));
        for (const PartRubric& part : secrets.read().parts)
            for (const CaseRubric& each : part.cases)
                if (each.recipe == nullptr || each.sizes.empty())
                    BOOST_ERROR("a case without recipe or sizes");
    });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::rubric
