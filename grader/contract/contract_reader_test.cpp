#include "grader/contract/contract_reader.h"

#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "grader/contract/sample_contract.h"
#include "grader/contract/tokens.h"

namespace attn::contract {

namespace {

using testing::kGradientContract;
using testing::kSampleContract;
using testing::read;

std::string dims_of(const Tensor& tensor) {
    std::string text = tensor.name + " [";
    for (const std::string& dim : tensor.dims) text += (text.back() == '[' ? "" : ", ") + dim;
    return text + "]" + (tensor.optional ? " optional" : "");
}

std::string dims_of(const std::vector<Tensor>& tensors) {
    std::string text;
    for (const Tensor& tensor : tensors) text += (text.empty() ? "" : "; ") + dims_of(tensor);
    return text;
}

/// A contract with one function f with this comment and these parameters.
Contract contract_of_one_function(const std::string& comment, const std::string& parameters) {
    return read("namespace attn {\n" + comment + "\nvoid f(" + parameters + ");\n}\n");
}

std::string error_of(const std::string& text, const std::map<std::string, std::string>& others = {}) {
    try {
        read(text, others);
    } catch (const ContractError& error) {
        return error.what();
    }
    return "no error";
}

/// A text that is not a contract, and a part of the error.
struct Malformed {
    std::string name, text, expected_error;
};
std::ostream& operator<<(std::ostream& stream, const Malformed& malformed) {
    return stream << malformed.name;
}

std::string in_attn(const std::string& text) {
    return "namespace attn {\n" + text + "\n}\n";
}
std::string with_comment(
    const std::string& comment,
    const std::string& parameters = "TensorView<float, 1> Y, TensorView<const float, 1> X") {
    return in_attn(comment + "\nvoid f(" + parameters + ");");
}

const std::vector<Malformed>& malformed() {
    static const std::vector<Malformed> kAll = {
        {"nothing", "", "x.h:1: this contract declares no function"},
        {"no namespace", "void f();", "x.h:1: found 'void'; expected namespace attn {"},
        {"another namespace", "namespace std {}", "x.h:1: found 'std'; expected namespace attn {"},
        {"open namespace", "namespace attn {", "found the end of the file; expected } at the end"},
        {"a class", in_attn("class A {};"), "x.h:2: found 'class'; expected enum class, template"},
        {"a constant", in_attn("constexpr int kN = 3;"), "found 'constexpr'"},
        {"a result", in_attn("float f(float x);"), "found 'float'; expected enum class"},
        {"conditional code", "#pragma once\n#ifdef A\n#endif\n",
         "x.h:2: a contract must not have conditional code"},
        {"an open comment", "\n/* and so on", "x.h:2: this comment does not end"},
        {"an open text", "\n\"and so on\n", "x.h:2: this text does not end"},
        {"a definition",
         with_comment("/// X, Y [N]") + in_attn("/// X, Y [N]\nvoid g(TensorView<float, 1> Y) {}"),
         "found '{'; expected ; after the declaration"},
        {"an unscoped enum", in_attn("enum A { a };"), "found 'A'; expected enum class"},
        {"an enum with numbers", in_attn("enum class A { a = 3 };"), "found '='; expected , or }"},
        {"an enum without values", in_attn("enum class A {};"), "found '}'; expected the name of a value"},
        {"two enums of a name", in_attn("enum class A { a };\nenum class A { b };"), "A is declared twice"},
        {"a struct that is no template", in_attn("struct A { int n; };"), "found 'struct'"},
        {"a struct of numbers", in_attn("template <class T>\nstruct A {\n    int n;\n};"),
         "x.h:4: found 'int'; expected a member of type TensorView<const T, RANK>"},
        {"a struct to write and to read",
         in_attn(
             "template <class T> struct A {\n TensorView<T, 1> y;  ///< [N]\n TensorView<const T, 1> x;\n};"),
         "a member that a function writes, like the members of A above it"},
        {"a struct to read in one to write",
         in_attn("template <class T> struct A { TensorView<const T, 1> x;  ///< [N]\n};\n"
                 "template <class T> struct B { TensorView<T, 1> y;  ///< [N]\n A<T> a;\n};"),
         "a member that a function writes, like the members of B above it"},
        {"a struct to write after an input",
         in_attn("template <class T> struct A { TensorView<T, 1> y;  ///< [N]\n};\n"
                 "/// Z, X [N]\nvoid f(TensorView<float, 1> Z, TensorView<const float, 1> X, const A<float>& "
                 "a);"),
         "a comes after X; expected: outputs first"},
        {"an empty struct", in_attn("template <class T> struct A {};"), "a member in struct A"},
        {"a struct without an end", in_attn("template <class T> struct A { void f() {"),
         "the end of the file"},
        {"a member without a shape", in_attn("template <class T> struct A {\n TensorView<const T, 1> a;\n};"),
         "x.h:3: the shape of a is missing; expected ///< [..] after its declaration"},
        {"a member with too long a shape",
         in_attn("template <class T> struct A { TensorView<const T, 1> a;  ///< [N, D]\n};"),
         "a [N, D] has 2 lengths, and its type has 1 axes"},
        {"a member with an open shape",
         in_attn("template <class T> struct A { TensorView<const T, 1> a;  ///< [N\n};"),
         "this shape has no ]"},
        {"a member with an odd shape",
         in_attn("template <class T> struct A { TensorView<const T, 1> a;  ///< [N / ]\n};"),
         "a member's shape: 'N / ' has no letter or number"},
        {"two members of a name",
         in_attn("template <class T> struct A { TensorView<const T, 1> a, a;  ///< [N]\n};"),
         "two members a"},
        {"no comment", with_comment(""), "x.h:3: f has no comment; expected ///"},
        {"no output", with_comment("/// X [N]", "TensorView<const float, 1> X"), "f has no output"},
        {"an unknown type", with_comment("/// X, Y [N]", "TensorView<float, 1> Y, double X"),
         "found 'double'; expected TensorView<float"},
        {"an unknown element",
         with_comment("/// X, Y [N]", "TensorView<float, 1> Y, TensorView<const long, 1> X"), "found 'long'"},
        {"an unknown struct", with_comment("/// X, Y [N]", "TensorView<float, 1> Y, const Weights<float>& w"),
         "found 'Weights'; expected a struct that is declared above"},
        {"five axes", with_comment("/// Y [N]", "TensorView<float, 5> Y"), "a number of axes from 1 to 4"},
        {"inputs first", with_comment("/// X, Y [N]", "TensorView<const float, 1> X, TensorView<float, 1> Y"),
         "Y comes after X; expected: outputs first"},
        {"options before inputs",
         with_comment("/// X, Y [N]", "TensorView<float, 1> Y, int H, TensorView<const float, 1> X"),
         "X comes after H"},
        {"two of a name", with_comment("/// Y [N]", "TensorView<float, 1> Y, TensorView<const float, 1> Y"),
         "two parameters of f are called Y"},
        {"a member and an option of a name",
         in_attn("template <class T> struct A { TensorView<const T, 1> H;  ///< [N]\n};\n/// Y [N]\nvoid "
                 "f(TensorView<float, 1> Y, const A<float>& a, int H);"),
         "f has two arrays or options that are called H"},
        {"two functions of a name",
         in_attn("/// Y [3]\nvoid f(TensorView<float, 1> Y);\n/// Y [3]\nvoid f(TensorView<float, 1> Y);"),
         "x.h:5: there are two functions f; the other is declared in line 3"},
        {"a shape unsaid", with_comment("/// Y [N]"),
         "x.h:3: the shape of X is missing; expected X [..] in the comment of f"},
        {"a shape said twice", with_comment("/// X, Y [N]\n/// and once more:\n/// X [D]"),
         "x.h:4: X is [D] here and [N] above"},
        {"a shape too short",
         with_comment("/// X, Y [N]", "TensorView<float, 2> Y, TensorView<const float, 1> X"),
         "Y [N] has 1 lengths, and its type has 2 axes"},
        {"a shape without an end", with_comment("/// X, Y [N"), "the shape of Y has no ]"},
        {"an empty shape", with_comment("/// X, Y []"), "the shape of Y: '' has no letter or number"},
        {"an odd shape", with_comment("/// X, Y [N N +]"), "the shape of Y: 'N N +' has no letter"},
        {"a difference of letters", with_comment("/// X [N], Y [N - N]"), "follows a length"},
        {"a product of sums", with_comment("/// X, Y [2 (N + 1)]"), "multiplies a sum"},
        {"a quotient of products", with_comment("/// X, Y [(N D)/2]"),
         "divides something other than a letter"},
        {"a quotient rounded up of a product", with_comment("/// X, Y [ceil(2 N/3)]"),
         "has a ceil( that is not ceil(N/B_r)"},
        {"a length rounded up", with_comment("/// X, Y [ceil(N)]"), "has a ceil( that is not ceil(N/B_r)"},
        {"a letter from nowhere, rounded up", with_comment("/// X [N], Y [ceil(D/2)]"),
         "the length D in Y [ceil(D/2)] of f cannot be known"},
        {"a huge number", with_comment("/// X, Y [12345678]"), "not a number of at most 6 digits"},
        {"many parentheses", with_comment("/// X, Y [" + std::string(1000, '(') + "N]"),
         "too many parentheses"},
        {"a letter from nowhere", with_comment("/// X, Y [N D]"),
         "the length N in Y [N*D] of f cannot be known"},
        {"shapes for no equation", with_comment("/// What it does.\n///   the output   [N]\n/// X, Y [N]"),
         "1 shapes follow a line with 0"},
        {"more shapes than equations", with_comment("///   Y = X      [N], [N]\n/// X [N]"),
         "2 shapes follow a line with 1"},
        {"a shape for an option",
         with_comment("/// X, Y [N], H [N]", "TensorView<float, 1> Y, TensorView<const float, 1> X, int H"),
         "H is not an array and has no shape"},
        {"optional is nothing's", with_comment("/// X, Y [N], and more (optional)"),
         "(optional) does not follow the shape"},
        {"no default",
         with_comment("/// X, Y [N]", "TensorView<float, 1> Y, TensorView<const float, 1> X, float eps"),
         "the number eps of f has no default; expected eps (default 1e-5)"},
        {"an odd default",
         with_comment("/// X, Y [N], eps (default some)",
                      "TensorView<float, 1> Y, TensorView<const float, 1> X, float eps"),
         "'some' is not a value for eps; expected a number"},
        {"an infinite default",
         with_comment("/// X, Y [N], eps (default inf)",
                      "TensorView<float, 1> Y, TensorView<const float, 1> X, float eps"),
         "'inf' is not a value for eps"},
        {"half a count",
         with_comment("/// X, Y [N], k (default 1.5)",
                      "TensorView<float, 1> Y, TensorView<const float, 1> X, int k"),
         "'1.5' is not a value for k"},
        {"two defaults",
         with_comment("/// X, Y [N], k (default 1), k (default 2)",
                      "TensorView<float, 1> Y, TensorView<const float, 1> X, int k"),
         "k has two defaults"},
        {"a default of nothing", with_comment("/// X, Y [N] (default 3)"),
         "expected a parameter's name before it"},
        {"a default of an array", with_comment("/// X, Y [N], X (default 3)"), "'3' is not a value for X"},
        {"a divisor that is no length", with_comment("/// X, Y [N]. Throws where it does not divide N."),
         "'it' is not a length of f; expected '.. where H does not divide D'"},
        {"a divisor of 0", with_comment("/// X, Y [N]. Throws where 0 does not divide N."),
         "'0' is not a length of f"},
        {"a definition of nothing", "/// Letters: N = many\n" + with_comment("/// X, Y [N]"),
         "x.h:1: after Letters: 'many"},
        {"a letter defined twice", "/// Letters: N = 3, N = 4\n" + with_comment("/// X, Y [N]"),
         "is already defined"},
        {"a definition that grows",
         "/// Letters: A = 2 2 2 2 2 2 2 2, B = A A A A A A A, C = B B\n" + with_comment("/// X, Y [N]"),
         "is too long"},
    };
    return kAll;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contract_reader)

BOOST_AUTO_TEST_CASE(a_number_with_an_exponent_is_one_token) {
    for (const char* number : {"1e-5", "2.5E+3f", "1.5e7", "0x1F", "7"}) {
        const auto tokens = tokens_of("x.h", number + std::string("-a"));
        BOOST_REQUIRE(tokens.size() == 4U);
        BOOST_TEST(tokens.front().text == number);
        BOOST_TEST(tokens.at(1).is("-"));
    }
}

BOOST_AUTO_TEST_CASE(shapes_follow_names_and_equations) {
    const Contract contract = read(kSampleContract);
    BOOST_REQUIRE_EQUAL(contract.functions.size(), 2U);
    BOOST_TEST(contract.name == "x");
    BOOST_TEST(dims_of(contract.functions[0].outputs) == "Y [B, N_q, D_v]; A [B, N_q, N_k] optional");
    BOOST_TEST(dims_of(contract.functions[0].inputs) ==
               "Q [B, N_q, D_q]; K [B, N_k, D_q]; V [B, N_k, D_v]; mask [B, N_q, N_k]");
    BOOST_TEST((contract.functions[0].inputs[3].element == Element::u8));
}

BOOST_AUTO_TEST_CASE(structs_are_flattened_in_order) {
    const Function layer = read(kSampleContract).functions[1];
    BOOST_TEST(dims_of(layer.inputs) ==
               "X [B, N, D]; gamma [D]; beta [D]; W [D, F]; b [F]; lengths [B] optional");
    BOOST_TEST(layer.parameters[2].structure == "Weights");
    BOOST_TEST((layer.inputs[5].element == Element::i32));
}

BOOST_AUTO_TEST_CASE(members_of_a_struct_to_write_are_outputs) {
    const Contract contract = read(kGradientContract);
    const Function& function = contract.functions.at(0);
    std::vector<std::string> outputs, inputs;
    for (const Tensor& each : function.outputs) outputs.push_back(each.name);
    for (const Tensor& each : function.inputs) inputs.push_back(each.name);
    BOOST_TEST(outputs == (std::vector<std::string>{"dX", "dgamma", "dbeta", "dW"}),
               boost::test_tools::per_element());
    BOOST_TEST(inputs == (std::vector<std::string>{"dY"}), boost::test_tools::per_element());
    BOOST_TEST(function.outputs.at(3).dims == (std::vector<std::string>{"D", "F"}),
               boost::test_tools::per_element());
    BOOST_CHECK(function.parameters.at(1).kind == Kind::outputs);
    BOOST_TEST(function.output_lengths == (std::vector<std::string>{"F"}), boost::test_tools::per_element());
    BOOST_TEST(function.has_reals());
}

BOOST_AUTO_TEST_CASE(options_have_kinds_and_defaults) {
    const Function layer = read(kSampleContract).functions[1];
    const auto& p = layer.parameters;
    BOOST_REQUIRE_EQUAL(p.size(), 9U);
    BOOST_TEST((p[4].kind == Kind::length && p[4].name() == "H"));
    BOOST_TEST((p[5].kind == Kind::choice && p[5].choices == std::vector<std::string>{"pre", "post"}));
    BOOST_TEST(p[5].default_value == 1);
    BOOST_TEST((p[6].kind == Kind::number && p[6].default_value == 1e-5));
    BOOST_TEST((p[7].kind == Kind::number && p[7].default_value == 3));
    BOOST_TEST((p[8].kind == Kind::flag && p[8].default_value == 0));
}

BOOST_AUTO_TEST_CASE(refused_sizes_are_read_from_the_comment) {
    const Function layer = read(kSampleContract).functions[1];
    const std::vector<std::pair<std::string, std::string>> expected = {{"H", "D"}, {"H", "F"}};
    BOOST_TEST((layer.divides == expected));
    const Function pairs = read(with_comment("/// X, Y [N]. Throws where 2 does not divide N.")).functions[0];
    BOOST_TEST((pairs.divides == decltype(expected){{"2", "N"}}));
}

BOOST_AUTO_TEST_CASE(least_lengths_are_read_from_the_comment) {
    const auto least_of = [](const std::string& sentence) {
        const Contract contract = read(with_comment("/// X, Y [N]. " + sentence));
        std::string text;
        for (const Range& r : contract.functions[0].ranges)
            text += r.input + " " + std::to_string(r.least) + r.end + ";";
        return text;
    };
    BOOST_TEST(least_of("Requires N >= 5.") == "N 5;");
    BOOST_TEST(least_of("Requires D >= 1, N >= 12.") == "N 12;");
    // Lengths are at least 1 anyway, and what is no length has no least one.
    for (const char* const sentence :
         {"Requires N >= 1.", "Requires variance >= 2.", "Requires 0 <= N.", "N >= 5."})
        BOOST_TEST(least_of(sentence).empty(), sentence);
}

BOOST_AUTO_TEST_CASE(refused_numbers_are_read_from_the_comment) {
    const auto ranges_of = [](const std::string& comment) {
        std::string text;
        const std::string parameters =
            "TensorView<float, 1> Y, TensorView<const int, 1> ids, TensorView<const int, 1> to, int V, "
            "int k, float t";
        const Contract contract = read(with_comment(comment, parameters));
        for (const Range& r : contract.functions[0].ranges)
            text += r.input + " " + std::to_string(r.least) + " " + r.end + ";";
        return text;
    };
    const std::string shapes = "/// Y, ids, to [N], k (default 1), t (default 1).\n/// Throws where ";
    BOOST_TEST(ranges_of(shapes + "V does not divide N.").empty());
    BOOST_TEST(ranges_of(shapes + "ids is outside 0 .. V - 1, or to is outside 1 .. N.") ==
               "ids 0 V;to 1 N+1;");
    BOOST_TEST(ranges_of(shapes + "a number of ids or to is outside 0 .. V - 1.") == "to 0 V;ids 0 V;");
    BOOST_TEST(ranges_of(shapes + "ids is outside -1 .. V - 1, k is outside 1 .. V and t is not positive.") ==
               "ids -1 V;k 1 V+1;t 0 ;");
    const auto refused = [&](const std::string& comment, const std::string& why) {
        BOOST_CHECK_EXCEPTION(ranges_of(shapes + comment), ContractError, [&](const ContractError& error) {
            return std::string(error.what()).find(why) != std::string::npos;
        });
    };
    refused("it is outside 0 .. V - 1.",
            "'it' is no parameter; expected '.. where ids is outside 0 .. V - 1'");
    refused("ids is outside of V.", "there is no least number");
    refused("ids is outside 0 .. v.", "has no letter or number");
    refused("ids is outside 0 .. D.", "the length D in ids [N] of f cannot be known");
    refused("V is outside 0 .. N.", "V of f is no input of whole numbers and no whole option");
    refused("t is outside 0 .. N.", "t of f is no input of whole numbers and no whole option");
    refused("ids is not positive.", "ids of f is no number by value with a default");
}

BOOST_AUTO_TEST_CASE(expressions_are_converted_to_the_form_of_dims) {
    const Contract contract =
        read("/// Letters:  H rows, W columns, P along a patch, N = (H/P) (W/P) patches\n" +
             in_attn("/// Z [N + 1, P P C], X [C, H, W].\nvoid f(TensorView<float, 2> Z, TensorView<const "
                     "float, 3> X, int P);"));
    BOOST_TEST(dims_of(contract.functions[0].outputs) == "Z [H/P*W/P+1, P*P*C]");
    const Function blocks = contract_of_one_function(
                                "///   M = 1 where it is read      [ceil(N / P), 2 ceil(N/3) + 1]\n/// X [N]",
                                "TensorView<float, 2> M, TensorView<const float, 1> X, int P")
                                .functions[0];
    BOOST_TEST(dims_of(blocks.outputs) == "M [ceil(N/P), 2*ceil(N/3)+1]");
    BOOST_TEST(blocks.output_lengths.empty());
    const Function less =
        contract_of_one_function("///   M = 1      [2 P - 1, N/P - 1]\n/// X [N]",
                                 "TensorView<float, 2> M, TensorView<const float, 1> X, int P")
            .functions[0];
    BOOST_TEST(dims_of(less.outputs) == "M [2*P-1, N/P-1]");
}

BOOST_AUTO_TEST_CASE(a_length_that_only_an_output_has_is_listed) {
    const Function f = contract_of_one_function("/// Y [B, H, N, D/H], X [B, N, D].",
                                                "TensorView<float, 4> Y, TensorView<const float, 3> X")
                           .functions[0];
    BOOST_TEST((f.output_lengths == std::vector<std::string>{"H"}));
    const Function g = contract_of_one_function("/// S [B, L], y [B, L + 1]",
                                                "TensorView<float, 2> S, TensorView<const float, 2> y")
                           .functions[0];
    BOOST_TEST((g.output_lengths == std::vector<std::string>{"L"}));
}

BOOST_AUTO_TEST_CASE(an_equation_may_have_several_results) {
    const Function f = contract_of_one_function(
                           "///   Q = X + 1,  K[i] = X - 1      [N, D], [D, N]\n/// X [N, D]",
                           "TensorView<float, 2> Q, TensorView<float, 2> K, TensorView<const float, 2> X")
                           .functions[0];
    BOOST_TEST(dims_of(f.outputs) == "Q [N, D]; K [D, N]");
}

BOOST_AUTO_TEST_CASE(a_shape_may_be_in_the_next_line) {
    const Function f =
        contract_of_one_function(
            "/// Here is Y\n/// [N, D], and X and Z\n/// [D, N].",
            "TensorView<float, 2> Y, TensorView<const float, 2> X, TensorView<const float, 2> Z")
            .functions[0];
    BOOST_TEST(dims_of(f.outputs) == "Y [N, D]");
    BOOST_TEST(dims_of(f.inputs) == "X [D, N]; Z [D, N]");
}

BOOST_AUTO_TEST_CASE(indices_and_other_names_are_not_shapes) {
    const Function f =
        contract_of_one_function(
            "/// Weights are [in, out]; s_t [D] is no parameter, Y [i, j] an element, [y; c] both.\n"
            "///   E = X X^T     [N, N]\n///   Y[i, j] = X[i, j]      X, Y [N, D]\n/// columns [h D/H, (h + "
            "1) D/H)",
            "TensorView<float, 2> Y, TensorView<const float, 2> X")
            .functions[0];
    BOOST_TEST(dims_of(f.outputs) == "Y [N, D]");
}

BOOST_AUTO_TEST_CASE(a_function_of_masks_has_no_double_version) {
    const Contract c = contract_of_one_function("/// M [N, D]", "TensorView<std::uint8_t, 2> M");
    BOOST_TEST(!c.functions[0].has_reals());
    BOOST_TEST(read(kSampleContract).functions[0].has_reals());
}

BOOST_AUTO_TEST_CASE(contracts_include_contracts) {
    const std::map<std::string, std::string> others = {
        {"assignments/01_a/a.h", in_attn("enum class Norm { pre, post };\ntemplate <class T>\nstruct A {\n   "
                                         " TensorView<const T, 1> a;  ///< [D]\n};\n"
                                         "/// Y [3]\nvoid other(TensorView<float, 1> Y);")}};
    const Contract contract =
        read("#include <vector>\n#include \"../01_a/a.h\"\n#include \"../tensor.h\"\n" +
                 in_attn("/// Y [D]\nvoid f(TensorView<float, 1> Y, const A<float>& weights, Norm norm);"),
             others);
    BOOST_REQUIRE_EQUAL(contract.functions.size(), 1U);
    BOOST_TEST(dims_of(contract.functions[0].inputs) == "a [D]");
    BOOST_TEST(contract.structs[0].header == "a");
    BOOST_TEST(contract.read.size() == 2U);
}

BOOST_AUTO_TEST_CASE(contracts_that_include_each_other_are_an_error) {
    const std::map<std::string, std::string> others = {
        {"assignments/01_a/a.h", "#include \"../09_x/x.h\"\n"}};
    BOOST_TEST(error_of("#include \"../01_a/a.h\"\n", others) ==
               "assignments/01_a/a.h:1: this contract and assignments/09_x/x.h include each other");
}

BOOST_DATA_TEST_CASE(a_malformed_contract_is_an_error_with_its_line,
                     boost::unit_test::data::make(malformed()), sample) {
    const std::string error = error_of(sample.text);
    BOOST_TEST(error.find(sample.expected_error) != std::string::npos,
               "'" << error << "' does not say '" << sample.expected_error << "'");
    BOOST_TEST(error.starts_with("assignments/09_x/x.h:"), error);
}

BOOST_AUTO_TEST_CASE(damaged_contracts_never_crash_it) {
    std::mt19937 random(7);
    using namespace std::string_literals;
    const std::string letters = "[](){}<>,;:=/* \n\t#\"'.+-0aNT\0\xff"s;
    int understood = 0;
    for (int round = 0; round < 4000; ++round) {
        std::string text = kSampleContract;
        for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
            const std::size_t at = random() % (text.size() + 1), length = random() % 30;
            switch (random() % 4) {
                case 0:
                    text.erase(at, length);
                    break;
                case 1:
                    text.insert(at, 1 + random() % 3, letters[random() % letters.size()]);
                    break;
                case 2:
                    text.insert(at, text.substr(random() % (text.size() + 1), length));
                    break;
                default:
                    text.resize(at);
            }
        }
        try {
            read(text);
            ++understood;
        } catch (const ContractError&) {
        }
    }
    BOOST_TEST(understood > 100);
    BOOST_TEST(understood < 3000);
}

BOOST_AUTO_TEST_CASE(garbage_never_crashes_it) {
    std::mt19937 random(8);
    for (int round = 0; round < 1000; ++round) {
        std::string text(random() % 300, ' ');
        for (char& c : text) c = static_cast<char>(random() % 256);
        BOOST_CHECK_THROW(read(text), ContractError);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::contract
