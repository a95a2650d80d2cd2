#include "reference/fast/layer_kernels.h"

#include "reference/fast/vector_unit.h"

namespace attn::fast {

namespace portable {
extern const LayerKernels kLayerKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const LayerKernels kLayerKernels;
}
namespace avx512 {
[[gnu::weak]] extern const LayerKernels kLayerKernels;
}
#endif

const LayerKernels& layer_kernels() {
    switch (vector_unit()) {
#if defined(__x86_64__)
        case VectorUnit::avx512:
            return avx512::kLayerKernels;
        case VectorUnit::avx2:
            return avx2::kLayerKernels;
#endif
        default:
            return portable::kLayerKernels;
    }
}

}  // namespace attn::fast
