#pragma once
/// For tests that fuzz a reader: damages valid files at random, in the same way in every run.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "datasets/files/temporary_directory.h"

namespace attn::data {

/// Changes bytes as faulty transmission, editors and attackers do.
class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    /// A number from 0 to `most`.
    std::size_t up_to(std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(random_);
    }

    const std::string& pick(const std::vector<std::string>& from) { return from[up_to(from.size() - 1)]; }

    /// One of the files, with some changes. A change may insert a piece of another file.
    std::string operator()(const std::vector<std::string>& files) {
        std::string bytes = pick(files);
        for (std::size_t changes = 1 + up_to(4); changes > 0; --changes) change(bytes, pick(files));
        return bytes;
    }

  private:
    void change(std::string& bytes, const std::string& other) {
        constexpr std::size_t kMostGrowth = std::size_t{1} << 20;
        const std::size_t at = up_to(bytes.size()),
                          length = up_to(std::min<std::size_t>(bytes.size() - at, 40));
        const auto byte = [this] { return static_cast<char>(up_to(255)); };
        switch (up_to(8)) {
            case 0:
                if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << up_to(7)));
                break;
            case 1:
                if (at < bytes.size()) bytes[at] = byte();
                break;
            case 2:
                bytes.insert(at, 1 + up_to(8), byte());
                break;
            case 3:
                bytes.erase(at, length);
                break;
            case 4:
                if (bytes.size() < kMostGrowth) bytes.insert(at, bytes.substr(at, length));
                break;
            case 5:
                if (up_to(3) == 0) bytes.resize(at);
                break;
            case 6: {
                const std::size_t from = up_to(other.size());
                bytes.replace(at, length, other.substr(from, up_to(200)));
                break;
            }
            case 7:
                enlarge_binary(bytes, at);
                break;
            default:
                enlarge_decimal(bytes, at);
        }
    }

    /// Overwrites bytes with the smallest or largest value of an integer type.
    void enlarge_binary(std::string& bytes, std::size_t at) {
        static const std::vector<std::string> kEnds = {std::string(4, '\xff'),
                                                       std::string(8, '\xff'),
                                                       std::string("\x7f\xff\xff\xff", 4),
                                                       std::string(4, '\0'),
                                                       std::string("\xff\xff\xff\x7f", 4),
                                                       std::string("\0\0\0\0\0\0\0\x10", 8)};
        const std::string& end = pick(kEnds);
        bytes.replace(at, std::min(end.size(), bytes.size() - at), end);
    }

    /// Replaces the next decimal number.
    void enlarge_decimal(std::string& bytes, std::size_t at) {
        static const std::vector<std::string> kNumbers = {"0",
                                                          "-1",
                                                          "2147483647",
                                                          "2147483648",
                                                          "4294967295",
                                                          "1152921504606846976",
                                                          "99999999999999999999",
                                                          "1e308",
                                                          "0.000000001",
                                                          "nan",
                                                          "16777216"};
        const std::size_t first = bytes.find_first_of("0123456789", at);
        if (first == std::string::npos) return;
        const std::size_t end = std::min(bytes.find_first_not_of("0123456789", first), bytes.size());
        bytes.replace(first, end - first, pick(kNumbers));
    }

    std::mt19937_64 random_;
};

/// Removes a file and writes it again. (On ext4, overwriting it would wait for the disk each time.)
inline std::filesystem::path write_anew(const TemporaryDirectory& folder, const std::string& name,
                                        const std::string& bytes) {
    std::filesystem::remove(folder / name);
    return folder.write(name, bytes);
}

/// While it lives, this process cannot allocate more than `mib` MiB: a reader must not allocate a size only
/// because a header claims it. (Inactive under AddressSanitizer, which reserves terabytes.)
class GrowthLimit {
  public:
    explicit GrowthLimit(std::size_t mib) {
        getrlimit(RLIMIT_AS, &before_);
#ifndef __SANITIZE_ADDRESS__
        rlimit now = before_;
        now.rlim_cur = std::min<rlim_t>(before_.rlim_max, in_use() + (mib << 20));
        setrlimit(RLIMIT_AS, &now);
#else
        static_cast<void>(mib);
#endif
    }
    GrowthLimit(const GrowthLimit&) = delete;
    GrowthLimit& operator=(const GrowthLimit&) = delete;
    ~GrowthLimit() {
        setrlimit(RLIMIT_AS, &before_);
    }

  private:
    static std::size_t in_use() {
        std::ifstream statm("/proc/self/statm");
        std::size_t pages = 0;
        statm >> pages;
        return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    }
    rlimit before_{};
};

/// How many times as many attempts a fuzzing test makes: the environment variable ATTN_FUZZ, or 1.
inline int fuzz_factor() {
    const char* const factor = std::getenv("ATTN_FUZZ");
    return factor == nullptr ? 1 : std::max(1, std::atoi(factor));
}

/// Calls `read` with the number of each attempt. It may throw only an `Error`, with a message of at least 10
/// characters.
template <class Error, class Read>
void fuzz(int attempts, Read read) {
    constexpr std::size_t kMostGrowth_mib = 64;
    attempts *= fuzz_factor();
    const GrowthLimit limit(kMostGrowth_mib);
    int done = 0, refused = 0;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        try {
            read(attempt);
            ++done;
        } catch (const Error& error) {
            if (std::string(error.what()).size() < 10)
                BOOST_ERROR("attempt " << attempt << ": " << error.what());
            ++refused;
        } catch (const std::exception& error) {
            BOOST_ERROR("attempt " << attempt << " throws something else: " << error.what());
        }
    }
    BOOST_TEST_MESSAGE(attempts << " attempts: " << done << " read, " << refused << " refused");
    // If all attempts fail at the first check, the later checks are not tested.
    BOOST_TEST(done > attempts / 200);
    BOOST_TEST(refused > attempts / 10);
}

}  // namespace attn::data
