#include "grader/grading/handed_in.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"
#include "grader/base/installation.h"
#include "grader/compile/source_reader.h"
#include "grader/intake/file_kind.h"
#include "grader/intake/intake_folder.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using intake::shown;
using rubric::Rubric;

std::vector<std::string> names_of_sources(const Rubric& rubric) {
    std::vector<std::string> names = rubric.sources;
    if (rubric.cuda) names.push_back(rubric.cuda->source);
    return names;
}

/// The letters and digits before the ending, in lower case: "selfattention1" of "Self_Attention (1).cpp".
std::string letters_of_source(const std::string& name) {
    std::string letters;
    for (const char c : name.substr(0, name.find('.')))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

std::string in_a_list(const std::set<std::string>& names) {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> list;
    for (const std::string& name : names)
        if (list.size() < kShown) list.push_back(shown(name));
    if (names.size() > kShown) list.emplace_back("..");
    return fmt::format("{}", fmt::join(list, ", "));
}

/// Finds files with other names than the assignments expect.
class SourceNames {
  public:
    SourceNames(HandedIn& handed_in, const std::vector<Rubric>& all) : handed_in_(handed_in) {
        std::set<std::string> expected;
        for (const Rubric& rubric : all)
            for (const std::string& name : names_of_sources(rubric)) {
                expected.insert(name);
                stems_.insert(letters_of_source(name));
            }
        for (const auto& entry : fs::directory_iterator(handed_in.intake.folder)) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_regular_file() || intake::source_language(name).empty()) continue;
            (expected.contains(name) ? expected_ : others_).insert(name);
        }
    }

    /// Gives the source its name, if one file can be meant.
    void find(const Rubric& rubric, const std::string& source, bool only_one_assignment) {
        std::set<std::string> meant;
        for (const std::string& name : others_)
            if (is_called_like(name, source) && may_be_of(rubric, name)) meant.insert(name);
        if (fs::exists(handed_in_.intake.folder / source)) {
            if (!meant.empty() && fs::is_regular_file(handed_in_.intake.folder / source))
                note(fmt::format("{} is graded, and {} is not", shown(source), in_a_list(meant)));
            return;
        }
        if (meant.empty() && only_one_assignment && source == rubric.sources.front())
            for (const std::string& name : others_)
                if (intake::source_language(name) == intake::source_language(source) &&
                    has_function_of(rubric, name))
                    meant.insert(name);
        if (meant.empty()) return share(rubric, source);
        if (meant.size() > 1) {
            handed_in_.unclear.push_back(
                fmt::format("{} may be meant for {}, and it cannot be told which; keep one of them, under "
                            "that name",
                            in_a_list(meant), shown(source)));
            return;
        }
        fs::rename(handed_in_.intake.folder / *meant.begin(), handed_in_.intake.folder / source);
        note(fmt::format("{} is graded as {}; hand it in under this name", shown(*meant.begin()),
                         shown(source)));
        others_.erase(*meant.begin());
    }

  private:
    /// Copies the source of another assignment, if it alone has all functions of this one.
    void share(const Rubric& rubric, const std::string& source) {
        if (source != rubric.sources.front()) return;
        std::vector<std::string> whole;
        std::ranges::copy_if(expected_, std::back_inserter(whole), [&](const std::string& name) {
            return intake::source_language(name) == intake::source_language(source) &&
                   functions_of(rubric, name) == rubric.parts.size();
        });
        if (whole.size() != 1) return;
        fs::copy_file(handed_in_.intake.folder / whole.front(), handed_in_.intake.folder / source);
        note(fmt::format("{} is graded as {}, too, because it has its functions", shown(whole.front()),
                         shown(source)));
    }

    void note(std::string text) { handed_in_.intake.notes.push_back(std::move(text)); }

    /// Whether the name contains that of the source, and of no other.
    bool is_called_like(const std::string& name, const std::string& source) const {
        const std::string letters = letters_of_source(name), stem = letters_of_source(source);
        return intake::source_language(name) == intake::source_language(source) &&
               letters.find(stem) != std::string::npos &&
               std::ranges::none_of(stems_, [&](const auto& other) {
                   return stem.find(other) == std::string::npos && letters.find(other) != std::string::npos;
               });
    }

    /// How many functions of the assignment the file has.
    std::size_t functions_of(const Rubric& rubric, const std::string& name) {
        const auto facts = reader_.facts(handed_in_.intake.folder / name);
        if (!facts) return 0;
        return static_cast<std::size_t>(
            std::ranges::count_if(rubric.parts, [&facts](const rubric::PartRubric& part) {
                return std::ranges::count(facts->void_functions, part.function->name) > 0;
            }));
    }

    bool has_function_of(const Rubric& rubric, const std::string& name) {
        return functions_of(rubric, name) > 0;
    }

    /// A file that is no text has no functions, and its name has to do.
    bool may_be_of(const Rubric& rubric, const std::string& name) {
        const std::string text = data::read_file(handed_in_.intake.folder / name);
        return !intake::why_no_source(text).empty() || has_function_of(rubric, name);
    }

    HandedIn& handed_in_;
    compile::SourceReader reader_{Installation(), {}};
    std::set<std::string> expected_, others_;  ///< sources that an assignment expects, and that none does
    std::set<std::string> stems_;
};

}  // namespace

HandedIn take_in_sources(const fs::path& submission, const std::vector<Rubric>& all,
                         const std::vector<const Rubric*>& graded) {
    HandedIn handed_in{intake::take_in(submission), {}};
    SourceNames names(handed_in, all);
    for (const Rubric* rubric : graded)
        for (const std::string& source : names_of_sources(*rubric))
            names.find(*rubric, source, graded.size() == 1);
    return handed_in;
}

void require_some_source(const fs::path& submission, HandedIn& handed_in,
                         const std::vector<const Rubric*>& graded) {
    const fs::path& folder = handed_in.intake.folder;
    std::vector<std::string> expected, unreadable;
    bool readable = false;
    for (const Rubric* rubric : graded)
        for (const std::string& name : names_of_sources(*rubric)) {
            expected.push_back(name);
            if (!fs::is_regular_file(folder / name)) continue;
            const std::string why = intake::why_no_source(data::read_file(folder / name));
            readable = readable || why.empty();
            if (!why.empty()) unreadable.push_back(shown(name) + " " + why);
        }
    if (expected.empty()) return;
    const auto refuse = [&submission](const std::vector<std::string>& why) {
        throw UserError(fmt::format("{}: {}", submission.string(), fmt::join(why, ". ")));
    };
    // Of one assignment only its kernels may be unreadable: they are graded apart.
    const bool one_without_source = graded.size() == 1 && !unreadable.empty() &&
                                    unreadable.front().starts_with(shown(graded.front()->sources.front()));
    if (!unreadable.empty() && (!readable || one_without_source)) refuse(unreadable);
    for (const std::string& why : unreadable)
        if (std::ranges::count(handed_in.intake.notes, why) == 0) handed_in.intake.notes.push_back(why);
    if (readable) {
        std::ranges::copy(handed_in.unclear, std::back_inserter(handed_in.intake.notes));
        return;
    }
    if (!handed_in.unclear.empty()) refuse(handed_in.unclear);
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename().string());
    throw UserError(fmt::format(
        "{}: {}; expected {}{}; hand in the folder that holds them, or an archive of it", submission.string(),
        found.empty() ? "nothing was handed in" : fmt::format("there is only {}", in_a_list(found)),
        expected.size() > 2 ? "one of the assignments' files, such as " : "",
        fmt::join(
            expected.begin(),
            expected.begin() + std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(expected.size())),
            " or ")));
}

}  // namespace attn
