#include "grader/build/prelude.h"
#include "grader/build/stand_ins.h"
#include "grader/cli/commands.h"

namespace attn::cli {

int prepare_command(const Words& words) {
    if (words == Words{"--stand-ins"})
        build::make_stand_ins(Installation());
    else if (words.empty())
        build::make_preludes(Installation());
    else
        throw UsageError("usage: grader prepare [--stand-ins]");
    return kAllPassed;
}

}  // namespace attn::cli
