#pragma once
/// Writes the files that students fill in: every function of a contract with an empty body, below a comment
/// with its shapes. `contract --stubs HEADER FOLDER` writes them to FOLDER.

#include <string>

#include "grader/contract/contract.h"

namespace attn::contract {

/// student/x.cpp
std::string stub(const Contract& contract);

/// student/x.cu
std::string kernel_stub(const Contract& contract);

/// The line with which a written stub begins. student_stubs_test.cpp compares such a stub with the contract.
std::string stub_mark(const Contract& contract);

}  // namespace attn::contract
