#include <algorithm>
#include <stdexcept>
#include <string>

#include <boost/test/unit_test.hpp>

#include "datasets/files/temporary_directory.h"
#include "grader/base/installation.h"
#include "grader/speed/hot_line.h"
#include "grader/speed/speed_checks.h"

namespace attn::speed {
namespace {

BOOST_AUTO_TEST_SUITE(library_calls)

/// A file with these names in a table of strings, as compiled code has it.
struct WithNames {
    data::TemporaryDirectory folder;
    std::filesystem::path file = folder.path() / "code.so";

    explicit WithNames(const std::string& names) {
        std::string text = '\0' + names + '\0';
        std::replace(text.begin(), text.end(), ' ', '\0');
        folder.write("code.so", text);
    }
};

BOOST_AUTO_TEST_CASE(compiled_code_names_what_it_calls) {
    for (const char* function : {"exp", "tanh", "erf"})
        BOOST_TEST(called_in(Installation().plain, function) == function + std::string("f"));
    BOOST_TEST(called_in(Installation().exports, "exp").empty());
    BOOST_TEST(called_in(WithNames("quick_expf expfoo").file, "exp").empty());
    BOOST_TEST(called_in(WithNames("free exp memcpy").file, "exp") == "exp");
    BOOST_CHECK_THROW(called_in(WithNames("exp").file, "sin"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_call_takes_nanoseconds) {
    for (const char* name : {"expf", "tanhf", "erff", "exp", "tanh", "erf"}) {
        BOOST_TEST_CONTEXT(name) {
            BOOST_TEST(call_ns(name) > 0.2);
            BOOST_TEST(call_ns(name) < 2000);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_hint_about_exp_needs_calls_that_take_much_of_the_time) {
    rubric::SpeedRubric speed;
    speed.sizes = {{"N", 1000}, {"M", 1000}};
    speed.hints = {{4, "transpose"}, {100, "write an exp", "exp", {"N", "M"}}, {100, "use blocks"}};
    const WithNames calls("expf"), none("memcpy");
    const auto hint = [&](double times_plain, double yours_ms, const WithNames& code) {
        return hint_for(speed, times_plain, yours_ms, code.file);
    };
    BOOST_TEST(hint(3, 5, calls) == "transpose");
    const std::string measured = hint(10, 1, calls);
    BOOST_TEST(
        measured.starts_with("write an exp (Measured: your code calls expf of the C library. One call for "
                             "each of N M takes "));
    BOOST_TEST(measured.ends_with(" ms on this machine; your function takes 1 ms.)"));
    BOOST_TEST(hint(10, 1, none) == "use blocks");
    BOOST_TEST(hint(10, 1e5, calls) == "use blocks");
    BOOST_TEST(hint(200, 1, calls) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::speed
