#pragma once
/// For fuzzing a reader in a test: valid files, made wrong at random, the same ones in every run.

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

#include "datasets/temporary_directory.h"

namespace attn::data {

/// Changes bytes as transmission, editors and enemies do.
class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    /// A number from 0 to `most`.
    std::size_t below_or(std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(random_);
    }

    const std::string& pick(const std::vector<std::string>& from) { return from[below_or(from.size() - 1)]; }

    /// Some changes to one of the files; pieces of the others may come in.
    std::string operator()(const std::vector<std::string>& files) {
        std::string bytes = pick(files);
        for (std::size_t changes = 1 + below_or(4); changes > 0; --changes) change(bytes, pick(files));
        return bytes;
    }

  private:
    void change(std::string& bytes, const std::string& other) {
        constexpr std::size_t kMostGrowth = std::size_t{1} << 20;
        const std::size_t at = below_or(bytes.size()),
                          length = below_or(std::min<std::size_t>(bytes.size() - at, 40));
        const auto byte = [this] { return static_cast<char>(below_or(255)); };
        switch (below_or(8)) {
            case 0:
                if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below_or(7)));
                break;
            case 1:
                if (at < bytes.size()) bytes[at] = byte();
                break;
            case 2:
                bytes.insert(at, 1 + below_or(8), byte());
                break;
            case 3:
                bytes.erase(at, length);
                break;
            case 4:
                if (bytes.size() < kMostGrowth) bytes.insert(at, bytes.substr(at, length));
                break;
            case 5:
                if (below_or(3) == 0) bytes.resize(at);
                break;
            case 6: {
                const std::size_t from = below_or(other.size());
                bytes.replace(at, length, other.substr(from, below_or(200)));
                break;
            }
            case 7:
                enlarge_binary(bytes, at);
                break;
            default:
                enlarge_decimal(bytes, at);
        }
    }

    /// Puts a number at the end of its type's range.
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

    /// Replaces the next digits.
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

/// Writes a file anew. (Writing over the old one waits for the disk on ext4, each time.)
inline std::filesystem::path write_anew(const TemporaryDirectory& folder, const std::string& name,
                                        const std::string& bytes) {
    std::filesystem::remove(folder / name);
    return folder.write(name, bytes);
}

/// While it lives, this process may not grow by more than so many MiB: what a header claims must not be
/// allocated before it is believed. (Not where AddressSanitizer reserves terabytes for itself.)
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

/// Calls `read` with a number for each attempt. It may throw an `Error`, which has to say something, and
/// nothing else. ATTN_FUZZ=100 in the environment makes a hundred times as many attempts.
template <class Error, class Read>
void fuzz(int attempts, Read read) {
    constexpr std::size_t kMostGrowth_mib = 64;
    if (const char* factor = std::getenv("ATTN_FUZZ")) attempts *= std::max(1, std::atoi(factor));
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
    // Where all of them are refused at the door, nothing behind it was looked at.
    BOOST_TEST(done > attempts / 200);
    BOOST_TEST(refused > attempts / 10);
}

}  // namespace attn::data
