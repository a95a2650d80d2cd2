#include "grader/judge/runs.h"

namespace attn::judge {
namespace {

Arrays as_double(const Arrays& arrays) {
    Arrays result;
    for (const Array& array : arrays) result.push_back(array.cast<double>());
    return result;
}

}  // namespace

Runs run_all(const ask::Function& function, const std::vector<Arrays>& inputs, const CallFunction& call) {
    Runs runs;
    for (const Arrays& each : inputs) {
        worker::CallResult result = call(function, each, {}, worker::Placement::ends_at_guard);
        runs.outcome = result.outcome;
        runs.message = result.detail;
        runs.printed = result.printed;
        runs.lines = result.lines;
        if (runs.outcome != Outcome::passed) return runs;
        runs.outcome = inspect(function, result.outputs, runs.message);
        runs.outputs.push_back(as_double(result.outputs));
        if (runs.outcome != Outcome::passed) return runs;
    }
    return runs;
}

std::vector<Arrays> run_reference(const ask::Function& function, const std::vector<Arrays>& inputs,
                                  ask::Precision precision) {
    std::vector<Arrays> outputs;
    for (const Arrays& each : inputs) outputs.push_back(as_double(evaluate(function, each, precision)));
    return outputs;
}

}  // namespace attn::judge
