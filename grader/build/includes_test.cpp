// Reading #include lines: unusual text is never assumed to be harmless.

#include "grader/build/includes.h"

#include <algorithm>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/temporary_directory.h"

namespace attn::submission {
namespace {

BOOST_AUTO_TEST_SUITE(includes)

using Names = std::vector<std::string>;

/// A file and the headers that it includes first.
struct Beginning {
    std::string text;
    Names headers;
    friend std::ostream& operator<<(std::ostream& out, const Beginning& each) { return out << each.text; }
};

const std::vector<Beginning> kBeginnings = {
    {"", {}},
    {"#include <vector>", {"<vector>"}},
    {"\xef\xbb\xbf// a\r\n\r\n#include <vector>\r\n# include  \"masking.h\" // b\r\nint i;\n#include "
     "<cmath>\n",
     {"<vector>", "\"masking.h\""}},
    {"/* a\n b */\n#include <vector>\n/* c */\n#include <cmath>\n", {"<vector>", "<cmath>"}},
    {"/* a */ int i;\n#include <vector>\n", {}},
    {"/* never closed\n#include <vector>\n", {}},
    {"// goes on \\\n#include <vector>\n#include <cmath>\n", {}},
    {"#define NDEBUG\n#include <vector>\n", {}},
    {"#if 0\n#include <vector>\n#endif\n", {}},
    {"#include <vector> int i;\n#include <cmath>\n", {}},
    {"#include <vector>\n#include HEADER\n#include <cmath>\n", {"<vector>"}},
    {"#include_next <vector>\n", {}},
    {"#include <vector\n", {}},
    {"#include \"\n", {}},
    {"#", {}},
};

BOOST_DATA_TEST_CASE(only_includes_before_other_code_count, boost::unit_test::data::make(kBeginnings),
                     beginning) {
    BOOST_TEST(leading_includes(beginning.text) == beginning.headers, boost::test_tools::per_element());
}

/// Headers anywhere in a file.
const std::vector<Beginning> kPlain = {
    {"", {}},
    {"int i;\n#include <vector>\nint j;\r\n  #include \"a.h\"  // why\r\n", {"<vector>", "\"a.h\""}},
    {"#pragma once\n// what asm and #include do\n#if 0\n#include \"a.cpp\"\n#endif", {"\"a.cpp\""}},
};

BOOST_DATA_TEST_CASE(all_headers_are_found, boost::unit_test::data::make(kPlain), plain) {
    const auto found = all_includes(plain.text);
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST(*found == plain.headers, boost::test_tools::per_element());
}

const Names kUnusual = {"#include HEADER\n",
                        "#include_next <vector>\n",
                        "#inc\\\nlude \"a.h\"\n",
                        "#inc\\  \nlude \"a.h\"\n",
                        "/**/ #include \"a.h\"\n",
                        "# /* */ include \"a.h\"\n",
                        "%:include \"a.h\"\n",
                        "#if __has_include(\"a.h\")\n#endif\n",
                        "asm(\".incbin \\\"a.h\\\"\");\n",
                        "#pragma GCC dependency \"a.h\"\n",
                        "_Pragma(\"GCC dependency \\\"a.h\\\"\")\n",
                        "#import \"a.h\"\n",
                        "import \"a.h\";\n",
                        "#embed \"a.h\"\n",
                        "int a; // \\\n#include <vector>\n"};

BOOST_DATA_TEST_CASE(unusual_text_may_read_any_file, boost::unit_test::data::make(kUnusual), text) {
    BOOST_TEST(!all_includes(text).has_value());
    BOOST_TEST(!all_includes("#include <vector>\n" + text + "int i;\n").has_value());
}

BOOST_AUTO_TEST_CASE(indirect_includes_are_followed) {
    const data::TemporaryDirectory folder;
    const std::vector<std::filesystem::path> files = {"a.cpp", "a.h", "b.cpp", "b.h", "c.h"};
    const auto behind = [&](const std::string& a_cpp, const std::string& a_h) {
        for (const auto& file : files) folder.write(file.string(), "");
        folder.write("a.cpp", a_cpp);
        folder.write("a.h", a_h);
        std::string names;
        for (const auto& file : files_that_may_be_included({"a.cpp", "missing.cpp"}, files, folder.path()))
            names += (names.empty() ? "" : " ") + file.string();
        return names;
    };
    BOOST_TEST(behind("", "") == "a.cpp");
    BOOST_TEST(behind("#include \"a.h\"\n", "") == "a.cpp a.h");
    BOOST_TEST(behind("#include <deep/a.h>\n", "#include \"../x/b.cpp\"\n") == "a.cpp a.h b.cpp");
    BOOST_TEST(behind("#include \"a.h\"\n", "#include \"a.cpp\"\n") == "a.cpp a.h");
    BOOST_TEST(behind("#include \"a.h\"\n", "#include B\n") == "a.cpp a.h b.cpp b.h c.h");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::submission
