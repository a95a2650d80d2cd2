#include "grader/ask/inputs.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "datasets/sentences.h"

namespace attn::ask {

Array normal(const std::string& name, const Shape& shape, Random& random) {
    Array array = Array::zeros<float>(name, shape);
    for (float& value : array.as<float>()) value = random.normal();
    return array;
}

Arrays normal_inputs(const Function& function, const Sizes& sizes, Random& random) {
    Arrays inputs;
    for (const TensorSpec& spec : function.inputs) {
        const Shape shape = shape_of(spec, sizes);
        if (spec.type == ElementType::i32)
            throw std::logic_error("the recipe of the module must make " + spec.name +
                                   ", an array of integers");
        inputs.push_back(spec.type == ElementType::u8 ? random_mask(spec.name, shape, random)
                                                      : normal(spec.name, shape, random));
    }
    return inputs;
}

Array random_mask(const std::string& name, const Shape& shape, Random& random) {
    Array mask = Array::zeros<std::uint8_t>(name, shape);
    for (std::uint8_t& bit : mask.as<std::uint8_t>()) bit = random.below(4) == 0 ? 0 : 1;
    return mask;
}

Array holed_mask(const std::string& name, const Shape& shape, Random& random) {
    Array mask = random_mask(name, shape, random);
    const auto M = mask.view<std::uint8_t, 3>();
    for (int b = 0; b < M.size(0) && M.size(1) > 2; ++b)
        for (int j = 0; j < M.size(2); ++j) M(b, (b + 1) % M.size(1), j) = 0;
    return mask;
}

Array causal_masks(int B, int N_q, int N_k) {
    Array masks = Array::zeros<std::uint8_t>("mask", {B, N_q, N_k});
    const auto M = masks.view<std::uint8_t, 3>();
    for (int b = 0; b < B; ++b)
        for (int i = 0; i < N_q; ++i)
            for (int j = 0; j < N_k; ++j) M(b, i, j) = j <= i + N_k - N_q ? 1 : 0;
    return masks;
}

Array random_tokens(const std::string& name, const Shape& shape, int V, Random& random) {
    Array tokens = Array::zeros<std::int32_t>(name, shape);
    for (std::int32_t& token : tokens.as<std::int32_t>())
        token = name == "targets" && random.below(5) == 0 ? -1 : random.below(V);
    return tokens;
}

const Recipe& normal_recipe() {
    static const Recipe kRecipe{"normal", "normal numbers", {}, normal_inputs};
    return kRecipe;
}

const std::vector<std::string>& person_words() {
    static const auto kWords = data::lecture_tokens("person");
    return kWords;
}

Recipe person_recipe(
    std::function<Arrays(const Function& function, const Sizes& sizes, Random& random)> make) {
    return {"sentence", "\"the person ate a fish\"", {{"B", 1}, {"N", 6}}, std::move(make), [] {
                return Scene{{{"N", {person_words()}}}};
            }};
}

const Array& by_name(const Arrays& arrays, std::string_view name) {
    const auto found =
        std::find_if(arrays.begin(), arrays.end(), [&](const Array& a) { return a.name == name; });
    if (found == arrays.end()) throw std::invalid_argument("no array is called " + std::string(name));
    return *found;
}

Array& by_name(Arrays& arrays, std::string_view name) {
    return const_cast<Array&>(by_name(static_cast<const Arrays&>(arrays), name));
}

double option_of(const Arrays& inputs, std::string_view name) {
    return number_at(by_name(inputs, name), 0);
}

bool all_finite(const Array& array) {
    for (std::size_t k = 0; k < array.count(); ++k)
        if (!std::isfinite(number_at(array, k))) return false;
    return true;
}

Array map(const Array& array, const std::function<double(double)>& f) {
    Array result = array;
    std::visit(
        [&f](auto& values) {
            for (auto& value : values)
                value = static_cast<std::decay_t<decltype(value)>>(f(static_cast<double>(value)));
        },
        result.values);
    return result;
}

Array scaled(const Array& array, double factor, double shift) {
    return map(array, [=](double x) { return shift + factor * x; });
}

Array zeros_like(const Array& array) {
    return map(array, [](double) { return 0.0; });
}

Array with_other_rows(Array X, int first, Random& random, std::optional<int> end) {
    const auto x = X.view<float, 3>();
    for (int b = 0; b < x.size(0); ++b)
        for (int n = first; n < end.value_or(x.size(1)); ++n)
            for (int d = 0; d < x.size(2); ++d) x(b, n, d) = random.normal();
    return X;
}

void change_rows(Array& X, const std::function<void(std::span<float> row, std::size_t number)>& f) {
    const auto D = static_cast<std::size_t>(X.shape.back());
    for (std::size_t i = 0; i < X.count() / D; ++i) f(std::span(&X.as<float>()[i * D], D), i);
}

Array permuted(const Array& array, int axis, const std::vector<int>& order) {
    const auto at = static_cast<std::size_t>(axis);
    const auto length = static_cast<std::size_t>(array.shape.at(at));
    const std::size_t inner = element_count(Shape(array.shape.begin() + axis + 1, array.shape.end()));
    const std::size_t outer = element_count(Shape(array.shape.begin(), array.shape.begin() + axis));
    Shape shape = array.shape;
    shape[at] = static_cast<int>(order.size());
    Array result = zeros_of(type_of(array), array.name, shape);
    std::visit(
        [&](auto& values) {
            const auto& from = std::get<std::decay_t<decltype(values)>>(array.values);
            auto to = values.begin();
            for (std::size_t o = 0; o < outer; ++o)
                for (const int k : order)
                    to = std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(
                                                        (o * length + static_cast<std::size_t>(k)) * inner),
                                     inner, to);
        },
        result.values);
    return result;
}

Arrays permuted(Arrays inputs, const std::vector<std::string>& names, int axis,
                const std::vector<int>& order) {
    for (const std::string& name : names) {
        Array& array = by_name(inputs, name);
        array = permuted(array, axis, order);
    }
    return inputs;
}

Array folded(const Array& array, double start, const std::function<double(double, double)>& f) {
    const auto length = static_cast<std::size_t>(array.shape.back());
    const auto& values = array.as<double>();
    Array result = Array::zeros<double>(array.name, Shape(array.shape.begin(), array.shape.end() - 1));
    for (std::size_t row = 0; row < result.count(); ++row) {
        double total = start;
        for (std::size_t k = 0; k < length; ++k) total = f(total, values[row * length + k]);
        result.as<double>()[row] = total;
    }
    return result;
}

Array row_sums(const Array& array) {
    return folded(array, 0, [](double total, double x) { return total + x; });
}

Array combined(double a, const Array& x, double b, const Array& y) {
    Array result = x;
    std::visit(
        [&](auto& values) {
            const auto& others = std::get<std::decay_t<decltype(values)>>(y.values);
            for (std::size_t k = 0; k < values.size(); ++k) {
                values[k] = static_cast<std::decay_t<decltype(values[k])>>(
                    a * static_cast<double>(values[k]) + b * static_cast<double>(others[k]));
            }
        },
        result.values);
    return result;
}

Array product(const Array& x, const Array& w) {
    const auto in = static_cast<std::size_t>(w.shape.at(0)), out = static_cast<std::size_t>(w.shape.at(1));
    const auto rows = x.count() / in;
    Shape shape = x.shape;
    shape.back() = w.shape[1];
    Array result = Array::zeros<float>(x.name, shape);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < out; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < in; ++k)
                sum += static_cast<double>(x.as<float>()[i * in + k]) *
                       static_cast<double>(w.as<float>()[k * out + j]);
            result.as<float>()[i * out + j] = static_cast<float>(sum);
        }
    }
    return result;
}

Array products(const Array& x) {
    Shape shape = x.shape;
    shape.back() = x.shape[x.shape.size() - 2];
    Array result = Array::zeros<double>("", shape);
    const auto N = static_cast<std::size_t>(shape.back()), D = static_cast<std::size_t>(x.shape.back());
    for (std::size_t k = 0; k < result.count(); ++k) {
        const std::size_t row = k / N, other = row / N * N + k % N;
        for (std::size_t d = 0; d < D; ++d)
            result.as<double>()[k] += number_at(x, row * D + d) * number_at(x, other * D + d);
    }
    return result;
}

std::string name_of_products(const std::string& name) {
    return name + " " + name + "^T";
}

Arrays with(Arrays inputs, const std::string& name, Array replacement) {
    replacement.name = name;
    by_name(inputs, name) = std::move(replacement);
    return inputs;
}

Arrays with_zeros(Arrays inputs, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        Array& array = by_name(inputs, name);
        array = zeros_like(array);
    }
    return inputs;
}

Arrays only(const Arrays& inputs, const std::vector<std::string>& names) {
    Arrays chosen;
    for (const std::string& name : names) chosen.push_back(by_name(inputs, name));
    return chosen;
}

bool has(const Arrays& arrays, std::string_view name) {
    return std::any_of(arrays.begin(), arrays.end(), [name](const Array& each) { return each.name == name; });
}

Arrays without(Arrays inputs, std::string_view name) {
    std::erase_if(inputs, [name](const Array& array) { return array.name == name; });
    return inputs;
}

Arrays in_place_of(Arrays inputs, Array replacement) {
    inputs = without(std::move(inputs), replacement.name);
    inputs.push_back(std::move(replacement));
    return inputs;
}

Arrays with_option(Arrays inputs, const std::string& name, double value) {
    return in_place_of(std::move(inputs), option(name, value));
}

}  // namespace attn::ask
