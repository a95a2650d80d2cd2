// The arrays that the plain loops compute on their way have the handouts' names and the right numbers.

#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/ask/edited.h"
#include "grader/ask/inputs.h"
#include "grader/edits/packed.h"
#include "grader/edits/systematic.h"
#include "grader/testing/built.h"

namespace attn {
BOOST_AUTO_TEST_SUITE(intermediates)
namespace {

constexpr std::size_t kMany = 100'000;

struct Call {
    const ask::Function& function;
    Arrays inputs;
    explicit Call(const std::string& name, ask::Sizes sizes, const ask::Setting& setting = {})
        : function(*ask::module_of(name)->find_function(name)) {
        for (const std::string& letter : function.letters()) sizes.try_emplace(letter, 1);
        ask::Random random(1, name);
        inputs = make_inputs(function, *ask::module_of(name)->find_recipe("normal"), sizes, setting, random);
    }
    Arrays intermediates(std::size_t most = kMany) const {
        return ask::intermediates(function, inputs, most);
    }
};

/// "E [2, 3], A [2, 3]"
std::string names_of(const Arrays& arrays) {
    std::string text;
    for (const Array& array : arrays)
        text += (text.empty() ? "" : ", ") + array.name + " " + to_string(array.shape);
    return text;
}

/// The names in a text, without an index behind them: "s", "e" and "mean_g" of `s_t = e_{t,j} mean_g_i`. A word is a name
/// in code, and elsewhere if it has a capital letter.
std::set<std::string> names_in(const std::string& text) {
    static const std::regex kCode("```[^`]*```|`[^`]*`"), kName("[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*"),
        kIndex("_[a-z]$");
    std::set<std::string> names;
    const auto add = [&](const std::string& piece, bool is_code) {
        for (std::sregex_iterator name(piece.begin(), piece.end(), kName), end; name != end; ++name) {
            const std::string word = name->str();
            if (!is_code && std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; })) continue;
            names.insert(word);
            names.insert(std::regex_replace(word, kIndex, ""));
        }
    };
    add(text, false);
    for (std::sregex_iterator code(text.begin(), text.end(), kCode), end; code != end; ++code)
        add(code->str(), true);
    return names;
}

/// Of the step of each function in its handout.
const std::map<std::string, std::set<std::string>>& names_in_steps() {
    static const auto kNames = [] {
        static const std::regex kStep("\n## Step [0-9]+: `([a-z_0-9]+)`\n([^]*?)(?=\n## )");
        std::map<std::string, std::set<std::string>> names;
        for (const auto& folder : std::filesystem::directory_iterator(testing::built().assignments)) {
            if (!std::filesystem::exists(folder.path() / "README.md")) continue;
            const std::string handout = data::read_file(folder.path() / "README.md");
            for (std::sregex_iterator step(handout.begin(), handout.end(), kStep), end; step != end; ++step)
                names[(*step)[1]] = names_in((*step)[2]);
        }
        return names;
    }();
    return kNames;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_computed_block_by_block_is_left_out) {
    const auto names = [](int B_c) {
        const Call call("blocked_attention", {{"N", 2}, {"D_q", 2}, {"B_r", 2}, {"B_c", B_c}});
        return names_of(call.intermediates());
    };
    BOOST_TEST(names(2) == "E [2, 2], m_new [1, 2], m [1, 2], O [2, 1]");
    BOOST_TEST(names(1) == "m [1, 2], O [2, 1]");
}

BOOST_AUTO_TEST_CASE(attention_computes_scores_and_weights) {
    const Call call("scaled_dot_product_attention",
                    {{"B", 2}, {"N_q", 3}, {"N_k", 4}, {"D_q", 5}, {"D_v", 1}});
    const Arrays found = call.intermediates();
    BOOST_TEST(names_of(found) == "E [2, 3, 4]");  // A is an output
    const auto Q = ask::by_name(call.inputs, "Q").view<float, 3>(),
               K = ask::by_name(call.inputs, "K").view<float, 3>();
    const auto E = found.front().view<double, 3>();
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 4; ++j) {
                double dot = 0;
                for (int d = 0; d < 5; ++d)
                    dot += static_cast<double>(Q(b, i, d)) * static_cast<double>(K(b, j, d));
                BOOST_TEST(std::abs(E(b, i, j) - dot / std::sqrt(5.0)) < 1e-12);
            }
}

BOOST_AUTO_TEST_CASE(every_function_has_those_of_its_handout) {
    const auto of = [](const std::string& name, const ask::Sizes& sizes, const ask::Setting& setting = {}) {
        return names_of(Call(name, sizes, setting).intermediates());
    };
    const ask::Setting pre{{{"norm", 0}}, {"mask"}}, post{{{"norm", 1}}, {"mask"}};
    BOOST_TEST(of("self_attention", {{"B", 1}, {"N", 3}, {"D_x", 4}, {"D_q", 2}, {"D_v", 5}}) ==
               "Q [3, 2], K [3, 2], V [3, 5], E [3, 3], A [3, 3]");
    BOOST_TEST(of("multi_head_attention", {{"B", 1}, {"N_q", 2}, {"N_k", 3}, {"D", 4}, {"H", 2}},
                  {{}, {"mask"}}) == "Q [2, 4], K [3, 4], V [3, 4], E [2, 2, 3], A [2, 2, 3], O_h [2, 2, 2]");
    BOOST_TEST(of("layer_norm", {{"N", 2}, {"D", 3}}) == "mu [2], var [2]");
    BOOST_TEST(of("feed_forward", {{"N", 2}, {"D", 3}, {"F", 4}}) == "hidden [2, 4]");
    BOOST_TEST(of("transformer_block", {{"B", 1}, {"N", 2}, {"D", 2}, {"F", 3}, {"H", 1}}, pre) ==
               "Q [2, 2], K [2, 2], V [2, 2], E [2, 2], A [2, 2], O_h [2, 2], Z [2, 2], hidden [2, 3]");
    BOOST_TEST(of("transformer_block", {{"B", 1}, {"N", 2}, {"D", 2}, {"F", 3}, {"H", 1}}, post) ==
               "Q [2, 2], K [2, 2], V [2, 2], E [2, 2], A [2, 2], O_h [2, 2], Z [2, 2], hidden [2, 3]");
    BOOST_TEST(
        of("transformer_encoder", {{"B", 1}, {"N", 2}, {"D", 2}, {"F", 3}, {"L", 2}, {"H", 1}}, post) ==
        "Q [2, 2, 2], K [2, 2, 2], V [2, 2, 2], O_h [2, 2, 2], Z [2, 2, 2], hidden [2, 2, 3]");
    BOOST_TEST(of("masked_attention", {{"B", 1}, {"N_q", 3}, {"N_k", 4}, {"D_q", 2}, {"D_v", 1}}) ==
               "E [3, 4]");
    BOOST_TEST(of("additive_scores", {{"B", 1}, {"T", 3}, {"D_s", 2}, {"D_h", 2}, {"D_a", 4}}) ==
               "z [3, 4], q [1, 4]");
    BOOST_TEST(of("decoder_step", {{"B", 2}, {"D_y", 3}, {"D_h", 2}, {"D_s", 4}}) == "z [2, 4]");
    BOOST_TEST(of("decode", {{"B", 1}, {"T", 3}, {"L", 2}, {"D_h", 2}, {"D_y", 1}, {"D_a", 2}, {"D_s", 2}}) ==
               "q [2, 2], e_t [2, 3], a_t [2, 3], c_t [2, 2], s_t [2, 2]");
    const ask::Sizes image{{"C", 1}, {"H", 2}, {"W", 2}, {"P", 1}, {"D", 2}, {"F", 2}, {"K", 2}};
    BOOST_TEST(of("vit_encode", image) == "patches [4, 1], Z_0 [5, 2], Z [5, 2]");
}

BOOST_AUTO_TEST_CASE(a_name_has_the_numbers_of_its_own_array) {
    // Below "dz = ds (1 - s^2)" the code goes on to write another array.
    const Call step("decoder_step_backward", {{"B", 2}, {"D_s", 2}, {"D_y", 3}, {"D_h", 4}});
    const Arrays found = step.intermediates();
    const auto dz = ask::by_name(found, "dz").view<double, 2>(),
               s = ask::by_name(found, "s").view<double, 2>();
    const auto ds = ask::by_name(step.inputs, "ds").view<float, 2>();
    for (int b = 0; b < 2; ++b)
        for (int d = 0; d < 2; ++d)
            BOOST_TEST(std::abs(dz(b, d) - static_cast<double>(ds(b, d)) * (1 - s(b, d) * s(b, d))) < 1e-6);
    // The encoder ends with a norm, whose gain and bias are 0 here.
    Call transformer("transformer",
                     {{"B", 1}, {"N_s", 2}, {"N_t", 1}, {"V", 3}, {"D", 2}, {"F", 1}, {"L", 1}, {"H", 1}},
                     {{{"norm", 0}}, {}});
    BOOST_TEST_REQUIRE(transformer.function.options[1].choices.at(0) == "pre");
    for (Array& input : transformer.inputs)
        if (input.name == "gamma" || input.name == "beta") input.as<float>().assign(2, 0.0F);
    BOOST_TEST(ask::by_name(transformer.intermediates(), "S").as<double>() == std::vector<double>(4),
               boost::test_tools::per_element());
    // Where an equation is only recalled, or its numbers are no array, nothing stands under its name.
    BOOST_TEST(
        names_of(Call("additive_scores_backward", {{"B", 1}, {"T", 2}, {"D_s", 1}, {"D_h", 1}, {"D_a", 2}})
                     .intermediates())
            .find("z [1") == std::string::npos);
    BOOST_TEST(names_of(Call("language_model_backward",
                             {{"B", 1}, {"N", 2}, {"V", 3}, {"D", 2}, {"F", 1}, {"H", 1}, {"L", 1}})
                            .intermediates())
                   .find("X_0") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(post_norm_shows_Z_behind_its_norm_and_pre_norm_before) {
    const ask::Sizes sizes{{"B", 1}, {"N", 2}, {"D", 4}, {"F", 3}, {"H", 1}};
    for (const double norm : {0.0, 1.0}) {
        Call call("transformer_block", sizes, {{{"norm", norm}}, {"mask"}});
        for (const char* const gain : {"gamma_1", "weights.gamma_1"})
            for (Array& input : call.inputs)
                if (input.name == gain) input.as<float>().assign(4, 1.0F);
        for (Array& input : call.inputs)
            if (input.name.ends_with("beta_1")) input.as<float>().assign(4, 0.0F);
        const Arrays found = call.intermediates();
        const Array& Z = ask::by_name(found, "Z");
        double sum = 0;
        for (int d = 0; d < 4; ++d) sum += Z.view<double, 2>()(0, d);
        const bool post = call.function.options[1].choices.at(static_cast<std::size_t>(norm)) == "post";
        BOOST_TEST((std::abs(sum) < 1e-9) == post, sum << " with norm " << norm);
    }
}

BOOST_AUTO_TEST_CASE(the_deepest_are_left_out_where_there_are_too_many_numbers) {
    const Call call("transformer_block", {{"B", 1}, {"N", 2}, {"D", 2}, {"F", 3}, {"H", 1}}, {{}, {"mask"}});
    BOOST_TEST(names_of(call.intermediates(26)) ==
               "Q [2, 2], K [2, 2], V [2, 2], O_h [2, 2], Z [2, 2], hidden [2, 3]");
    BOOST_TEST(names_of(call.intermediates(10)) == "Z [2, 2]");
    BOOST_TEST(names_of(call.intermediates(3)) == "");
}

BOOST_AUTO_TEST_CASE(each_name_stands_in_the_step_of_the_function_or_of_one_that_it_calls) {
    static const std::regex kIndexOfStep("_[tl]$");
    const edits::Program& program = edits::packed_program();
    for (const ask::Module& module : ask::modules())
        for (const ask::Function& function : module.functions) {
            ask::Sizes sizes;
            for (const std::string& letter : function.letters()) sizes[letter] = 2;
            std::set<std::string> known;
            for (const int each : edits::functions_reached_from(program, program.find_public(function.name)))
                if (const auto step = names_in_steps().find(program.declaration(each).name);
                    step != names_in_steps().end())
                    known.insert(step->second.begin(), step->second.end());
            BOOST_TEST(known.size() > 1, function.name);
            for (const Array& array : Call(function.name, sizes).intermediates()) {
                const std::string name = std::regex_replace(array.name, kIndexOfStep, "");
                // dZ is the gradient of Z.
                BOOST_TEST((known.contains(name) || (name[0] == 'd' && known.contains(name.substr(1)))),
                           function.name << " " << name);
            }
        }
}

BOOST_AUTO_TEST_CASE(every_function_can_be_recorded) {
    for (const ask::Module& module : ask::modules())
        for (const ask::Function& function : module.functions) {
            ask::Sizes sizes;
            for (const std::string& letter : function.letters()) sizes[letter] = 2;
            for (const Array& array : Call(function.name, sizes).intermediates())
                for (const double x : array.as<double>())
                    BOOST_TEST(std::isfinite(x), function.name << " " << array.name);
        }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn
