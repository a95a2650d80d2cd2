#pragma once
/// The layers of a model in training, computed by a student's functions.

#include <functional>
#include <memory>

#include "grader/training/functions.h"
#include "reference/training/modules.h"

namespace attn::trained {

/// Layers whose forwards and backwards are the student's where `functions` has them, and otherwise
/// those of `others`. `functions` must outlive them.
std::unique_ptr<training::Modules> student_modules(Functions& functions,
                                                   std::unique_ptr<training::Modules> others);

}  // namespace attn::trained
