// Whatever a teacher can mend is refused with a sentence (exit code 2), and is no fault of the grader.

#include <boost/test/unit_test.hpp>

#include "grader/testing/test_class.h"

namespace attn::classes {
namespace {

BOOST_AUTO_TEST_SUITE(teachers_mistakes, *boost::unit_test::label("long"))

BOOST_AUTO_TEST_CASE(places_that_are_missing_or_of_another_kind_are_named) {
    const testing::TestClass test;
    test.write("all/ann/work.zip", testing::TestClass::zip_of_work({}, "ann"));
    test.write("file", "x");
    test.run({"add", test.file("all").string()});
    test.exported({"--to", "csv"});
    const std::string folder = test.file("all").string(), file = test.file("file").string(),
                      none = test.file("none/here").string(), inside = test.file("file/here").string();
    for (const Words& words :
         std::vector<Words>{{"add", "--roster", folder},
                            {"add", "--roster", none},
                            {"add", none},
                            {"add", file},
                            {"export", "--to", "csv", "--grades", none},
                            {"export", "--to", "csv", "--grades", inside},
                            {"export", "--to", "csv", "--grades", folder},
                            {"export", "--to", "moodle", "--grades", file, "--table", folder},
                            {"export", "--to", "folder", "--feedback", none},
                            {"export", "--to", "folder", "--feedback", none + ".zip"},
                            {"export", "--to", "folder", "--feedback", inside + ".zip"},
                            {"export", "--to", "folder", "--feedback", file},
                            {"report", file},
                            {"report", inside},
                            {"similarity", file},
                            {"similarity", inside},
                            {"show", "nobody"}}) {
        std::string said;
        try {
            said = test.refused(words);
        } catch (const std::exception& error) {
            BOOST_ERROR(fmt::format("{} throws {}", fmt::join(words, " "), error.what()));
        }
        BOOST_TEST(said.size() > 20, fmt::format("{} says: {}", fmt::join(words, " "), said));
    }
}

BOOST_AUTO_TEST_CASE(a_folder_of_the_class_that_is_spoilt_is_named) {
    const testing::TestClass test;
    test.write("all/ann/work.zip", testing::TestClass::zip_of_work({}, "ann"));
    std::filesystem::remove_all(test.folder() / "attempts");
    std::ofstream(test.folder() / "attempts") << "no folder";
    const std::string said = test.refused({"add", test.file("all").string()});
    BOOST_TEST(said.find("attempts") != std::string::npos, said);
    BOOST_TEST(said.find("check the place, its permissions and the room on the disk") != std::string::npos,
               said);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::classes
