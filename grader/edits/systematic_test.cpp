// The systematic edits of the plain loops.

#include "grader/edits/systematic.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "grader/ask/module.h"
#include "grader/edits/packed.h"
#include "grader/testing/sample.h"

namespace attn::edits {
BOOST_AUTO_TEST_SUITE(systematic)
BOOST_AUTO_TEST_CASE(every_function_has_many_edits_and_nearly_all_can_be_read) {
    Program& program = packed_program();
    std::vector<const ask::Module*> all;
    for (const ask::Module& module : ask::modules()) all.push_back(&module);
    for (const ask::Module* const module : proof::drawn(all, proof::at_most(5)))
        for (const ask::Function& function : module->functions) {
            const int number = program.find_public(function.name);
            BOOST_TEST_REQUIRE(number >= 0, function.name << " is not among the plain loops");
            const std::vector<SystematicEdit> edits = systematic_edits(program, number);
            BOOST_TEST(edits.size() >= 150U, function.name << " has " << edits.size());
            int unreadable = 0, without_equation = 0;
            for (const SystematicEdit& edit : edits) {
                without_equation += equation_of(program, edit).empty() ? 1 : 0;
                try {
                    const EditedFunctions made(program, as_edits(program, edit));
                } catch (const SourceError&) {
                    ++unreadable;
                }
            }
            BOOST_TEST(unreadable * 8 <= static_cast<int>(edits.size()),
                       function.name << ": " << unreadable << " cannot be read");
            BOOST_TEST(without_equation == 0,
                       function.name << ": " << without_equation << " are in no equation");
        }
}

BOOST_AUTO_TEST_CASE(edits_are_told_in_words_with_their_equation) {
    const Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find_public("scaled_dot_product_attention"));
    const auto equation_where = [&](const std::string& said) {
        const auto found = std::ranges::find(edits, said, &SystematicEdit::said);
        return found == edits.end() ? "no edit: " + said : equation_of(program, *found);
    };
    BOOST_TEST(equation_where("the loop over d ends at N_q") == "E = Q K^T / sqrt(D_q)");
    BOOST_TEST(equation_where("K(b, d, j) stands where K(b, j, d) belongs") == "E = Q K^T / sqrt(D_q)");
    BOOST_TEST(equation_where("N_k stands where D_q belongs") == "E = Q K^T / sqrt(D_q)");
    BOOST_TEST(equation_where("softmax(A_b, E) is left out") == "A = softmax(E) by rows");
    BOOST_TEST(equation_where("K stands where V belongs") == "Y = A V");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn::edits
