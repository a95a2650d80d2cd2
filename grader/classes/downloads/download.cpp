#include "grader/classes/downloads/download.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"
#include "grader/classes/downloads/entries.h"
#include "grader/classes/downloads/entry_times.h"
#include "grader/classes/downloads/layout.h"
#include "grader/classes/roster/names.h"
#include "grader/intake/archive_reader.h"
#include "grader/intake/intake.h"
#include "grader/intake/intake_folder.h"
#include "grader/report/text.h"
#include "grader/worker/interrupt.h"

namespace attn::classes {

namespace {
namespace fs = std::filesystem;

namespace download {

constexpr std::uintmax_t kMostOfAll = std::uintmax_t{8} << 30;

/// A student may hand in an archive, which may be larger than a source.
intake::IntakeLimits limits() {
    intake::IntakeLimits limits;
    limits.file_bytes = limits.archive_bytes;
    return limits;
}

bool has_source(const fs::path& folder) {
    static const std::set<std::string> kEndings = {".cpp", ".cu"};
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && kEndings.count(entry.path().extension().string()) != 0) return true;
    return false;
}

std::vector<fs::path> archives_in(const fs::path& folder) {
    static const std::set<std::string> kEndings = {".zip", ".tar", ".gz",  ".tgz", ".7z",
                                                   ".rar", ".xz",  ".txz", ".bz2", ".tbz2"};
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        std::string ending = entry.path().extension().string();
        std::transform(ending.begin(), ending.end(), ending.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (entry.is_regular_file() && kEndings.count(ending) != 0) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Reads the planned hand-ins into the scratch folder.
class Reader {
  public:
    Reader(const DownloadEntries& entries, DownloadLayout& layout, const fs::path& scratch,
           Download& download)
        : entries_(entries),
          layout_(layout),
          scratch_(scratch),
          download_(download),
          owner_(entries.entries.size()),
          uses_(layout.planned.size()) {
        for (std::size_t k = 0; k < layout_.planned.size(); ++k) {
            const PlannedHandIn& planned = layout_.planned[k];
            for (std::size_t file = 0; file < planned.files.size(); ++file) {
                owner_[planned.files[file].first] = {k, file};
                if (entries.entries[planned.files[file].first].crowded)
                    problem(k) =
                        "It has too many files; hand in the sources only, without files that a build or a "
                        "tool made";
            }
            const fs::path folder = scratch_ / fmt::format("{:05}", k + 1);
            fs::create_directories(folder);
            folders_.push_back(folder);
            targets_.push_back(std::make_unique<intake::IntakeFolder>(tidy_name(planned.hand_in.label),
                                                                      folder, limits(), uses_[k]));
        }
    }

    void read() {
        leave_out_links();
        read_entries(entries_,
                     {.wanted = [this](std::size_t entry) { return is_wanted(entry); },
                      .read = [this](std::size_t entry, const intake::NextBytes& next) { copy(entry, next); },
                      .broken =
                          [this](std::size_t entry, const std::string& why) {
                              problem(owner_[entry]->first) =
                                  fmt::format("\"{}\": {}.", file_name(entry), why);
                          }});
        for (std::size_t k = 0; k < layout_.planned.size(); ++k) finish(k);
    }

  private:
    std::string& problem(std::size_t k) { return layout_.planned[k].hand_in.problem; }

    std::string file_name(std::size_t entry) const {
        const std::size_t k = owner_[entry]->first, file = owner_[entry]->second;
        return tidy_name(layout_.planned[k].files[file].second);
    }

    bool is_wanted(std::size_t entry) const {
        return owner_[entry] && entries_.entries[entry].plain &&
               layout_.planned[owner_[entry]->first].hand_in.problem.empty();
    }

    void leave_out_links() {
        for (std::size_t entry = 0; entry < owner_.size(); ++entry)
            if (owner_[entry] && !entries_.entries[entry].plain)
                targets_[owner_[entry]->first]->leave_out(
                    file_name(entry), "a link, a pipe or a device; hand in the file itself");
    }

    void copy(std::size_t entry, const intake::NextBytes& next) {
        const std::size_t k = owner_[entry]->first, file = owner_[entry]->second;
        const intake::IntakeFolder::Clock clock(*targets_[k]);
        const std::string found = problem_in([&] {
            if (total_ > kMostOfAll)
                throw UserError(fmt::format(
                    "the whole download unpacks to more than {} GiB; read it in parts", kMostOfAll >> 30));
            const auto name = targets_[k]->admit(layout_.planned[k].files[file].second);
            if (!name) return;
            targets_[k]->add_file(*name, 0, [&] {
                const std::string_view bytes = next();
                total_ += bytes.size();
                return bytes;
            });
            auto& when = newest_[k];
            if (const auto time = entries_.entries[entry].time; time && (!when || *time > *when)) when = time;
        });
        if (!found.empty()) problem(k) = found;
    }

    /// Unpacks a student's archives, if the sources are in there.
    fs::path settled(std::size_t k, fs::path folder) {
        constexpr int kDeepest = 3;
        for (int depth = 1; !has_source(folder); ++depth) {
            const std::vector<fs::path> archives = archives_in(folder);
            if (archives.empty()) break;
            if (depth > kDeepest)
                throw UserError(fmt::format(
                    "archives are packed into archives more than {} times; hand in one .zip", kDeepest));
            const fs::path unpacked = scratch_ / fmt::format("{:05}.{}", k + 1, depth);
            fs::create_directories(unpacked);
            intake::IntakeUse copied;  // what is unpacked has been counted already
            intake::IntakeFolder together(tidy_name(layout_.planned[k].hand_in.label), unpacked, limits(),
                                          copied);
            for (const fs::path& archive : archives) {
                const intake::Intake intake = take_in_named(archive, uses_[k]);
                for (const std::string& note : intake.notes) targets_[k]->note(note);
                intake::copy_folder(intake.folder, together);
            }
            for (const std::string& note : together.notes()) targets_[k]->note(note);
            folder = unpacked;
        }
        return folder;
    }

    /// Messages name the archive as the student did, not its copy.
    static intake::Intake take_in_named(const fs::path& archive, intake::IntakeUse& use) {
        try {
            return intake::take_in(archive, limits(), use);
        } catch (const UserError& error) {
            std::string text = error.what();
            const std::string copy = archive.string();
            if (text.starts_with(copy))
                text = "\"" + tidy_name(archive.filename().string()) + "\"" + text.substr(copy.size());
            throw UserError(text);
        }
    }

    void finish(std::size_t k) {
        HandIn& hand_in = layout_.planned[k].hand_in;
        if (!hand_in.when && newest_.count(k) != 0) {
            hand_in.when = newest_[k];
            hand_in.when_by = TimeSource::files;
        }
        if (hand_in.problem.empty() && targets_[k]->files() == 0) {
            const auto notes = targets_[k]->notes();
            hand_in.problem =
                "It has no file" + (notes.empty() ? std::string(".") : " (" + notes.front() + ").");
        }
        if (hand_in.problem.empty())
            hand_in.problem = problem_in([&] { hand_in.files = settled(k, folders_[k]); });
        for (const std::string& note : targets_[k]->notes())
            download_.notes.push_back(fmt::format("{}: {}.", tidy_name(hand_in.label), note));
        download_.hand_ins.push_back(hand_in);
    }

    const DownloadEntries& entries_;
    DownloadLayout& layout_;
    fs::path scratch_;
    Download& download_;
    std::vector<std::optional<std::pair<std::size_t, std::size_t>>>
        owner_;                            ///< of an entry: hand-in and file
    std::vector<intake::IntakeUse> uses_;  ///< of each hand-in, through all archives in it
    std::vector<std::unique_ptr<intake::IntakeFolder>> targets_;
    std::vector<fs::path> folders_;
    std::map<std::size_t, std::optional<Moment>> newest_;
    std::uintmax_t total_ = 0;
};

}  // namespace download

/// Fills in who handed in, from the file that Gradescope puts beside the folders.
void add_gradescope_people(const DownloadEntries& entries, DownloadLayout& layout, const fs::path& scratch,
                           Download& download) {
    const std::string name = layout.root + "submission_metadata.yml";
    const fs::path copy = scratch / "metadata.yml";
    std::string damage;
    read_entries(entries, {.wanted = [&](std::size_t k) { return entries.entries[k].path == name; },
                           .read =
                               [&](std::size_t, const intake::NextBytes& next) {
                                   std::ofstream out(copy, std::ios::binary);
                                   for (std::string_view bytes = next(); !bytes.empty(); bytes = next())
                                       out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
                                   out.close();
                                   if (!out)
                                       throw std::runtime_error("cannot write " + copy.string() +
                                                                " (is the disk full?)");
                               },
                           .broken = [&](std::size_t, const std::string& why) { damage = why; }});
    if (!damage.empty() || !fs::exists(copy))
        throw UserError(
            fmt::format("{}: submission_metadata.yml cannot be read ({}); it says who handed in what; "
                        "download the export again",
                        entries.given.string(), damage.empty() ? "it is not there" : damage));
    auto submissions = read_gradescope_metadata(copy);
    fs::remove(copy);
    for (PlannedHandIn& planned : layout.planned) {
        const auto found = submissions.find(planned.hand_in.label);
        if (found == submissions.end()) {
            planned.hand_in.problem = "submission_metadata.yml does not say whose it is.";
            continue;
        }
        planned.hand_in.people = found->second.people;
        planned.hand_in.when = found->second.when;
        planned.hand_in.when_by = TimeSource::platform;
        submissions.erase(found);
    }
    for (const auto& [missing, submission] : submissions)
        download.notes.push_back(
            fmt::format("{} ({}) is in submission_metadata.yml, but has no folder.", missing,
                        submission.people.empty() ? "nobody" : submission.people.front().name));
}

}  // namespace

Download read_download(const fs::path& given, const fs::path& scratch,
                       const std::optional<std::string>& platform) {
    Download download;
    const DownloadEntries entries = list_entries(given);
    DownloadLayout layout = layout_of(entries, platform);
    download.platform = layout.platform;
    download.notes = entries.notes;
    download.notes.insert(download.notes.end(), layout.notes.begin(), layout.notes.end());
    if (layout.platform == "gradescope") add_gradescope_people(entries, layout, scratch, download);
    if (layout.platform == "github" && !entries.archive)
        for (PlannedHandIn& planned : layout.planned) {
            planned.hand_in.when = clone_time(given / (layout.root + planned.hand_in.label));
            planned.hand_in.when_by = TimeSource::commit;
        }
    download::Reader(entries, layout, scratch, download).read();
    leave_out_times_of_download(download);
    return download;
}

namespace {

bool is_fault_of_machine(const std::error_code& code) {
    constexpr std::array kFaults = {ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE};
    return (code.category() == std::generic_category() || code.category() == std::system_category()) &&
           std::ranges::find(kFaults, code.value()) != kFaults.end();
}

}  // namespace

std::string problem_in(const std::function<void()>& step) {
    try {
        step();
        return "";
    } catch (const worker::Interrupted&) {
        throw;
    } catch (const intake::ArchiveDamage&) {
        throw;
    } catch (const UserError& error) {
        return error.what();
    } catch (const std::system_error& error) {
        if (is_fault_of_machine(error.code())) throw;
        return fmt::format("It cannot be read ({}); ask for it in another form, such as a .zip",
                           error.code().message());
    } catch (const std::exception& error) {
        return fmt::format("It cannot be read ({}); ask for it in another form, such as a .zip",
                           report::one_line(error.what()));
    }
}

}  // namespace attn::classes
