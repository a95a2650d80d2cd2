#include "grader/build/prelude.h"
#include "grader/build/stand_ins.h"
#include "grader/cli/commands.h"

namespace attn::cli {

int prepare_command(const Words& words) {
    if (words.size() == 2 && words[0] == "--stand-ins")
        build::make_stand_ins(Installation(), words[1]);
    else if (words.empty())
        build::make_preludes(Installation());
    else
        throw UsageError("usage: grader prepare [--stand-ins FOLDER]");
    return kAllPassed;
}

}  // namespace attn::cli
