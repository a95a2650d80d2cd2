// A property that says that slices do not mix (batches, rows, windows, features) notices any two that do.

#include <algorithm>
#include <optional>
#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/ask/laws.h"
#include "grader/base/installation.h"
#include "grader/grading/grade.h"
#include "grader/grading/questions.h"
#include "grader/judge/in_process.h"
#include "grader/judge/property.h"

namespace attn::proof {
namespace {

BOOST_AUTO_TEST_SUITE(mixed_slices)

/// Adds half of slice `from` along `axis` to slice `to`. A slice of tokens becomes that of `from`.
void mix(Array& array, std::size_t axis, int from, int to) {
    if (array.shape.size() <= axis || std::max(from, to) >= array.shape[axis]) return;
    std::size_t inner = 1;
    for (std::size_t k = axis + 1; k < array.shape.size(); ++k)
        inner *= static_cast<std::size_t>(array.shape[k]);
    const auto length = static_cast<std::size_t>(array.shape[axis]);
    std::visit(
        [&]<typename T>(std::vector<T>& values) {
            for (std::size_t k = 0; k < values.size(); ++k) {
                if (k / inner % length != static_cast<std::size_t>(to)) continue;
                const T other =
                    values[k + static_cast<std::size_t>(from) * inner - static_cast<std::size_t>(to) * inner];
                values[k] = std::is_floating_point_v<T> ? static_cast<T>(values[k] + other / 2) : other;
            }
        },
        array.values);
}

/// Whether slice k of every output is the same in two answers, or 0 where the second answer has fewer slices.
/// Then the property's calls do not show which other slice adds a part of it.
bool is_silent(const Arrays& first, const Arrays& second, std::size_t axis, int k) {
    for (std::size_t o = 0; o < first.size(); ++o) {
        const Array &a = first[o], &b = second[o];
        if (a.shape.size() <= axis || k >= a.shape[axis]) continue;
        const int along = static_cast<int>(axis);
        const Array one = ask::slices(a, along, k, 1);
        const Array other = a.shape == b.shape ? ask::slices(b, along, k, 1) : ask::zeros_like(one);
        if (one.values != other.values) return false;
    }
    return true;
}

judge::CallFunction student_who_mixes(std::size_t axis, int from, int to) {
    return judge::reference_student([=](const Arrays&, Arrays& outputs) {
        for (Array& output : outputs) mix(output, axis, from, to);
    });
}

/// The axis whose slices a property of this name keeps apart.
std::optional<std::size_t> axis_of(const std::string& property) {
    if (property == "features_do_not_mix") return 2;
    if (property == "windows_do_not_mix") return 1;
    const auto ends_with = [&property](const char* end) { return property.ends_with(end); };
    const bool of_slices = ends_with("_do_not_mix") || ends_with("_stay_apart") || ends_with("_add_up");
    const bool of_others = property == "parts_stay_apart" || property == "steps_add_up";
    return of_slices && !of_others ? std::optional<std::size_t>(0) : std::nullopt;
}

BOOST_AUTO_TEST_CASE(any_two_slices_that_mix_are_noticed) {
    int properties = 0, seen = 0, silent = 0;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments)) {
        for (const rubric::PartRubric& part : rubric.parts) {
            const judge::Question question = property_question(rubric, part, kPublicSeed);
            for (const ask::Property* property : part.properties) {
                const auto axis = axis_of(property->name);
                if (!axis) continue;
                ++properties;
                const auto passes = [&](int from, int to) {
                    const auto student = student_who_mixes(*axis, from, to);
                    return judge::judge_properties(question, {property}, student).front().outcome ==
                           Outcome::passed;
                };
                const std::string name = part.function->name + ", " + property->name;
                BOOST_TEST(passes(0, 1000), name << " of the reference");
                ask::Random random(question.seed, part.function->name + "." + property->name);
                const auto runs = property->design(question.make_inputs(), random).runs;
                const Arrays first = ask::evaluate(*part.function, runs.at(0), ask::Precision::f32),
                             second = ask::evaluate(*part.function, runs.at(1), ask::Precision::f32);
                int slices = 0;
                for (const Array& output : first)
                    if (output.shape.size() > *axis && slices < 2) slices = output.shape[*axis];
                BOOST_TEST(slices > 1, name);
                for (int from = 0; from < slices; ++from) {
                    if (is_silent(first, second, *axis, from)) {
                        ++silent;
                        continue;
                    }
                    ++seen;
                    for (int to = 0; to < slices; ++to)
                        if (from != to)
                            BOOST_TEST(!passes(from, to),
                                       name << ": " << to << " sees " << from << " of " << slices);
                }
            }
        }
    }
    BOOST_TEST(properties > 60);
    BOOST_TEST(seen > 200);
    BOOST_TEST(silent < 10);
}

/// Whether a property says that what comes later changes nothing before it.
bool is_about_later(const std::string& property) {
    for (const char* name : {"words_to_come", "later_change_nothing", "later_vectors_change_nothing",
                             "future_changes_nothing", "future_unused"})
        if (property == name) return true;
    return false;
}

BOOST_AUTO_TEST_CASE(any_place_that_sees_a_later_one_is_noticed) {
    int properties = 0, pairs = 0;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments)) {
        for (const rubric::PartRubric& part : rubric.parts) {
            const judge::Question question = property_question(rubric, part, kPublicSeed);
            for (const ask::Property* property : part.properties) {
                if (!is_about_later(property->name)) continue;
                ++properties;
                const std::string name = part.function->name + ", " + property->name;
                ask::Random random(question.seed, part.function->name + "." + property->name);
                const auto runs = property->design(question.make_inputs(), random).runs;
                int places = 0;
                for (const Array& output : ask::evaluate(*part.function, runs.at(0), ask::Precision::f32))
                    if (output.shape.size() > 1) places = std::max(places, output.shape[1]);
                BOOST_TEST(places > 1, name);
                for (int from = 1; from < places; ++from) {
                    for (int to = 0; to < from; ++to) {
                        const auto student = student_who_mixes(1, from, to);
                        const auto check = judge::judge_properties(question, {property}, student).front();
                        BOOST_TEST((check.outcome == Outcome::wrong),
                                   name << ": " << to << " sees " << from << " of " << places);
                        ++pairs;
                    }
                }
            }
        }
    }
    BOOST_TEST(properties > 8);
    BOOST_TEST(pairs > 60);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::proof
