#pragma once
/// Kinds of checks. The points of a part are given for all checks of a kind together.

#include <array>
#include <cstddef>
#include <string_view>

namespace attn::report {

enum class CheckKind {
    numeric,   ///< the numbers of one case
    property,  ///< what holds between outputs of the same function
    speed,
    growth,  ///< how time and memory grow with a length
    cuda     ///< the numbers of one case, computed by the part's kernels
};

inline constexpr std::array kCheckKinds{CheckKind::numeric, CheckKind::property, CheckKind::speed,
                                        CheckKind::growth, CheckKind::cuda};
inline constexpr std::array kCheckKindNames{"numeric", "property", "speed", "growth", "cuda"};

static_assert(kCheckKinds.size() == kCheckKindNames.size());

/// "numeric": the name in files.
constexpr std::string_view name_of(CheckKind kind) {
    return kCheckKindNames[static_cast<std::size_t>(kind)];
}

}  // namespace attn::report
