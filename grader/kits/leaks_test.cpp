// Searches every kit for content it must not have: source code of the reference, of checks and of known
// mistakes; secrets; symbol names; paths of the building machine. Also checks that no library is missing.

#include <algorithm>
#include <set>
#include <sstream>

#include "grader/base/installation.h"
#include "grader/testing/built.h"
#include "grader/testing/kit.h"

namespace attn::kits {
namespace {

const fs::path kProject = testing::built().sources;

/// All kits, unpacked once together with the archives inside them.
struct Kits {
    data::TemporaryDirectory place;
    Kits() {
        for (const char* kit : {"handout", "gradescope", "prairielearn", "github-workflow"})
            unpack(kits_folder() / (std::string(kit) + ".zip"), place / kit);
        unpack(kits_folder() / "autolab/autograde.tar", place / "autolab");
        unpack(kits_folder() / "classroom/attention_lab.tar.gz", place / "classroom");
        unpack(place / "github-workflow/.github/attention_lab.tar.gz", place / "github-workflow");
        fs::remove(place / "github-workflow/.github/attention_lab.tar.gz");
        for (const fs::path& file : files())
            if (file.filename() == "stand_ins.tar.xz") unpack(file, file.parent_path() / "stand_ins");
    }
    std::vector<fs::path> files(const std::string& kit = "") const {
        std::vector<fs::path> all;
        for (const auto& entry : fs::recursive_directory_iterator(place / kit))
            if (entry.is_regular_file() || entry.is_symlink()) all.push_back(entry.path());
        return all;
    }
    /// The ELF programs and libraries of a kit, without those in `lib` folders.
    std::vector<fs::path> programs(const std::string& kit) const {
        std::vector<fs::path> all;
        for (const fs::path& file : files(kit))
            if (file.parent_path().filename() != "lib" && data::read_file(file).starts_with("\x7f"
                                                                                            "ELF"))
                all.push_back(file);
        return all;
    }
};

const Kits& kits() {
    static const Kits kAll;
    return kAll;
}

/// The lines of a text that are long enough to recognise it, without surrounding white space.
std::set<std::string> lines_of(const fs::path& file) {
    constexpr std::size_t kMinLength = 24;
    std::set<std::string> lines;
    std::istringstream text(data::read_file(file));
    for (std::string line; std::getline(text, line);) {
        const auto first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t\r");
        if (first == std::string::npos || last - first + 1 < kMinLength) continue;
        lines.insert(line.substr(first, last - first + 1));
    }
    return lines;
}

/// The lines of files that no kit may contain, except lines that also occur in public files.
std::set<std::string> secret_lines() {
    std::set<std::string> secret;
    for (const char* folder : {"reference", "grader/ask", "grader/proof", "grader/judge", "grader/worker"})
        for (const auto& entry : fs::recursive_directory_iterator(kProject / folder))
            if (entry.is_regular_file()) secret.merge(lines_of(entry.path()));
    for (const fs::path& folder :
         {kProject / "assignments", kProject / "student", kProject / "datasets", kProject / "grader/kits",
          kProject / "grader/emulator/include", Installation().cuda_headers})
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file())
                for (const std::string& line : lines_of(entry.path())) secret.erase(line);
    return secret;
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(leaks, *boost::unit_test::precondition(kits_exist) * boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(the_only_sources_are_the_contract_and_the_stubs) {
    const std::set<std::string> secret = secret_lines();
    BOOST_REQUIRE(secret.size() > 5000);
    int text_files = 0;
    std::set<std::string> read;
    for (const fs::path& file : kits().files()) {
        const std::string extension = file.extension(), text = data::read_file(file);
        const std::string folder = file.parent_path().filename();
        BOOST_TEST(!fs::is_symlink(file), file);
        if (extension == ".cpp" || extension == ".cu") BOOST_TEST(folder == "student", file);
        BOOST_TEST((extension != ".a" && extension != ".o"), file);
        // The headers that .cu files include when they are emulated.
        const bool emulators = file.string().find("/grader/emulator/include/") != std::string::npos;
        const bool in_project =
            fs::exists(kProject / "assignments" / fs::relative(file, file.parent_path().parent_path()));
        // The contract of the kernels, which the build writes from the header beside it.
        const fs::path cuda_header = Installation().cuda_headers / file.filename();
        const bool generated = fs::exists(cuda_header) && text == data::read_file(cuda_header);
        if (extension == ".h" && !emulators)
            BOOST_TEST((in_project || generated) == (folder != "assignments"), file);
        if (text.find('\0') != std::string::npos) continue;
        ++text_files;
        if (!read.insert(text).second) continue;  // all kits have it
        for (const std::string& line : lines_of(file))
            if (secret.contains(line)) BOOST_ERROR(file << ": " << line);
    }
    BOOST_TEST(text_files > 6 * 20);
}

BOOST_AUTO_TEST_CASE(secrets_are_only_in_kits_that_students_do_not_see) {
    for (const std::string kit : {"handout", "github-workflow"})
        for (const fs::path& file : kits().files(kit)) {
            const std::string text = data::read_file(file);
            BOOST_TEST((!contains(text, kSeed) && !contains(text, kCases)), file);
            BOOST_TEST((file.filename() != "secret.toml" && file.filename() != "secret_seed"), file);
        }
    for (const std::string kit : {"gradescope", "autolab", "prairielearn", "classroom"}) {
        std::set<std::string> with_seed, with_cases;
        for (const fs::path& file : kits().files(kit)) {
            const std::string text = data::read_file(file);
            if (contains(text, kSeed)) with_seed.insert(file.filename());
            if (contains(text, kCases)) with_cases.insert(file.filename());
        }
        BOOST_TEST((with_seed == std::set<std::string>{"secret_seed"}), kit);
        BOOST_TEST((with_cases == std::set<std::string>{"secret.toml"}), kit);
    }
}

BOOST_AUTO_TEST_CASE(programs_contain_no_internal_names_and_no_paths) {
    const std::vector<fs::path> programs = kits().programs("handout");
    int shows_the_contract = 0;
    for (const fs::path& file : programs) {
        const std::string bytes = data::read_file(file);
        BOOST_TEST(!contains(bytes, kProject.string() + "/"), file);
        BOOST_TEST(!contains(bytes, testing::built_grader().parent_path().string()), file);
        BOOST_TEST(!contains(bytes, "4attn3cpu"), file << " contains symbols of the reference");
        BOOST_TEST(contains(in_shell("nm '" + file.string() + "' 2>&1", "/").text, "no symbols"), file);
        const std::string name_of_file = file.filename();
        const bool stand_in = file.parent_path().filename() == "stand_ins",
                   yardstick = name_of_file == "yardstick.so";
        if (!stand_in && !yardstick && name_of_file != "plain.so") continue;
        ++shows_the_contract;
        const Run shown = in_shell("nm -D --defined-only --demangle '" + file.string() + "'", "/");
        BOOST_TEST(contains(shown.text, " T attn::"), file);
        std::istringstream lines(shown.text);
        for (std::string line; std::getline(lines, line);) {
            if (yardstick && line.ends_with(" T attention_lab_peak_gflops")) continue;
            const auto name = line.find(" T attn::");
            BOOST_REQUIRE_MESSAGE(name != std::string::npos, file << " shows " << line);
            BOOST_TEST(line.substr(name + 9, line.find('(') - name - 9).find(':') == std::string::npos, line);
        }
    }
    BOOST_TEST(shows_the_contract > 40);
}

BOOST_AUTO_TEST_CASE(programs_need_only_the_c_library_and_the_libraries_of_the_compiler) {
    const std::set<std::string> system = {"linux-vdso.so.1", "libc.so.6",  "libm.so.6",      "libdl.so.2",
                                          "libpthread.so.0", "librt.so.1", "libstdc++.so.6", "libgcc_s.so.1"};
    for (const fs::path& file : kits().programs("handout")) {
        const Run needs = in_shell("LD_LIBRARY_PATH= ldd '" + file.string() + "'", "/");
        BOOST_TEST(needs.exit_code == 0, needs.text);
        BOOST_TEST(!contains(needs.text, "not found"), file << ": " << needs.text);
        std::istringstream lines(needs.text);
        for (std::string line; std::getline(lines, line);) {
            const std::string name = words(line).at(0);
            BOOST_TEST(
                (system.contains(name) || contains(name, "/ld-linux") || contains(line, "/grader/lib/")),
                file << " needs " << line);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::kits
