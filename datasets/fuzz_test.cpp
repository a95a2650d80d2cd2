// The readers of this folder get randomly damaged files: each file is read or refused with a FileError, with
// little memory.

#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <zlib.h>

#include "datasets/digits.h"
#include "datasets/files/file_error.h"
#include "datasets/files/mutator.h"
#include "datasets/files/temporary_directory.h"
#include "datasets/npy.h"
#include "datasets/npy_bytes.h"
#include "datasets/png.h"
#include "datasets/shipped.h"

namespace attn::data {
namespace {

BOOST_AUTO_TEST_SUITE(fuzz, *boost::unit_test::label("long"))

/// A temporary folder with one file, which each attempt replaces.
struct TestFolder {
    TemporaryDirectory folder;
    std::filesystem::path write(const std::string& bytes) const { return write_anew(folder, "x", bytes); }
};

void require_consistent(const Array& array) {
    if (array.count() != element_count(array.shape)) BOOST_ERROR("a shape that does not fit its values");
}

/// Corrects the checksums of all chunks, so that libpng reads their contents.
std::string with_checksums(std::string png) {
    const auto big = [&png](std::size_t at) {
        std::size_t value = 0;
        for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(png[at + k]);
        return value;
    };
    for (std::size_t at = 8; at + 12 <= png.size();) {
        const std::size_t length = big(at);
        if (length > png.size() - at - 12) break;
        const auto sum =
            crc32(0, reinterpret_cast<const Bytef*>(png.data() + at + 4), static_cast<uInt>(length + 4));
        for (std::size_t k = 0; k < 4; ++k)
            png[at + 8 + length + k] = static_cast<char>(sum >> (24 - 8 * k) & 255);
        at += 12 + length;
    }
    return png;
}

/// A tiny grey picture, a wide one that is nearly too large for its bytes, a tiny one with a palette, one
/// with more chunks, and the first chunks of the photograph with an end chunk.
std::vector<std::string> pictures() {
    using namespace std::string_literals;
    std::string rows(std::size_t{9} * 8, '\1'), packed(200, '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
             rows.size());
    packed.resize(size);
    const auto chunk = [](const std::string& type, const std::string& data) {
        return std::string(3, '\0') + static_cast<char>(data.size()) + type + data + std::string(4, '\0');
    };
    const auto picture = [&](const std::string& kind, const std::string& more,
                             const std::string& size_of_it = "\0\0\0\x8\0\0\0\x8"s) {
        return with_checksums("\x89PNG\r\n\x1a\n" + chunk("IHDR", size_of_it + kind + "\0\0\0"s) + more +
                              chunk("IDAT", packed) + chunk("IEND", ""));
    };
    return {picture("\x8\0"s, ""), picture("\x8\0"s, "", "\0\1\0\0\0\0\0\x8"s),
            picture("\x8\x3"s, chunk("PLTE", "abcdef") + chunk("tRNS", "\x80")),
            picture("\x8\0"s, chunk("gAMA", "\0\0\xb1\x8f"s) + chunk("tEXt", "Title\0x"s)),
            read_file(shipped("chelsea.png")).substr(0, 1500) + chunk("IEND", "")};
}

BOOST_AUTO_TEST_CASE(npy_files) {
    const TestFolder fixture;
    const std::vector<std::string> files = {
        file_of(header_of("<f4", "(2, 3)"), std::string(24, 'x')),
        file_of(header_of("|b1", "(5,)"), std::string("\1\0\1\0\1", 5)),
        file_of(header_of("<f8", "()"), std::string(8, 'y'), 2),
        file_of(header_of("<i4", "(0, 3, 2)"), "", 3),
        file_of(header_of("<f4", "(1, 2, 1, 2)", "True"), std::string(16, 'z'))};
    Mutator mutate(1);
    const std::vector<std::string> headers = {header_of("<f4", "(2, 3)"), header_of("<f8", "(0, 3)"),
                                              header_of("|u1", "(24,)")};
    data::fuzz<FileError>(10000, [&](int attempt) {
        // Every other file has the true length of its header, so that the reader parses the header.
        const std::string bytes =
            attempt % 2 == 0 ? mutate(files) : file_of(mutate(headers), std::string(24, 'x'));
        require_consistent(read_npy(fixture.write(bytes)));
    });
}

BOOST_AUTO_TEST_CASE(png_files) {
    const TestFolder fixture;
    const std::vector<std::string> files = pictures();
    Mutator mutate(2);
    data::fuzz<FileError>(10000, [&](int attempt) {
        const std::string bytes = mutate(files);
        require_consistent(read_png(fixture.write(attempt % 4 == 0 ? bytes : with_checksums(bytes))));
    });
}

std::string line_of_digits(int pixel) {
    std::string line;
    for (int k = 0; k < 64; ++k) line += std::to_string(pixel) + ",";
    return line + "7\n";
}

const std::vector<std::string> kTables = {line_of_digits(0), line_of_digits(16) + line_of_digits(3),
                                          "\n" + line_of_digits(1)};

BOOST_AUTO_TEST_CASE(tables_of_digits) {
    const TestFolder fixture;
    Mutator mutate(3);
    data::fuzz<FileError>(10000, [&](int) {
        const Digits digits = read_digits(fixture.write(mutate(kTables)));
        require_consistent(digits.pixels);
        require_consistent(digits.labels);
    });
}

BOOST_AUTO_TEST_CASE(compressed_tables_of_digits) {
    const TestFolder fixture;
    std::vector<std::string> files;
    for (const std::string& table : kTables) {
        const std::string path = fixture.folder / "y";
        gzFile out = gzopen(path.c_str(), "wb");
        gzwrite(out, table.data(), static_cast<unsigned>(table.size()));
        gzclose_w(out);
        files.push_back(read_file(path));
    }
    Mutator mutate(4);
    data::fuzz<FileError>(10000,
                          [&](int) { require_consistent(read_digits(fixture.write(mutate(files))).pixels); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::data
