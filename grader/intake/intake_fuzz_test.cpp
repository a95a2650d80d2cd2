// Randomly damaged archives: each is either copied or refused with a UserError, and copying creates only
// regular files with harmless names in the folder made for them.

#include "datasets/files/mutator.h"
#include "grader/report/text.h"
#include "grader/testing/intake_fixture.h"

namespace attn::intake {
namespace {

BOOST_AUTO_TEST_SUITE(intake_fuzz, *boost::unit_test::label("long"))

namespace fs = std::filesystem;

/// Small limits, so that the damaged archives reach them.
IntakeLimits small_limits() {
    IntakeLimits limits;
    limits.total_bytes = 40000;
    limits.file_bytes = 20000;
    limits.files = 10;
    limits.entries = 30;
    limits.depth = 4;
    return limits;
}

void require_harmless(const Intake& intake) {
    const IntakeLimits limits = small_limits();
    std::uintmax_t bytes = 0;
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(intake.temporary.path())) {
        const std::string name = fs::relative(entry.path(), intake.temporary.path()).string();
        const auto type = entry.symlink_status().type();
        if (type != fs::file_type::regular && type != fs::file_type::directory) BOOST_ERROR("no plain file");
        if (report::clean(name) != name || !name.starts_with("submission")) BOOST_ERROR("its name: " << name);
        if (type == fs::file_type::regular) bytes += entry.file_size(), ++files;
    }
    if (files > limits.files || bytes > limits.total_bytes)
        BOOST_ERROR(files << " files, " << bytes << " bytes");
    for (const std::string& note : intake.notes)
        if (report::clean(note) != note || note.size() > 1000) BOOST_ERROR("a note: " << note);
}

const std::vector<Entry> kEntries = {{"a.cpp", std::string(700, 'a')},
                                     {"dir/", "", '5'},
                                     {"dir/b.h", "int b;\n"},
                                     {"../up", "x"},
                                     {"link", "", '2', "/etc/passwd"},
                                     {"hard", "", '1', "a.cpp"},
                                     {"pax", "19 path=\u00fcbung.cpp\n", 'x'},
                                     {"c.cpp", "int c;\n"},
                                     {"././@LongLink", std::string(150, 'l'), 'L'},
                                     {"d.cpp", "int d;\n"}};

/// Corrects the checksums of a tar's headers, so that the reader goes on to the rest of each header.
std::string with_checksums(std::string tar) {
    for (std::size_t at = 0; at + 512 <= tar.size(); at += 512) {
        if (tar.compare(at + 257, 5, "ustar") != 0) continue;
        tar.replace(at + 148, 8, 8, ' ');
        unsigned sum = 0;
        for (std::size_t k = at; k < at + 512; ++k) sum += static_cast<unsigned char>(tar[k]);
        for (std::size_t k = 6; k > 0; sum >>= 3) tar[at + 148 + --k] = static_cast<char>('0' + (sum & 7));
        tar[at + 154] = '\0';
    }
    return tar;
}

void fuzz_archives(std::uint64_t seed, int attempts, const std::vector<std::string>& files,
                   const std::function<std::string(const std::string&)>& finish) {
    const TestSubmission submission;
    data::Mutator mutate(seed);
    data::fuzz<UserError>(attempts, [&](int) {
        require_harmless(
            take_in(data::write_anew(submission.temporary, "work", finish(mutate(files))), small_limits()));
    });
}

BOOST_AUTO_TEST_CASE(zip_archives) {
    std::vector<Entry> stored = kEntries;
    for (Entry& entry : stored) entry.method = 0;
    fuzz_archives(6, 2000, {zip_of(kEntries), zip_of(stored), zip_of({kEntries.front()})},
                  [](const std::string& bytes) { return bytes; });
}

BOOST_AUTO_TEST_CASE(tar_archives) {
    fuzz_archives(7, 2000, {tar_of(kEntries), tar_of({kEntries.front()})}, with_checksums);
}

BOOST_AUTO_TEST_CASE(tars_in_gzip) {
    fuzz_archives(8, 1000, {tar_of(kEntries), tar_of({kEntries.front()})},
                  [](const std::string& bytes) { return gzip_of(with_checksums(bytes)); });
}

BOOST_AUTO_TEST_CASE(damaged_gzip) {
    fuzz_archives(9, 2000, {gzip_of(tar_of(kEntries)), gzip_of(tar_of({kEntries.front()}))},
                  [](const std::string& bytes) { return bytes; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::intake
