// The schemas of the output formats: each accepts the text of its writer and rejects a text with one error.

#include "grader/testing/schemas.h"

#include <cstdio>
#include <memory>
#include <set>
#include <string>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/report/fields.h"
#include "grader/report/json.h"
#include "grader/report/platforms/formats.h"
#include "grader/testing/built.h"
#include "grader/testing/golden.h"

namespace attn::report {
namespace {

using nlohmann::json;

const std::string kSchemas = testing::built().sources / "grader/report/platforms/schemas/";

/// The standard output and error of a command.
std::string output_of(const std::string& command) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"),
                                                               pclose);
    if (!pipe) return "popen failed";
    std::string text;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;)
        text.append(buffer, n);
    return text;
}

}  // namespace

std::string json_complaints(const std::string& name, const std::string& text) {
    using valijson::adapters::NlohmannJsonAdapter;
    const json document = json::parse(text, nullptr, false);
    if (document.is_discarded()) return "this is no JSON: " + text.substr(0, 200);
    const json rules = json::parse(data::read_file(kSchemas + name + ".schema.json"));
    valijson::Schema schema;
    valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(rules), schema);
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(schema, NlohmannJsonAdapter(document), &results)) return "";
    std::string complaints;
    for (valijson::ValidationResults::Error error; results.popError(error);) {
        for (const std::string& place : error.context) complaints += place;
        complaints += ": " + error.description + '\n';
    }
    return complaints;
}

std::string junit_complaints(const std::string& text) {
    const data::TemporaryDirectory folder;
    const std::string file = folder.write("report.xml", text).string();
    const std::string words = output_of("xmllint --noout --nonet --schema " + kSchemas + "junit.xsd " + file);
    return words == file + " validates\n" ? "" : words;
}

namespace {

/// The schema's complaints about golden()'s JSON after a change.
template <class Break>
std::string complaints_after(const std::string& schema, const std::string& text, Break change) {
    json document = json::parse(text);
    BOOST_TEST_REQUIRE(json_complaints(schema, text) == "");
    change(document);
    return json_complaints(schema, document.dump());
}

/// Checks that the schema rejects unknown properties, missing properties and wrong types.
void check_refusals(const std::string& schema, const std::string& text, const json::json_pointer& object,
                    const std::string& member) {
    BOOST_TEST_CONTEXT(schema << " at " << object.to_string()) {
        BOOST_TEST(contains(
            complaints_after(schema, text, [&](json& document) { document[object]["forgotten"] = 1; }),
            "forgotten"));
        BOOST_TEST(contains(
            complaints_after(schema, text, [&](json& document) { document[object].erase(member); }), member));
        BOOST_TEST(complaints_after(schema, text, [&](json& document) {
                       document[object][member] = json::array({json::array()});
                   }) != "");
    }
}

using Pointer = json::json_pointer;

using Names = std::set<std::string>;

/// Checks that `part` of the schema of reports describes values of type T: the same fields, and as required
/// those that are always written.
template <class T>
struct Described {
    static void check(const json& schema, const json& part) {
        if (part.contains("$ref"))
            return check(schema, schema.at(Pointer(part.at("$ref").get<std::string>().substr(1))));
        if constexpr (HasFields<T>) {
            Names names, always;
            if (std::is_same_v<T, Report>) names = always = {"schema_version", "findings"};
            T value;
            for_each_field(value, [&]<class M>(const Field<M>& field) {
                names.insert(field.name);
                const bool is_optional = requires {
                    field.value.has_value();
                };
                if ((field.rules & kUnlessEmpty) == 0 && (!is_optional || (field.rules & kOrNull) != 0))
                    always.insert(field.name);
                BOOST_TEST_CONTEXT(field.name) {
                    BOOST_TEST_REQUIRE(part.at("properties").contains(field.name));
                    Described<M>::check(schema, part.at("properties").at(field.name));
                }
            });
            Names described;
            for (const auto& property : part.at("properties").items()) described.insert(property.key());
            BOOST_TEST(described == names, boost::test_tools::per_element());
            BOOST_TEST(part.at("required").template get<Names>() == always, boost::test_tools::per_element());
            BOOST_TEST(part.at("additionalProperties") == false);
        } else if (!part.contains("enum")) {
            const json type = part.at("type").is_array() ? part.at("type").at(0) : part.at("type");
            BOOST_TEST(type == (std::is_same_v<T, std::string> ? "string"
                                : std::is_same_v<T, bool>      ? "boolean"
                                : std::is_integral_v<T>        ? "integer"
                                                               : "number"));
        }
    }
};

template <class T>
struct Described<std::optional<T>> : Described<T> {};

template <class T>
struct Described<std::vector<T>> {
    static void check(const json& schema, const json& part) {
        if (part.contains("$ref"))
            return check(schema, schema.at(Pointer(part.at("$ref").get<std::string>().substr(1))));
        BOOST_TEST(part.at("type") == "array");
        Described<T>::check(schema, part.at("items"));
    }
};

BOOST_AUTO_TEST_SUITE(schemas)

BOOST_AUTO_TEST_CASE(the_schema_of_a_report_has_its_fields_and_no_others) {
    const json schema = json::parse(data::read_file(kSchemas + "report.schema.json"));
    Described<Report>::check(schema, schema);
}

BOOST_AUTO_TEST_CASE(every_object_of_a_report_is_described) {
    const std::string text = to_json(golden());
    const std::string checks = "/assignments/0/parts/0/checks/", slow = "/assignments/0/parts/2/checks/";
    const std::pair<std::string, const char*> places[] = {{"", "seed"},
                                                          {"/assignments/0", "total_always"},
                                                          {"/assignments/0/sources/0", "exists"},
                                                          {"/assignments/0/parts/0", "charged_at"},
                                                          {checks + "1", "outcome"},
                                                          {checks + "1/difference", "error_yardsticks"},
                                                          {checks + "1/smallest", "sizes"},
                                                          {checks + "1/smallest/inputs/0", "shape"},
                                                          {checks + "1/diagnosis", "mistakes"},
                                                          {checks + "1/pictures/0", "slice"},
                                                          {checks + "1/pictures/0/map", "errors"},
                                                          {checks + "1/photograph", "pixels"},
                                                          {slow + "1/speed", "settled"},
                                                          {slow + "1/speed/times_plain", "low"},
                                                          {slow + "1/speed/scale/0", "share"},
                                                          {slow + "2/growth/0", "exponent"},
                                                          {slow + "2/growth/0/plain", "above"}};
    for (const auto& [place, member] : places) check_refusals("report", text, Pointer(place), member);
    BOOST_TEST(
        contains(complaints_after("report", text,
                                  [&](json& document) { document[Pointer(checks + "1/outcome")] = "good"; }),
                 "outcome"));
    BOOST_TEST(complaints_after("report", text, [](json& document) { document["schema_version"] = 1; }) !=
               "");
}

BOOST_AUTO_TEST_CASE(the_schema_has_the_enumerators_of_the_code) {
    const json check = json::parse(data::read_file(kSchemas + "report.schema.json"))
                           .at("definitions")
                           .at("check")
                           .at("properties");
    BOOST_TEST(check.at("outcome").at("enum") == json(kOutcomeNames));
    BOOST_TEST(check.at("disclosure").at("enum") == json(kDisclosureNames));
}

BOOST_AUTO_TEST_CASE(the_formats_of_the_platforms_are_described) {
    const std::string gradescope = to_gradescope(golden()), prairielearn = to_prairielearn(golden()),
                      classroom50 =
                          to_classroom50(golden(), {"", "", "", "", "", "", "2026-11-21T18:00:00Z"});
    check_refusals("gradescope", gradescope, Pointer(""), "score");
    check_refusals("gradescope", gradescope, Pointer("/tests/1"), "visibility");
    check_refusals("gradescope", gradescope, Pointer("/leaderboard/0"), "order");
    check_refusals("classroom50", classroom50, Pointer(""), "max-score");
    check_refusals("classroom50", classroom50, Pointer("/tests/0"), "test-name");
    const auto refused = [](const std::string& schema, const std::string& text, const char* place,
                            const json& value) {
        BOOST_TEST_CONTEXT(schema << ' ' << place << ' ' << value)
        BOOST_TEST(
            complaints_after(schema, text, [&](json& document) { document[Pointer(place)] = value; }) != "");
    };
    refused("gradescope", gradescope, "/tests/1/visibility", "secret");
    refused("gradescope", gradescope, "/tests/1/number", "2.1");
    refused("gradescope", gradescope, "/score", nullptr);
    refused("prairielearn", prairielearn, "/score", 1.01);
    refused("prairielearn", prairielearn, "/gradable", false);
    refused("prairielearn", prairielearn, "/images/0/url", "javascript:alert(1)");
    refused("prairielearn", prairielearn, "/tests/0/forgotten", 1);
    refused("classroom50", classroom50, "/tests/0/score", 2.5);
    refused("classroom50", classroom50, "/datetime", "yesterday");
}

BOOST_AUTO_TEST_CASE(autolab_accepts_no_colon_in_a_name) {
    const std::string line = R"({"scores": {"softmax": 20}, "scoreboard": [20, 1.5]})";
    BOOST_TEST(json_complaints("autolab", line) == "");
    BOOST_TEST(json_complaints("autolab", R"({"scores": {"soft: max": 20}, "scoreboard": [20]})") != "");
    BOOST_TEST(json_complaints("autolab", R"({"scores": {"softmax": "20"}, "scoreboard": [20]})") != "");
    BOOST_TEST(json_complaints("autolab", R"({"scores": {"softmax": 20}})") != "");
    BOOST_TEST(json_complaints("autolab", "scores: 20") != "");
}

BOOST_AUTO_TEST_CASE(junit_has_its_elements_in_order_and_no_other_attributes) {
    const std::string text = to_junit(golden());
    BOOST_TEST(junit_complaints(text) == "");
    const auto with = [&text](const std::string& what, const std::string& instead) {
        std::string changed = text;
        BOOST_TEST_REQUIRE(contains(text, what));
        return junit_complaints(changed.replace(changed.find(what), what.size(), instead));
    };
    BOOST_TEST(contains(with("<testcase ", "<testcase file=\"a.cpp\" "), "'file' is not allowed"));
    BOOST_TEST(contains(with("<testcase ", "<testcase line=\"1\" "), "'line' is not allowed"));
    BOOST_TEST(contains(with("time=\"1.250\"", "time=\"inf\""), "'inf'"));
    BOOST_TEST(contains(with(" errors=\"0\"", ""), "'errors' is required"));
    BOOST_TEST(contains(with("<failure ", "<system-out/><failure "), "failure"));
    BOOST_TEST(with("</testsuite>", "") != "");
    // Jenkins rejects the attribute that GitLab expects.
    BOOST_TEST(contains(junit_complaints(to_junit(golden(), JunitDialect::gitlab)), "'file' is not allowed"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::report
