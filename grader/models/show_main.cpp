// The program `show`.

#include "grader/models/commands.h"

int main(int argc, char** argv) {
    return attn::cli::run_program("show", argc, argv, attn::trained::show_command);
}
