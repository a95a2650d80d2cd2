#pragma once
/// The layers that stand between foreign code and everything else. Each can be taken away, for the tests that
/// show what it is good for; what is not there on a machine is said in every report.

#include <bitset>
#include <string>
#include <vector>

namespace attn::worker {

enum class Layer {
    environment,   ///< nothing of the grader's environment variables
    descriptors,   ///< no open file but stdin, stdout, stderr and the protocol's
    group,         ///< a session of its own, ended as a whole
    limits,        ///< of processor time, memory, stack, file size
    identity,      ///< root becomes nobody
    cgroup,        ///< memory and processes of all that a process starts, counted together
    files,         ///< Landlock: no file but those named
    system_calls,  ///< seccomp: a short list of system calls
    trace,         ///< ptrace: the parent learns of a fault from the kernel, not from the process
    seals,         ///< inputs that nobody but the parent can write
    guards,        ///< every array between unreadable pages
    poison,        ///< outputs that hold a mark until they are written
};
inline constexpr std::size_t kLayers = static_cast<std::size_t>(Layer::poison) + 1;

/// "system_calls"
std::string name_of(Layer layer);
/// Throws std::invalid_argument where there is none of this name.
Layer layer_named(const std::string& name);

/// A set of layers, all of them unless said otherwise.
class Layers {
  public:
    Layers() { set_.set(); }
    /// For programs that are trusted with files, network and what root may do.
    static Layers for_own_programs() {
        return Layers()
            .without(Layer::identity)
            .without(Layer::cgroup)
            .without(Layer::files)
            .without(Layer::system_calls);
    }
    /// None but what a process has anyway.
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

/// What there is of a layer on this machine.
struct LayerState {
    Layer layer;
    bool active = false;
    std::string does;   ///< what it is good for
    std::string state;  ///< how it works here, or why it does not and how to get it
};

/// Every layer, tried out on this machine, once.
const std::vector<LayerState>& layers_here();

/// Layers without which hostile code is not held, and that are not there or not used. (A control group is not
/// among them: limits and system calls do its work for a worker.)
std::vector<Layer> missing_layers(const Layers& used);

/// For the report, in a line: which layers hold the submission and which do not.
std::string describe_isolation(const Layers& used);

}  // namespace attn::worker
