// Reading #include lines: unusual text is never assumed to be harmless.

#include "grader/compile/includes.h"

#include <algorithm>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/compile/source_reader.h"
#include "grader/testing/hostile_text.h"

namespace attn::compile {
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

BOOST_AUTO_TEST_CASE(functions_are_found_by_their_names) {
    const auto found = [](std::string_view text) { return void_functions(text); };
    BOOST_TEST(found("void a(); static void\n\tb2 (int); void b(int x) {} void a();") == (Names{"a", "b"}),
               boost::test_tools::per_element());
    BOOST_TEST(found("avoid a(); void*a(); void; int a(); void 1").empty());
    BOOST_TEST(found("void void a()") == Names{"a"}, boost::test_tools::per_element());
    BOOST_TEST(found("void " + std::string(64, 'a') + "(); void " + std::string(65, 'b') + "()").size() ==
               1U);
    std::string many;
    for (int k = 0; k < 2000; ++k) many += "void f" + std::to_string(k) + "();";
    BOOST_TEST(found(many).size() == kMostNames);
}

/// 0 if there is none.
int line_of_softmax(const std::string& text) {
    const auto lines = definition_lines(text);
    const auto line = lines.find("softmax");
    return line == lines.end() ? 0 : line->second;
}

BOOST_AUTO_TEST_CASE(the_line_of_a_definition_is_found) {
    BOOST_TEST(line_of_softmax("void softmax(float* Y) {}") == 1);
    BOOST_TEST(line_of_softmax("#include \"x.h\"\n\nvoid softmax(float* Y);\n// void softmax() {\n"
                               "void own_softmax(int) {}\nvoid softmax_rows(int) {}\n"
                               "static void\n softmax (float* Y,\n  int n)\n{\n softmax(Y, 1);\n}\n") == 8);
    BOOST_TEST(line_of_softmax("int a;\nvoid attn::softmax(float* Y) {\n}\n") == 2);
    for (const char* text :
         {"", "softmax", "void softmax", "void softmax(", "void softmax(int);", "voidsoftmax() {",
          "int softmax() {", "avoid softmax() {", "void softmaxes() {", "x = softmax() {"})
        BOOST_TEST(line_of_softmax(text) == 0, text);
}

BOOST_AUTO_TEST_CASE(a_function_without_a_statement_is_a_stub) {
    const auto found = stubs(
        "void f(int n) {\n    // Your code;\n    (void)n,\n        (void)n;\n}\n"
        "void g(int n) {\n    for (;;) {\n        n = 1;\n    }\n}\n"
        "void written() { // as in the book: }\n  n = 1;\n}\n"
        "void h(int n);\nvoid empty() {}\nvoid attn::qualified() {\n}\nvoid last() {\n  int n;");
    BOOST_TEST((found == std::set<std::string>{"f", "empty", "qualified"}));
    std::string many;
    for (int k = 0; k < 20000; ++k) many += "void f" + std::to_string(k) + "() {";
    BOOST_TEST(stubs(many).size() <= kMostNames);
}

BOOST_AUTO_TEST_CASE(calls_between_functions_are_found) {
    const auto found = calls_between(
        "#define sig(x) f(x)\nnamespace attn {\nnamespace {\n/* h() { sig(1); } */\nfloat sig(float x) { "
        "return x; }\n"
        "const auto square = [](float x) {\n    return sig(x) * x;\n};\nstruct Row {\n    int at() { return "
        "1; }\n};\n}\n"
        "template <class T>\nvoid f(T n = sig(1)) {\n    // sig(n)\n    if (n > 1'000) { f(n); square(n), "
        "square(n); }\n"
        "    print(\"sig(n) {\", '{', n);\n}\nconst int kTable[] = {sig(1)};\nvoid attn::g(int sig) { n = "
        "sig + 1; }\n}\n"
        "void last() { g(1); f(");
    const Calls expected = {
        {"sig", {}}, {"square", {"sig"}}, {"f", {"square"}}, {"g", {}}, {"last", {"f", "g"}}};
    BOOST_TEST((found == expected));
    BOOST_TEST((called_from(found, "last") == std::set<std::string>{"f", "g", "square", "sig"}));
    BOOST_TEST((called_from(found, "last", {"square"}) == std::set<std::string>{"f", "g"}));
    BOOST_TEST(called_from(found, "no_function").empty());
    std::string many;
    for (int k = 0; k < 20000; ++k) many += "void f" + std::to_string(k) + "() {}";
    BOOST_TEST(calls_between(many).size() <= kMostNames);
}

BOOST_AUTO_TEST_CASE(mangled_names_are_found_in_any_bytes) {
    BOOST_TEST(mangled_names(std::string("\0_ZN4attn7softmaxE_ZN4attn4cuda3of_ZN4attn3", 42), "_ZN4attn") ==
                   (Names{"softmax", "cuda"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lines_are_found_by_their_numbers) {
    BOOST_TEST((lines_at("a\n\nc", {0, 1, 2, 3, 4, -1}) == Lines{{1, "a"}, {2, ""}, {3, "c"}}));
    BOOST_TEST(lines_at("", {1}).empty());
    BOOST_TEST((lines_at("a\n", {1, 2}) == Lines{{1, "a"}}));
}

/// What a text contains passes through the reader unchanged.
BOOST_AUTO_TEST_CASE(the_reader_tells_the_facts_of_a_file) {
    const data::TemporaryDirectory folder;
    const std::string text =
        "#include <cmath>\n#include \"a b.h\"\nint x;\n#include \"masking_cuda.h\"\nvoid f(int);\n\nvoid g() "
        "{}\nint k() { g(); }\n";
    const auto file = folder.write("a.cu", text);
    SourceReader reader(Installation(), {});
    const auto facts = reader.facts(file);
    BOOST_REQUIRE(facts.has_value());
    BOOST_TEST(facts->leading_includes == (Names{"<cmath>", "\"a b.h\""}), boost::test_tools::per_element());
    BOOST_REQUIRE(facts->all_includes.has_value());
    BOOST_TEST(facts->all_includes->size() == 3U);
    BOOST_TEST(facts->void_functions == (Names{"f", "g"}), boost::test_tools::per_element());
    BOOST_TEST((facts->definition_lines == std::map<std::string, int>{{"g", 7}}));
    BOOST_TEST((facts->stubs == std::set<std::string>{"g"}));
    BOOST_TEST((facts->calls.at("k") == std::set<std::string>{"g"}));
    BOOST_TEST(facts->kernel_headers == Names{"masking_cuda.h"}, boost::test_tools::per_element());
    BOOST_TEST(facts->has_statement);
    BOOST_TEST(
        (reader.lines(file, {1, 5, 6, 9}) == Lines{{1, "#include <cmath>"}, {5, "void f(int);"}, {6, ""}}));
    BOOST_TEST(reader.with_barriers(file, {"3", "5{"}).value_or("").find("__syncthreads(); int x;") !=
               std::string::npos);
    BOOST_TEST(reader.facts(folder / "missing.cu").value().void_functions.empty());
}

/// What a text can do to a reader is that it ends without an answer.
BOOST_AUTO_TEST_CASE(a_text_that_ends_its_reader_is_refused) {
    const data::TemporaryDirectory folder;
    folder.write("a.cpp", "void f(int);\n");
    Installation installation;
    installation.reader = "/usr/bin/false";
    SourceReader reader(installation, {});
    BOOST_TEST(!reader.facts(folder / "a.cpp").has_value());
    const auto scanned = scan_sources({"a.cpp"}, {"a.cpp"}, folder.path(),
                                      [&](const auto& file) { return reader.facts(file); });
    BOOST_TEST(scanned.refused ==
               "a.cpp: the grader cannot read this file within 10 s and 1536 MiB; make it "
               "shorter and simpler\n");
    BOOST_TEST(reader.lines(folder / "a.cpp", {1}).empty());
    BOOST_TEST(reader.mangled_names(folder / "a.cpp", "_ZN4attn").empty());
    BOOST_TEST(!reader.with_barriers(folder / "a.cpp", {"1"}).has_value());
}

/// A scan that reads the files in this process.
SourceScan scan(const Names& sources, const std::vector<std::filesystem::path>& files,
                const data::TemporaryDirectory& folder) {
    return scan_sources(sources, files, folder.path(), [](const std::filesystem::path& file) {
        return std::optional(facts_of(data::read_file(file)));
    });
}

BOOST_AUTO_TEST_CASE(indirect_includes_are_followed) {
    const data::TemporaryDirectory folder;
    const std::vector<std::filesystem::path> files = {"a.cpp", "a.h", "b.cpp", "b.h", "c.h"};
    const auto behind = [&](const std::string& a_cpp, const std::string& a_h) {
        for (const auto& file : files) folder.write(file.string(), "");
        folder.write("a.cpp", a_cpp);
        folder.write("a.h", a_h);
        std::string names;
        for (const auto& file : scan({"a.cpp", "missing.cpp"}, files, folder).files)
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
    const SourceScan scanned = scan({"a.cpp"}, {"a.cpp", "b.h"}, folder);
    BOOST_TEST(scanned.files.size() == 1U);
    BOOST_TEST(!scanned.all_files);
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
    SourceScan scanned;
    const double time_s = testing::cpu_time_of([&] { scanned = scan({"a.cpp"}, files, folder); });
    BOOST_TEST(scanned.files.size() == 901U);
    BOOST_TEST(time_s < 1);
}

BOOST_AUTO_TEST_CASE(large_sources_are_refused_in_words) {
    const data::TemporaryDirectory folder;
    const std::string mib(std::size_t{1} << 20, ' ');
    const auto said = [&](const std::string& a_cpp, const std::vector<std::filesystem::path>& files) {
        folder.write("a.cpp", a_cpp);
        return scan({"a.cpp"}, files, folder).refused;
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
}  // namespace attn::compile
