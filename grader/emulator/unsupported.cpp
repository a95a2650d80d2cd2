#include "grader/emulator/unsupported.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace attn::emulator {
namespace {

constexpr const char* kPtx =
    "inline PTX, of which the emulator runs cp.async and reads of the lane's number only";
constexpr const char* kNoPtx =
    "write it in C++, or with one of CUDA's functions (__shfl_down_sync, __ldg, nvcuda::wmma, ..)";
constexpr const char* kTextures = "a texture or a surface, which the emulator does not have";
constexpr const char* kNoTextures = "read from a const pointer, with __ldg where it is only read";
constexpr const char* kGrid = "a barrier of all blocks or of a cluster, which the emulator does not have";
constexpr const char* kNoGrid =
    "end the kernel there and launch a second one; launches run one after the other";
constexpr const char* kCublas = "a part of cuBLAS that the emulator does not have";
constexpr const char* kCudnn = "cuDNN, a library that the emulator does not have";
constexpr const char* kCusparse = "cuSPARSE, a library that the emulator does not have";
constexpr const char* kCufft = "cuFFT, a library that the emulator does not have";
constexpr const char* kThrust = "Thrust, a library that the emulator does not have";
constexpr const char* kCub = "CUB, a library that the emulator does not have";
constexpr const char* kCutlass = "CUTLASS, a library that the emulator does not have";
constexpr const char* kCute = "CuTe, a library that the emulator does not have";
constexpr const char* kNoLibrary =
    "write the kernel yourself, or put what only a GPU can run between #ifndef ATTN_EMULATOR and #endif";
constexpr const char* kLibcu = "libcu++, which the emulator does not have";
constexpr const char* kNoLibcu = "use atomicAdd and the like, __syncthreads(), and cuda/pipeline";
constexpr const char* kNoThrust =
    "hold the data in a std::vector and memory from cudaMalloc, and write the algorithm as a kernel";
constexpr const char* kNoCub =
    "reduce and scan with __shfl_down_sync, or with reduce() and scans of cooperative_groups";
constexpr const char* kHeader = "a header of CUDA that the emulator does not have";
constexpr const char* kNoHeader =
    "leave it out, or put what only a GPU can run between #ifndef ATTN_EMULATOR and #endif";
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
    {"tex1D", Match::prefix, kTextures, kNoTextures},
    {"tex2D", Match::prefix, kTextures, kNoTextures},
    {"tex3D", Match::prefix, kTextures, kNoTextures},
    {"surf1D", Match::prefix, kTextures, kNoTextures},
    {"surf2D", Match::prefix, kTextures, kNoTextures},
    {"surf3D", Match::prefix, kTextures, kNoTextures},
    {"cudaTextureObject_t", Match::word, kTextures, kNoTextures},
    {"cudaSurfaceObject_t", Match::word, kTextures, kNoTextures},
    {"this_grid", Match::word, kGrid, kNoGrid},
    {"grid_group", Match::word, kGrid, kNoGrid},
    {"this_multi_grid", Match::word, kGrid, kNoGrid},
    {"this_cluster", Match::word, kGrid, kNoGrid},
    {"__cluster_dims__", Match::word, kGrid, kNoGrid},
    {"cudaLaunchCooperativeKernel", Match::prefix, kGrid, kNoGrid},
    {"cublasLt", Match::prefix, kCublas, kNoLibrary},
    {"cublasXt", Match::prefix, kCublas, kNoLibrary},
    {"cublasGemmEx", Match::word, kCublas, kNoLibrary},
    {"cudnn", Match::prefix, kCudnn, kNoLibrary},
    {"thrust", Match::scope, kThrust, kNoThrust},
    {"cub", Match::scope, kCub, kNoCub},
    {"cutlass", Match::scope, kCutlass, kNoLibrary},
    {"cute", Match::scope, kCute, kNoLibrary},
    {"cudaLaunchKernelEx", Match::prefix, kDriver, kNoDriver},
    {"cudaGraph", Match::prefix, kDriver, kNoDriver},
    {"cuLaunchKernel", Match::prefix, kDriver, kNoDriver},
    {"nvrtc", Match::prefix, kDriver, kNoDriver},
};

// Included headers, by the beginnings of their names.
constexpr Construct kHeaders[] = {
    {"cuda/pipeline", Match::word, nullptr, nullptr},  // the emulator has it
    {"cuda/", Match::prefix, kLibcu, kNoLibcu},
    {"cublasLt", Match::prefix, kCublas, kNoLibrary},
    {"cublasXt", Match::prefix, kCublas, kNoLibrary},
    {"cudnn", Match::prefix, kCudnn, kNoLibrary},
    {"cusparse", Match::prefix, kCusparse, kNoLibrary},
    {"cufft", Match::prefix, kCufft, kNoLibrary},
    {"thrust/", Match::prefix, kThrust, kNoThrust},
    {"cub/", Match::prefix, kCub, kNoCub},
    {"cutlass/", Match::prefix, kCutlass, kNoLibrary},
    {"cute/", Match::prefix, kCute, kNoLibrary},
    {"nvrtc", Match::prefix, kDriver, kNoDriver},
    {"nvtx3/", Match::prefix, kHeader, kNoHeader},
    {"nvToolsExt", Match::prefix, kHeader, kNoHeader},
    {"cuda_gl_interop", Match::prefix, kHeader, kNoHeader},
    {"cuda_fp4", Match::prefix, kHeader, kNoHeader},
    {"cuda_fp6", Match::prefix, kHeader, kNoHeader},
    {"cuda_awbarrier", Match::prefix, kHeader, kNoHeader},
    {"cuComplex", Match::prefix, kHeader, kNoHeader},
    {"texture_", Match::prefix, kTextures, kNoTextures},
    {"cuda_texture_types", Match::prefix, kTextures, kNoTextures},
    {"surface_", Match::prefix, kTextures, kNoTextures},
    {"nccl", Match::prefix, "NCCL, a library that the emulator does not have", kNoLibrary},
    {"nvml", Match::prefix, "NVML, a library that the emulator does not have", kNoLibrary},
    {"npp", Match::prefix, "NPP, a library that the emulator does not have", kNoLibrary},
    {"cusolver", Match::prefix, "cuSOLVER, a library that the emulator does not have", kNoLibrary},
};

bool is_followed_by_scope(std::string_view code, std::size_t k) {
    while (k < code.size() && is_space(code[k])) ++k;
    return code.substr(k, 2) == "::";
}

/// The unsupported name at [begin, end) of the code, or null.
const Construct* name_at(std::string_view code, std::size_t begin, std::size_t end) {
    const std::string_view word = code.substr(begin, end - begin);
    const auto found = std::find_if(std::begin(kNames), std::end(kNames), [&](const Construct& construct) {
        if (construct.match == Match::prefix) return word.starts_with(construct.word);
        return word == construct.word && (construct.match == Match::word || is_followed_by_scope(code, end));
    });
    return found == std::end(kNames) ? nullptr : found;
}

enum class Where { code, directive, include };

struct Found {
    std::size_t position;
    const char *what, *instead;
    Where where;
};

/// All unsupported names in `code`.
void find_names(std::string_view code, bool in_directives, std::vector<Found>& all) {
    for (std::size_t k = 0; k < code.size();) {
        if (!is_word(code[k])) {
            ++k;
            continue;
        }
        const std::size_t begin = k;
        while (k < code.size() && is_word(code[k])) ++k;
        if (const Construct* name = name_at(code, begin, k))
            all.push_back({begin, name->what, name->instead, in_directives ? Where::directive : Where::code});
    }
}

void find_headers(std::string_view text, const MaskedSource& masked, std::vector<Found>& all) {
    for (const Span span : masked.directive_spans) {
        std::string_view header = included_header(text, span);
        if (!header.empty()) header = header.substr(1, header.size() - 2);
        for (const Construct& construct : kHeaders) {
            if (!header.starts_with(construct.word)) continue;
            if (construct.what != nullptr)
                all.push_back({span.begin, construct.what, construct.instead, Where::include});
            break;
        }
    }
}

/// The __shared__ variables with an initial value. g++ would accept them, nvcc does not.
void find_initialisers(std::string_view code, std::vector<Found>& all) {
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
            all.push_back({k, "__shared__ memory with an initial value, which nvcc refuses as well",
                           "let the threads write to it and wait with __syncthreads()", Where::code});
    }
}

constexpr std::size_t kMostInsertions = 1000;  // a text that is made of such words must not grow a lot
constexpr std::string_view kMark = "not emulated: ";

/// The error that g++ gives for a construct if it does not skip its line.
std::optional<Insertion> error_at(const Found& found, std::string_view directive) {
    const std::string message = std::string(kMark) + found.what + "; " + found.instead;
    if (found.where == Where::include)  // the rest of the line becomes a comment
        return Insertion{found.position + 1, "pragma GCC error \"" + message + "\" //"};
    std::string escaped;
    for (const char c : message) escaped += c == '"' ? std::string("\\\"") : std::string(1, c);
    const Insertion insertion{found.position, "_Pragma(\"GCC error \\\"" + escaped + "\\\"\") "};
    if (found.where == Where::code) return insertion;
    // The body of a macro can have an error, which g++ gives where the macro is used. A condition cannot.
    const std::size_t word = directive.find_first_not_of(" \t", 1);
    return word != npos && directive.substr(word).starts_with("define") ? std::optional(insertion)
                                                                        : std::nullopt;
}

}  // namespace

std::vector<Insertion> refuse_unsupported(std::string_view text, const MaskedSource& masked,
                                          const std::string& name) {
    std::vector<Found> all;
    find_names(masked.code, false, all);
    find_names(masked.directives, true, all);
    find_headers(text, masked, all);
    find_initialisers(masked.code, all);
    std::stable_sort(all.begin(), all.end(),
                     [](const Found& a, const Found& b) { return a.position < b.position; });
    std::vector<Insertion> insertions;
    auto conditional = masked.conditional_spans.begin();
    auto directive = masked.directive_spans.begin();
    for (const Found& found : all) {
        while (conditional != masked.conditional_spans.end() && conditional->end <= found.position)
            ++conditional;
        if (conditional == masked.conditional_spans.end() || found.position < conditional->begin)
            throw Unsupported(name, line_of(text, found.position), found.what, found.instead);
        while (directive != masked.directive_spans.end() && directive->end <= found.position) ++directive;
        const std::string_view line = directive == masked.directive_spans.end()
                                          ? std::string_view()
                                          : std::string_view(masked.directives)
                                                .substr(directive->begin, directive->end - directive->begin);
        if (insertions.size() >= kMostInsertions) break;
        if (const auto error = error_at(found, line)) insertions.push_back(*error);
    }
    return insertions;
}

void refuse_reported(std::string_view messages) {
    // FILE:LINE:COLUMN: error: not emulated: WHAT; INSTEAD
    const std::string before = " error: " + std::string(kMark);
    const std::size_t at = messages.find(before);
    if (at == npos) return;
    const std::size_t begin = messages.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view place = messages.substr(begin, at - begin);
    const std::size_t colon = place.find(':'), middle = messages.find("; ", at);
    const std::size_t end = std::min(messages.find('\n', at), messages.size());
    if (colon == npos || middle >= end) return;
    const std::size_t what = at + before.size();
    throw Unsupported(
        std::string(place.substr(0, colon)),
        static_cast<int>(std::strtol(std::string(place.substr(colon + 1)).c_str(), nullptr, 10)),
        std::string(messages.substr(what, middle - what)),
        std::string(messages.substr(middle + 2, end - middle - 2)));
}

}  // namespace attn::emulator
