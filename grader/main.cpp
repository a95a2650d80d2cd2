// The main program: runs one of the grader's commands. The exit codes are in cli/program.h.

#include "grader/cli/commands.h"

int main(int argc, char** argv) {
    return attn::cli::run_program("grader", argc, argv, attn::cli::dispatch);
}
