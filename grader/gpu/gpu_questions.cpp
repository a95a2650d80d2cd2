#include "grader/gpu/gpu_questions.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "contracts/masking_reference.h"
#include "contracts/self_attention_reference.h"
#include "contracts/transformer_block_reference.h"
#include "grader/ask/flop.h"
#include "grader/ask/inputs.h"
#include "grader/gpu/on_device.h"
#include "grader/grading/questions.h"

namespace attn::gpu {
namespace {

/// Enough work for a device, and about a second for the plain loops.
constexpr std::size_t kElements = std::size_t{1} << 21;

std::size_t elements_of(const judge::Question& question) {
    std::size_t count = 0;
    for (const auto* tensors : {&question.function->outputs, &question.function->inputs})
        for (const ask::TensorSpec& tensor : *tensors)
            count += element_count(ask::shape_of(tensor, question.sizes));
    return count;
}

using ask::Function;
using ask::Sizes;

template <class T>
void attention(TensorView<T, 3> Y, TensorView<const T, 3> Q, TensorView<const T, 3> K,
               TensorView<const T, 3> V) {
    cpu::scaled_dot_product_attention<T>(Y, {}, Q, K, V);
}

template <class T>
void attention_or_causal(TensorView<T, 3> Y, TensorView<const T, 3> Q, TensorView<const T, 3> K,
                         TensorView<const T, 3> V, bool causal) {
    if (!causal) return attention<T>(Y, Q, K, V);
    const int B = Q.size(0), N_q = Q.size(1), N_k = K.size(1);
    const std::size_t count = static_cast<std::size_t>(N_q) * static_cast<std::size_t>(N_k);
    std::vector<std::uint8_t> masks(static_cast<std::size_t>(B) * count);
    for (int b = 0; b < B; ++b)
        cpu::causal_mask({masks.data() + static_cast<std::size_t>(b) * count, N_q, N_k});
    cpu::masked_attention<T>(Y, {}, Q, K, V, {masks.data(), B, N_q, N_k});
}

/// y = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
template <class T>
void gelu_loop(TensorView<T, 2> Y, TensorView<const T, 2> X) {
    for (int i = 0; i < X.size(0); ++i)
        for (int d = 0; d < X.size(1); ++d) {
            const T x = X(i, d);
            const T inner = std::sqrt(2 * std::numbers::inv_pi_v<T>) * (x + T(0.044715) * x * x * x);
            Y(i, d) = x * (1 + std::tanh(inner)) / 2;
        }
}

Function attention_function(const std::string& name, bool has_mask) {
    std::vector<ask::TensorSpec> Y{{"Y", {"B", "N_q", "D_v"}}},
        inputs{{"Q", {"B", "N_q", "D_q"}}, {"K", {"B", "N_k", "D_q"}}, {"V", {"B", "N_k", "D_v"}}};
    Function function =
        has_mask ? make_function(name, Y, inputs, attention_or_causal<float>, attention_or_causal<double>)
                 : make_function(name, Y, inputs, attention<float>, attention<double>);
    if (has_mask) function.options = {ask::choice_option("causal", {"no", "yes"}, 0)};
    function.flop = ask::flop::operations_of("scaled_dot_product_attention");
    return function;
}

std::vector<Function> functions_of_rows() {
    const std::vector<ask::TensorSpec> Y{{"Y", {"N", "D"}}}, X{{"X", {"N", "D"}}};
    std::vector<Function> all;
    all.push_back(make_function("layer_norm_rows", Y, {X[0], {"gamma", {"D"}}, {"beta", {"D"}}},
                                cpu::layer_norm<float>, cpu::layer_norm<double>));
    all.back().options = {ask::number_option("eps", 1e-5)};
    all.back().flop = ask::flop::operations_of("layer_norm");
    all.push_back(make_function("softmax_rows", Y, X, cpu::softmax<float>, cpu::softmax<double>));
    all.push_back(make_function("gelu", Y, X, gelu_loop<float>, gelu_loop<double>));
    return all;
}

/// C = factor A B + b, or with B^T. `b` may be null.
template <class T>
void product_loop(TensorView<T, 2> C, TensorView<const T, 2> A, TensorView<const T, 2> B, bool transposed,
                  T factor, const T* b) {
    for (int i = 0; i < C.size(0); ++i)
        for (int j = 0; j < C.size(1); ++j) {
            T sum = 0;
            for (int d = 0; d < A.size(1); ++d) sum += A(i, d) * (transposed ? B(j, d) : B(d, j));
            C(i, j) = factor * sum + (b != nullptr ? b[j] : T(0));
        }
}

template <class T>
void multiply_loop(TensorView<T, 2> C, TensorView<const T, 2> A, TensorView<const T, 2> B) {
    product_loop<T>(C, A, B, false, 1, nullptr);
}

template <class T>
void multiply_transposed_loop(TensorView<T, 3> C, TensorView<const T, 3> A, TensorView<const T, 3> B,
                              T factor) {
    for (int b = 0; b < C.size(0); ++b) product_loop<T>(C[b], A[b], B[b], true, factor, nullptr);
}

template <class T>
void linear_loop(TensorView<T, 2> Y, TensorView<const T, 2> X, TensorView<const T, 2> W,
                 TensorView<const T, 1> b) {
    product_loop<T>(Y, X, W, false, 1, b.data());
}

std::vector<Function> functions_of_products() {
    using ask::make_function;
    using ask::flop::product;
    std::vector<Function> all;
    all.push_back(make_function("multiply", {{"C", {"N", "M"}}}, {{"A", {"N", "D"}}, {"B", {"D", "M"}}},
                                multiply_loop<float>, multiply_loop<double>));
    all.back().flop = [](const Sizes& n) { return product(n.at("N"), n.at("D"), n.at("M")); };
    all.push_back(make_function("multiply_transposed", {{"C", {"B", "N", "M"}}},
                                {{"A", {"B", "N", "D"}}, {"B", {"B", "M", "D"}}},
                                multiply_transposed_loop<float>, multiply_transposed_loop<double>));
    all.back().options = {ask::number_option("factor", 0.125)};
    all.back().flop = [](const Sizes& n) { return n.at("B") * product(n.at("N"), n.at("D"), n.at("M")); };
    all.push_back(make_function("linear", {{"Y", {"N", "D_out"}}},
                                {{"X", {"N", "D_in"}}, {"W", {"D_in", "D_out"}}, {"b", {"D_out"}}},
                                linear_loop<float>, linear_loop<double>));
    all.back().flop = [](const Sizes& n) { return product(n.at("N"), n.at("D_in"), n.at("D_out")); };
    return all;
}

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

/// Three modules: "steps", "fast", and "products" for what needs cuBLAS. The truth of their functions is
/// plain loops, those of the contracts as far as they have the function.
const std::vector<ask::Module>& modules_of_more_kernels() {
    static const std::vector<ask::Module> kModules = [] {
        ask::Module steps, fast, products;
        steps.name = "steps";
        for (const char* name : {"attend_by_threads", "attend_by_warps", "attend_by_tiles", "attend_online"})
            steps.functions.push_back(attention_function(name, false));
        fast.name = "fast";
        fast.functions = functions_of_rows();
        for (const char* name : {"attend", "attend_simt", "attend_in_bf16"})
            fast.functions.push_back(attention_function(name, true));
        products.name = "products";
        products.functions = functions_of_products();
        steps.recipes = fast.recipes = products.recipes = {ask::normal_recipe()};
        return std::vector<ask::Module>{steps, fast, products};
    }();
    return kModules;
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

judge::Question enlarged(judge::Question question, std::size_t elements) {
    int& length = question.sizes.at(question.function->letters().front());
    std::size_t before = 0;
    for (std::size_t count = elements_of(question); before < count && count < elements;
         count = elements_of(question)) {
        before = count;
        length *= 2;
    }
    return question;
}

std::vector<FunctionQuestions> questions_for_all_functions(const std::vector<rubric::Rubric>& rubrics,
                                                           std::uint64_t seed) {
    std::vector<FunctionQuestions> all;
    for (const rubric::Rubric& rubric : rubrics)
        for (const rubric::PartRubric& part : rubric.parts) {
            if (part.cuda_cases.empty()) continue;
            FunctionQuestions& entry = all.emplace_back();
            entry.module = rubric.module;
            entry.function = part.function;
            entry.questions = kernel_questions(rubric, part, seed);
            entry.timed = part.cuda_timed ? kernel_timing_question(rubric, part, seed)
                                          : enlarged(entry.questions.back(), kElements);
            entry.timed.name = "timed";
        }
    return all;
}

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
