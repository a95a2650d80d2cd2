#include "grader/gpu/more_kernels.h"

#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "grader/gpu/more_functions.h"
#include "grader/gpu/on_device.h"

namespace attn::gpu {
namespace {

using ask::Function;
using ask::Sizes;

constexpr const char* kAttention = "scaled_dot_product_attention";

/// A case that no rubric has.
struct OwnCase {
    const char* name;
    Sizes sizes;
    bool causal = false;
    const char* recipe = "normal";  ///< of scaled_dot_product_attention, if it is another one
};

Sizes attention_sizes(int B, int N_q, int N_k, int D_q, int D_v) {
    return {{"B", B}, {"N_q", N_q}, {"N_k", N_k}, {"D_q", D_q}, {"D_v", D_v}};
}

/// Tiles of 64 queries and 32 keys that are not full, rows without any key, and both widths of tensor cores.
std::vector<OwnCase> cases_of_tiles() {
    return {{"tiles", attention_sizes(2, 70, 41, 64, 64)},
            {"wide", attention_sizes(1, 3, 65, 128, 128)},
            {"causal", attention_sizes(1, 70, 70, 64, 64), true},
            {"causal_wide", attention_sizes(2, 67, 131, 128, 128), true},
            {"rows_without_keys", attention_sizes(1, 40, 5, 64, 64), true},
            {"any_width", attention_sizes(1, 9, 35, 200, 140), true},
            {"large_scores", attention_sizes(2, 70, 41, 64, 64), false, "overflow"},
            {"huge_and_tiny", attention_sizes(1, 67, 70, 128, 128), false, "huge_and_tiny"}};
}

std::vector<OwnCase> cases_of_rows() {
    return {{"one_column", {{"N", 3}, {"D", 1}}},
            {"ragged", {{"N", 5}, {"D", 37}}},
            {"longer_than_a_block", {{"N", 3}, {"D", 300}}},
            {"longer_than_registers", {{"N", 3}, {"D", 2500}}},
            {"timed", {{"N", 8192}, {"D", 1024}}}};
}

constexpr double kAllowedToStudents = 20, kErrorOfBf16 = 65536;

std::vector<OwnCase> cases_of_products(const char* name) {
    const bool linear = std::string_view(name) == "linear",
               batches = !linear && std::string_view(name) != "multiply";
    const auto sizes = [&](int B, int N, int M, int D) -> Sizes {
        if (linear) return {{"N", N}, {"D_in", D}, {"D_out", M}};
        Sizes all{{"N", N}, {"M", M}, {"D", D}};
        if (batches) all["B"] = B;
        return all;
    };
    return {{"one_number", sizes(1, 1, 1, 1)},
            {"ragged", sizes(3, 5, 7, 11)},
            {"long_sums", sizes(2, 9, 4, 1027)},
            {"tiles", sizes(2, 129, 65, 33)},
            {"timed", batches ? sizes(12, 1024, 1024, 64) : sizes(1, 1024, 3072, 768)}};
}

struct MoreKernels {
    const char* name;
    const char* contract;        ///< the rubrics' questions about this function are asked; empty: none
    std::vector<OwnCase> cases;  ///< the last one is timed
    double allowed_yardsticks = kAllowedToStudents;  ///< in `cases`; the rubrics' have their own
    std::function<bool(const Sizes&)> takes = [](const Sizes&) { return true; };
};

std::vector<OwnCase> with_timed(std::vector<OwnCase> cases) {
    cases.push_back({"timed", attention_sizes(12, 1024, 1024, 64, 64)});
    return cases;
}

std::vector<MoreKernels> all_kernels() {
    const std::vector<OwnCase> steps = with_timed(
        {{"tiles", attention_sizes(2, 70, 41, 64, 64)}, {"wide", attention_sizes(1, 9, 33, 128, 40)}});
    const auto is_narrow = [](const Sizes& n) { return n.at("D_q") <= 128 && n.at("D_v") <= 128; };
    const auto is_64 = [](const Sizes& n) { return n.at("D_q") == 64 && n.at("D_v") == 64; };
    return {{"attend_by_threads", kAttention, steps},
            {"attend_by_warps", kAttention, steps},
            {"attend_by_tiles", kAttention, steps},
            {"attend_online", kAttention, steps, kAllowedToStudents, is_narrow},
            {"attend", kAttention, with_timed(cases_of_tiles())},
            {"attend_simt", kAttention, with_timed(cases_of_tiles())},
            {"attend_in_bf16", "", with_timed(cases_of_tiles()), kErrorOfBf16, is_64},
            {"layer_norm_rows", "layer_norm", cases_of_rows()},
            {"softmax_rows", "softmax", cases_of_rows()},
            {"gelu", "", cases_of_rows()},
            {"multiply", "", cases_of_products("multiply")},
            {"multiply_transposed", "", cases_of_products("multiply_transposed")},
            {"linear", "", cases_of_products("linear")}};
}

const Function* find(const std::string& name, const ask::Module*& module) {
    for (const ask::Module& one : modules_of_more_kernels())
        if (const Function* const function = one.find_function(name)) return module = &one, function;
    throw std::logic_error("there is no function " + name);
}

/// A question about the contract's function, asked of these kernels. They have no output A.
judge::Question same_question(const FunctionQuestions& entry, judge::Question question) {
    question.given = question.make_inputs();  // a recipe may know the contract's function only
    question.function = entry.function;
    question.module = entry.module;
    question.wanted.clear();
    return question;
}

judge::Question question_about(const FunctionQuestions& entry, const OwnCase& own, std::uint64_t seed) {
    judge::Question question;
    const bool normal = std::string_view(own.recipe) == "normal";
    question.module = normal ? entry.module : ask::module_of(kAttention);
    question.function = normal ? entry.function : question.module->find_function(kAttention);
    question.recipe = question.module->find_recipe(own.recipe);
    question.sizes = own.sizes;
    if (own.causal) question.setting.options["causal"] = 1;
    question.seed = seed;
    question.name = own.name;
    return normal ? question : same_question(entry, std::move(question));
}

}  // namespace

std::vector<FunctionQuestions> questions_for_more_kernels(const std::vector<rubric::Rubric>& rubrics,
                                                          std::uint64_t seed) {
    const std::vector<FunctionQuestions> contracts = questions_for_all_functions(rubrics, seed);
    std::vector<FunctionQuestions> all;
    for (const MoreKernels& kernels : all_kernels()) {
        FunctionQuestions& entry = all.emplace_back();
        entry.function = find(kernels.name, entry.module);
        for (const OwnCase& own : kernels.cases)
            if (kernels.takes(own.sizes)) entry.questions.push_back(question_about(entry, own, seed));
        for (judge::Question& question : entry.questions)
            question.allowed_yardsticks = kernels.allowed_yardsticks;
        entry.timed = std::move(entry.questions.back());
        entry.questions.pop_back();
        for (const FunctionQuestions& other : contracts)
            if (other.function->name == kernels.contract)
                for (const judge::Question& question : other.questions)
                    if (kernels.takes(question.sizes))
                        entry.questions.push_back(same_question(entry, question));
    }
    return all;
}

std::vector<std::string> kernels_left_out() {
    std::vector<std::string> names;
    if (!built_with_cuda()) return names;
    for (const ask::Module& module : modules_of_more_kernels())
        for (const Function& function : module.functions)
            if (!kernels_of(function.name)) names.push_back(function.name);
    return names;
}

std::vector<FunctionQuestions> questions_for_all_kernels(const std::vector<rubric::Rubric>& rubrics,
                                                         std::uint64_t seed) {
    std::vector<FunctionQuestions> all = questions_for_all_functions(rubrics, seed),
                                   more = questions_for_more_kernels(rubrics, seed);
    std::erase_if(more, [](const FunctionQuestions& one) { return !kernels_of(one.function->name); });
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace attn::gpu
