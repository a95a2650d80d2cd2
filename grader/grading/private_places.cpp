#include "grader/grading/private_places.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "grader/sandbox/readable_files.h"

namespace attn {

std::string readable_secret(const Installation& installation, const std::filesystem::path& seed_file) {
    const auto readable = worker::compiler_files(installation.compiler);
    if (const auto through = worker::readable_through(seed_file, readable))
        return fmt::format(
            "the seed file {} lies below {}, which student code can read while it is compiled; move it, for "
            "example to your home folder",
            seed_file.string(), through->string());
    for (const auto& place : {installation.stand_ins, installation.plain, installation.yardstick,
                              installation.reference, installation.sources, installation.assignments})
        if (const auto through = worker::readable_through(place, readable))
            return fmt::format(
                "the grader's {} lies below {}, which student code can read while it is compiled; install "
                "the grader elsewhere, for example in /opt/attention_lab",
                place.string(), through->string());
    return {};
}

}  // namespace attn
