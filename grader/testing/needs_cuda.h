#pragma once
/// For tests: what needs a CUDA device, or kernels compiled into the tests, is skipped where there is none.

#include <iostream>

#include <boost/test/unit_test.hpp>

#include "grader/gpu/on_device.h"

namespace attn::gpu {

/// CTest reads what is said, and so says "Skipped".
inline boost::test_tools::assertion_result is_there(bool there, const char* what, const std::string& why) {
    if (!there) std::cout << "skipped: no CUDA " << what << ": " << why << '\n';
    return {there};
}

inline auto needs_a_device() {
    return boost::unit_test::precondition(
        [](auto) { return is_there(device().present(), "device", device().why_not); });
}

inline auto needs_kernels() {
    return boost::unit_test::precondition(
        [](auto) { return is_there(built_with_cuda(), "kernels in this program", device().why_not); });
}

}  // namespace attn::gpu
