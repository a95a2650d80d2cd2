#pragma once
/// Functions that are put against the clock, for tests: a text becomes a library.

#include <string>

#include "datasets/temporary_directory.h"
#include "grader/build/build.h"
#include "grader/worker/launch.h"

namespace attn::proof {

/// A submission of assignment 2, of which only one function is written.
class Racer {
  public:
    /// `text`: of self_attention.cpp, behind the header's include. Throws std::invalid_argument with the
    /// compiler's messages where it does not compile.
    explicit Racer(const std::string& text);

    /// A fresh process of it.
    worker::Worker worker(worker::WorkerLimits limits = {}, const worker::Layers& layers = {}) const;

  private:
    static submission::Build build(const data::TemporaryDirectory& folder, const Installation& installation,
                                   const std::string& text);
    data::TemporaryDirectory folder_;
    Installation installation_;
    submission::Build built_;
};

/// attn::softmax with this body, which sees Y and X; `top` stands before it, and honest(Y, X), which does
/// what a softmax has to do.
std::string softmax_of(const std::string& body, const std::string& top = {});

}  // namespace attn::proof
