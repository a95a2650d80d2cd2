// The reader: reads what a student handed in, in the compiler's sandbox. So a text that makes it fail, hang
// or fill the memory costs its own assignment only.
//   reader rewrite NAME.cu        rewrites the file and those that it includes: see emulator/rewrite.h
//   reader place_arrays FILE.s [FUNCTIONS]   see emulator/compile.h
// The current folder is that of the sources. The others read descriptor 3 and print:
//   reader facts                  see source_facts.h
//   reader lines NUMBER..         for each number "+" and the line of the text, or "-" if there is none
//   reader names PREFIX           see mangled_names()
//   reader add_barriers NUMBER..  the text: see barriers.h
// Exit code 1: the text is refused, and standard output says why.

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "datasets/files/file_error.h"
#include "grader/compile/barriers.h"
#include "grader/compile/source_facts.h"
#include "grader/emulator/compile.h"
#include "grader/emulator/unwatched_code.h"

namespace {

using namespace attn;
using Words = std::vector<std::string>;

constexpr const char* kUsage =
    "usage: reader rewrite NAME.cu | place_arrays FILE.s [FUNCTIONS] | facts | lines NUMBER.. | names PREFIX "
    "| "
    "add_barriers NUMBER..\n";

std::string text_to_read() {
    constexpr int kText = 3;
    std::string text;
    std::vector<char> some(std::size_t{1} << 16);
    for (;;) {
        const ssize_t got = read(kText, some.data(), some.size());
        if (got > 0) text.append(some.data(), static_cast<std::size_t>(got));
        if (got == 0) return text;
        if (got < 0 && errno != EINTR) throw std::runtime_error("the text cannot be read");
    }
}

std::string lines_of(const std::string& text, const Words& words) {
    constexpr std::size_t kLongest = 1000;
    std::set<int> numbers;
    for (const std::string& word : words) numbers.insert(std::atoi(word.c_str()));
    const compile::Lines lines = compile::lines_at(text, numbers);
    std::string printed;
    for (const int number : numbers) {
        const auto line = lines.find(number);
        printed += (line == lines.end() ? "-" : "+" + line->second.substr(0, kLongest)) + '\n';
    }
    return printed;
}

std::string with_barriers(const std::string& text, const Words& words) {
    std::vector<compile::Barrier> barriers;
    for (const std::string& word : words)
        if (const auto barrier = compile::barrier_of(word)) barriers.push_back(*barrier);
    return compile::with_barriers(text, barriers);
}

std::string names_in(const std::string& file, const std::string& prefix) {
    std::string printed;
    for (const std::string& name : compile::mangled_names(file, prefix)) printed += name + '\n';
    return printed;
}

emulator::RunResult answer(const std::string& what, const Words& words) {
    if (what == "rewrite" && words.size() == 1)
        return emulator::rewrite_files(".", words, "."), emulator::RunResult{true, {}};
    if (what == "place_arrays" && (words.size() == 1 || words.size() == 2)) {
        emulator::refuse_functions_of_the_host(data::read_file(words[0]));
        return emulator::place_shared_arrays_in(words[0], words.size() == 2 ? words[1] : "");
    }
    if (what == "facts" && words.empty())
        return {true, compile::printed_facts(compile::facts_of(text_to_read()))};
    if (what == "lines") return {true, lines_of(text_to_read(), words)};
    if (what == "names" && words.size() == 1) return {true, names_in(text_to_read(), words[0])};
    if (what == "add_barriers") return {true, with_barriers(text_to_read(), words)};
    return {false, kUsage};
}

}  // namespace

int main(int argc, char** argv) {
    Words words(argv + std::min(argc, 1), argv + argc);
    const std::string what = words.empty() ? "" : words.front();
    if (!words.empty()) words.erase(words.begin());
    try {
        const emulator::RunResult result = answer(what, words);
        std::cout << result.output;
        return result.ok ? 0 : 1;
    } catch (const std::exception& error) {
        std::cout << error.what() << '\n';
        return 1;
    }
}
