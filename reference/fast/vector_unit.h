#pragma once
/// Which vector instructions attn::fast computes with. The files in kernels/ are compiled once for each.

#include <string_view>
#include <vector>

namespace attn::fast {

enum class VectorUnit {
    portable,  ///< what every machine of this architecture has
    avx2,      ///< 8 floats, fused multiply-add (x86-64)
    avx512,    ///< 16 floats (x86-64: F, DQ, BW, VL)
};

constexpr std::string_view name_of(VectorUnit unit) {
    switch (unit) {
        case VectorUnit::portable:
            return "portable";
        case VectorUnit::avx2:
            return "AVX2";
        case VectorUnit::avx512:
            return "AVX-512";
    }
    return "?";
}

/// The widest unit of an instruction set, as -march names it: AVX2 of "x86-64-v3". The portable one of all
/// others.
constexpr VectorUnit unit_of(std::string_view level) {
    return level == "x86-64-v3" ? VectorUnit::avx2 : VectorUnit::portable;
}

/// Those that this machine has and this program is linked with, the widest last.
std::vector<VectorUnit> vector_units();

/// The one in use: the widest, until set. Throws std::invalid_argument for one that this machine has not. Not
/// while a call runs.
VectorUnit vector_unit();
void set_vector_unit(VectorUnit unit);

}  // namespace attn::fast
