// A program for libFuzzer. It lets the grader's readers read what libFuzzer makes: the first byte chooses the
// reader, the second may ask for a long text that repeats the rest.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "grader/proof/read_hostile_text.h"
#include "grader/testing/hostile_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace attn;
    constexpr std::size_t kHead = 2, kLongestPiece = 64, kRepeated = std::size_t{128} << 10;
    if (size < kHead) return 0;
    std::string text(data + kHead, data + size);
    const bool repeated = data[1] == 'R' && !text.empty();
    if (repeated) text = testing::filled_with(text.substr(0, kLongestPiece), kRepeated);
    try {
        const double time_s = testing::cpu_time_of([&] { proof::read_hostile_text(data[0], text); });
        constexpr double kMostTime_s = 1;  // linear passes take a few milliseconds
        if (repeated && time_s > kMostTime_s) throw std::runtime_error("slow");
    } catch (const std::exception& error) {
        std::cerr << "reader " << data[0] % proof::kReaders << ": " << error.what() << std::endl;
        std::abort();
    }
    return 0;
}
