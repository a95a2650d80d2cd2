#include <fmt/format.h>

#include "grader/base/errors.h"
#include "grader/base/installation.h"

namespace attn {

void require_built(const std::filesystem::path& file, const std::string& what) {
    if (!std::filesystem::exists(file))
        throw UserError(
            fmt::format("{}: there is no such file; expected {}, which is not built yet; type make build",
                        file.string(), what));
}

}  // namespace attn
