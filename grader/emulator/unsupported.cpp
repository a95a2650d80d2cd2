#include "grader/emulator/unsupported.h"

#include <algorithm>
#include <optional>

namespace attn::emulator {
namespace {

constexpr const char* kPtx = "inline PTX, which the emulator cannot run";
constexpr const char* kNoPtx =
    "write it in C++, or with one of CUDA's functions (__shfl_down_sync, __ldg, ..)";
constexpr const char* kTensorCores = "tensor cores, which the emulator does not have";
constexpr const char* kNoTensorCores = "multiply tiles of __shared__ memory with ordinary arithmetic";
constexpr const char* kTextures = "a texture or a surface, which the emulator does not have";
constexpr const char* kNoTextures = "read from a const pointer, with __ldg where it is only read";
constexpr const char* kAsync = "an asynchronous copy inside a kernel, which the emulator does not have";
constexpr const char* kNoAsync = "copy in a loop over the block's threads and wait with __syncthreads()";
constexpr const char* kGrid = "a barrier of all blocks or of a cluster, which the emulator does not have";
constexpr const char* kNoGrid =
    "end the kernel there and launch a second one; launches run one after the other";
constexpr const char* kLibrary = "a library that runs on a GPU only";
constexpr const char* kNoLibrary = "write the kernel yourself: that is the task";
constexpr const char* kLibcu = "libcu++, which the emulator does not have";
constexpr const char* kNoLibcu = "use atomicAdd and the like, and __syncthreads()";
constexpr const char* kDriver = "a way to launch kernels that the emulator does not have";
constexpr const char* kNoDriver = "launch with kernel<<<grid, block>>>(arguments)";

enum class Match { word, prefix, scope };  ///< scope: only where :: follows the word

struct Construct {
    std::string_view word;
    Match match;
    const char *what, *instead;
};

// Names in the program's code.
constexpr Construct kNames[] = {
    {"asm", Match::word, kPtx, kNoPtx},
    {"__asm", Match::prefix, kPtx, kNoPtx},
    {"wmma", Match::scope, kTensorCores, kNoTensorCores},
    {"mma_sync", Match::word, kTensorCores, kNoTensorCores},
    {"tex1D", Match::prefix, kTextures, kNoTextures},
    {"tex2D", Match::prefix, kTextures, kNoTextures},
    {"tex3D", Match::prefix, kTextures, kNoTextures},
    {"surf1D", Match::prefix, kTextures, kNoTextures},
    {"surf2D", Match::prefix, kTextures, kNoTextures},
    {"surf3D", Match::prefix, kTextures, kNoTextures},
    {"cudaTextureObject_t", Match::word, kTextures, kNoTextures},
    {"cudaSurfaceObject_t", Match::word, kTextures, kNoTextures},
    {"memcpy_async", Match::word, kAsync, kNoAsync},
    {"__pipeline_", Match::prefix, kAsync, kNoAsync},
    {"this_grid", Match::word, kGrid, kNoGrid},
    {"grid_group", Match::word, kGrid, kNoGrid},
    {"this_multi_grid", Match::word, kGrid, kNoGrid},
    {"this_cluster", Match::word, kGrid, kNoGrid},
    {"__cluster_dims__", Match::word, kGrid, kNoGrid},
    {"cudaLaunchCooperativeKernel", Match::prefix, kGrid, kNoGrid},
    {"cublas", Match::prefix, kLibrary, kNoLibrary},
    {"cudnn", Match::prefix, kLibrary, kNoLibrary},
    {"thrust", Match::scope, kLibrary, kNoLibrary},
    {"cub", Match::scope, kLibrary, kNoLibrary},
    {"cutlass", Match::scope, kLibrary, kNoLibrary},
    {"cute", Match::scope, kLibrary, kNoLibrary},
    {"cudaLaunchKernelEx", Match::prefix, kDriver, kNoDriver},
    {"cudaGraph", Match::prefix, kDriver, kNoDriver},
    {"cuLaunchKernel", Match::prefix, kDriver, kNoDriver},
    {"nvrtc", Match::prefix, kDriver, kNoDriver},
};

// Included headers, by the beginnings of their names.
constexpr Construct kHeaders[] = {
    {"mma.h", Match::prefix, kTensorCores, kNoTensorCores},
    {"cuda_pipeline", Match::prefix, kAsync, kNoAsync},
    {"cooperative_groups/memcpy_async", Match::prefix, kAsync, kNoAsync},
    {"cuda/pipeline", Match::prefix, kAsync, kNoAsync},
    {"cuda/", Match::prefix, kLibcu, kNoLibcu},
    {"cublas", Match::prefix, kLibrary, kNoLibrary},
    {"cudnn", Match::prefix, kLibrary, kNoLibrary},
    {"cusparse", Match::prefix, kLibrary, kNoLibrary},
    {"curand", Match::prefix, kLibrary, kNoLibrary},
    {"cufft", Match::prefix, kLibrary, kNoLibrary},
    {"thrust/", Match::prefix, kLibrary, kNoLibrary},
    {"cub/", Match::prefix, kLibrary, kNoLibrary},
    {"cutlass/", Match::prefix, kLibrary, kNoLibrary},
    {"cute/", Match::prefix, kLibrary, kNoLibrary},
    {"nvrtc", Match::prefix, kDriver, kNoDriver},
};

bool is_followed_by_scope(std::string_view code, std::size_t k) {
    while (k < code.size() && is_space(code[k])) ++k;
    return code.substr(k, 2) == "::";
}

/// The unsupported name at [begin, end) of the code, or null.
const Construct* unsupported_name_at(std::string_view code, std::size_t begin, std::size_t end) {
    const std::string_view word = code.substr(begin, end - begin);
    const auto found = std::find_if(std::begin(kNames), std::end(kNames), [&](const Construct& construct) {
        if (construct.match == Match::prefix) return word.starts_with(construct.word);
        return word == construct.word && (construct.match == Match::word || is_followed_by_scope(code, end));
    });
    return found == std::end(kNames) ? nullptr : found;
}

struct Found {
    std::size_t position;
    const char *what, *instead;
};

/// The first unsupported name in `code`.
std::optional<Found> first_name(std::string_view code) {
    for (std::size_t k = 0; k < code.size();) {
        if (!is_word(code[k])) {
            ++k;
            continue;
        }
        const std::size_t begin = k;
        while (k < code.size() && is_word(code[k])) ++k;
        if (const Construct* name = unsupported_name_at(code, begin, k))
            return Found{begin, name->what, name->instead};
    }
    return std::nullopt;
}

std::optional<Found> first_header(std::string_view text, const MaskedSource& masked) {
    for (const Span span : masked.directive_spans) {
        std::string_view header = included_header(text, span);
        if (!header.empty()) header = header.substr(1, header.size() - 2);
        for (const Construct& construct : kHeaders)
            if (header.starts_with(construct.word))
                return Found{span.begin, construct.what, construct.instead};
    }
    return std::nullopt;
}

/// A __shared__ variable with an initial value. g++ would accept it, nvcc does not.
std::optional<Found> first_initialiser(std::string_view code) {
    constexpr std::string_view kShared = "__shared__";
    std::size_t end = 0;
    for (std::size_t k = code.find(kShared); k != npos; k = code.find(kShared, end)) {
        int depth = 0;
        end = k + kShared.size();
        for (; end < code.size() && (depth > 0 || std::string_view(";{=").find(code[end]) == npos); ++end)
            depth += std::string_view("([").find(code[end]) != npos   ? 1
                     : std::string_view(")]").find(code[end]) != npos ? -1
                                                                      : 0;
        if (end < code.size() && code[end] == '=')
            return Found{k, "__shared__ memory with an initial value, which nvcc refuses as well",
                         "let the threads write to it and wait with __syncthreads()"};
    }
    return std::nullopt;
}

}  // namespace

void refuse_unsupported(std::string_view text, const MaskedSource& masked, const std::string& name) {
    std::optional<Found> first;
    for (const auto& found : {first_name(masked.code), first_name(masked.directives),
                              first_header(text, masked), first_initialiser(masked.code)})
        if (found && (!first || found->position < first->position)) first = found;
    if (first) throw Unsupported(name, line_of(text, first->position), first->what, first->instead);
}

}  // namespace attn::emulator
