#pragma once
/// For tests of timing: compiles a text to a library with attn::softmax.

#include <string>

#include "datasets/files/temporary_directory.h"
#include "grader/compile/build.h"
#include "grader/worker/launch.h"

namespace attn::proof {

/// A submission of assignment 2 that defines only softmax.
class SoftmaxSubmission {
  public:
    /// `text`: the text of self_attention.cpp, after the #include of its header. Throws std::invalid_argument
    /// with the compiler's messages if it does not compile.
    explicit SoftmaxSubmission(const std::string& text);

    /// A new worker for it.
    worker::Worker worker(worker::WorkerLimits limits = {}, const worker::Layers& layers = {}) const;

  private:
    static compile::Build build(const data::TemporaryDirectory& folder, const Installation& installation,
                                const std::string& text);
    data::TemporaryDirectory folder_;
    Installation installation_;
    compile::Build built_;
};

/// The text of attn::softmax with this body, which uses Y and X. Before it are `top` and the function
/// honest(Y, X), which computes a correct softmax.
std::string softmax_source(const std::string& body, const std::string& top = {});

}  // namespace attn::proof
