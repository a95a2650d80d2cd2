#include "grader/intake/intake_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"
#include "grader/base/processor_time.h"
#include "grader/intake/file_kind.h"
#include "grader/report/text.h"

namespace attn::intake {
namespace {

constexpr std::size_t kShownName = 80, kShownNotes = 20;

std::vector<std::string_view> components(std::string_view name) {
    std::vector<std::string_view> result;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('/'), name.size());
        if (end > 0 && name.substr(0, end) != ".") result.push_back(name.substr(0, end));
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return result;
}

/// Whether an operating system or a tool made this file or folder.
bool is_system_leftover(std::string_view component) {
    static constexpr std::array kLeftBehind = {"__MACOSX", ".DS_Store",   ".git",     ".svn",
                                               ".hg",      "desktop.ini", "Thumbs.db"};
    return component.starts_with("._") ||
           std::find(kLeftBehind.begin(), kLeftBehind.end(), component) != kLeftBehind.end();
}

/// Whether compilers may read a file, or a folder, in place of the header that it is named after.
bool is_precompiled_header(std::string_view component) {
    return component.ends_with(".gch") || component.ends_with(".pch");
}

/// What is wrong with a name, and what to do about it. Empty if the name is fine.
std::string name_problem(std::string_view name, const std::vector<std::string_view>& parts,
                         const IntakeLimits& limits) {
    if (name.starts_with('/')) return "an absolute name; pack the folder by its plain name";
    if (std::find(parts.begin(), parts.end(), "..") != parts.end())
        return "which leads out of the submission; pack the folder by its plain name";
    if (report::clean(name) != name || name.find_first_of("\n\t") != std::string_view::npos)
        return "a name with control characters or invalid UTF-8; rename it";
    const bool long_part =
        std::any_of(parts.begin(), parts.end(), [&](auto part) { return part.size() > limits.name_bytes; });
    if (long_part || name.size() > limits.path_bytes)
        return fmt::format("a name of {} bytes; at most {} are allowed, {} with all folders; rename it",
                           name.size(), limits.name_bytes, limits.path_bytes);
    if (std::any_of(parts.begin(), parts.end(), is_precompiled_header))
        return "a precompiled header, which would replace a header; hand in the sources only";
    return name.empty() ? "an empty name; rename it" : "";
}

/// Whether a file system refuses a name itself: it may be too long for it, or in an encoding that it lacks.
bool is_about_the_name(std::error_code error) {
    return error == std::errc::filename_too_long || error == std::errc::invalid_argument ||
           error == std::errc::illegal_byte_sequence;
}
constexpr const char* kNameIsRefused = "a name that the file system of this machine refuses; rename it";

bool has_source_extension(std::string_view name) {
    const auto dot = name.rfind('.');
    static constexpr std::array kEndings = {".cpp", ".h", ".hpp", ".cc", ".cu", ".cuh", ".inc"};
    return dot != std::string_view::npos &&
           std::find(kEndings.begin(), kEndings.end(), name.substr(dot)) != kEndings.end();
}

}  // namespace

std::string shown(std::string_view name) {
    return data::in_quotes(name, kShownName);
}

IntakeFolder::IntakeFolder(std::filesystem::path submission, std::filesystem::path folder,
                           const IntakeLimits& limits, IntakeUse& use)
    : submission_(std::move(submission)), folder_(std::move(folder)), limits_(limits), use_(use) {}

IntakeFolder::Clock::Clock(IntakeFolder& folder) : folder_(folder) {
    folder_.running_since_ = processor_time_s();
}

IntakeFolder::Clock::~Clock() {
    folder_.use_.processor_s += processor_time_s() - *folder_.running_since_;
    folder_.running_since_.reset();
}

void IntakeFolder::open_archive() {
    if (++use_.archives > limits_.archives)
        refuse(fmt::format("more than {} archives", limits_.archives),
               fmt::format("at most {} are opened, with those inside others", limits_.archives),
               "hand in one .zip of the sources");
}

void IntakeFolder::require_time() const {
    const double running_s = running_since_ ? processor_time_s() - *running_since_ : 0;
    if (use_.processor_s + running_s > limits_.processor_s)
        refuse(fmt::format("unpacking it takes more than {:g} s of processor time", limits_.processor_s),
               "expected sources, which take less than a second", "hand in one .zip of the sources");
}

void IntakeFolder::refuse(const std::string& found, const std::string& expected,
                          const std::string& remedy) const {
    throw UserError(
        fmt::format("{}: {}; {}; {}", submission_.string(), report::clean(found), expected, remedy));
}

void IntakeFolder::note(std::string text) {
    if (notes_.size() < kShownNotes)
        notes_.push_back(std::move(text));
    else
        ++more_notes_;
}

void IntakeFolder::leave_out(std::string_view name, const std::string& why) {
    note(fmt::format("left out: {}, {}", shown(name), why));
}

std::optional<std::string> IntakeFolder::admit(std::string_view name) {
    require_time();
    if (++use_.entries > limits_.entries)
        refuse(fmt::format("more than {} files and folders", limits_.entries),
               fmt::format("at most {} are read", limits_.entries),
               "hand in the sources only, without files that a build or a tool made");
    const auto parts = components(name);
    if (std::any_of(parts.begin(), parts.end(), is_system_leftover)) return std::nullopt;
    if (parts.size() > static_cast<std::size_t>(limits_.depth))
        refuse(fmt::format("nested folders, {} deep: {}", parts.size(), shown(name)),
               fmt::format("at most {} are opened", limits_.depth), "hand in the folder with the sources");
    if (const std::string fault = name_problem(name, parts, limits_); !fault.empty())
        return leave_out(name, fault), std::nullopt;
    if (parts.empty()) return std::nullopt;  // the folder itself
    std::string tidy;
    for (const std::string_view part : parts) tidy += (tidy.empty() ? "" : "/") + std::string(part);
    return tidy;
}

void IntakeFolder::require_room(const std::string& name, std::uintmax_t bytes) const {
    if (bytes > limits_.file_bytes)
        refuse(fmt::format("{} has more than {} bytes", shown(name), limits_.file_bytes),
               fmt::format("a file may have {} MiB", limits_.file_bytes >> 20),
               "take it out, or hand in a smaller file");
    if (use_.bytes + bytes > limits_.total_bytes)
        refuse(fmt::format("its files have more than {} bytes together", limits_.total_bytes),
               fmt::format("they may have {} MiB", limits_.total_bytes >> 20),
               "hand in the sources only, without files that a build or a tool made");
}

void IntakeFolder::add_file(const std::string& name, std::uintmax_t claimed_bytes, const NextBytes& next) {
    const auto path = folder_ / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (is_about_the_name(error)) return leave_out(name, kNameIsRefused);
    if (error && error != std::errc::not_a_directory && error != std::errc::file_exists)
        throw std::system_error(error, "cannot make " + path.parent_path().string());
    if (error || std::filesystem::is_directory(path))
        return leave_out(name, "a file and a folder have this name; rename one of them");
    require_room(name, claimed_bytes);
    errno = 0;
    std::ofstream out(path, std::ios::binary | std::ios::app);  // so that a first file of this name stays
    if (!out.is_open() && is_about_the_name({errno, std::generic_category()}))
        return leave_out(name, kNameIsRefused);
    if (!files_.insert(name).second) {
        std::filesystem::resize_file(path, 0);
        note(fmt::format("{} is in the archive twice; the last one counts", shown(name)));
    } else if (++use_.files > limits_.files) {
        refuse(fmt::format("more than {} files", limits_.files),
               fmt::format("at most {} are read", limits_.files),
               "hand in the sources only, without files that a build or a tool made");
    }
    std::uintmax_t bytes = 0;
    for (std::string_view some = next(); !some.empty(); some = next()) {
        if (bytes == 0) warn_if_utf16(name, some);
        bytes += some.size();
        require_room(name, bytes);
        require_time();
        out.write(some.data(), static_cast<std::streamsize>(some.size()));
    }
    use_.bytes += bytes;
    errno = 0;
    out.close();
    if (!out)
        throw std::system_error(errno == 0 ? ENOSPC : errno, std::generic_category(),
                                "cannot write " + path.string() + " (is the disk full?)");
}

void IntakeFolder::warn_if_utf16(const std::string& name, std::string_view first_bytes) {
    if (has_source_extension(name) && is_utf16(first_bytes))
        note(fmt::format("{} is UTF-16 text, which compilers do not read; save it as UTF-8", shown(name)));
}

std::vector<std::string> IntakeFolder::notes() const {
    std::vector<std::string> result = notes_;
    if (more_notes_ > 0) result.push_back(fmt::format("and {} more of this kind", more_notes_));
    return result;
}

}  // namespace attn::intake
