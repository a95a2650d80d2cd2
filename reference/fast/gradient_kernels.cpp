#include "reference/fast/gradient_kernels.h"

#include "reference/fast/vector_unit.h"

namespace attn::fast {

namespace portable {
extern const GradientKernels kGradientKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const GradientKernels kGradientKernels;
}
namespace avx512 {
[[gnu::weak]] extern const GradientKernels kGradientKernels;
}
#endif

const GradientKernels& gradient_kernels() {
    switch (vector_unit()) {
#if defined(__x86_64__)
        case VectorUnit::avx512:
            return avx512::kGradientKernels;
        case VectorUnit::avx2:
            return avx2::kGradientKernels;
#endif
        default:
            return portable::kGradientKernels;
    }
}

}  // namespace attn::fast
