#pragma once
/// The layers of the sandbox. Each can be switched off for the tests that show what it prevents. Every report
/// names the layers that are missing on a machine.

#include <bitset>
#include <string>
#include <vector>

namespace attn::worker {

enum class Layer {
    environment,   ///< inherits no environment variable of the grader
    descriptors,   ///< inherits no open file except stdin, stdout, stderr and those of the protocol
    group,         ///< has its own session, which is ended as a whole
    limits,        ///< limits of processor time, memory, stack, file size
    identity,      ///< root becomes the user `nobody`
    cgroup,        ///< limits of memory and processes for all that a process starts, together
    files,         ///< Landlock: access to named files only
    system_calls,  ///< seccomp: a short list of system calls
    trace,         ///< ptrace: the parent learns of a fault from the kernel, not from the process
    seals,         ///< only the parent can write to inputs
    guards,        ///< every array lies between unreadable pages
    poison,        ///< outputs hold a marker value until they are written
};
inline constexpr std::size_t kLayers = static_cast<std::size_t>(Layer::poison) + 1;

/// "system_calls"
std::string name_of(Layer layer);
/// Throws std::invalid_argument if there is no layer of this name.
Layer layer_named(const std::string& name);

/// A set of layers; by default all of them.
class Layers {
  public:
    Layers() { set_.set(); }
    /// For the grader's own programs, which may use files, the network and root's rights.
    static Layers for_own_programs() {
        return Layers()
            .without(Layer::identity)
            .without(Layer::cgroup)
            .without(Layer::files)
            .without(Layer::system_calls);
    }
    /// No layer at all.
    static Layers none() {
        Layers none;
        none.set_.reset();
        return none;
    }
    bool has(Layer layer) const { return set_[static_cast<std::size_t>(layer)]; }
    Layers without(Layer layer) const {
        Layers fewer = *this;
        fewer.set_.reset(static_cast<std::size_t>(layer));
        return fewer;
    }

  private:
    std::bitset<kLayers> set_;
};

/// The state of a layer on this machine.
struct LayerState {
    Layer layer;
    bool active = false;
    std::string does;   ///< what it protects from
    std::string state;  ///< how it works here, or why it does not and what to change
};

/// The state of every layer. Tries them out at the first call.
const std::vector<LayerState>& layers_here();

/// The layers that are needed to confine hostile code, but are not available or not in `used`. (Control
/// groups are not needed: for a worker, the limits and the filter of system calls do the same.)
std::vector<Layer> missing_layers(const Layers& used);

/// One line for the report: how many layers confine the submission, and which are missing.
std::string describe_isolation(const Layers& used);

}  // namespace attn::worker
