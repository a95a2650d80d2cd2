// Mutated rubrics: each is either read or refused with a UserError.

#include "datasets/files/mutator.h"
#include "grader/testing/broken_rubric.h"

namespace attn::rubric {
namespace {

BOOST_AUTO_TEST_SUITE(rubric_fuzz, *boost::unit_test::label("long"))

/// Checks what the judge relies on.
void require_sound(const Rubric& rubric) {
    if (rubric.parts.empty() || !(rubric.points() >= 0) || rubric.limits.time_s <= 0)
        BOOST_ERROR("a rubric without parts, points or time");
    const auto require_sizes = [](const ask::Sizes& sizes) {
        for (const auto& [letter, length] : sizes)
            if (length < 1 || length > 1 << 20) BOOST_ERROR(letter << " = " << length);
    };
    for (const PartRubric& part : rubric.parts) {
        for (const CaseRubric& each : part.cases) require_sizes(each.sizes);
        if (part.speed) {
            const SpeedRubric& speed = *part.speed;
            require_sizes(speed.sizes);
            if (!(speed.points >= 0 && speed.scale.yardstick > 0 && speed.threads >= 1 && speed.budget_s > 0))
                BOOST_ERROR("a speed that cannot be measured");
            for (std::size_t k = 1; k < speed.scale.steps.size(); ++k)
                if (!(speed.scale.steps[k].share > speed.scale.steps[k - 1].share &&
                      speed.scale.steps[k].times_plain > speed.scale.steps[k - 1].times_plain))
                    BOOST_ERROR("a scale that does not rise");
        }
        if (part.growth) {
            const GrowthRubric& growth = *part.growth;
            for (const int length : growth.lengths) require_sizes(growth.sizes_at(growth.sizes, length));
            if (!(growth.points >= 0 && growth.lengths.size() >= 3 &&
                  (growth.time_above_plain > 0 || growth.memory > 0)))
                BOOST_ERROR("a growth that cannot be measured");
        }
    }
}

BOOST_AUTO_TEST_CASE(mutated_rubrics_are_read_or_refused) {
    const data::TemporaryDirectory folder;
    std::vector<std::string> names, texts;
    for (const auto& entry : std::filesystem::directory_iterator(kAssignments)) {
        if (!std::filesystem::exists(entry.path() / "rubric.toml")) continue;
        names.push_back(entry.path().filename());
        texts.push_back(shipped_text(names.back()));
        std::filesystem::create_directory(folder / names.back());
    }
    // Sorted, because the order of a directory differs between machines.
    std::sort(names.begin(), names.end());
    std::sort(texts.begin(), texts.end());
    data::Mutator mutate(5);
    data::fuzz<UserError>(6000, [&](int) {
        const std::string& name = mutate.pick(names);
        std::vector<std::string> files = {shipped_text(name)};
        if (mutate.up_to(3) == 0) files.push_back(mutate.pick(texts));
        data::write_anew(folder, name + "/rubric.toml", mutate(files));
        require_sound(read_rubric(folder / name));
    });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::rubric
