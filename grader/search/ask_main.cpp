// The program `ask`.

#include "grader/search/ask_command.h"

int main(int argc, char** argv) {
    return attn::cli::run_program("ask", argc, argv, attn::search::ask_command);
}
