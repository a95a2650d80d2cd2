#include "datasets/shipped.h"

#include <stdexcept>
#include <utility>

namespace attn::data {
namespace {

std::filesystem::path& folder() {
    static std::filesystem::path folder;
    return folder;
}

}  // namespace

void set_shipped_folder(std::filesystem::path place) {
    folder() = std::move(place);
}

std::filesystem::path shipped(const char* name) {
    if (folder().empty())
        throw std::logic_error("the folder of the data sets is not set: call set_shipped_folder() first");
    return folder() / name;
}

}  // namespace attn::data
