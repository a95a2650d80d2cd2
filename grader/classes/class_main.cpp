/// `grader class`: grades whole classes. It is a program of its own, because `make grade` does not need it.

#include "grader/classes/commands/commands.h"

int main(int argc, char** argv) {
    return attn::cli::run_program("grader class", argc, argv, attn::classes::class_command);
}
