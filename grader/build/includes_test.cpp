// Reading #include lines: unusual text is never assumed to be harmless.

#include "grader/build/includes.h"

#include <algorithm>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/temporary_directory.h"
#include "grader/testing/hostile_text.h"

namespace attn::build {
namespace {

BOOST_AUTO_TEST_SUITE(includes)

using Names = std::vector<std::string>;

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int k = 0; k < times; ++k) result += text;
    return result;
}

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
        for (const auto& file : scan_sources({"a.cpp", "missing.cpp"}, files, folder.path()).files)
            names += (names.empty() ? "" : " ") + file.string();
        return names;
    };
    BOOST_TEST(behind("", "") == "a.cpp");
    BOOST_TEST(behind("#include \"a.h\"\n", "") == "a.cpp a.h");
    BOOST_TEST(behind("#include <deep/a.h>\n", "#include \"../x/b.cpp\"\n") == "a.cpp a.h b.cpp");
    BOOST_TEST(behind("#include \"a.h\"\n", "#include \"a.cpp\"\n") == "a.cpp a.h");
    BOOST_TEST(behind("#include \"a.h\"\n", "#include B\n") == "a.cpp a.h b.cpp b.h c.h");
}

/// Whatever a text includes, a scan opens only the given files, and takes time in proportion to the text.
BOOST_AUTO_TEST_CASE(names_that_no_file_can_have_are_only_names) {
    const data::TemporaryDirectory folder;
    std::string text;
    for (const std::string& name :
         {std::string(300, 'A') + ".h", repeated("a/", 3000) + "x.h", std::string("a.cpp/../x"),
          std::string("/root/x"), std::string(), std::string("."), std::string("a/a/a/../.."),
          std::string("/"), std::string("\xff\xfe"), std::string("a\0b", 3)})
        text += "#include \"" + name + "\"\n";
    folder.write("a.cpp", text);
    const SourceScan scan = scan_sources({"a.cpp"}, {"a.cpp", "b.h"}, folder.path());
    BOOST_TEST(scan.files.size() == 1U);
    BOOST_TEST(!scan.all_files);
}

BOOST_AUTO_TEST_CASE(every_file_is_scanned_once) {
    const data::TemporaryDirectory folder;
    std::vector<std::filesystem::path> files = {"a.cpp"};
    std::string all, many;
    for (int k = 0; k < 900; ++k) {
        files.emplace_back("h" + std::to_string(k) + ".h");
        all += "#include \"h" + std::to_string(k) + ".h\"\n";
    }
    for (int k = 0; k < 50000; ++k) many += "#include \"h" + std::to_string(k % 900) + ".h\"\n";
    folder.write("a.cpp", many);
    for (std::size_t k = 1; k < files.size(); ++k) folder.write(files[k].string(), all.substr(0, 3000));
    SourceScan scan;
    const double time_s = testing::cpu_time_of([&] { scan = scan_sources({"a.cpp"}, files, folder.path()); });
    BOOST_TEST(scan.files.size() == 901U);
    BOOST_TEST(time_s < 1);
}

BOOST_AUTO_TEST_CASE(large_sources_are_refused_in_words) {
    const data::TemporaryDirectory folder;
    const std::string mib(std::size_t{1} << 20, ' ');
    const auto said = [&](const std::string& a_cpp, const std::vector<std::filesystem::path>& files) {
        folder.write("a.cpp", a_cpp);
        return scan_sources({"a.cpp"}, files, folder.path()).too_large;
    };
    BOOST_TEST(said(mib, {"a.cpp"}) == "");
    BOOST_TEST(said(mib + " ", {"a.cpp"}) ==
               "a.cpp has 1048577 bytes; a source may have 1 MiB; leave out tables and generated text, or "
               "divide it\n");
    std::string includes;
    std::vector<std::filesystem::path> files = {"a.cpp"};
    for (const char* name : {"a.h", "b.h", "c.h", "d.h"}) {
        folder.write(name, mib);
        files.emplace_back(name);
        includes += std::string("#include \"") + name + "\"\n";
    }
    BOOST_TEST(said(includes, files).find("more than 4 MiB together") != std::string::npos);
    BOOST_TEST(said("", files) == "");  // files that are not included have no limit here
    folder.write("a.h", mib + " ");
    BOOST_TEST(said("#include \"a.h\"\n", files).starts_with("a.h has 1048577 bytes"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::build
