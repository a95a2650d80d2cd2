#include "grader/sandbox/layers.h"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/sandbox/cgroup.h"
#include "grader/sandbox/file_view.h"
#include "grader/sandbox/identity.h"
#include "grader/sandbox/landlock.h"
#include "grader/sandbox/system_calls.h"
#include "grader/sandbox/trace.h"

namespace attn::worker {
namespace {

struct Named {
    const char* name;
    const char* does;
};
constexpr std::array<Named, kLayers> kLayerTexts{
    {{"environment", "no variable of the grader's environment is inherited"},
     {"descriptors", "inherits no open file of the grader"},
     {"group", "every process that it starts ends with it"},
     {"limits", "processor time, memory, stack, processes, size of files"},
     {"identity", "never runs as root"},
     {"cgroup", "limits memory and processes, together with all that it starts"},
     {"files", "reads only system libraries and its own files, writes nothing; no TCP"},
     {"system_calls", "no network, no process, no file, no signal to others"},
     {"trace", "faults are reported by the kernel, not by the process itself"},
     {"seals", "it cannot write to inputs"},
     {"guards", "unreadable pages around every array"},
     {"poison", "outputs that were not written are found"}}};

std::string landlock_state(int version) {
    if (version == 0)
        return "not here: needs Landlock (Linux 5.13 or newer, lsm=landlock), or run the grader inside bwrap";
    return fmt::format(
        "Landlock, version {}{}; {}", version, version < 4 ? " (TCP is left to seccomp)" : "",
        can_have_file_view()
            ? "other files do not exist for it (mount namespace)"
            : "it can ask whether other files exist and how large they are (no mount namespace)");
}

std::vector<LayerState> try_layers() {
    std::vector<LayerState> all;
    for (std::size_t k = 0; k < kLayers; ++k) {
        LayerState state{static_cast<Layer>(k), true, kLayerTexts[k].does, "always"};
        switch (state.layer) {
            case Layer::identity:
                state.active = !is_root() || can_become_nobody();
                state.state = !is_root() ? "the grader does not run as root"
                              : state.active
                                  ? "root becomes nobody"
                                  : "not here: root may not become nobody (docker: --cap-add SETUID "
                                    "SETGID); grade as an ordinary user";
                break;
            case Layer::cgroup: {
                const CgroupParent parent = find_cgroup_parent();
                state.active = !parent.folder.empty();
                state.state = state.active ? "below " + parent.folder.string() : "not here: " + parent.why;
                break;
            }
            case Layer::files: {
                const int version = landlock_version();
                state.active = version > 0;
                state.state = landlock_state(version);
                break;
            }
            case Layer::system_calls:
                state.active = can_filter_system_calls() && can_decide_about_system_calls();
                state.state = state.active
                                  ? "seccomp"
                                  : "not here: needs seccomp filters with user notification (Linux 5.5), "
                                    "which a container may have taken for itself";
                break;
            case Layer::trace:
                state.active = can_trace();
                state.state =
                    state.active
                        ? "ptrace"
                        : "not here: needs ptrace of its own children (docker: --cap-add SYS_PTRACE)";
                break;
            default:
                break;
        }
        all.push_back(std::move(state));
    }
    return all;
}

}  // namespace

std::string name_of(Layer layer) {
    return kLayerTexts[static_cast<std::size_t>(layer)].name;
}

Layer layer_named(const std::string& name) {
    for (std::size_t k = 0; k < kLayers; ++k)
        if (kLayerTexts[k].name == name) return static_cast<Layer>(k);
    throw std::invalid_argument("there is no layer " + name);
}

const std::vector<LayerState>& layers_here() {
    static const std::vector<LayerState> all = try_layers();
    return all;
}

std::vector<Layer> missing_layers(const Layers& used) {
    std::vector<Layer> missing;
    for (const LayerState& state : layers_here())
        if (state.layer != Layer::cgroup && (!state.active || !used.has(state.layer)))
            missing.push_back(state.layer);
    return missing;
}

std::string describe_isolation(const Layers& used) {
    std::vector<std::string> there, missing;
    for (const LayerState& state : layers_here())
        (state.active && used.has(state.layer) ? there : missing).push_back(name_of(state.layer));
    std::string text = fmt::format("{} of {} layers", there.size(), kLayers);
    if (!missing.empty())
        text += fmt::format("; missing: {} (`grader doctor` tells more)", fmt::join(missing, ", "));
    return text;
}

}  // namespace attn::worker
