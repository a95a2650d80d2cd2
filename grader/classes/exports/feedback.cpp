#include <algorithm>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/errors.h"
#include "grader/classes/exports/exports.h"
#include "grader/classes/exports/zip_file.h"
#include "grader/classes/roster/names.h"
#include "grader/report/html.h"
#include "grader/report/terminal_report.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {
namespace fs = std::filesystem;

namespace feedback {

/// Where feedback goes, file by file.
class Target {
  public:
    explicit Target(const fs::path& out) : out_(out), zipped_(out.extension() == ".zip") {
        std::error_code error;
        const bool there = fs::exists(fs::symlink_status(out, error));
        if (there && (zipped_ || !fs::is_directory(out) || !fs::is_empty(out)))
            throw UserError(fmt::format(
                "{}: there is such a {} already; feedback of two versions must not mix; remove it, "
                "or name another",
                out.string(), fs::is_directory(out) ? "folder" : "file"));
        if (zipped_) {
            part_ = out.string() + ".part";
            fs::remove(part_, error);
            const int made = open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            if (made < 0) fail(part_);
            close(made);
            zip_ = std::make_unique<ZipFile>(part_);
        } else if (!there && mkdir(out.c_str(), 0700) != 0) {
            fail(out);
        }
    }

    void add(const std::string& name, const std::string& bytes, Moment when) {
        if (zipped_) return zip_->add({name, bytes, when});
        const fs::path path = out_ / name;
        if (path.parent_path() != out_ && mkdir(path.parent_path().c_str(), 0700) != 0 && errno != EEXIST)
            fail(path.parent_path());
        write_private_file(path, bytes);
    }

    void finish() {
        if (!zipped_) return;
        zip_->close();
        zip_.reset();
        fs::rename(part_, out_);
    }

  private:
    [[noreturn]] static void fail(const fs::path& path) {
        throw UserError(fmt::format("{} cannot be made ({}); name another place, or make room", path.string(),
                                    std::generic_category().message(errno)));
    }

    fs::path out_;
    bool zipped_;
    std::string part_;
    std::unique_ptr<ZipFile> zip_;
};

/// A name that every file system takes, and that is not hidden.
std::string file_name(const std::string& label) {
    std::string name = tidy_name(label);
    for (char& c : name)
        if (std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos) c = '_';
    if (name.empty() || name.front() == '.' || name.front() == '~') name.insert(0, 1, '_');
    constexpr std::size_t kLongest = 180;
    while (name.size() > kLongest) {  // whole characters
        name.pop_back();
        while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xc0) == 0x80) name.pop_back();
    }
    return name;
}

/// The beginning of the names of a student's files; empty if the platform could not tell whose they are.
std::string prefix(const StudentView& student, const std::string& platform) {
    if (platform == "moodle") {
        const std::string& number = student.platform_id;
        if (student.platform != platform || number.empty()) return "";
        // Moodle splits at underscores, and takes the second part for the participant.
        std::string name =
            file_name(student.label.substr(0, student.label.find("_" + number + "_assignsubmission_")));
        std::replace(name.begin(), name.end(), '_', '-');
        return name + "_" + number + "_assignsubmission_file/";
    }
    if (platform == "canvas") {
        // Canvas takes the first two parts that are numbers for the user and the attachment.
        const std::string label = file_name(student.label);
        const bool anonymous = label.starts_with("anon_") || label.starts_with("LATE_anon_");
        std::istringstream parts(label);
        int numbers = 0;
        for (std::string part; std::getline(parts, part, '_');)
            numbers += !part.empty() && part.find_first_not_of("0123456789") == std::string::npos ? 1 : 0;
        return student.platform == platform && (numbers >= 2 || anonymous) ? label + "_" : "";
    }
    // An attempt's label may have the attempt after a slash.
    std::string label = student.label.substr(0, student.label.find('/'));
    if (label.empty()) label = !student.person.name.empty() ? student.person.name : student.person.key;
    if (label.empty()) label = student.pseudonym;
    return file_name(label) + "/";
}

std::string mark_line(const StudentView& student) {
    if (!student.mark) return "";
    const Mark& mark = *student.mark;
    std::string line = fmt::format("Mark: {} of {}", grade_text(mark.final), grade_text(mark.out_of));
    if (!mark.explanation.empty()) line += " (" + report::one_line(mark.explanation) + ")";
    return line + "\n";
}

const AttemptView* attempt_of(const StudentView& student) {
    for (const AttemptView& attempt : student.attempts)
        if (attempt.counts) return &attempt;
    return student.attempts.empty() ? nullptr : &student.attempts.back();
}

std::string text(const ClassView& view, const StudentView& student, const AttemptView& attempt,
                 const std::optional<report::Report>& report) {
    std::ostringstream text;
    text << report::one_line(view.title) << "\n" << mark_line(student);
    if (student.attempts.size() > 1)
        text << fmt::format("This is about attempt {} of {}.\n", attempt.number, student.attempts.size());
    text << "\n";
    if (report)
        report::write_terminal(text, *report, {.verbose = true});
    else if (attempt.fault)
        text << "The grader had a fault of its own. Your submission will be graded again; this is no mark of "
                "zero.\n";
    else
        text << "Your submission could not be graded.\n"
             << report::wrapped_prose(report::clean(attempt.problem), 100) << "\n";
    return text.str();
}

}  // namespace feedback
}  // namespace

Exported write_feedback(const ClassView& view, const std::string& platform, const fs::path& out,
                        const report::ViewOptions& when) {
    Exported result;
    feedback::Target target(out);
    std::set<std::string> used;
    std::vector<std::string> held, unknown;
    for (const StudentView& student : view.students) {
        const AttemptView* attempt = feedback::attempt_of(student);
        if (attempt == nullptr) continue;
        if (student.mark && student.mark->held) {
            held.push_back(shown_name(view, student));
            continue;
        }
        std::string prefix = feedback::prefix(student, platform);
        if (prefix.empty()) {
            unknown.push_back(shown_name(view, student));
            continue;
        }
        // Two students with one name get two folders. On a platform the name has a number.
        const bool folder = prefix.ends_with('/');
        for (int copy = 2; !used.insert(prefix).second; ++copy)
            prefix = fmt::format("{} {}{}", feedback::file_name(student.label), copy, folder ? "/" : "_");
        std::optional<report::Report> shown;
        if (attempt->report) {
            report::ViewOptions options = when;
            options.platform_hides = false;
            // Not a path of the instructor's: the commands that the report names work in the student's own
            // copy.
            report::Report whole = *attempt->report;
            whole.submission = "student";
            shown = report::disclosed(std::move(whole), options);
            target.add(prefix + "feedback.html", report::to_html(*shown), view.made_at);
        }
        target.add(prefix + "feedback.txt", feedback::text(view, student, *attempt, shown), view.made_at);
        ++result.written;
    }
    target.finish();
    if (!held.empty())
        result.notes.push_back(fmt::format("Held, and without feedback: {}.", fmt::join(held, ", ")));
    if (!unknown.empty())
        result.notes.push_back(
            fmt::format("Not from {}'s download, so it could not tell whose feedback this is; left out: "
                        "{}.",
                        platform, fmt::join(unknown, ", ")));
    return result;
}

}  // namespace attn::classes
