#include "datasets/npy.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "datasets/npy_header.h"

namespace attn::data {
namespace {

static_assert(std::endian::native == std::endian::little, "the bytes of a file are copied as they are");

namespace fs = std::filesystem;

/// The numpy call that saves an array with a readable element type.
std::string remedy_for(std::string_view descr) {
    if (descr.ends_with("f8")) return "np.save(f, a.astype(np.float64))";
    if (descr.ends_with("i8")) return "np.save(f, a.astype(np.float32)), or np.int32 for lengths";
    if (descr.ends_with("i1"))
        return "np.save(f, a.astype(np.uint8)), or np.float32 where there are negatives";
    if (descr.find('c') != std::string_view::npos) return "np.save(f, a.real.astype(np.float32))";
    return "np.save(f, a.astype(np.float32))";
}

/// Makes an array of the header's shape from the bytes of its elements. Throws FileError if the sizes differ.
template <class T>
Array decode(const fs::path& path, const NpyHeader& header, std::string_view payload) {
    // Count empty axes as 1, because the strides of an empty array have to fit into an integer too.
    std::uintmax_t spread = sizeof(T);
    for (const int size : header.shape) {
        spread *= static_cast<std::uintmax_t>(std::max(size, 1));
        if (spread > kMaxFileBytes)
            throw FileError(path, "shape " + to_string(header.shape) + " is too large",
                            "at most " + std::to_string(kMaxFileBytes) + " bytes (1 GiB) are read",
                            "save a part: np.save(f, a[:1000])");
    }
    const std::size_t count = element_count(header.shape);
    if (payload.size() != count * sizeof(T)) {
        const bool less = payload.size() < count * sizeof(T);
        throw FileError(path,
                        std::to_string(payload.size()) + " bytes of numbers, so it " +
                            (less ? "is truncated" : "goes on after its array"),
                        "shape " + to_string(header.shape) + " of '" + header.descr + "' takes " +
                            std::to_string(count * sizeof(T)),
                        less ? "copy or save it again" : "save one array a file with np.save(f, a)");
    }
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), payload.data(), payload.size());
    return Array(path.stem().string(), header.shape, std::move(values));
}

template <class T>
constexpr const char* kDescr = std::is_same_v<T, float>          ? "<f4"
                               : std::is_same_v<T, double>       ? "<f8"
                               : std::is_same_v<T, std::int32_t> ? "<i4"
                                                                 : "|u1";

}  // namespace

Array read_npy(const fs::path& path) {
    const std::string bytes = read_file(path);
    const NpyHeader header = parse_npy_header(path, bytes);
    const std::string_view payload = std::string_view(bytes).substr(header.size);
    const std::size_t rank = header.shape.size();
    if (rank > kMaxNpyRank)
        throw FileError(path, "an array of " + std::to_string(rank) + " axes",
                        "at most " + std::to_string(kMaxNpyRank) + " are read",
                        "merge the first ones: np.save(f, a.reshape(-1, *a.shape[-3:]))");
    if (header.fortran_order && rank >= 2)
        throw FileError(path, "numbers in column-major order (fortran_order is True)",
                        "expected row-major ones", "np.save(f, np.ascontiguousarray(a))");
    if (header.descr == "<f4") return decode<float>(path, header, payload);
    if (header.descr == "<f8") return decode<double>(path, header, payload);
    if (header.descr == "<i4") return decode<std::int32_t>(path, header, payload);
    if (header.descr == "|u1" || header.descr == "|b1") return decode<std::uint8_t>(path, header, payload);
    throw FileError(path, "elements of the type " + in_quotes(header.descr),
                    "expected '<f4' (float32), '<f8' (float64), '<i4' (int32), '|u1' (uint8) or '|b1' (bool)",
                    remedy_for(header.descr));
}

void write_npy(const fs::path& path, const Array& array) {
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
            const bool negative =
                std::any_of(array.shape.begin(), array.shape.end(), [](int size) { return size < 0; });
            if (negative || array.shape.size() > kMaxNpyRank || values.size() != array.count())
                throw std::invalid_argument("write_npy: array " + array.name + " of shape " +
                                            to_string(array.shape) + " holds " +
                                            std::to_string(values.size()) + " values; expected at most " +
                                            std::to_string(kMaxNpyRank) + " axes, and what they span");
            const std::string header = encode_npy_header(kDescr<T>, array.shape);
            Replacement file(path);
            file.write(header.data(), header.size());
            file.write(values.data(), values.size() * sizeof(T));
            file.commit();
        },
        array.values);
}

}  // namespace attn::data
