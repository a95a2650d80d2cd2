// Rubrics that are wrong in every way: each is read or refused with a RubricError.

#include "datasets/mutator.h"
#include "grader/submission/broken_rubric.h"

namespace attn::submission {
namespace {

BOOST_AUTO_TEST_SUITE(rubric_fuzz)

/// What the judge relies on.
void require_sound(const Rubric& rubric) {
    if (rubric.parts.empty() || !(rubric.points() >= 0) || rubric.limits.time_s <= 0)
        BOOST_ERROR("a rubric without parts, points or time");
    for (const PartRubric& part : rubric.parts)
        for (const CaseRubric& each : part.cases)
            for (const auto& [letter, length] : each.sizes)
                if (length < 1 || length > 1 << 20) BOOST_ERROR(letter << " = " << length);
}

BOOST_AUTO_TEST_CASE(rubrics) {
    const data::TemporaryDirectory folder;
    std::vector<std::string> names, texts;
    for (const auto& entry : std::filesystem::directory_iterator(kAssignments)) {
        if (!entry.is_directory()) continue;
        names.push_back(entry.path().filename());
        texts.push_back(shipped_text(names.back()));
        std::filesystem::create_directory(folder / names.back());
    }
    // The order of a directory is not that of another machine.
    std::sort(names.begin(), names.end());
    std::sort(texts.begin(), texts.end());
    data::Mutator mutate(5);
    data::fuzz<RubricError>(6000, [&](int) {
        const std::string& name = mutate.pick(names);
        std::vector<std::string> files = {shipped_text(name)};
        if (mutate.below_or(3) == 0) files.push_back(mutate.pick(texts));
        data::write_anew(folder, name + "/rubric.toml", mutate(files));
        require_sound(read_rubric(folder / name));
    });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::submission
