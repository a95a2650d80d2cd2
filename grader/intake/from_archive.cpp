#include "grader/intake/from_archive.h"

#include <algorithm>
#include <array>
#include <clocale>
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is POSIX's

#include "datasets/file_error.h"
#include "grader/build/build.h"

namespace attn::submission {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;
constexpr const char* kHowTo =
    "pack it with `zip -r submission.zip FOLDER` or `tar czf submission.tar.gz FOLDER`";

/// libarchive turns names that it knows to be UTF-8 into those of the locale; in ours they stay what they
/// are.
class Utf8Names {
  public:
    Utf8Names() : utf8_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (utf8_ != nullptr) before_ = uselocale(utf8_);
    }
    ~Utf8Names() {
        if (utf8_ == nullptr) return;
        uselocale(before_);
        freelocale(utf8_);
    }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;

  private:
    locale_t utf8_, before_ = nullptr;
};

class Reader {
  public:
    Reader(std::string_view bytes, IntakeFolder& shelf, void (*support)(archive*))
        : shelf_(shelf), archive_(archive_read_new(), archive_read_free) {
        if (!archive_) throw std::bad_alloc();
        support(archive_.get());
        if (archive_read_open_memory(archive_.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) broken();
    }

    /// The next entry; null at the end.
    archive_entry* next() {
        archive_entry* entry = nullptr;
        const int result = archive_read_next_header(archive_.get(), &entry);
        if (result == ARCHIVE_EOF) return nullptr;
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) broken();
        return entry;
    }

    /// Of the entry's bytes some more; none at its end.
    std::string_view data() {
        const la_ssize_t count = archive_read_data(archive_.get(), buffer_.data(), buffer_.size());
        if (count < 0) broken();
        return {buffer_.data(), static_cast<std::size_t>(count)};
    }

    /// Compressions around the whole, one inside the other.
    int compressions() const { return archive_filter_count(archive_.get()) - 1; }

    /// How the entry is packed, in libarchive's words.
    std::string format() const {
        const char* name = archive_format_name(archive_.get());
        return name == nullptr ? "" : name;
    }

  private:
    [[noreturn]] void broken() {
        const char* why = archive_error_string(archive_.get());
        shelf_.refuse(fmt::format("the archive is broken (libarchive says: {})",
                                  std::string(why == nullptr ? "nothing" : why).substr(0, 200)),
                      "expected a whole one", fmt::format("copy it again, or {}", kHowTo));
    }

    IntakeFolder& shelf_;
    std::unique_ptr<archive, int (*)(archive*)> archive_;
    std::vector<char> buffer_ = std::vector<char>(kBlock);
};

/// The tar inside gzip. Bounded here, before anything looks inside: the formats know headers without an end.
std::string unzipped(std::string_view bytes, IntakeFolder& shelf) {
    constexpr std::uintmax_t kHeaders = std::uintmax_t{8} << 20;
    const std::uintmax_t most = shelf.limits().total_bytes + kHeaders;
    Reader reader(bytes, shelf, [](archive* a) {
        archive_read_support_filter_gzip(a);
        archive_read_support_format_raw(a);
    });
    std::string text;
    if (reader.next() == nullptr) return text;
    if (reader.compressions() > 1)
        shelf.refuse("the archive is compressed twice", "expected a .tar.gz", kHowTo);
    for (std::string_view some = reader.data(); !some.empty(); some = reader.data()) {
        text += some;
        if (text.size() > most)
            shelf.refuse(fmt::format("it unpacks to more than {} bytes", most),
                         fmt::format("its files may have {} MiB", shelf.limits().total_bytes >> 20),
                         "hand in the sources only, without what a build or a tool made");
    }
    return text;
}

/// What the bytes are, where they are nothing that is read here.
std::string name_of_other(std::string_view bytes) {
    using std::string_view_literals::operator""sv;
    struct Magic {
        std::string_view bytes;
        const char* name;
    };
    static constexpr std::array kOthers = {Magic{"7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
                                           Magic{"Rar!\x1a\x07"sv, "a rar archive"},
                                           Magic{"\xfd\x37zXZ\0"sv, "compressed by xz"},
                                           Magic{"BZh"sv, "compressed by bzip2"},
                                           Magic{"\x28\xb5\x2f\xfd"sv, "compressed by zstd"},
                                           Magic{"\x1f\x9d"sv, "compressed by compress"},
                                           Magic{"!<arch>\n"sv, "a library"},
                                           Magic{"\x7f"
                                                 "ELF"sv,
                                                 "a program"}};
    for (const Magic& other : kOthers)
        if (bytes.starts_with(other.bytes)) return fmt::format("this is {}", other.name);
    return bytes.empty() ? "the file is empty" : "this is no archive";
}

bool is_zip(std::string_view bytes) {
    return bytes.starts_with("PK\x03\x04");
}

/// libarchive takes this for no archive at all.
bool is_empty_zip(std::string_view bytes) {
    return bytes.starts_with("PK\x05\x06");
}

bool is_tar(std::string_view bytes) {
    constexpr std::size_t kRecord = 512, kMagicAt = 257;
    if (bytes.size() < kRecord) return false;
    const std::string_view first = bytes.substr(0, kRecord);
    return first.substr(kMagicAt, 5) == "ustar" || first.find_first_not_of('\0') == std::string_view::npos;
}

/// Why an entry that is no plain file stays out.
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

/// One entry. Its bytes are read only where it is taken.
void take_entry(Reader& reader, archive_entry* entry, IntakeFolder& shelf) {
    if (archive_entry_is_encrypted(entry) != 0)
        shelf.refuse("the archive is encrypted", "expected one without a password", kHowTo);
    const char* given = archive_entry_pathname(entry);
    if (given == nullptr) given = "\xff";  // what could not be converted is no UTF-8
    const auto name = shelf.admit(given);
    if (!name || archive_entry_filetype(entry) == AE_IFDIR) return;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr)
        return shelf.leave_out(*name, why_left_out(entry));
    const std::string format = reader.format();
    // The others may ask for gigabytes of memory before their first byte.
    if (format.starts_with("ZIP") && !format.ends_with("(deflation)") && !format.ends_with("(uncompressed)"))
        return shelf.leave_out(
            *name, fmt::format("packed in a way that is not read here ({}); pack it with `zip -r`", format));
    const auto claimed = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : 0;
    shelf.take(*name, static_cast<std::uintmax_t>(claimed), [&reader] { return reader.data(); });
}

}  // namespace

void take_archive(const std::filesystem::path& file, IntakeFolder& shelf) {
    std::string bytes;
    try {
        if (const auto size = data::require_file(file); size > shelf.limits().archive_bytes)
            shelf.refuse(fmt::format("an archive of {} bytes", size),
                         fmt::format("it may have {} MiB", shelf.limits().archive_bytes >> 20),
                         "hand in the sources only, without what a build or a tool made");
        bytes = data::read_file(file);
    } catch (const data::FileError& error) {
        throw UserError(error.what());
    }
    if (is_empty_zip(bytes)) return;
    const Utf8Names utf8;
    if (bytes.starts_with("\x1f\x8b")) bytes = unzipped(bytes, shelf);
    if (!is_zip(bytes) && !is_tar(bytes))
        shelf.refuse(name_of_other(bytes), "expected a folder, a .zip, a .tar or a .tar.gz", kHowTo);
    Reader reader(
        bytes, shelf,
        is_zip(bytes) ? +[](archive* a) { archive_read_support_format_zip_seekable(a); }
                      : +[](archive* a) { archive_read_support_format_tar(a); });
    while (archive_entry* entry = reader.next()) take_entry(reader, entry, shelf);
}

}  // namespace attn::submission
