#include "grader/build/prelude.h"
#include "grader/cli/commands.h"

namespace attn::cli {

int prepare_command(const Words& words) {
    if (!words.empty()) throw UsageError("usage: grader prepare");
    submission::make_preludes(Installation());
    return kAllPassed;
}

}  // namespace attn::cli
