// The systematic edits of the plain loops.

#include "grader/edits/systematic.h"

#include <algorithm>

#include <boost/test/unit_test.hpp>

#include "grader/ask/module.h"
#include "grader/edits/generator.h"
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
    BOOST_TEST(equation_where("the range of d ends at N_q instead of D_q") == "E = Q K^T / sqrt(D_q)");
    BOOST_TEST(equation_where("K(b, d, j) is used instead of K(b, j, d)") == "E = Q K^T / sqrt(D_q)");
    BOOST_TEST(equation_where("N_k is used instead of D_q") == "E = Q K^T / sqrt(D_q)");
    BOOST_TEST(equation_where("softmax(A, E) is left out") == "A = softmax(E) by rows");
    BOOST_TEST(equation_where("K is used instead of V") == "Y = A V");
    const auto of_model = systematic_edits(program, program.find_public("language_model"));
    BOOST_TEST((std::ranges::find(of_model, "gelu_tanh is used instead of gelu_erf", &SystematicEdit::said) !=
                of_model.end()));
}

BOOST_AUTO_TEST_CASE(an_edit_of_a_helper_is_told_at_its_own_equation) {
    const Program& program = packed_program();
    const auto equation_where = [&](const char* helper, const char* file, const std::string& said) {
        const int number = program.find(helper, file);
        BOOST_TEST_REQUIRE(number >= 0, helper);
        const auto edits = systematic_edits(program, number);
        const auto found = std::ranges::find(edits, said, &SystematicEdit::said);
        return found == edits.end() ? "no edit: " + said : equation_of(program, *found);
    };
    const std::string gelu_tanh = "gelu_tanh(x) = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2";
    for (const char* const said : {"0.44715 is used instead of 0.044715",
                                   "0.04475 is used instead of 0.044715", "tanh(inner) is taken as 0"})
        BOOST_TEST(equation_where("activated", "reference/transformer_block.cpp", said) == gelu_tanh);
    BOOST_TEST(equation_where("sigma", "reference/seq2seq.cpp", "2 is used instead of 1") ==
               "sigma(x) = 1 / (1 + exp(-x))");
}

BOOST_AUTO_TEST_CASE(an_edit_of_a_helper_without_an_equation_is_told_at_that_of_the_caller_in_question) {
    const Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find("sum_of", "reference/seq2seq.cpp"));
    BOOST_TEST_REQUIRE(!edits.empty());
    const auto told_for = [&](const char* user) {
        return equation_of(program, edits.front(), program.find_public(user));
    };
    BOOST_TEST(told_for("rnn_cell") == "h = tanh(x W_x + h_prev W_h + b)");
    BOOST_TEST(told_for("lstm_cell") == "[z_i, z_f, z_g, z_o] = x W_x + h_prev W_h + b");
    BOOST_TEST(told_for("gru_cell") != told_for("lstm_cell"));
    BOOST_TEST(told_for("gru_cell") != told_for("rnn_cell"));
}

BOOST_AUTO_TEST_CASE(an_edit_of_a_helper_is_told_at_the_equation_of_the_array_that_it_writes) {
    const Program& program = packed_program();
    const int user = program.find_public("tlm_input");
    std::vector<std::string> equations;
    for (const int helper : own_functions(program, user))
        for (const SystematicEdit& edit : systematic_edits(program, helper))
            if (edit.said == "0 is used instead of 1" &&
                place_in_words(program, edit) == " in positions(end) = n_2 + 1")
                equations.push_back(equation_of(program, edit, user));
    // Two points at the end of a list are no full stop.
    const std::vector<std::string> expected = {"positions[b] = 0, 1, .., n_1, 0, 1, .., n_2 + 1, 0, 0, .."};
    BOOST_TEST(equations == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_term_that_is_assigned_at_the_same_time_is_not_added) {
    const Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find_public("softmax"));
    BOOST_TEST(std::ranges::count(edits, "exp(X(i, j) - m) is not added to sum for the last j",
                                  &SystematicEdit::said) == 1);
}

BOOST_AUTO_TEST_CASE(an_edit_of_a_whole_array_is_told_at_an_equation_that_names_the_array) {
    const Program& program = packed_program();
    const auto edits =
        systematic_edits(program, program.find_public("scaled_dot_product_attention_backward"));
    const auto equation_where = [&](const std::string& said) {
        const auto found = std::ranges::find(edits, said, &SystematicEdit::said);
        return found == edits.end() ? "no edit: " + said : equation_of(program, *found);
    };
    BOOST_TEST(equation_where("only index 0 of V is read along its first axis") == "dA = dY V^T");
    BOOST_TEST(equation_where("dK is halved") == "dK = dE^T Q / sqrt(D_q)");
    BOOST_TEST(equation_where("dV has the wrong sign") == "dV = A^T dY");
}

BOOST_AUTO_TEST_CASE(a_step_without_an_equation_above_is_told_at_one_with_its_array) {
    const Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find_public("decoder_step_backward"));
    const auto found = std::ranges::find_if(edits, [](const SystematicEdit& edit) {
        return edit.said.ends_with("is left out, and s is a copy of s_prev");
    });
    BOOST_TEST_REQUIRE((found != edits.end()));
    BOOST_TEST(equation_of(program, *found) == "dz = ds (1 - s^2)");
    const auto of_loop = systematic_edits(program, program.find_public("self_attention"));
    const auto range =
        std::ranges::find(of_loop, "the range of b has the first value only", &SystematicEdit::said);
    BOOST_TEST_REQUIRE((range != of_loop.end()));
    BOOST_TEST(equation_of(program, *range) == "Q = X W_Q, K = X W_K, V = X W_V");
    std::vector<std::string> told;
    for (const SystematicEdit& edit : of_loop)
        if (edit.said == "X of batch 0 is used for every batch") told.push_back(equation_of(program, edit));
    BOOST_TEST(told == (std::vector<std::string>{"Q = X W_Q", "K = X W_K", "V = X W_V"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_edit_in_another_file_is_told_at_the_equation_of_its_call) {
    const Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find_public("masked_softmax"));
    BOOST_TEST_REQUIRE(!edits.empty());
    const auto told_for = [&](const char* user) {
        return equation_of(program, edits.front(), program.find_public(user));
    };
    BOOST_TEST(told_for("grid_attention") == "a = softmax(e) by rows, where the mask allows");
    BOOST_TEST(told_for("masked_softmax") == equation_of(program, edits.front()));
}

BOOST_AUTO_TEST_CASE(an_edit_in_another_function_of_the_file_is_told_at_the_equation_of_its_call) {
    const Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find_public("merge_heads"));
    BOOST_TEST_REQUIRE(!edits.empty());
    const int user = program.find_public("multi_head_attention");
    BOOST_TEST(equation_of(program, edits.front(), user) == "Y = [O_0, .., O_{H-1}] W_O + b_O");
    BOOST_TEST(function_around(program, edits.front(), user) == "merge_heads");
    BOOST_TEST(function_around(program, edits.front(), edits.front().function) == "");
    const auto helper = systematic_edits(program, program.find("sum_of", "reference/seq2seq.cpp"));
    BOOST_TEST(function_around(program, helper.front(), program.find_public("rnn_cell")) == "");
}

BOOST_AUTO_TEST_CASE(of_equal_letters_the_place_is_told) {
    const Program& program = packed_program();
    const auto places = [&](const char* function, const std::string& said) {
        std::vector<std::string> found;
        for (const SystematicEdit& edit : systematic_edits(program, program.find_public(function)))
            if (edit.said == said) found.push_back(place_in_words(program, edit));
        return found;
    };
    const std::vector<std::string> gamma = {" in mean_g += dY(i, d) * gamma(d)",
                                            " in dY(i, d) * gamma(d) * x_hat(i, d)", ""};
    BOOST_TEST(places("layer_norm_backward", "gamma(d) is taken as 1") == gamma,
               boost::test_tools::per_element());
    const std::vector<std::string> da = {" in g(b, k) * a(b, k)", " in (g(b, j) - sum)"};
    BOOST_TEST(places("attention_context_backward", "da is used instead of g") == da,
               boost::test_tools::per_element());
    // A letter that stands once at its equation needs no place.
    const std::vector<std::string> V = {""};
    BOOST_TEST(places("scaled_dot_product_attention", "V(b, j, d) is taken as 0") == V,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(brackets_make_no_other_place) {
    const Program& program = packed_program();
    std::vector<std::string> places;
    const int helper = program.find("places_before", "reference/convolution_attention.cpp");
    for (const SystematicEdit& edit : systematic_edits(program, helper))
        if (edit.said == "0 is used instead of 1") places.push_back(place_in_words(program, edit));
    // K - 1 stands in both.
    const std::vector<std::string> expected = {" in (K - 1) / 2", ""};
    BOOST_TEST(places == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_factor_of_a_longer_product_is_not_one_too_small) {
    const Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find("of_attention", "reference/sizes.cpp"));
    // attention = 4 D D + 4 D
    BOOST_TEST(std::ranges::count(edits, "4 * D is one too small", &SystematicEdit::said) == 1);
    BOOST_TEST(std::ranges::count(edits, "4 * D * D is one too small", &SystematicEdit::said) == 1);
}

BOOST_AUTO_TEST_CASE(a_copy_is_told_as_an_equation) {
    BOOST_TEST(as_formula("copy_vector < T > ( u_prev [ b ] , u [ b ] )") == "u_prev[b] = u[b]");
    BOOST_TEST(as_formula("copy ( x , c )") == "x = c");
    BOOST_TEST(as_formula("copy_states ( f ( a , b ) , s )") == "f(a, b) = s");
    BOOST_TEST(as_formula("std :: copy ( a , b , c )") == "copy(a, b, c)");
    BOOST_TEST(as_formula("copies ( a , b ) * ( c )") == "copies(a, b) * c");
}

BOOST_AUTO_TEST_CASE(a_row_of_a_table_is_a_whole_equation) {
    BOOST_TEST(equation_in("///   steps      = N,        1,                  1                      [3]") ==
               "steps = N, 1, 1");
    BOOST_TEST(equation_in("///   y = x      [D]") == "y = x");
}

BOOST_AUTO_TEST_CASE(an_array_that_is_handed_on_can_be_scaled_by_a_size) {
    Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find_public("multi_head_attention"));
    const auto found = std::ranges::find(edits, "b_O is multiplied by H", &SystematicEdit::said);
    BOOST_TEST_REQUIRE((found != edits.end()));
    BOOST_TEST(equation_of(program, *found) == "Y = [O_0, .., O_{H-1}] W_O + b_O");
    BOOST_CHECK_NO_THROW(EditedFunctions(program, as_edits(program, *found)));
}

BOOST_AUTO_TEST_CASE(helpers_that_words_name_are_explained) {
    const Program& program = packed_program();
    SystematicEdit edit;
    edit.function = program.find_public("relative_attention");
    BOOST_TEST(helpers_in_words(program, edit, "i and j are exchanged in row_of_distance(i, j, C)") ==
               " (row_of_distance: The row of R_K and R_V for query i and key j)");
    BOOST_TEST(helpers_in_words(program, edit, "R_V is used instead of R_K") == "");
    BOOST_TEST(helpers_in_words(program, edit, "no_row_of_distance(i) is taken as 0") == "");
}

BOOST_AUTO_TEST_CASE(arrays_that_only_words_name_are_told_with_their_equations) {
    const Program& program = packed_program();
    SystematicEdit edit;
    edit.function = program.find_public("transformer_block");
    const std::string last = "Y = LN_2(Z + FF(Z))";
    BOOST_TEST(arrays_in_words(program, edit, last, "S is used instead of Z in FF(M, Z)") ==
               " (Z = LN_1(S) with S = X + MHA(X, X))");
    BOOST_TEST(arrays_in_words(program, edit, last, "X is used instead of Z in FF(M, Z)") == "");
    BOOST_TEST(
        arrays_in_words(program, edit, "Z = LN_1(S) with S = X + MHA(X, X)", "S is used instead of X") == "");
}

BOOST_AUTO_TEST_CASE(a_helper_has_no_documentation_of_another_function_with_its_name) {
    const Program& program = packed_program();
    int helpers = 0;
    for (int k = 0; k < program.count(); ++k) {
        if (program.declaration(k).name != "encode" || program.is_public(k)) continue;
        ++helpers;
        BOOST_TEST(program.documentation(k).find("x_t") == std::string::npos);  // that of assignment 7
    }
    BOOST_TEST(helpers > 0);
    BOOST_TEST(program.documentation(program.find_public("encode")).find("x_t") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_step_that_serves_two_equations_is_told_at_both) {
    const Program& program = packed_program();
    const auto edits = systematic_edits(program, program.find_public("sinusoidal_positions"));
    const auto found = std::ranges::find(edits, "d / 2 * 2 is used instead of d / 2", &SystematicEdit::said);
    BOOST_TEST_REQUIRE((found != edits.end()));
    BOOST_TEST(equation_of(program, *found) ==
               "P[p, 2i] = sin(p / 10000^(2i/D)), P[p, 2i + 1] = cos(p / 10000^(2i/D))");
}

BOOST_AUTO_TEST_CASE(common_mistakes_are_among_the_edits) {
    const Program& program = packed_program();
    const std::pair<const char*, const char*> all[] = {
        {"additive_scores", "q is not set to 0 anew"},
        {"rotary_positions", "offset is added to the result, not to what goes in"},
        {"layer_norm", "D - 1 is used instead of D, and 1 where D is 1"},
        {"encode", "N is used everywhere instead of lengths(b)"},
        {"embed_patches", "cls(d) is used for image = 0 only"},
        {"linear_attention", "z is not reset to 0 for each b"},
        {"translate_greedy", "ended is not reset to false for each b"},
        {"layer_norm", "X.size(0) is used instead of D"},
        {"additive_scores_backward", "q(b, d) + k(b, j, d) is used instead of tanh(q(b, d) + k(b, j, d))"}};
    for (const auto& [function, said] : all) {
        const auto edits = systematic_edits(program, program.find_public(function));
        const auto found = std::ranges::find(edits, said, &SystematicEdit::said);
        BOOST_TEST_REQUIRE((found != edits.end()), function << ": " << said);
        BOOST_CHECK_NO_THROW(EditedFunctions(packed_program(), as_edits(packed_program(), *found)));
    }
}

BOOST_AUTO_TEST_CASE(likely_places_of_a_mistake_come_first) {
    const Program& program = packed_program();
    const int function = program.find_public("transformer_block");
    const std::vector<EditPlace> places = edit_places(program, function);
    const auto place_of = [&](const char* name) {
        const auto found = std::ranges::find_if(places, [&](const EditPlace& place) {
            return place.caller < 0 && program.declaration(place.function).name == name;
        });
        BOOST_TEST_REQUIRE((found != places.end()), name);
        return found - places.begin();
    };
    BOOST_TEST(place_of("transformer_block") == 0);
    // add() is a helper of the block. layer_norm() has cases of its own.
    BOOST_TEST(place_of("add") < place_of("layer_norm"));
    const auto at_one_call =
        std::ranges::count_if(places, [](const EditPlace& place) { return place.caller >= 0; });
    BOOST_TEST(at_one_call > 10);
}

BOOST_AUTO_TEST_CASE(edits_are_told_without_code) {
    const Program& program = packed_program();
    for (const char* const name : {"softmax", "masked_softmax", "feed_forward", "learning_rate", "rnn_cell"})
        for (const SystematicEdit& edit : systematic_edits(program, program.find_public(name))) {
            BOOST_TEST(!edit.said.empty());
            for (const char* const code : {"std", "::", "T(", "static_cast", "_read", "stands where",
                                           "handed on", "weights.", "for(", "if(", "{"})
                BOOST_TEST(edit.said.find(code) == std::string::npos, edit.said);
        }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn::edits
