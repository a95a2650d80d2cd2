#pragma once
/// For tests: writes archives byte by byte, so that a test can make them wrong in any way.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

namespace attn::intake {

/// An entry of an archive.
struct Entry {
    std::string name, bytes;
    char type = '0';        ///< tar's: 0 file, 1 hard link, 2 symbolic link, 3 device, 5 folder, 6 pipe
    std::string link = {};  ///< target of a link
    /// Size that the header claims; the true size if negative.
    std::int64_t claimed = -1;
    int method = 8;              ///< zip's: 0 stored, 8 deflate
    int flags = 0;               ///< zip's: 1 encrypted, 0x800 the name is UTF-8
    std::uint32_t dos_time = 0;  ///< zip's, which has no zone: see dos_time()
};

/// A time as a zip stores it, without a zone and in steps of two seconds.
inline std::uint32_t dos_time(unsigned year, unsigned month, unsigned day, unsigned hour, unsigned minute,
                              unsigned second = 0) {
    return (year - 1980) << 25 | month << 21 | day << 16 | hour << 11 | minute << 5 | second / 2;
}

/// Compressed by zlib; window_bits -15 is bare deflate, 31 gzip.
inline std::string deflated(std::string_view bytes, int window_bits, int flush = Z_FINISH) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
    std::string in(bytes);
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, flush);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

inline std::string gzip_of(std::string_view bytes) {
    return deflated(bytes, 31);
}

/// A number in little-endian order, as zip stores it.
inline std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int k = 0; k < bytes; ++k) text += static_cast<char>(value >> 8 * k & 255);
    return text;
}

/// A zip archive. If `packed` is given, it replaces the compressed bytes of every entry.
/// Source: PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
inline std::string zip_of(const std::vector<Entry>& entries, const std::string& packed = "") {
    std::string text, directory;
    for (const Entry& entry : entries) {
        const std::string& plain = entry.type == '2' ? entry.link : entry.bytes;
        const std::string data = !packed.empty() ? packed : entry.method == 8 ? deflated(plain, -15) : plain;
        const auto crc =
            crc32(0, reinterpret_cast<const Bytef*>(plain.data()), static_cast<uInt>(plain.size()));
        const auto size = entry.claimed < 0 ? plain.size() : static_cast<std::uint64_t>(entry.claimed);
        const unsigned mode = entry.type == '2' ? 0120777 : entry.type == '5' ? 040755 : 0100644;
        const std::string common = little(20, 2) + little(static_cast<unsigned>(entry.flags), 2) +
                                   little(static_cast<unsigned>(entry.method), 2) +
                                   little(entry.dos_time, 4) + little(crc, 4) + little(data.size(), 4) +
                                   little(size, 4) + little(entry.name.size(), 2) + little(0, 2);
        directory += "PK\x01\x02" + little(3 << 8 | 20, 2) + common + little(0, 6) +
                     little(std::uint64_t{mode} << 16, 4) + little(text.size(), 4) + entry.name;
        text += "PK\x03\x04" + common + entry.name + data;
    }
    return text + directory + "PK\x05\x06" + little(0, 4) + little(entries.size(), 2) +
           little(entries.size(), 2) + little(directory.size(), 4) + little(text.size(), 4) + little(0, 2);
}

/// A tar archive. Sizes of 8 GiB and more are written in base 256, as GNU tar does.
/// Source: POSIX, pax, "ustar Interchange Format".
inline std::string tar_of(const std::vector<Entry>& entries) {
    const auto octal = [](std::uint64_t value, std::size_t digits) {
        std::string text(digits, '0');
        for (std::size_t k = digits; k > 0 && value > 0; value >>= 3)
            text[--k] = static_cast<char>('0' + (value & 7));
        return text + '\0';
    };
    const auto padded = [](std::string text, std::size_t size) { return text.resize(size), text; };
    std::string archive;
    for (const Entry& entry : entries) {
        const auto size = entry.claimed < 0 ? entry.bytes.size() : static_cast<std::uint64_t>(entry.claimed);
        std::string size_field = octal(size, 11);
        if (size >= std::uint64_t{1} << 33) {
            size_field = "\x80" + std::string(3, '\0');
            for (int k = 7; k >= 0; --k) size_field += static_cast<char>(size >> 8 * k & 255);
        }
        std::string header = padded(entry.name, 100) + octal(0644, 7) + octal(0, 7) + octal(0, 7) +
                             size_field + octal(0, 11) + std::string(8, ' ') + entry.type +
                             padded(entry.link, 100) + std::string("ustar\00000", 8);
        header = padded(std::move(header), 512);
        unsigned sum = 0;
        for (const char c : header) sum += static_cast<unsigned char>(c);
        header.replace(148, 8, octal(sum, 6) + ' ');
        archive += header + entry.bytes + std::string((512 - entry.bytes.size() % 512) % 512, '\0');
    }
    return archive + std::string(1024, '\0');
}

}  // namespace attn::intake
