// Claims about the numbers in the inputs.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "grader/ask/inputs.h"
#include "grader/diagnosis/failure_claims.h"
#include "grader/diagnosis/failure_place.h"

namespace attn::diagnosis {
namespace {

/// Something that the numbers of an input may have.
struct Content {
    std::string words;  ///< continues "Wrong where .."
    std::string input;
    std::function<bool(const Array&)> has;
    std::function<Array(Array)> with, without;
    std::vector<std::function<Array(Array)>> others = {};  ///< which has it in other places, or in no place
    bool is_right = false;  ///< said of the calls that are right: "Right if b is 0"
    bool is_order = false;  ///< said of the order of a mask's words
    std::function<bool(std::span<const std::uint8_t>)> row_has =
        {};  ///< of a mask that has it: whether a row does
};

/// Calls f for the first row, or for each.
template <class T>
std::function<Array(Array)> changing(bool first_only, std::function<void(std::span<T>)> f) {
    return [first_only, f = std::move(f)](Array array) {
        std::vector<T>& numbers = array.as<T>();
        const auto columns = static_cast<std::size_t>(array.shape.back());
        for (std::size_t at = 0; columns > 0 && at < numbers.size(); at += columns) {
            f(std::span(numbers).subspan(at, columns));
            if (first_only) break;
        }
        return array;
    };
}

template <class T>
std::function<bool(const Array&)> any_row(std::function<bool(std::span<const T>)> holds) {
    return [holds = std::move(holds)](const Array& array) {
        return std::ranges::any_of(rows_of<T>(array), holds);
    };
}

void add_mask(const ask::TensorSpec& input, std::vector<Content>& contents) {
    using Byte = std::uint8_t;
    using Row = std::span<Byte>;
    using ConstRow = std::span<const Byte>;
    const std::string& name = input.name;
    const std::string a_row = input.dims.size() > 1 ? "a row of " + name : name;
    // A 0 in the first place of the first row, and nowhere else.
    const auto only_first = [](Array array) {
        std::ranges::fill(array.as<Byte>(), Byte{1});
        array.as<Byte>().front() = 0;
        return array;
    };
    const auto no_ones = changing<Byte>(false, [](Row row) { std::ranges::fill(row, Byte{0}); });
    const auto add = [&](std::function<bool(ConstRow)> row_has, Content content) {
        content.has = any_row<Byte>(row_has);
        content.row_has = std::move(row_has);
        contents.push_back(std::move(content));
    };
    add([](ConstRow row) { return std::ranges::count(row, 1) == 0; },
        {a_row + " has no 1",
         name,
         {},
         changing<Byte>(true, [](Row row) { std::ranges::fill(row, Byte{0}); }),
         changing<Byte>(false,
                        [](Row row) {
                            if (std::ranges::count(row, 1) == 0) row[0] = 1;
                        }),
         {no_ones}});
    add([](ConstRow row) { return !std::ranges::is_sorted(row, std::greater<>()); },
        {a_row + " has a 0 before a 1",
         name,
         {},
         changing<Byte>(true,
                        [](Row row) {
                            if (row.size() > 1) row[row.size() - 2] = 0, row.back() = 1;
                        }),
         changing<Byte>(false, [](Row row) { std::ranges::sort(row, std::greater<>()); }),
         {},
         false,
         true});
    add([](ConstRow row) { return std::ranges::count(row, 0) > 0; },
        {name + " has a 0",
         name,
         {},
         changing<Byte>(true, [](Row row) { row.back() = 0; }),
         changing<Byte>(false, [](Row row) { std::ranges::fill(row, Byte{1}); }),
         {only_first, no_ones}});
}

void add_whole_numbers(const ask::TensorSpec& input, std::vector<Content>& contents) {
    for (const int value : {0, -1})
        contents.push_back(
            {fmt::format("one of {} is {}", input.name, value),
             input.name,
             any_row<std::int32_t>(
                 [value](std::span<const std::int32_t> row) { return std::ranges::count(row, value) > 0; }),
             changing<std::int32_t>(true, [value](std::span<std::int32_t> row) { row[0] = value; }),
             changing<std::int32_t>(
                 false, [value](std::span<std::int32_t> row) { std::ranges::replace(row, value, 1); }),
             {changing<std::int32_t>(true, [value](std::span<std::int32_t> row) { row.back() = value; })}});
}

void add_numbers(const ask::TensorSpec& input, std::vector<Content>& contents) {
    using Row = std::span<float>;
    using ConstRow = std::span<const float>;
    const std::string& name = input.name;
    const std::string a_row = input.dims.size() > 1 ? "a row of " + name : name;
    // What is kept from a row to the next, such as a maximum, is wrong for these, too.
    const auto each_row_far_below_the_last = [](Array array) {
        constexpr float kFar = 200;
        const std::vector<std::span<const float>> rows = rows_of<float>(array);
        float above = kFar * static_cast<float>(rows.size());
        const auto columns = static_cast<std::size_t>(array.shape.back());
        std::vector<float>& numbers = array.as<float>();
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            if (k % columns == 0) above -= kFar;
            numbers[k] = above + std::abs(numbers[k]);
        }
        return array;
    };
    contents.push_back(
        {a_row + " is below 0 throughout",
         name,
         any_row<float>([](ConstRow row) { return std::ranges::all_of(row, [](float x) { return x < 0; }); }),
         changing<float>(true,
                         [](Row row) {
                             for (float& x : row) x = -std::abs(x);
                         }),
         changing<float>(false, [](Row row) { row[0] = std::abs(row[0]); }),
         {each_row_far_below_the_last}});
    const auto largest_at = [](auto row) { return std::ranges::max_element(row) - row.begin(); };
    for (const bool last : {false, true}) {
        const auto place = [last](auto row) { return last ? std::ssize(row) - 1 : std::ptrdiff_t{0}; };
        contents.push_back(
            {fmt::format("the largest number of {} stands {}", a_row, last ? "last" : "first"), name,
             any_row<float>([=](ConstRow row) { return row.size() > 1 && largest_at(row) == place(row); }),
             changing<float>(true,
                             [=](Row row) {
                                 std::swap(row[static_cast<std::size_t>(largest_at(row))],
                                           row[static_cast<std::size_t>(place(row))]);
                             }),
             changing<float>(false, [=](Row row) {
                 if (largest_at(row) == place(row))
                     std::swap(row[row.size() / 2], row[static_cast<std::size_t>(place(row))]);
             })});
    }
    // Where a matrix or a gain is 0, nearly everything is right, so only biases tell something: b, b_V, beta.
    if (input.dims.size() != 1 || !name.starts_with("b")) return;
    const auto is_zero = [](const Array& array) {
        return std::ranges::all_of(array.as<float>(), [](float x) { return x == 0; });
    };
    contents.push_back({name + " is 0",
                        name,
                        is_zero,
                        [](const Array& array) { return ask::zeros_like(array); },
                        [is_zero](Array array) {
                            if (is_zero(array)) std::ranges::fill(array.as<float>(), 1.0F);
                            return array;
                        },
                        {},
                        true});
}

/// Where the outputs are all alike, or do not depend on the largest input, nearly everything is right.
bool has_trivial_outputs(const judge::Question& question) {
    if (!question.refusal().empty()) return false;
    const Arrays truth = evaluate(*question.function, question.given, ask::Precision::f64);
    const bool constant = std::ranges::any_of(truth, [&](const Array& output) {
        return ask::is_wanted(question.wanted, output.name) && is_constant(output);
    });
    if (constant) return true;
    Arrays negated = question.given;
    Array& largest = *std::ranges::max_element(negated, {}, [](const Array& input) {
        return std::holds_alternative<std::vector<float>>(input.values) ? input.count() : 0;
    });
    for (float& number : largest.as<float>()) number = -number;
    return std::ranges::equal(evaluate(*question.function, negated, ask::Precision::f64), truth, {},
                              &Array::values, &Array::values);
}

/// Without probes.
Claim claim_of(const Content& content) {
    Claim claim;
    claim.sentence = content.is_right ? fmt::format("Right if {}, wrong otherwise.", content.words)
                                      : fmt::format("Wrong where {}, right elsewhere.", content.words);
    claim.right = [content](const judge::Question&, const Arrays& inputs) {
        const auto found = std::ranges::find(inputs, content.input, &Array::name);
        return std::optional((found != inputs.end() && content.has(*found)) == content.is_right);
    };
    return claim;
}

/// One batch and one row of a mask, with its words first and what it hides last, and everything else in the same order: a
/// hidden place that says much stays hidden. Nothing if the mask hides nothing there.
std::optional<judge::Question> with_words_first(judge::Question question, const std::string& mask) {
    const auto& inputs = question.function->inputs;
    const ask::TensorSpec& spec = *std::ranges::find(inputs, mask, &ask::TensorSpec::name);
    const std::string& letter = spec.dims.back();
    for (const std::string& other : spec.dims)
        if (other != letter && question.sizes.contains(other)) question.sizes[other] = 1;
    question.given.clear();
    if (!question.refusal().empty()) return std::nullopt;
    question.given = question.make_inputs();
    const auto& bytes = ask::by_name(question.given, mask).as<std::uint8_t>();
    std::vector<int> order(bytes.size());
    std::iota(order.begin(), order.end(), 0);
    const auto is_word = [&](int k) { return bytes[static_cast<std::size_t>(k)] != 0; };
    const auto words = std::stable_partition(order.begin(), order.end(), is_word) - order.begin();
    if (words == 0 || words == std::ssize(order)) return std::nullopt;
    for (const ask::TensorSpec& each : inputs) {
        const auto given = std::ranges::find(question.given, each.name, &Array::name);
        const auto axis = std::ranges::find(each.dims, letter);
        if (given != question.given.end() && axis != each.dims.end())
            *given = ask::permuted(*given, static_cast<int>(axis - each.dims.begin()), order);
    }
    return question;
}

/// The failed call, and a right one, with this content and without it.
void add_probes(const Content& content, const Evidence& failed, const Evidence* right, Claim& claim) {
    for (const Evidence* like : {&failed, right}) {
        if (like == nullptr || is_absent(*like->question, content.input)) continue;
        std::vector<const std::function<Array(Array)>*> changes{&content.with, &content.without};
        for (const auto& other : content.others) changes.push_back(&other);
        for (const auto* const change : changes) {
            judge::Question probe = *like->question;
            probe.given = like->verdict->inputs;
            Array& array = ask::by_name(probe.given, content.input);
            array = (*change)(std::move(array));
            if (probe.recipe->consistent) probe.given = probe.recipe->consistent(std::move(probe.given));
            if (!content.is_right || !has_trivial_outputs(probe)) claim.probes.push_back(std::move(probe));
        }
        if (!content.is_order) continue;
        if (auto probe = with_words_first(*like->question, content.input))
            claim.probes.push_back(std::move(*probe));
    }
}

/// Whether each row of the mask has wrong numbers in the outputs that have a row for each of the mask's. Empty if none has.
std::vector<bool> wrong_rows(const Evidence& answer, const Array& mask) {
    const std::size_t rows = rows_of<std::uint8_t>(mask).size();
    std::vector<bool> wrong;
    for (std::size_t k = 0; k < answer.verdict->got.size(); ++k) {
        const Array& got = answer.verdict->got[k];
        const auto columns = got.shape.empty() ? 0 : static_cast<std::size_t>(got.shape.back());
        if (columns == 0 || got.count() != rows * columns) continue;
        wrong.resize(rows);
        const std::vector<bool> marks = compared(answer, k).wrong;
        for (std::size_t at = 0; at < got.count(); ++at)
            if (marks[at]) wrong[at / columns] = true;
    }
    return wrong;
}

/// Whether a row of an output is right although its row of the mask has this, or wrong although it has not. Says nothing
/// of outputs that have no row for each of the mask's.
bool rows_refute(const Content& content, const Evidence& answer) {
    const Outcome outcome = answer.verdict->outcome;
    if (!content.row_has || (outcome != Outcome::wrong && outcome != Outcome::not_finite)) return false;
    const auto mask = std::ranges::find(answer.verdict->inputs, content.input, &Array::name);
    if (mask == answer.verdict->inputs.end()) return false;
    const auto rows = rows_of<std::uint8_t>(*mask);
    const std::vector<bool> wrong = wrong_rows(answer, *mask);
    for (std::size_t r = 0; r < wrong.size(); ++r)
        if (wrong[r] != content.row_has(rows[r])) return true;
    return false;
}

bool is_mask(const Array& input) {
    return std::holds_alternative<std::vector<std::uint8_t>>(input.values) && !input.shape.empty();
}

bool is_empty(std::span<const std::uint8_t> row) {
    return std::ranges::count(row, 0) == std::ssize(row);
}

}  // namespace

bool has_empty_row(const judge::Verdict& verdict) {
    return std::ranges::any_of(verdict.inputs, [](const Array& input) {
        return is_mask(input) && std::ranges::any_of(rows_of<std::uint8_t>(input), is_empty);
    });
}

bool wrong_beside_empty_rows(const Evidence& answer) {
    return std::ranges::any_of(answer.verdict->inputs, [&answer](const Array& input) {
        if (!is_mask(input)) return false;
        const auto rows = rows_of<std::uint8_t>(input);
        const std::vector<bool> wrong = wrong_rows(answer, input);
        for (std::size_t r = 0; r < wrong.size(); ++r)
            if (wrong[r] && !is_empty(rows[r])) return true;
        return false;
    });
}

std::vector<Claim> claims_on_contents(const Evidence& failed, std::span<const Evidence> answers) {
    std::vector<Content> contents;
    for (const ask::TensorSpec& input : failed.question->function->inputs) {
        const auto given = std::ranges::find(failed.verdict->inputs, input.name, &Array::name);
        if (given == failed.verdict->inputs.end() || given->count() == 0 || input.dims.empty()) continue;
        if (input.type == ElementType::u8) add_mask(input, contents);
        if (input.type == ElementType::i32) add_whole_numbers(input, contents);
        if (input.type == ElementType::f32) add_numbers(input, contents);
    }
    std::vector<Claim> claims;
    const auto right = std::ranges::find_if(answers, passed);
    for (const Content& content : contents) {
        Claim claim = claim_of(content);
        const bool refuted = std::ranges::any_of(answers, [&](const Evidence& answer) {
            if (rows_refute(content, answer)) return true;  // whatever the inputs are
            return answer.question->recipe == failed.question->recipe &&
                   claim.right(*answer.question, answer.verdict->inputs) != passed(answer);
        });
        if (refuted) continue;
        add_probes(content, failed, right == answers.end() ? nullptr : &*right, claim);
        claims.push_back(std::move(claim));
    }
    return claims;
}

}  // namespace attn::diagnosis
