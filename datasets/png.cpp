#include "datasets/png.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <png.h>

#include "datasets/files/file_error.h"

namespace attn::data {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr const char* kRemedy = "copy or save it again";

/// Throws FileError unless `bytes` are a PNG signature and complete chunks up to IEND. libpng stops at the
/// last pixel, so it would accept a file without its end.
void require_whole(const std::filesystem::path& path, std::string_view bytes) {
    if (bytes.substr(0, kSignature.size()) != kSignature)
        throw FileError(path, "it begins with " + in_quotes(bytes.substr(0, kSignature.size())),
                        "expected a PNG file", "convert the picture to PNG");
    const std::size_t frame = 12;  // length, type and checksum of a chunk
    for (std::size_t at = kSignature.size(); bytes.size() - at >= frame;) {
        std::size_t length = 0;
        for (std::size_t k = at; k < at + 4; ++k) length = length << 8 | static_cast<unsigned char>(bytes[k]);
        if (length > bytes.size() - at - frame) break;
        if (bytes.substr(at + 4, 4) == "IEND") return;
        at += frame + length;
    }
    throw FileError(path, "the file ends after " + std::to_string(bytes.size()) + " bytes",
                    "a PNG file ends with an IEND chunk", kRemedy);
}

}  // namespace

Array read_png(const std::filesystem::path& path) {
    const std::string bytes = read_file(path);
    require_whole(path, bytes);

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, decltype(&png_image_free)> cleanup(&image, png_image_free);
    const auto damaged = [&] {
        return FileError(path, std::string("libpng says: ") + image.message, "expected an intact PNG file",
                         kRemedy);
    };
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) throw damaged();

    // A pixel takes at least one bit, and inflating a byte gives at most 1032 bytes. Refuse a picture that
    // cannot be in a file of this size before allocating memory for it.
    const std::uintmax_t pixels = std::uintmax_t{image.width} * image.height;
    const std::uintmax_t stretched = bytes.size() * std::uintmax_t{1032 * 8};
    if (pixels * 3 > kMaxFileBytes || pixels > stretched)
        throw FileError(
            path,
            std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels in " +
                std::to_string(bytes.size()) + " bytes",
            "at most " + std::to_string(kMaxFileBytes / 3) + " pixels are read, and no more than fit",
            "make the picture smaller");

    image.format = PNG_FORMAT_RGB;
    // Without this flag, libpng treats a 16-bit picture without a gamma value as linear light.
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    const png_color white = {255, 255, 255};
    const Shape shape = {static_cast<int>(image.height), static_cast<int>(image.width), 3};
    std::vector<std::uint8_t> values(element_count(shape));
    if (png_image_finish_read(&image, &white, values.data(), 0, nullptr) == 0) throw damaged();
    return {path.stem().string(), shape, std::move(values)};
}

}  // namespace attn::data
