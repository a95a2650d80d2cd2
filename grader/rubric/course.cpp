#include "grader/rubric/course.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/base/listed_in_words.h"
#include "grader/rubric/toml_reader.h"

namespace attn::rubric {
namespace {

namespace fs = std::filesystem;

const Rubric* rubric_of_number(const std::vector<Rubric>& rubrics, int number) {
    const auto found = std::ranges::find(rubrics, number, &Rubric::number);
    return found == rubrics.end() ? nullptr : &*found;
}

std::string numbers_of(const std::vector<Rubric>& rubrics) {
    std::vector<int> numbers;
    for (const Rubric& rubric : rubrics) numbers.push_back(rubric.number);
    return fmt::format("{}", fmt::join(numbers, ", "));
}

/// "steps 1 to 5", "steps 1 and 3", "step 2".
std::string steps_in_words(const std::vector<int>& steps) {
    if (steps.size() == 1) return fmt::format("step {}", steps.front());
    const bool gapless = steps.back() - steps.front() + 1 == static_cast<int>(steps.size());
    if (gapless && steps.size() > 2) return fmt::format("steps {} to {}", steps.front(), steps.back());
    std::vector<std::string> words;
    for (const int step : steps) words.push_back(std::to_string(step));
    return "steps " + listed_in_words(words);
}

/// All steps of an assignment's handout, in ascending order.
std::vector<int> steps_of(const Rubric& rubric) {
    std::set<int> steps;
    for (const PartRubric& part : rubric.parts) steps.insert(part.step);
    return {steps.begin(), steps.end()};
}

/// The functions of some steps: "rnn_cell, lstm_cell".
std::string functions_of(const Rubric& rubric, const std::vector<int>& steps) {
    std::vector<std::string> names;
    for (const PartRubric& part : rubric.parts)
        if (std::ranges::count(steps, part.step) != 0) names.push_back(part.function->name);
    return fmt::format("{}", fmt::join(names, ", "));
}

CourseStep step_of(const Rubric& rubric, const std::vector<Rubric>& all) {
    CourseStep step;
    step.number = rubric.number;
    step.title = step.whole_title = rubric.title;
    step.name = rubric.folder.filename().string();
    step.handout = (fs::path("assignments") / step.name / "README.md").string();
    step.builds_on = builds_on(rubric, all);
    step.about = rubric.about;
    return step;
}

/// Reads the steps that stand at this place of the course.
void keep_steps(TableReader& reader, const Rubric& rubric, const std::vector<Rubric>& all, CourseStep& step) {
    constexpr int kMostStep = 99;
    const std::vector<int> known = steps_of(rubric);
    step.steps = reader.growing("steps", 1, kMostStep);
    for (const int each : step.steps)
        if (std::ranges::count(known, each) == 0)
            reader.refuse("steps", fmt::format("assignment {} has no step {}; its steps are {}",
                                               rubric.number, each, fmt::join(known, ", ")));
    step.title += ", " + steps_in_words(step.steps);
    step.builds_on = builds_on(rubric, all, step.steps);
    step.about = functions_of(rubric, step.steps);
}

/// Refuses a place that has again what an earlier one has.
void require_new(const Course& course, const CourseStep& step, const TableReader& reader) {
    for (const CourseStep& earlier : course.steps) {
        if (earlier.number != step.number) continue;
        if (earlier.steps.empty() || step.steps.empty())
            reader.refuse("number", fmt::format("the course has assignment {} already; expected each number "
                                                "once, or `steps` at each of its places",
                                                step.number));
        for (const int each : step.steps)
            if (std::ranges::count(earlier.steps, each) != 0)
                reader.refuse("steps", fmt::format("the course has step {} of assignment {} already; "
                                                   "expected each step once",
                                                   each, step.number));
    }
}

/// Every step of a divided assignment has a place, because the assignment is graded as a whole.
void require_all_steps(const Course& course, const std::vector<Rubric>& rubrics, const TableReader& reader) {
    for (const Rubric& rubric : rubrics) {
        std::vector<int> left = steps_of(rubric);
        bool divided = false;
        for (const CourseStep& step : course.steps) {
            if (step.number != rubric.number || step.steps.empty()) continue;
            divided = true;
            std::erase_if(left, [&step](int each) { return std::ranges::count(step.steps, each) != 0; });
        }
        if (divided && !left.empty())
            reader.refuse("assignment", fmt::format("the course has no place for {} of assignment {}; "
                                                    "expected all its steps, because it is graded as a whole",
                                                    steps_in_words(left), rubric.number));
    }
}

/// Sorts out the assignments that a step builds on, but which stand after it or are not in the course.
void place_what_is_called(Course& course) {
    std::set<int> before;
    for (CourseStep& step : course.steps) {
        std::erase_if(step.builds_on, [&](int number) {
            if (before.contains(number)) return false;
            (course.find(number) != nullptr ? step.called_early : step.left_out).push_back(number);
            return true;
        });
        if (!step.later) before.insert(step.number);
    }
}

CourseStep read_step(TableReader& reader, const std::vector<Rubric>& rubrics) {
    constexpr int kMostNumber = 999;
    const int number = reader.whole("number", 1, kMostNumber);
    const std::string called = reader.text("called", "");
    const Rubric* rubric = rubric_of_number(rubrics, number);
    CourseStep step;
    step.number = number;
    if (reader.flag("later")) {
        step.later = true;
        step.title = rubric != nullptr ? reader.text("title", rubric->title) : reader.text("title");
    } else if (rubric != nullptr) {
        step = step_of(*rubric, rubrics);
        step.title = reader.text("title", rubric->title);
        if (reader.has("steps")) keep_steps(reader, *rubric, rubrics, step);
    } else {
        reader.refuse("number",
                      fmt::format("there is no assignment {}; known are {}. If it comes later in the "
                                  "course, write later = true and a title",
                                  number, numbers_of(rubrics)));
    }
    if (!called.empty()) step.title = called + ": " + step.title;
    if (step.steps.empty()) step.whole_title = step.title;
    step.notes = reader.texts("notes", true);
    reader.done();
    return step;
}

Course read_course_file(const fs::path& file, const std::vector<Rubric>& rubrics) {
    const toml::table table = parse_toml(file);
    TableReader reader(file, table, "the course");
    Course course;
    course.file = file;
    course.title = reader.text("title");
    course.notes = reader.texts("notes", true);
    for (TableReader& each : reader.tables("assignment")) {
        CourseStep step = read_step(each, rubrics);
        require_new(course, step, each);
        course.steps.push_back(std::move(step));
    }
    reader.done();
    require_all_steps(course, rubrics, reader);
    place_what_is_called(course);
    if (std::ranges::all_of(course.steps, &CourseStep::later))
        reader.refuse("assignment",
                      "all assignments of the course come later; expected at least one to work on");
    return course;
}

/// "eecs498, cse517": the names of the courses that are shipped.
std::string shipped_courses(const fs::path& folder) {
    std::set<std::string> names;
    if (fs::is_directory(folder))
        for (const fs::directory_entry& each : fs::directory_iterator(folder))
            if (each.path().extension() == ".toml") names.insert(each.path().stem().string());
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const CourseStep* Course::find(int number) const {
    const auto found = std::ranges::find_if(
        steps, [number](const CourseStep& step) { return step.number == number && !step.later; });
    return found == steps.end() ? nullptr : &*found;
}

const CourseStep& Course::at(int number) const {
    if (const CourseStep* step = find(number)) return *step;
    std::vector<int> numbers;
    for (const CourseStep& step : steps)
        if (&step == find(step.number)) numbers.push_back(step.number);
    throw UserError(
        file.empty()
            ? fmt::format("there is no assignment {}; there are {}", number, fmt::join(numbers, ", "))
            : fmt::format("{}: the course has no assignment {}; it has {}; `grader list` shows them",
                          file.string(), number, fmt::join(numbers, ", ")));
}

std::vector<report::PathStep> Course::path() const {
    return {steps.begin(), steps.end()};
}

std::vector<int> builds_on(const Rubric& rubric, const std::vector<Rubric>& all,
                           const std::vector<int>& steps) {
    std::set<int> numbers;
    for (const PartRubric& part : rubric.parts) {
        if (!steps.empty() && std::ranges::count(steps, part.step) == 0) continue;
        for (const std::string& earlier : part.builds_on)
            for (const Rubric& other : all)
                if (other.module == ask::module_of(earlier) && other.module != rubric.module)
                    numbers.insert(other.number);
    }
    return {numbers.begin(), numbers.end()};
}

Course whole_course(const std::vector<Rubric>& rubrics) {
    std::vector<CourseStep> left;
    for (const Rubric& rubric : rubrics) left.push_back(step_of(rubric, rubrics));
    Course course;
    while (!left.empty()) {
        auto next = std::ranges::find_if(left, [&left](const CourseStep& step) {
            return std::ranges::none_of(step.builds_on, [&left](int earlier) {
                return std::ranges::find(left, earlier, &CourseStep::number) != left.end();
            });
        });
        // Assignments that call each other have no such order. Their numbers decide.
        if (next == left.end()) next = left.begin();
        course.steps.push_back(std::move(*next));
        left.erase(next);
    }
    return course;
}

Course read_course(const std::vector<Rubric>& rubrics, const fs::path& assignments,
                   const std::string& wanted) {
    if (wanted.empty()) {
        const fs::path own = assignments / "course.toml";
        return fs::exists(own) ? read_course_file(own, rubrics) : whole_course(rubrics);
    }
    if (fs::is_regular_file(wanted)) return read_course_file(wanted, rubrics);
    const fs::path shipped = assignments / kCoursesFolder / (wanted + ".toml");
    if (wanted.find('/') == std::string::npos && fs::is_regular_file(shipped))
        return read_course_file(shipped, rubrics);
    const std::string names = shipped_courses(assignments / kCoursesFolder);
    throw UserError(fmt::format("{}: there is no such file; expected the file of a course{}", wanted,
                                names.empty() ? "" : ", or one of these names: " + names));
}

std::vector<const Rubric*> rubrics_of(const Course& course, const std::vector<Rubric>& rubrics,
                                      std::optional<int> assignment) {
    if (assignment) course.at(*assignment);
    std::vector<const Rubric*> chosen;
    for (const CourseStep& step : course.steps)
        if (&step == course.find(step.number) && assignment.value_or(step.number) == step.number)
            chosen.push_back(rubric_of_number(rubrics, step.number));
    return chosen;
}

std::vector<const Rubric*> called_besides(const Course& course, const std::vector<Rubric>& rubrics) {
    std::set<int> reached;
    for (const CourseStep& step : course.steps)
        if (!step.later) reached.insert(step.number);
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const int number : std::set(reached))
            for (const int earlier : builds_on(*rubric_of_number(rubrics, number), rubrics))
                reached.insert(earlier);
    }
    std::vector<const Rubric*> besides;
    for (const Rubric& rubric : rubrics)
        if (reached.contains(rubric.number) && course.find(rubric.number) == nullptr)
            besides.push_back(&rubric);
    return besides;
}

}  // namespace attn::rubric
