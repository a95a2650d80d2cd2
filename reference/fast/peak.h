#pragma once
/// The most that one core of this machine computes.

namespace attn::fast {

/// Floating-point operations in 1e9 a second, a multiply-add counted as two: the best of a few runs of
/// nothing but independent multiply-adds in registers, with the widest vector unit that is here whatever is
/// set, by processor time. Measured once, in a few hundredths of a second.
double peak_gflops();

}  // namespace attn::fast
