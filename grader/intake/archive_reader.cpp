#include "grader/intake/archive_reader.h"

#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

#include <archive.h>
#include <iconv.h>

namespace attn::intake {

ArchiveReader::ArchiveReader(Support support)
    : archive_(archive_read_new(), archive_read_free), buffer_(std::size_t{1} << 16) {
    if (!archive_) throw std::bad_alloc();
    support(archive_.get());
}

ArchiveReader::ArchiveReader(std::string_view bytes, Support support) : ArchiveReader(support) {
    require(archive_read_open_memory(archive_.get(), bytes.data(), bytes.size()) == ARCHIVE_OK);
}

ArchiveReader::ArchiveReader(const std::filesystem::path& file, Support support) : ArchiveReader(support) {
    require(archive_read_open_filename(archive_.get(), file.c_str(), buffer_.size()) == ARCHIVE_OK);
}

archive_entry* ArchiveReader::next() {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(archive_.get(), &entry);
    if (result == ARCHIVE_EOF) return nullptr;
    require(result == ARCHIVE_OK || result == ARCHIVE_WARN);
    return entry;
}

std::string_view ArchiveReader::data() {
    const la_ssize_t count = archive_read_data(archive_.get(), buffer_.data(), buffer_.size());
    require(count >= 0);
    return {buffer_.data(), static_cast<std::size_t>(count)};
}

int ArchiveReader::compressions() const {
    return archive_filter_count(archive_.get()) - 1;
}

std::string ArchiveReader::format() const {
    const char* name = archive_format_name(archive_.get());
    return name == nullptr ? "" : name;
}

bool ArchiveReader::method_is_known() const {
    const std::string name = format();
    return !name.starts_with("ZIP") || name.ends_with("(deflation)") || name.ends_with("(uncompressed)");
}

void ArchiveReader::require(bool done) const {
    if (done) return;
    constexpr std::size_t kMost = 200;
    const char* why = archive_error_string(archive_.get());
    throw ArchiveDamage(std::string(why == nullptr ? "nothing" : why).substr(0, kMost));
}

namespace {

/// The text in UTF-8; nothing if it is no text in the encoding `from`.
std::optional<std::string> name_in_utf8(std::string_view text, const char* from) {
    iconv_t converter = iconv_open("UTF-8", from);
    if (converter == reinterpret_cast<iconv_t>(-1))
        throw std::runtime_error(std::string("iconv does not know ") + from);
    const std::unique_ptr<void, int (*)(iconv_t)> close(converter, iconv_close);
    constexpr std::size_t kMostBytes = 4;  // of a character
    std::string in(text), out(kMostBytes * text.size(), '\0');
    char *next = in.data(), *to = out.data();
    std::size_t left = in.size(), room = out.size();
    if (iconv(converter, &next, &left, &to, &room) == static_cast<std::size_t>(-1)) return std::nullopt;
    out.resize(out.size() - room);
    return out;
}

}  // namespace

std::string utf8_name(std::string_view name) {
    if (name_in_utf8(name, "UTF-8")) return std::string(name);
    return name_in_utf8(name, "CP850").value_or(std::string(name));
}

}  // namespace attn::intake
