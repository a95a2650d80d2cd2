// The program `train`.

#include "grader/models/commands.h"

int main(int argc, char** argv) {
    return attn::trained::train_command(argc, argv, attn::trained::take_in_submission);
}
