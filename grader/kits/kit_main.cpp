// The grader of a kit. It also has the commands `show`, `train` and `ask`, which are programs of their own in a build, because
// most builds do not need them.

#include <string>

#include "grader/cli/commands.h"
#include "grader/models/commands.h"
#include "grader/search/ask_command.h"

namespace {

int kit_command(const attn::cli::Words& words) {
    if (!words.empty() && words[0] == "show")
        return attn::trained::show_command({words.begin() + 1, words.end()});
    if (!words.empty() && words[0] == "ask")
        return attn::search::ask_command({words.begin() + 1, words.end()});
    return attn::cli::dispatch(words);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && argv[1] == std::string("train")) {
        std::string name = "grader/grader train";
        argv[1] = name.data();
        return attn::trained::train_command(argc - 1, argv + 1, attn::trained::take_in_submission);
    }
    return attn::cli::run_program("grader", argc, argv, kit_command);
}
