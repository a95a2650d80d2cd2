#include "reference/fast/product_kernels.h"

#include "reference/fast/vector_unit.h"

namespace attn::fast {

namespace portable {
extern const ProductKernels kProductKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const ProductKernels kProductKernels;
}
namespace avx512 {
[[gnu::weak]] extern const ProductKernels kProductKernels;
}
#endif

const ProductKernels& product_kernels() {
    switch (vector_unit()) {
#if defined(__x86_64__)
        case VectorUnit::avx512:
            return avx512::kProductKernels;
        case VectorUnit::avx2:
            return avx2::kProductKernels;
#endif
        default:
            return portable::kProductKernels;
    }
}

}  // namespace attn::fast
