// The catalogue for authors lists every recipe, property and helper that exists.

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/ask/module.h"
#include "grader/contract/documented_functions.h"
#include "grader/contract/tokens.h"
#include "grader/testing/built.h"
#include "grader/testing/run_grader.h"

namespace attn::cli {
namespace {

const std::string& catalogue() {
    static const Run kRun = run_grader({"catalogue"});
    BOOST_REQUIRE(kRun.exit_code == 0);
    return kRun.text;
}

bool a_line_has(const std::vector<std::string>& parts) {
    for (std::size_t at = 0; at < catalogue().size();) {
        const std::size_t end = std::min(catalogue().find('\n', at), catalogue().size());
        const std::string line = catalogue().substr(at, end - at);
        bool all = true;
        for (const std::string& part : parts) all = all && contains(line, part);
        if (all) return true;
        at = end + 1;
    }
    return false;
}

/// The names before a parenthesis outside of lists of parameters and types: the functions that a header declares.
std::vector<std::string> functions_in(const std::string& header) {
    const auto tokens = contract::tokens_of(header, data::read_file(testing::built().sources / header));
    std::vector<std::string> names;
    int depth = 0;
    for (std::size_t k = 1; k < tokens.size(); ++k) {
        if (depth == 0 && tokens[k].is("(") && tokens[k - 1].kind == contract::TokenKind::word)
            names.push_back(tokens[k - 1].text);
        const bool opens = tokens[k].is("(") || tokens[k].is("<"),
                   closes = tokens[k].is(")") || tokens[k].is(">");
        depth += opens ? 1 : closes ? -1 : 0;
    }
    return names;
}

BOOST_AUTO_TEST_SUITE(catalogue_command)

BOOST_AUTO_TEST_CASE(every_recipe_and_property_is_listed_with_its_description) {
    for (const ask::Module& module : ask::modules()) {
        for (const ask::Recipe& recipe : module.recipes)
            BOOST_TEST(a_line_has({"  " + recipe.name + " ", module.name, recipe.about}), recipe.name);
        for (const auto& [function, properties] : module.properties)
            for (const ask::Property& property : properties)
                BOOST_TEST(a_line_has({"  " + property.name + " ", function, property.statement}),
                           property.name);
        BOOST_TEST(a_line_has({"  " + module.name + " ", std::to_string(module.mistakes.size())}));
    }
}

BOOST_AUTO_TEST_CASE(every_function_of_the_helper_headers_is_listed) {
    for (const char* header :
         {"grader/ask/inputs.h", "grader/ask/laws.h", "grader/ask/dims.h", "grader/ask/flop.h"}) {
        const auto functions = functions_in(header);
        BOOST_TEST(functions.size() >= 2U, header);
        BOOST_TEST(a_line_has({header}));
        for (const std::string& function : functions)
            BOOST_TEST(a_line_has({"    ", " " + function + "("}), function);
    }
    // With its comment.
    BOOST_TEST(contains(catalogue(),
                        "    Array leading(const Array& array, int axis, int count)\n"
                        "        The first `count` slices along `axis`.\n"));
    // A helper of an assignment.
    BOOST_TEST(a_line_has({"Arrays consistent(Arrays inputs, bool causal)"}));
}

BOOST_AUTO_TEST_CASE(a_catalogue_takes_no_arguments_and_explains_itself) {
    check_run({"catalogue", "2"}, 2, {"takes no arguments", "usage: grader catalogue"});
    check_run({"catalogue", "--help"}, 0, {"usage: grader catalogue", "\n  grader catalogue | less\n"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::cli
