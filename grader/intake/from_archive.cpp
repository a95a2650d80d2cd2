#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"
#include "grader/intake/archive_reader.h"
#include "grader/intake/file_kind.h"
#include "grader/intake/intake_folder.h"

namespace attn::intake {
namespace {

constexpr const char* kHowToPack =
    "pack it with `zip -r submission.zip FOLDER` or `tar czf submission.tar.gz FOLDER`";
constexpr const char* kExpected = "expected a folder, a .zip, a .tar, .tar.gz, .tar.xz or .tar.bz2";

/// Decompresses gzip, xz or bzip2. The size is limited here, before the archive is parsed, because the headers of a tar
/// can be of any length.
std::string unzipped(std::string_view bytes, IntakeFolder& target) {
    constexpr std::uintmax_t kHeaders = std::uintmax_t{8} << 20;
    const std::uintmax_t most = target.limits().total_bytes + kHeaders;
    ArchiveReader reader(bytes, [](archive* a) {
        archive_read_support_filter_gzip(a);
        archive_read_support_filter_xz(a);
        archive_read_support_filter_bzip2(a);
        archive_read_support_format_raw(a);
    });
    std::string text;
    if (reader.next() == nullptr) return text;
    if (reader.compressions() > 1)
        target.refuse("the archive is compressed twice", "expected a .tar.gz, .tar.xz or .tar.bz2",
                      kHowToPack);
    for (std::string_view some = reader.data(); !some.empty(); some = reader.data()) {
        text += some;
        target.require_time();
        if (text.size() > most)
            target.refuse(fmt::format("it unpacks to more than {} bytes", most),
                          fmt::format("its files may have {} MiB", target.limits().total_bytes >> 20),
                          "hand in the sources only, without files that a build or a tool made");
    }
    return text;
}

/// Says what a file is that is no supported archive.
std::string describe_unsupported(std::string_view bytes) {
    if (bytes.empty()) return "the file is empty";
    const std::string kind = kind_of_file(bytes);
    return kind.empty() ? "this is no archive" : "this is " + kind;
}

bool is_compressed(std::string_view bytes) {
    using std::string_view_literals::operator""sv;
    return bytes.starts_with("\x1f\x8b") || bytes.starts_with("\xfd\x37zXZ\0"sv) || bytes.starts_with("BZh");
}

bool is_zip(std::string_view bytes) {
    return bytes.starts_with("PK\x03\x04");
}

/// libarchive does not recognize an empty zip, so it is handled separately.
bool is_empty_zip(std::string_view bytes) {
    return bytes.starts_with("PK\x05\x06");
}

bool is_tar(std::string_view bytes) {
    constexpr std::size_t kRecord = 512, kMagicAt = 257;
    if (bytes.size() < kRecord) return false;
    const std::string_view first = bytes.substr(0, kRecord);
    return first.substr(kMagicAt, 5) == "ustar" || first.find_first_not_of('\0') == std::string_view::npos;
}

/// Why an entry that is not a regular file is left out.
std::string why_left_out(archive_entry* entry) {
    const char* link = archive_entry_hardlink(entry);
    const char* kind = "a hard link";
    if (link == nullptr) {
        link = archive_entry_symlink(entry);
        const auto type = archive_entry_filetype(entry);
        kind = type == AE_IFLNK    ? "a symbolic link"
               : type == AE_IFIFO  ? "a pipe"
               : type == AE_IFSOCK ? "a socket"
                                   : "a device";
    }
    return fmt::format("{}{}; hand in the file itself", kind, link == nullptr ? "" : " to " + shown(link));
}

/// Adds one entry to the submission, or leaves it out. Its bytes are read only if it is added.
void add_entry(ArchiveReader& reader, archive_entry* entry, IntakeFolder& target) {
    if (archive_entry_is_encrypted(entry) != 0)
        target.refuse("the archive is encrypted", "expected one without a password", kHowToPack);
    const char* given = archive_entry_pathname(entry);
    // A name that is marked as UTF-8 and is not cannot be read at all.
    const auto name = target.admit(given == nullptr ? "\xff" : utf8_name(given));
    if (!name || archive_entry_filetype(entry) == AE_IFDIR) return;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr)
        return target.leave_out(*name, why_left_out(entry));
    if (!reader.method_is_known())
        return target.leave_out(
            *name,
            fmt::format("packed by a method that this grader does not read ({}); pack it with `zip -r`",
                        reader.format()));
    const auto claimed = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : 0;
    target.add_file(*name, static_cast<std::uintmax_t>(claimed), [&reader] { return reader.data(); });
}

/// Adds all entries of an archive in memory.
void unpack(std::string bytes, IntakeFolder& target) {
    const Utf8Names utf8;
    if (is_compressed(bytes)) bytes = unzipped(bytes, target);
    if (!is_zip(bytes) && !is_tar(bytes)) target.refuse(describe_unsupported(bytes), kExpected, kHowToPack);
    ArchiveReader reader(
        std::string_view(bytes), is_zip(bytes)
                                     ? +[](archive* a) { archive_read_support_format_zip_seekable(a); }
                                     : +[](archive* a) { archive_read_support_format_tar(a); });
    while (archive_entry* entry = reader.next()) add_entry(reader, entry, target);
}

}  // namespace

void unpack_archive(const std::filesystem::path& file, IntakeFolder& target) {
    target.open_archive();
    std::string bytes;
    try {
        if (const auto size = data::require_file(file); size > target.limits().archive_bytes)
            target.refuse(fmt::format("an archive of {} bytes", size),
                          fmt::format("it may have {} MiB", target.limits().archive_bytes >> 20),
                          "hand in the sources only, without files that a build or a tool made");
        bytes = data::read_file(file);
    } catch (const data::FileError& error) {
        throw UserError(error.what());
    }
    if (is_empty_zip(bytes)) return;
    try {
        unpack(std::move(bytes), target);
    } catch (const ArchiveDamage& damage) {
        target.refuse(fmt::format("the archive is broken (libarchive says: {})", damage.what()),
                      "expected a complete archive", fmt::format("copy it again, or {}", kHowToPack));
    }
}

}  // namespace attn::intake
