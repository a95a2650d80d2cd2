#include "grader/classes/class_file.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/errors.h"
#include "grader/classes/moments.h"
#include "grader/rubric/toml_reader.h"

namespace attn::classes {
namespace {
using rubric::TableReader;

namespace class_file {

Moment moment(TableReader& reader, const char* key) {
    const std::string text = reader.text(key);
    try {
        return read_moment(text);
    } catch (const UserError& error) {
        reader.refuse(key, error.what());
    }
}

Extension extension(TableReader reader) {
    Extension extension;
    extension.who = reader.text("who");
    extension.until = moment(reader, "until");
    extension.reason = reader.text("reason");
    if (extension.reason.empty())
        reader.refuse("reason", "'reason' is empty; expected why there is more time");
    reader.done();
    return extension;
}

ExerciseRules exercise(TableReader reader) {
    constexpr double kMostMinutes = 7 * 24 * 60;
    ExerciseRules rules;
    rules.assignment = reader.whole("assignment", 1, 999);
    if (reader.has("due")) rules.due = moment(reader, "due");
    rules.grace_minutes = reader.number("grace_minutes", 0, kMostMinutes, 0);
    rules.percent_a_day = reader.number("percent_a_day", 0, 100, 0);
    rules.most_days = reader.whole("most_days", 0, 1000, 0);
    const std::string counts = reader.text("counts", "latest");
    if (counts != "latest" && counts != "best")
        reader.refuse("counts", fmt::format("'counts' is '{}'; expected 'latest' or 'best'", counts));
    rules.counts = counts == "best" ? Counts::best : Counts::latest;
    if (reader.has("extension"))
        for (TableReader& each : reader.tables("extension")) {
            rules.extensions.push_back(extension(each));
            if (!rules.due)
                each.refuse("until",
                            "there is an extension, but the exercise has no 'due'; write when it is due");
            if (rules.extensions.back().until < *rules.due)
                each.refuse("until", "the extension ends before the exercise is due; expected a later time");
        }
    reader.done();
    return rules;
}

ClusterRules cluster(TableReader reader) {
    ClusterRules rules;
    constexpr int kMost = 1 << 20;
    rules.partition = reader.text("partition", "");
    rules.account = reader.text("account", "");
    rules.gres = reader.text("gres", "");
    rules.more = reader.texts("options", true);
    rules.processors = reader.whole("processors", 1, kMost, rules.processors);
    rules.memory_mib = reader.whole("memory_mib", 1, kMost, rules.memory_mib);
    rules.at_once = reader.whole("at_once", 0, kMost, 0);
    rules.scratch = reader.text("scratch", "");
    if (!rules.scratch.empty() && !rules.scratch.is_absolute())
        reader.refuse("scratch",
                      "'scratch' is not absolute; expected a folder of every node, such as /scratch");
    reader.done();
    return rules;
}

}  // namespace class_file
}  // namespace

const ExerciseRules& ClassRules::exercise(int assignment) const {
    const auto found = std::ranges::find(exercises, assignment, &ExerciseRules::assignment);
    if (found != exercises.end()) return *found;
    std::vector<int> known;
    for (const ExerciseRules& each : exercises) known.push_back(each.assignment);
    throw UserError(
        fmt::format("this class has no exercise {}; class.toml has {}; add a table [[exercise]] with "
                    "assignment = {}",
                    assignment, fmt::join(known, ", "), assignment));
}

ClassRules read_class_file(const std::filesystem::path& folder) {
    const auto file = folder / "class.toml";
    const toml::table table = rubric::parse_toml(file);
    TableReader reader(file, table, "the class");
    ClassRules rules;
    rules.title = reader.text("title");
    try {
        use_course_zone(reader.text("zone", ""));
    } catch (const UserError& error) {
        reader.refuse("zone", error.what());
    }
    const std::string seed_file = reader.text("seed_file", "");
    if (!seed_file.empty())
        rules.seed_file = std::filesystem::absolute(folder / seed_file).lexically_normal();
    rules.course = reader.text("course", "");
    if (std::filesystem::is_regular_file(folder / rules.course))
        rules.course = std::filesystem::absolute(folder / rules.course).lexically_normal();
    rules.speed = reader.flag("speed");
    for (TableReader& each : reader.tables("exercise")) {
        ExerciseRules exercise = class_file::exercise(each);
        if (std::ranges::find(rules.exercises, exercise.assignment, &ExerciseRules::assignment) !=
            rules.exercises.end())
            each.refuse("assignment", fmt::format("there are two exercises with assignment {}; expected one",
                                                  exercise.assignment));
        rules.exercises.push_back(std::move(exercise));
    }
    if (reader.has("slurm")) rules.cluster = class_file::cluster(reader.table("slurm"));
    reader.done();
    return rules;
}

std::string new_class_file(const std::string& title, const std::vector<int>& assignments,
                           const std::optional<Moment>& due, bool secret_seed) {
    std::string quoted;
    for (const char c : title) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    std::string text = fmt::format(
        "# The rules of this class. After a change type `grader class grade`: it shows which marks change.\n"
        "title = \"{}\"\n"
        "{}zone = \"{}\"   # of times that have none, and of times that are shown\n"
        "{}seed_file = \"secret.txt\"   # the secret seed of the marks; without it the seed is the public "
        "one\n"
        "# course = \"course.toml\"   # a course with its own titles; without it as `grader list` shows\n"
        "speed = true               # false: speed is not measured, and its points do not count\n",
        quoted, course_zone().empty() ? "# " : "", course_zone().empty() ? "Europe/Berlin" : course_zone(),
        secret_seed ? "" : "# ");
    for (const int assignment : assignments)
        text += fmt::format(
            "\n[[exercise]]\n"
            "assignment = {}\n"
            "{}due = \"{}\"   # date and time, and the zone if it is another\n"
            "grace_minutes = 15     # after these, days count from `due`\n"
            "percent_a_day = 10     # taken off for each day that has begun\n"
            "most_days = 5          # later deliveries get no points; 0: there is no such limit\n"
            "counts = \"latest\"      # of several attempts; or \"best\"\n"
            "# [[exercise.extension]]\n"
            "# who = \"anna@example.org\"   # e-mail, login, key of the platform, or name\n"
            "# until = \"2026-11-27T23:59:00+01:00\"\n"
            "# reason = \"ill\"\n",
            assignment, due ? "" : "# ", due ? moment_text(*due) : "2026-11-20T23:59:00+01:00");
    return text;
}

}  // namespace attn::classes
