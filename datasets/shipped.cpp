#include "datasets/shipped.h"

namespace attn::data {

std::filesystem::path shipped(const char* name) {
    return std::filesystem::path(ATTN_DATASETS_DIR) / name;
}

}  // namespace attn::data
