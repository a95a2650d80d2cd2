#pragma once
/// Reads the entries of an archive one after the other, with libarchive.

#include <clocale>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale is POSIX's

struct archive;  // of libarchive
struct archive_entry;

namespace attn::intake {

/// libarchive cannot read on. The message is what it says.
struct ArchiveDamage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One pass through an archive. All functions throw ArchiveDamage.
class ArchiveReader {
  public:
    /// `support` switches on the formats that are read.
    using Support = void (*)(archive*);

    /// Reads an archive in memory. `bytes` must live as long as this object.
    ArchiveReader(std::string_view bytes, Support support);
    ArchiveReader(const std::filesystem::path& file, Support support);

    /// The next entry; null at the end.
    archive_entry* next();

    /// The next bytes of the entry; empty at its end.
    std::string_view data();

    /// How many times the whole archive is compressed.
    int compressions() const;

    /// libarchive's name for the format and compression of the entry.
    std::string format() const;

    /// Whether the entry is packed by a method that needs little memory. Others may allocate gigabytes before the first byte.
    bool method_is_known() const;

  private:
    explicit ArchiveReader(Support support);
    void require(bool done) const;

    std::unique_ptr<archive, int (*)(archive*)> archive_;
    std::vector<char> buffer_;
};

/// Sets a UTF-8 locale for this thread while it lives. libarchive converts names that are marked as UTF-8 to
/// the encoding of the locale; in a UTF-8 locale they do not change.
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

/// The name as it is if it is UTF-8, and otherwise read as CP850, in which Windows writes names into a zip. Every byte is
/// a character there, so each name can be read, if not always as it was meant.
std::string utf8_name(std::string_view name);

}  // namespace attn::intake
