#include "grader/classes/downloads/layout.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/errors.h"
#include "grader/classes/roster/names.h"

namespace attn::classes {
namespace {

const std::regex kAutolabName(R"(^([^@]+@[^_/@]+)_(\d+)_(.+)$)");
const std::regex kAttemptName(R"(^((attempt|version|submission|v)?[ _-]?\d{1,4}|\d{4}-\d\d-\d\d.*)$)",
                              std::regex::icase);
constexpr std::size_t kLongestPath = 4096;
constexpr const char* kMetadataName = "submission_metadata.yml";

namespace layout {

bool ends_with(std::string_view name, std::initializer_list<std::string_view> endings) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view one) { return lower.ends_with(one); });
}

bool is_archive(std::string_view name) {
    return ends_with(
        name, {".zip", ".tar", ".tar.gz", ".tgz", ".7z", ".rar", ".tar.xz", ".txz", ".tar.bz2", ".tbz2"});
}

bool is_source(std::string_view name) {
    return ends_with(name, {".cpp", ".cu", ".cc", ".h", ".hpp", ".cuh"});
}

/// What lies directly below the root: for each name, whether it is a folder and the entries in it.
struct Top {
    bool folder = false;
    bool clone = false;  ///< a git clone
    std::vector<std::size_t> entries;
};
using Tops = std::map<std::string, Top>;

Tops tops_in(const DownloadEntries& download, const std::string& root) {
    Tops tops;
    for (std::size_t k = 0; k < download.entries.size(); ++k) {
        const DownloadEntry& entry = download.entries[k];
        if (!entry.path.starts_with(root) || entry.path.size() == root.size()) continue;
        const std::string below = entry.path.substr(root.size());
        const std::size_t end = below.find('/');
        const std::string name = below.substr(0, end);
        // A longer name is no platform's. (And std::regex needs a stack as deep as its text is long.)
        if (is_leftover(name) || entry.path.size() > kLongestPath) continue;
        Top& top = tops[name];
        top.folder |= entry.folder || end != std::string::npos;
        top.clone |= end != std::string::npos && below.substr(end) == "/.git";
        top.entries.push_back(k);
    }
    return tops;
}

template <class F>
bool most(const Tops& tops, F condition) {
    const auto good = std::count_if(tops.begin(), tops.end(), condition);
    return good > 0 && 2 * good >= static_cast<std::ptrdiff_t>(tops.size());
}

/// The platform that the names at the top belong to; empty if they are just folders.
std::string recognised(const Tops& tops) {
    if (tops.count(kMetadataName) != 0) return "gradescope";
    if (most(tops, [](const auto& top) { return moodle_name(top.first).has_value(); })) return "moodle";
    if (most(tops, [](const auto& top) {
            return !top.second.folder && (canvas_name(top.first, false) || canvas_name(top.first, true));
        }))
        return "canvas";
    if (most(tops, [](const auto& top) { return std::regex_match(top.first, kAutolabName); }))
        return "autolab";
    if (most(tops, [](const auto& top) { return top.second.clone; })) return "github";
    return "";
}

class Maker {
  public:
    Maker(const DownloadEntries& download, DownloadLayout& layout, const Tops& tops)
        : download_(download), layout_(layout), tops_(tops) {}

    void moodle() {
        std::map<std::string, std::size_t> planned;
        std::set<std::string> text_only;
        for (const auto& [text, top] : tops_) {
            const auto name = moodle_name(text);
            if (!name || (top.folder && !name->rest.empty())) {
                foreign(text);
                continue;
            }
            PlannedHandIn& one = hand_in_of(name->student, name->id, name->name, planned);
            if (name->plugin != "file") {
                text_only.insert(name->student);
                continue;
            }
            // Flat files carry the label as a prefix.
            const std::size_t prefix = text.size() - name->rest.size();
            one.hand_in.label = text.substr(0, prefix);
            add_files(one, top, prefix + (top.folder ? 1 : 0));
        }
        forget_common_name();
        for (const std::string& student : text_only)
            if (PlannedHandIn& one = layout_.planned[planned[student]]; one.files.empty())
                one.hand_in.problem = "It has only an online text, no file.";
    }

    void canvas() {
        const bool anonymous = std::ranges::all_of(tops_, [](const auto& top) {
            return canvas_name(top.first, true) || !canvas_name(top.first, false);
        });
        std::map<std::string, std::size_t> planned;
        for (const auto& [text, top] : tops_) {
            const auto name = canvas_name(text, anonymous);
            if (top.folder || !name) {
                foreign(text);
                continue;
            }
            PlannedHandIn& one = hand_in_of(name->student, name->id, name->name, planned);
            one.hand_in.marked_late |= name->late;
            if (name->attachment.empty()) continue;
            if (one.files.empty()) one.hand_in.label = name->student + "_" + name->attachment;
            for (const std::size_t k : top.entries) one.files.emplace_back(k, name->file);
        }
        for (PlannedHandIn& one : layout_.planned) {
            if (one.files.empty()) one.hand_in.problem = "It has only an online text or a link, no file.";
            undo_canvas_numbers(one);
        }
    }

    void gradescope() {
        for (const auto& [name, top] : tops_) {
            if (name == kMetadataName) continue;
            if (!top.folder)
                foreign(name);
            else
                add_files(layout_.planned[plan(name, {})], top, name.size() + 1);
        }
    }

    void autolab() {
        std::map<std::string, std::size_t> planned;
        for (const auto& [name, top] : tops_) {
            std::smatch found;
            if (!std::regex_match(name, found, kAutolabName)) {
                foreign(name);
                continue;
            }
            const std::string email = tidy_name(found[1].str()), label = email + "_" + found[2].str();
            const auto [at, fresh] = planned.emplace(label, 0);
            if (fresh)
                at->second = plan(
                    label, {Person{.key = email, .name = {}, .email = email, .login = {}, .section = {}}});
            PlannedHandIn& one = layout_.planned[at->second];
            if (top.folder)
                add_files(one, top, name.size() + 1);
            else
                one.files.emplace_back(top.entries.front(), found[3].str());
        }
        std::stable_sort(layout_.planned.begin(), layout_.planned.end(), [](const auto& a, const auto& b) {
            const Person &one = a.hand_in.people.front(), &other = b.hand_in.people.front();
            return std::pair(one.email, version_of(a.hand_in.label)) <
                   std::pair(other.email, version_of(b.hand_in.label));
        });
    }

    void github() {
        // Where the exercise is known, the login is; otherwise it is a guess, and the whole name is kept.
        const std::string exercise = known_exercise(), prefix = exercise.empty() ? common_prefix() : exercise;
        for (const auto& [name, top] : tops_) {
            if (!top.folder) {
                foreign(name);
                continue;
            }
            const std::string login = tidy_name(name.substr(prefix.size()));
            const Person person{.key = exercise.empty() ? tidy_name(name) : login,
                                .name = {},
                                .email = {},
                                .login = login,
                                .section = {}};
            add_files(layout_.planned[plan(name, {person})], top, name.size() + 1);
        }
    }

    void folder() {
        for (const auto& [name, top] : tops_) {
            if (!top.folder && !is_archive(name)) {
                foreign(name);
                continue;
            }
            const std::string stem = top.folder ? name : without_archive_ending(name);
            const std::vector<Person> people = {person_named(stem)};
            if (!top.folder) {
                layout_.planned[plan(stem, people)].files.emplace_back(top.entries.front(), name);
                continue;
            }
            std::map<std::string, Top> attempts;
            if (!is_folder_of_attempts(name, attempts)) {
                add_files(layout_.planned[plan(name, people)], top, name.size() + 1);
                continue;
            }
            for (const auto& [attempt, files] : attempts) {
                PlannedHandIn& one = layout_.planned[plan(name + "/" + attempt, people)];
                if (files.folder)
                    add_files(one, files, name.size() + 1 + attempt.size() + 1);
                else
                    one.files.emplace_back(files.entries.front(), attempt);
            }
        }
    }

  private:
    std::size_t plan(const std::string& label, std::vector<Person> people) {
        PlannedHandIn one;
        one.hand_in.label = label;
        one.hand_in.people = std::move(people);
        layout_.planned.push_back(std::move(one));
        return layout_.planned.size() - 1;
    }

    /// The hand-in of a student whom the platform's names call `label`. `planned` has those that are there.
    PlannedHandIn& hand_in_of(const std::string& label, const std::string& id, const std::string& name,
                              std::map<std::string, std::size_t>& planned) {
        const auto [at, is_new] = planned.emplace(label, 0);
        if (is_new)
            at->second = plan(
                label, {Person{.key = id, .name = tidy_name(name), .email = {}, .login = {}, .section = {}}});
        return layout_.planned[at->second];
    }

    /// Adds the files of a top entry; their names begin after `skip` characters after the root.
    void add_files(PlannedHandIn& one, const Top& top, std::size_t skip) const {
        for (const std::size_t k : top.entries) {
            const std::string& path = download_.entries[k].path;
            if (download_.entries[k].folder || path.size() <= layout_.root.size() + skip) continue;
            one.files.emplace_back(k, path.substr(layout_.root.size() + skip));
        }
    }

    void foreign(const std::string& name) {
        if (++foreign_ <= 20)
            layout_.notes.push_back(fmt::format("\"{}\" is left out: {}.", tidy_name(name),
                                                layout_.platform == "folder"
                                                    ? "it is neither a student's folder nor an archive"
                                                    : "its name is none that the platform gives a hand-in"));
    }

    /// Where Moodle hides the names, everybody is called "Participant", in the site's language.
    void forget_common_name() {
        constexpr std::size_t kFew = 3;
        std::set<std::string> names;
        for (const PlannedHandIn& one : layout_.planned) names.insert(one.hand_in.people.front().name);
        if (names.size() != 1 || (layout_.planned.size() < kFew && *names.begin() != "Participant")) return;
        for (PlannedHandIn& one : layout_.planned) one.hand_in.people.front().name.clear();
    }

    /// Canvas renames a file that is handed in again: softmax-1.cpp. The first part must be nothing else's
    /// name.
    static void undo_canvas_numbers(PlannedHandIn& one) {
        static const std::regex numbered(
            R"(^(.+)-(\d{1,3})(\.(?:cpp|cu|h|cuh|hpp|cc|zip|tar|tgz|tar\.gz))$)");
        std::map<std::string, int> plain_names;
        for (const auto& [entry, name] : one.files) ++plain_names[std::regex_replace(name, numbered, "$1$3")];
        for (auto& [entry, name] : one.files)
            if (const std::string plain = std::regex_replace(name, numbered, "$1$3"); plain_names[plain] == 1)
                name = plain;
    }

    static int version_of(const std::string& label) {
        const std::string digits = label.substr(label.rfind('_') + 1);
        return digits.size() > 6 ? 0 : std::atoi(digits.c_str());
    }

    /// "exercise-" of a folder "exercise-submissions", into which GitHub Classroom clones; empty for another folder.
    std::string known_exercise() const {
        const auto place = (std::filesystem::absolute(download_.given) / layout_.root / "").parent_path();
        const std::string ending = "-submissions", folder = place.filename().string();
        if (!folder.ends_with(ending)) return "";
        const std::string exercise = folder.substr(0, folder.size() - ending.size() + 1);
        const bool of_all = std::ranges::all_of(tops_, [&exercise](const auto& top) {
            return !top.second.folder || top.first.starts_with(exercise);
        });
        return of_all ? exercise : "";
    }

    /// "exercise-" of "exercise-ann", "exercise-bob"; empty for a single clone.
    std::string common_prefix() const {
        std::string prefix;
        bool first = true;
        for (const auto& [name, top] : tops_) {
            if (!top.folder) continue;
            if (first) prefix = name;
            first = false;
            const auto [end, other] = std::mismatch(prefix.begin(), prefix.end(), name.begin(), name.end());
            prefix.erase(end, prefix.end());
        }
        const std::size_t dash = prefix.rfind('-');
        const bool several =
            std::count_if(tops_.begin(), tops_.end(), [](const auto& top) { return top.second.folder; }) > 1;
        return several && dash != std::string::npos ? prefix.substr(0, dash + 1) : "";
    }

    static std::string without_archive_ending(const std::string& name) {
        static const std::regex ending(R"(\.(zip|tar|tar\.gz|tgz|7z|rar|tar\.xz|txz|tar\.bz2|tbz2)$)",
                                       std::regex::icase);
        return std::regex_replace(name, ending, "");
    }

    static Person person_named(const std::string& label) {
        Person person;
        person.name = tidy_name(label);
        person.key = person.name;
        if (label.find('@') != std::string::npos)
            person.email = person.name;
        else
            person.login = person.name;
        return person;
    }

    bool is_folder_of_attempts(const std::string& name, std::map<std::string, Top>& attempts) const {
        attempts = tops_in(download_, layout_.root + name + "/");
        return !attempts.empty() && std::all_of(attempts.begin(), attempts.end(), [](const auto& attempt) {
            const std::string stem =
                attempt.second.folder ? attempt.first : without_archive_ending(attempt.first);
            return (attempt.second.folder || is_archive(attempt.first)) &&
                   std::regex_match(stem, kAttemptName);
        });
    }

    const DownloadEntries& download_;
    DownloadLayout& layout_;
    const Tops& tops_;
    int foreign_ = 0;
};

/// Whether the only folder at the top should be entered: it is no student's.
bool descends(const Tops& tops, const Tops& inside) {
    return tops.size() == 1 && tops.begin()->second.folder && !inside.empty() &&
           std::none_of(inside.begin(), inside.end(),
                        [](const auto& top) { return !top.second.folder && is_source(top.first); });
}

}  // namespace layout
}  // namespace

const std::vector<std::string>& known_platforms() {
    static const std::vector<std::string> kPlatforms = {"moodle",  "canvas", "gradescope",
                                                        "autolab", "github", "folder"};
    return kPlatforms;
}

DownloadLayout layout_of(const DownloadEntries& download, const std::optional<std::string>& platform) {
    const auto& known = known_platforms();
    if (platform && std::find(known.begin(), known.end(), *platform) == known.end())
        throw UserError(
            fmt::format("there is no platform '{}'; there are {}", *platform, fmt::join(known, ", ")));
    DownloadLayout layout;
    layout::Tops tops = layout::tops_in(download, "");
    for (int depth = 0; layout.platform.empty() && depth < 8; ++depth) {
        layout.platform = layout::recognised(tops);
        if (!layout.platform.empty()) break;
        const std::string inside_root = layout.root + (tops.empty() ? "" : tops.begin()->first + "/");
        layout::Tops inside = layout::tops_in(download, inside_root);
        if (!layout::descends(tops, inside)) break;
        layout.root = inside_root;
        tops = std::move(inside);
    }
    if (layout.platform.empty()) layout.platform = "folder";
    if (platform) layout.platform = *platform;
    const auto too_long = std::count_if(download.entries.begin(), download.entries.end(),
                                        [](const auto& entry) { return entry.path.size() > kLongestPath; });
    if (too_long > 0)
        layout.notes.push_back(fmt::format(
            "{} files are left out, because their names have more than {} bytes.", too_long, kLongestPath));
    layout::Maker maker(download, layout, tops);
    if (layout.platform == "moodle") maker.moodle();
    if (layout.platform == "canvas") maker.canvas();
    if (layout.platform == "gradescope") maker.gradescope();
    if (layout.platform == "autolab") maker.autolab();
    if (layout.platform == "github") maker.github();
    if (layout.platform == "folder") maker.folder();
    if (layout.planned.empty())
        throw UserError(fmt::format(
            "{}: no hand-in was found{}; expected a folder or an archive for each student, or a platform's "
            "download; "
            "name the folder that holds them",
            download.given.string(), layout.notes.empty() ? "" : " (" + layout.notes.front() + ")"));
    return layout;
}

}  // namespace attn::classes
