#include "datasets/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/replacement.h"
#include "datasets/safetensors_header.h"

namespace attn::data {
namespace {

static_assert(std::endian::native == std::endian::little, "the bytes of a file are copied as they are");

constexpr std::size_t kLengthBytes = 8;

/// The element types, the widest first: the order of the arrays in a written file.
constexpr std::pair<const char*, ElementType> kDtypes[] = {
    {"F64", ElementType::f64}, {"F32", ElementType::f32}, {"I32", ElementType::i32}, {"U8", ElementType::u8}};

std::size_t dtype_index(ElementType type) {
    std::size_t k = 0;
    while (kDtypes[k].second != type) ++k;
    return k;
}

/// The length of the header, from the first 8 bytes. Throws FileError if the file is too short for it.
std::size_t header_length(const std::filesystem::path& path, std::string_view bytes) {
    std::uint64_t length = 0;
    for (std::size_t k = std::min(bytes.size(), kLengthBytes); k-- > 0;)
        length = length << 8 | static_cast<unsigned char>(bytes[k]);
    if (bytes.size() >= kLengthBytes && length > kMaxSafetensorsHeader)
        throw FileError(path, "a header of " + std::to_string(length) + " bytes",
                        "at most " + std::to_string(kMaxSafetensorsHeader) + " are read",
                        "check that this is a safetensors file");
    if (bytes.size() < kLengthBytes || length > bytes.size() - kLengthBytes)
        throw FileError(path,
                        "the file ends after " + std::to_string(bytes.size()) + " bytes, inside its header",
                        "expected 8 bytes with the header's length, the header, and the numbers",
                        "copy or save it again");
    return static_cast<std::size_t>(length);
}

/// The shape of an array, if its lengths are those of an Array. Throws FileError.
Shape shape_of(const std::filesystem::path& path, const SafetensorsEntry& entry) {
    if (entry.shape.size() > kMaxSafetensorsRank)
        throw FileError(
            path, "array " + in_quotes(entry.name) + " has " + std::to_string(entry.shape.size()) + " axes",
            "at most " + std::to_string(kMaxSafetensorsRank) + " are read", "reshape it before it is saved");
    Shape shape;
    // Count empty axes as 1, because the strides of an empty array have to fit into an integer too.
    std::uintmax_t spread = 1;
    for (const std::uint64_t length : entry.shape) {
        // Each factor is at most 2^31 and the product before it at most 2^30, so nothing overflows.
        spread *= std::clamp<std::uint64_t>(length, 1, std::uint64_t{1} << 31);
        if (spread > kMaxFileBytes)
            throw FileError(path, "array " + in_quotes(entry.name) + " is too large",
                            "at most " + std::to_string(kMaxFileBytes) + " bytes (1 GiB) are read",
                            "save a part of it");
        shape.push_back(static_cast<int>(length));
    }
    return shape;
}

Array zeros_for(const std::filesystem::path& path, const SafetensorsEntry& entry) {
    const auto* const dtype = std::find_if(std::begin(kDtypes), std::end(kDtypes),
                                           [&](const auto& known) { return entry.dtype == known.first; });
    if (dtype == std::end(kDtypes))
        throw FileError(path,
                        "array " + in_quotes(entry.name) + " has elements of type " + in_quotes(entry.dtype),
                        "expected F32, F64, I32 or U8",
                        "convert it before it is saved, with .float() or .to(torch.int32)");
    const Shape shape = shape_of(path, entry);
    const auto [begin, end] = std::pair(entry.data_offsets[0], entry.data_offsets[1]);
    const std::size_t bytes =
        element_count(shape) * (dtype->second == ElementType::f64  ? sizeof(double)
                                : dtype->second == ElementType::u8 ? sizeof(std::uint8_t)
                                                                   : sizeof(float));
    if (end < begin || end - begin != bytes)
        throw FileError(
            path,
            "array " + in_quotes(entry.name) + " stands in bytes " + std::to_string(begin) + " to " +
                std::to_string(end),
            "shape " + to_string(shape) + " of " + entry.dtype + " takes " + std::to_string(bytes),
            "copy or save it again");
    return zeros_of(dtype->second, entry.name, shape);
}

void require_writable(const Arrays& arrays) {
    std::vector<std::string> names;
    for (const Array& array : arrays) {
        const bool negative =
            std::any_of(array.shape.begin(), array.shape.end(), [](int length) { return length < 0; });
        const std::size_t held = std::visit([](const auto& values) { return values.size(); }, array.values);
        if (negative || array.shape.size() > kMaxSafetensorsRank || held != array.count())
            throw std::invalid_argument("write_safetensors: array " + array.name + " of shape " +
                                        to_string(array.shape) + " holds " + std::to_string(held) +
                                        " values; expected at most " + std::to_string(kMaxSafetensorsRank) +
                                        " axes, and what they span");
        names.push_back(array.name);
    }
    names.emplace_back("__metadata__");
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
        throw std::invalid_argument("write_safetensors: two arrays cannot have the name " + *twice +
                                    " (and none __metadata__)");
}

/// The text in quotes, as JSON has it.
std::string quoted(const std::string& text) {
    try {
        return nlohmann::json(text).dump();
    } catch (const nlohmann::json::exception&) {
        throw std::invalid_argument("write_safetensors: " + in_quotes(text) + " is not UTF-8");
    }
}

}  // namespace

Safetensors read_safetensors(const std::filesystem::path& path, const std::set<std::string>& without) {
    const std::string bytes = read_file(path);
    const std::size_t length = header_length(path, bytes);
    SafetensorsHeader header =
        parse_safetensors_header(path, std::string_view(bytes).substr(kLengthBytes, length));
    const std::string_view numbers = std::string_view(bytes).substr(kLengthBytes + length);

    std::stable_sort(header.entries.begin(), header.entries.end(),
                     [](const auto& a, const auto& b) { return a.data_offsets < b.data_offsets; });
    // First check that the arrays fill the file exactly, so that their sizes are at most its size.
    std::uint64_t end = 0;
    for (const SafetensorsEntry& entry : header.entries) {
        if (entry.data_offsets[0] != end)
            throw FileError(
                path,
                "array " + in_quotes(entry.name) + " begins at byte " + std::to_string(entry.data_offsets[0]),
                "the array before it ends at byte " + std::to_string(end), "copy or save it again");
        end = entry.data_offsets[1];
        if (end > numbers.size()) break;
    }
    if (end != numbers.size())
        throw FileError(path,
                        std::to_string(numbers.size()) + " bytes of numbers, so it " +
                            (end > numbers.size() ? "is truncated" : "goes on after its arrays"),
                        "the header speaks of " + std::to_string(end), "copy or save it again");

    Safetensors result;
    result.metadata = std::move(header.metadata);
    for (const SafetensorsEntry& entry : header.entries) {
        if (without.contains(entry.name)) continue;
        Array array = zeros_for(path, entry);
        if (array.bytes() > 0)
            std::memcpy(array.data(), numbers.data() + entry.data_offsets[0], array.bytes());
        result.arrays.push_back(std::move(array));
    }
    return result;
}

void write_safetensors(const std::filesystem::path& path, const Arrays& arrays,
                       const std::map<std::string, std::string>& metadata) {
    require_writable(arrays);
    std::vector<const Array*> sorted;
    for (const Array& array : arrays) sorted.push_back(&array);
    std::sort(sorted.begin(), sorted.end(), [](const Array* a, const Array* b) {
        return std::tuple(dtype_index(type_of(*a)), std::string_view(a->name)) <
               std::tuple(dtype_index(type_of(*b)), std::string_view(b->name));
    });

    std::string header;
    if (!metadata.empty()) {
        for (const auto& [key, text] : metadata)
            header += (header.empty() ? "" : ",") + quoted(key) + ":" + quoted(text);
        header = "\"__metadata__\":{" + header + "}";
    }
    std::size_t end = 0;
    for (const Array* array : sorted) {
        std::string shape;
        for (const int size : array->shape) shape += (shape.empty() ? "" : ",") + std::to_string(size);
        header += (header.empty() ? "" : ",") + quoted(array->name) + R"(:{"dtype":")" +
                  kDtypes[dtype_index(type_of(*array))].first + R"(","shape":[)" + shape +
                  R"(],"data_offsets":[)" + std::to_string(end) + "," + std::to_string(end + array->bytes()) +
                  "]}";
        end += array->bytes();
    }
    header = "{" + header + "}";
    header.append((kLengthBytes - header.size() % kLengthBytes) % kLengthBytes, ' ');

    std::string length;
    for (std::size_t k = 0; k < kLengthBytes; ++k) length += static_cast<char>(header.size() >> 8 * k & 255);
    Replacement file(path);
    file.write(length.data(), length.size());
    file.write(header.data(), header.size());
    for (const Array* array : sorted) file.write(array->data(), array->bytes());
    file.commit();
}

const Array& array_named(const Arrays& arrays, std::string_view name) {
    std::string names;
    for (const Array& array : arrays) {
        if (array.name == name) return array;
        names += (names.empty() ? "" : ", ") + array.name;
    }
    throw std::invalid_argument("there is no array " + std::string(name) + "; the arrays are: " + names);
}

}  // namespace attn::data
