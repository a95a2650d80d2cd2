#pragma once
/// For tests that need a CUDA device, or kernels compiled into the tests: they are skipped if there is none.

#include <iostream>

#include <boost/test/unit_test.hpp>

#include "grader/gpu/on_device.h"

namespace attn::gpu {

/// Prints why a test is skipped. CTest recognizes the line and reports "Skipped".
inline boost::test_tools::assertion_result skip_unless(bool available, const char* what,
                                                       const std::string& why) {
    if (!available) std::cout << "skipped: no CUDA " << what << ": " << why << '\n';
    return {available};
}

inline auto needs_a_device() {
    return boost::unit_test::precondition(
        [](auto) { return skip_unless(device().present(), "device", device().why_not); });
}

inline auto needs_kernels() {
    return boost::unit_test::precondition(
        [](auto) { return skip_unless(built_with_cuda(), "kernels in this program", device().why_not); });
}

}  // namespace attn::gpu
