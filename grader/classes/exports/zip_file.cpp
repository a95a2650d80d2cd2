#include "grader/classes/exports/zip_file.h"

#include <memory>

#include <archive.h>
#include <archive_entry.h>

#include "grader/base/errors.h"
#include "grader/intake/archive_reader.h"

namespace attn::classes {

ZipFile::ZipFile(const std::filesystem::path& file) : file_(file), archive_(archive_write_new()) {
    if (archive_ == nullptr) throw std::bad_alloc();
    const intake::Utf8Names utf8;
    require(archive_write_set_format_zip(archive_) == ARCHIVE_OK &&
                archive_write_set_options(archive_, "zip:hdrcharset=UTF-8") == ARCHIVE_OK &&
                archive_write_open_filename(archive_, file.c_str()) == ARCHIVE_OK,
            "made");
}

ZipFile::~ZipFile() {
    if (archive_ != nullptr) archive_write_free(archive_);
}

void ZipFile::add(const ZipEntry& entry) {
    const intake::Utf8Names utf8;
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> header(archive_entry_new(),
                                                                          archive_entry_free);
    archive_entry_set_pathname(header.get(), entry.name.c_str());
    archive_entry_set_filetype(header.get(), AE_IFREG);
    archive_entry_set_perm(header.get(), 0644);
    archive_entry_set_size(header.get(), static_cast<la_int64_t>(entry.bytes.size()));
    if (entry.when) archive_entry_set_mtime(header.get(), static_cast<std::time_t>(*entry.when), 0);
    require(archive_write_header(archive_, header.get()) >= ARCHIVE_WARN, "written");
    require(archive_write_data(archive_, entry.bytes.data(), entry.bytes.size()) ==
                static_cast<la_ssize_t>(entry.bytes.size()),
            "written");
}

void ZipFile::close() {
    require(archive_write_close(archive_) == ARCHIVE_OK, "completed");
}

void ZipFile::require(bool done, const char* what) {
    if (done) return;
    const char* why = archive_error_string(archive_);
    throw UserError(file_.string() + " cannot be " + what + " (" + (why == nullptr ? "unknown" : why) +
                    "); name another place, or make room");
}

}  // namespace attn::classes
