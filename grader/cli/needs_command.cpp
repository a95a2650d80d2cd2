#include <filesystem>
#include <iostream>

#include "grader/base/errors.h"
#include "grader/base/installation.h"
#include "grader/cli/commands.h"
#include "grader/cli/terminal_settings.h"
#include "grader/compile/prelude.h"
#include "grader/compile/source_reader.h"
#include "grader/compile/stand_ins.h"
#include "grader/intake/intake.h"

namespace attn::cli {

namespace {

/// Whether one of the files with this ending has a statement, or cannot be read within the limits.
bool has_statement_in(const std::filesystem::path& folder, const char* ending) {
    compile::SourceReader reader(Installation(), {});
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.path().extension() != ending) continue;
        const auto facts = reader.facts(entry.path());
        if (!facts || facts->has_statement) return true;
    }
    return false;
}

}  // namespace

int needs_command(const Words& words) {
    if (words.size() != 1) throw UsageError("usage: grader needs SUBMISSION");
    try {
        const intake::Intake taken = intake::take_in(words.front());
        if (has_statement_in(taken.folder, ".cpp")) std::cout << "speed\n";
        if (has_statement_in(taken.folder, ".cu")) std::cout << "kernels\n";
    } catch (const UserError&) {
        return kAllPassed;  // `grader grade` says what is wrong
    }
    return kAllPassed;
}

int prepare_command(const Words& words) {
    if (words.size() == 2 && words[0] == "--stand-ins") {
        compile::make_stand_ins(Installation(), words[1]);
    } else if (words.empty()) {
        const auto progress = progress_line();
        progress("preparing the headers, once for this folder");
        compile::make_preludes(Installation());
        progress("");
    } else {
        throw UsageError("usage: grader prepare [--stand-ins FOLDER]");
    }
    return kAllPassed;
}

}  // namespace attn::cli
