// The compiled copy of the plain loops in which mistakes are woven computes what the interpreter makes of the
// same edits.

#include "grader/ask/edited.h"

#include <cmath>

#include <boost/test/unit_test.hpp>

#include "datasets/file_error.h"
#include "grader/base/installation.h"
#include "grader/edits/edit.h"
#include "grader/edits/listed.h"

namespace attn::ask {
BOOST_AUTO_TEST_SUITE(edited)
namespace {

/// All lengths are equal, so that every index fits everywhere.
Sizes square_sizes(const Function& function) {
    constexpr int kLength = 4, kHeads = 2;
    Sizes sizes;
    for (const std::string& letter : function.letters()) sizes[letter] = letter == "H" ? kHeads : kLength;
    return sizes;
}

bool alike(const Arrays& one, const Arrays& other) {
    constexpr double kClose = 1e-9;
    for (std::size_t k = 0; k < one.size(); ++k)
        for (std::size_t n = 0; n < one[k].count(); ++n) {
            const double a = number_at(one[k], n), b = number_at(other[k], n);
            if (std::isnan(a) != std::isnan(b)) return false;
            if (!std::isnan(a) && a != b && std::abs(a - b) > kClose * (1 + std::abs(b))) return false;
        }
    return true;
}

/// The outputs by the interpreter. Nothing if it cannot read the edits or cannot run them.
std::optional<Arrays> interpreted(const Function& function, const Arrays& inputs,
                                  const std::vector<edits::Edit>& all) {
    try {
        const edits::EditedFunctions edited(edits::packed_program(), all);
        EditedCall call(function, inputs, Precision::f64);
        if (const Arrays* const outputs = call.outputs(edited.replacements())) return *outputs;
    } catch (const edits::SourceError&) {
    }
    return std::nullopt;
}

/// The edits of each listed mistake of a module.
std::vector<std::vector<edits::Edit>> listed_edits(const std::string& module) {
    const auto file = Installation().sources / "grader/assignments" / module / "mistakes.toml";
    std::vector<std::vector<edits::Edit>> all;
    if (!std::filesystem::exists(file)) return all;
    for (const edits::ListedMistake& mistake : edits::read_listed(file.string(), data::read_file(file))) {
        all.emplace_back();
        for (const edits::WrittenEdit& edit : mistake.edits)
            all.back().push_back(locate(edits::packed_program(), "reference/" + module + ".cpp", edit));
    }
    return all;
}

/// Compares all mistakes of a module, alone or in pairs. Returns how many were compared.
int compare_all(const Module& module, bool pairs) {
    const auto listed = listed_edits(module.name);
    const int count = static_cast<int>(listed.size());
    int compared = 0;
    for (const Function& function : module.functions) {
        Random random(7, "woven");
        Arrays inputs;
        try {
            inputs = make_inputs(function, module.recipes.front(), square_sizes(function), {}, random);
        } catch (const std::exception&) {
            continue;  // the recipe is for another function
        }
        const ListedCall listed_call(module.name, function, inputs, Precision::f64);
        for (int one = 0; one < count; ++one) {
            for (int other = one + 1; other < (pairs ? count : one + 2); ++other) {
                const std::vector<int> made = pairs ? std::vector{one, other} : std::vector{one};
                std::vector<edits::Edit> all;
                for (const int k : made) {
                    const auto& some = listed[static_cast<std::size_t>(k)];
                    all.insert(all.end(), some.begin(), some.end());
                }
                if (edits::conflict(all)) continue;
                const auto compiled = listed_call.outputs(made);
                const auto read = interpreted(function, inputs, all);
                if (!compiled || !read) continue;
                BOOST_TEST(alike(*compiled, *read), module.mistakes[static_cast<std::size_t>(one)].name
                                                        << (pairs ? " + " + std::to_string(other) : "")
                                                        << " in " << function.name);
                ++compared;
            }
        }
    }
    return compared;
}

}  // namespace

BOOST_AUTO_TEST_CASE(woven_mistakes_compute_what_their_edits_say) {
    int compared = 0;
    for (const Module& module : modules()) compared += compare_all(module, false);
    BOOST_TEST_MESSAGE(compared << " compared");
    BOOST_TEST(compared > 200);
}

BOOST_AUTO_TEST_CASE(woven_pairs_compute_what_their_edits_say) {
    const Module* const module = find_module("self_attention");
    BOOST_TEST_REQUIRE(module != nullptr);
    BOOST_TEST(compare_all(*module, true) > 200);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace attn::ask
