#include "datasets/safetensors_header.h"

#include <cstddef>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "datasets/files/file_error.h"

namespace attn::data {
namespace {

constexpr const char* kForm =
    "expected {\"NAME\": {\"dtype\": \"F32\", \"shape\": [..], \"data_offsets\": [begin, end]}, ..}";
constexpr const char* kSaveAgain = "copy it again, or save it again with safetensors";

/// Takes the values of the header one by one, and stops at the first that does not belong there.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
  public:
    explicit HeaderReader(const std::filesystem::path& path) : path_(path) {}

    SafetensorsHeader finish() { return std::move(header_); }

    bool start_object(std::size_t) override {
        if (place_ == Place::nothing) {
            place_ = Place::names;
        } else if (place_ == Place::value_of_name) {
            place_ = is_metadata_ ? Place::metadata : Place::fields;
        } else {
            fail("an object");
        }
        return true;
    }
    bool end_object() override {
        if (place_ == Place::names) {
            place_ = Place::end;
            return true;
        }
        if (place_ == Place::fields) {
            const SafetensorsEntry& entry = header_.entries.back();
            for (const char* const field : {"dtype", "shape", "data_offsets"})
                if (!fields_.contains(field))
                    refuse("array " + in_quotes(entry.name) + " has no \"" + field + "\"");
            if (entry.data_offsets.size() != 2)
                refuse("array " + in_quotes(entry.name) + " has " +
                       std::to_string(entry.data_offsets.size()) + " data_offsets");
        }
        place_ = Place::names;
        return true;
    }
    bool key(string_t& text) override {
        if (place_ == Place::names) {
            if (!names_.insert(text).second) refuse("the name " + in_quotes(text) + " is there twice");
            is_metadata_ = text == "__metadata__";
            if (!is_metadata_) header_.entries.push_back({text, {}, {}, {}});
            fields_.clear();
            place_ = Place::value_of_name;
        } else if (!fields_.insert(text).second) {
            refuse("the key " + in_quotes(text) + " is there twice");
        } else if (place_ == Place::metadata) {
            key_ = text;
            place_ = Place::text;
        } else {
            place_ = text == "dtype"          ? Place::dtype
                     : text == "shape"        ? Place::before_shape
                     : text == "data_offsets" ? Place::before_offsets
                                              : Place::nothing;
            if (place_ == Place::nothing) refuse("the key " + in_quotes(text) + " of an array");
        }
        return true;
    }
    bool string(string_t& text) override {
        if (place_ == Place::dtype) {
            header_.entries.back().dtype = text;
            place_ = Place::fields;
        } else if (place_ == Place::text) {
            header_.metadata[key_] = text;
            place_ = Place::metadata;
        } else {
            fail("the text " + in_quotes(text));
        }
        return true;
    }
    bool start_array(std::size_t) override {
        if (place_ == Place::before_shape) {
            place_ = Place::shape;
        } else if (place_ == Place::before_offsets) {
            place_ = Place::offsets;
        } else {
            fail("a list");
        }
        return true;
    }
    bool end_array() override {
        place_ = Place::fields;
        return true;
    }
    bool number_unsigned(number_unsigned_t number) override {
        if (place_ == Place::shape) {
            header_.entries.back().shape.push_back(number);
        } else if (place_ == Place::offsets) {
            header_.entries.back().data_offsets.push_back(number);
        } else {
            fail("the number " + std::to_string(number));
        }
        return true;
    }
    bool number_integer(number_integer_t number) override {
        return fail("the number " + std::to_string(number));
    }
    bool number_float(number_float_t, const string_t& text) override {
        return fail("the number " + in_quotes(text));
    }
    bool null() override { return fail("null"); }
    bool boolean(bool) override { return fail("true or false"); }
    bool binary(binary_t&) override { return fail("binary data"); }
    bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
        refuse("the header is not JSON at its byte " + std::to_string(at));
    }

  private:
    enum class Place {
        nothing,         ///< before the first brace
        names,           ///< before a name or the last brace
        value_of_name,   ///< after a name
        metadata,        ///< before a key of the metadata
        text,            ///< after such a key
        fields,          ///< before a field of an array
        dtype,           ///< after "dtype"
        before_shape,    ///< after "shape"
        shape,           ///< inside of the list
        before_offsets,  ///< after "data_offsets"
        offsets,         ///< inside of the list
        end,             ///< after the last brace
    };

    [[noreturn]] bool fail(const std::string& found) const {
        refuse(found + (names_.empty() ? " begins the header" : " stands where it does not belong"));
    }
    [[noreturn]] void refuse(const std::string& found) const {
        throw FileError(path_, found, kForm, kSaveAgain);
    }

    const std::filesystem::path& path_;
    SafetensorsHeader header_;
    Place place_ = Place::nothing;
    bool is_metadata_ = false;
    std::string key_;               ///< of the metadata
    std::set<std::string> names_;   ///< so far
    std::set<std::string> fields_;  ///< of the array or the metadata, so far
};

}  // namespace

SafetensorsHeader parse_safetensors_header(const std::filesystem::path& path, std::string_view text) {
    if (!text.starts_with('{'))
        throw FileError(path, "the header begins with " + in_quotes(text.substr(0, 8)), kForm, kSaveAgain);
    HeaderReader reader(path);
    nlohmann::json::sax_parse(text.begin(), text.end(), &reader);
    return reader.finish();
}

}  // namespace attn::data
