#include "grader/rubric/cuda_rubric.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/rubric/toml_reader.h"

namespace attn::rubric {

CudaRubric read_cuda(TableReader reader) {
    static constexpr std::array kCounted = {"when_begun", "always", "never"};
    constexpr double kLongest_s = 3600;
    CudaRubric cuda;
    cuda.source = reader.text("source");
    if (std::filesystem::path(cuda.source).filename() != cuda.source || !cuda.source.ends_with(".cu"))
        reader.refuse("source", fmt::format("'{}' is not the plain name of a .cu file", cuda.source));
    const std::string counted = reader.text("counted", kCounted.front());
    const auto* const found = std::find(kCounted.begin(), kCounted.end(), counted);
    if (found == kCounted.end())
        reader.refuse("counted", fmt::format("'{}' is not one of {}", counted, fmt::join(kCounted, ", ")));
    cuda.counted = static_cast<CudaRubric::Counted>(found - kCounted.begin());
    cuda.time_s = reader.number("time_s", 1, kLongest_s, cuda.time_s);
    reader.done();
    return cuda;
}

}  // namespace attn::rubric
