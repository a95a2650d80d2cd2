// What libarchive's reader of zip archives calls for entries that are packed by zstd. The grader leaves such
// entries out before it reads them (ArchiveReader::method_is_known), so a kit does without the 760 KB of
// libzstd: with these functions libarchive would report an entry that it cannot unpack.

#include <cstddef>

extern "C" {

void* ZSTD_createDStream() {
    return nullptr;
}
std::size_t ZSTD_initDStream(void*) {
    return 0;
}
std::size_t ZSTD_freeDStream(void*) {
    return 0;
}
std::size_t ZSTD_DStreamOutSize() {
    return 0;
}
std::size_t ZSTD_decompressStream(void*, void*, void*) {
    return 0;
}
unsigned ZSTD_isError(std::size_t) {
    return 1;
}
const char* ZSTD_getErrorName(std::size_t) {
    return "there is no zstd in a kit";
}

}  // extern "C"
