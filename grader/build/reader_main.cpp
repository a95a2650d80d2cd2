// The reader: reads what a student wrote for the GPU emulator, in the compiler's sandbox. So a text that
// makes it fail, hang or fill the memory costs its own assignment only. The current folder is that of the
// sources.
//   reader rewrite NAME.cu      rewrites the file and those that it includes: see emulator/rewrite.h
//   reader place_arrays FILE.s  see emulator/shared_arrays.h
// Exit code 1: the text is refused, and standard output says why.

#include <exception>
#include <iostream>
#include <string>

#include "grader/emulator/compile.h"

int main(int argc, char** argv) {
    using namespace attn::emulator;
    const std::string what = argc == 3 ? argv[1] : "", file = argc == 3 ? argv[2] : "";
    try {
        RunResult result{true, {}};
        if (what == "rewrite")
            rewrite_files(".", {file}, ".");
        else if (what == "place_arrays")
            result = place_shared_arrays_in(file);
        else
            result = {false, "usage: reader rewrite NAME.cu | reader place_arrays FILE.s\n"};
        std::cout << result.output;
        return result.ok ? 0 : 1;
    } catch (const std::exception& error) {
        std::cout << error.what() << '\n';
        return 1;
    }
}
