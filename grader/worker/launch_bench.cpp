// The cost of the sandbox layers: starts a worker, runs one call and ends it, with all layers and without
// each one.

#include <benchmark/benchmark.h>

#include "grader/base/installation.h"
#include "grader/worker/launch.h"

namespace {

using namespace attn;

void start_call_end(benchmark::State& state, const worker::Layers& layers) {
    const Array X = Array::zeros<float>("X", {1, 2});
    const Installation built;
    const worker::Call call{"softmax", {{"Y", {1, 2}}}, {{&X}}, {}};
    for (auto _ : state) {
        worker::Worker worker({.program = built.worker, .library = built.plain, .exports = built.exports}, {},
                              layers);
        const worker::CallResult result = worker.call(call);
        if (result.outcome != Outcome::passed) state.SkipWithError(result.detail.c_str());
    }
}

[[maybe_unused]] const bool kRegistered = [] {
    const auto add = [](const std::string& name, const worker::Layers& layers) {
        benchmark::RegisterBenchmark(("worker/" + name).c_str(), start_call_end, layers)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
    };
    add("all_layers", {});
    add("no_layers", worker::Layers::none());
    for (const worker::LayerState& state : worker::layers_here())
        if (state.active)
            add("without_" + worker::name_of(state.layer), worker::Layers().without(state.layer));
    return true;
}();

}  // namespace
