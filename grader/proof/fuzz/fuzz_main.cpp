// A program for libFuzzer. It lets the grader's readers read what libFuzzer makes. The first byte chooses the
// reader; with any other first byte, all readers of text read the whole. With R as the second byte they read
// a long text that repeats the rest.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

#include "grader/proof/read_hostile_text.h"
#include "grader/testing/hostile_text.h"

namespace {

using namespace attn;

void read_with(int reader, const std::string& text, bool repeated) {
    try {
        const double time_s = testing::cpu_time_of([&] { proof::read_hostile_text(reader, text); });
        constexpr double kMostTime_s = 1;  // linear passes take a few milliseconds
        if (repeated && time_s > kMostTime_s) throw std::runtime_error("slow");
    } catch (const std::exception& error) {
        std::cerr << "reader " << reader << ": " << error.what() << std::endl;
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kHead = 2, kLongestPiece = 64, kRepeated = std::size_t{128} << 10;
    if (size <= kHead) return 0;
    const std::string all(data, data + size);
    const bool chosen = data[0] < proof::kReaders, repeated = data[1] == 'R';
    std::string text = chosen || repeated ? all.substr(kHead) : all;
    if (repeated) text = testing::filled_with(text.substr(0, kLongestPiece), kRepeated);
    if (chosen)
        read_with(data[0], text, repeated);
    else
        for (int reader = 0; reader < proof::kTextReaders; ++reader) read_with(reader, text, repeated);
    return 0;
}
