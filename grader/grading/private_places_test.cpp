// The grader and its secrets below a folder that a compiler may read, such as /usr/lib.

#include "grader/grading/private_places.h"

#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/message_contains.h"
#include "datasets/files/temporary_directory.h"
#include "grader/compile/build.h"
#include "grader/grading/grade.h"
#include "grader/proof/harness.h"
#include "grader/sandbox/readable_files.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(private_places, *boost::unit_test::label("long"))

namespace fs = std::filesystem;

/// A root like /usr: bin/ has the compiler, lib/ can be read by it, share/ cannot.
struct Root {
    Root() {
        fs::permissions(folder.path(), fs::perms(0755));
        for (const char* name : {"bin", "lib/lab", "share/lab", "student"})
            fs::create_directories(folder / name);
        folder.write("bin/g++", "#!/bin/sh\nexec /usr/bin/g++ \"$@\"\n");
        fs::permissions(folder / "bin/g++", fs::perms(0755));
        folder.write("lib/lab/secret", "the seed is 4242");
        folder.write("share/lab/secret", "the seed is 4242");
        folder.write("student/self_attention.cpp", proof::solution("self_attention"));
        installation.compiler = folder / "bin/g++";
    }
    GradeOptions options() const {
        GradeOptions options;
        options.submission = folder / "student";
        options.assignment = 2;
        options.speed = false;
        options.installation = installation;
        return options;
    }
    data::TemporaryDirectory folder;
    Installation installation;
};

BOOST_AUTO_TEST_CASE(a_compiler_reads_some_folders_of_its_root_only) {
    const auto files = worker::compiler_files("/usr/bin/g++");
    for (const char* readable : {"/usr/lib", "/usr/include", "/usr/bin", "/bin/sh"})
        BOOST_TEST(worker::readable_through(readable, files).has_value(), readable);
    for (const char* closed :
         {"/", "/usr", "/usr/share", "/usr/local", "/etc/passwd", "/opt", "/home", "/no/such/file"})
        BOOST_TEST(!worker::readable_through(closed, files).has_value(), closed);
}

BOOST_AUTO_TEST_CASE(a_grader_that_the_compiler_can_read_is_refused) {
    Root root;
    BOOST_TEST(readable_secret(root.installation) == "");
    BOOST_TEST(attn::grade(root.options()).assignments.at(0).points == 85);
    fs::create_directory_symlink(root.folder / "lib/lab", root.folder / "link");
    for (fs::path Installation::*place :
         {&Installation::stand_ins, &Installation::plain, &Installation::yardstick, &Installation::reference,
          &Installation::assignments})
        for (const char* where : {"lib/lab", "link"}) {
            Root other;
            other.installation.*place = root.folder / where;
            other.installation.compiler = root.installation.compiler;
            BOOST_TEST(readable_secret(other.installation).find("install the grader elsewhere") !=
                       std::string::npos);
            BOOST_CHECK_EXCEPTION(attn::grade(other.options()), UserError,
                                  data::message_contains({where, "/lib,", "student code can read"}));
            other.installation.*place = root.folder / "share/lab";
            BOOST_TEST(readable_secret(other.installation) == "");
        }
}

BOOST_AUTO_TEST_CASE(a_seed_that_the_compiler_can_read_is_refused) {
    const Root root;
    GradeOptions options = root.options();
    options.secret = true;
    options.seed_file = root.folder / "lib/lab/secret";
    BOOST_CHECK_EXCEPTION(attn::grade(options), UserError,
                          data::message_contains({"the seed file", "lib/lab/secret", "move it"}));
    options.seed_file = root.folder / "share/lab/secret";
    BOOST_CHECK_NO_THROW(attn::grade(options));
    // Without the layer, all files can be read, and the report says so.
    options.seed_file = root.folder / "lib/lab/secret";
    options.extra.layers = options.extra.layers.without(worker::Layer::files);
    BOOST_TEST(attn::grade(options).isolation.find("files") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_lies_beside_the_toolchain_cannot_be_read) {
    const Root root;
    const auto rubric = rubric::read_rubric(root.installation.assignments / "02_self_attention");
    for (const auto& [where, compiles] : {std::pair{"share", false}, std::pair{"lib", true}}) {
        const std::string secret = (root.folder / where / "lab/secret").string();
        const data::TemporaryDirectory folder;
        folder.write("self_attention.cpp", "asm(\".incbin \\\"" + secret + "\\\"\");\n");
        const compile::Build built = compile::build_submission(folder.path(), rubric, root.installation);
        BOOST_TEST(built.sources.front().compiled == compiles, where << built.sources.front().messages);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
