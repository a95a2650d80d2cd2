#include "grader/contract/glue_writer.h"

#include <string>

#include <boost/test/unit_test.hpp>

#include "grader/contract/layout.h"
#include "grader/contract/sample_contract.h"

namespace attn::contract {

namespace {

const Contract& sample_contract() {
    static const Contract kContract = testing::read(testing::kSampleContract);
    return kContract;
}

/// The text with each run of spaces and line ends replaced by one space.
std::string on_one_line(const std::string& text) {
    std::string line;
    for (const char c : text)
        if (c != ' ' && c != '\n')
            line += c;
        else if (!line.ends_with(' '))
            line += ' ';
    return line;
}

/// Whether the text contains the part. Line breaks are ignored.
bool has(const std::string& text, const std::string& part) {
    if (on_one_line(text).find(on_one_line(part)) != std::string::npos) return true;
    BOOST_TEST_MESSAGE(text);
    return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(glue_writer)

BOOST_AUTO_TEST_CASE(kernels_have_the_same_parameters_and_a_stream) {
    const std::string text = cuda_header(sample_contract());
    BOOST_TEST(has(text, "#include \"x.h\"\n\nnamespace attn::cuda {\n"));
    BOOST_TEST(
        has(text,
            "void attend(TensorView<float, 3> Y, TensorView<float, 3> A, TensorView<const float, 3> Q,\n"
            "            TensorView<const float, 3> K,"));
    BOOST_TEST(has(text, "float eps, int k, bool causal, cudaStream_t stream);\n"));
    BOOST_TEST(has(text, "/// The views in a struct are views of device memory, too.\n"));
}

BOOST_AUTO_TEST_CASE(tables_list_every_function_once) {
    const std::string text = export_table(sample_contract());
    BOOST_TEST(has(
        text,
        "#include \"assignments/09_x/x.h\"\n\nATTN_MAY_BE_MISSING(attend)\nATTN_MAY_BE_MISSING(layer)\n"));
    BOOST_TEST(has(text,
                   "    static const attn::worker::Export table[] = {\n"
                   "        attn::worker::export_function(\"attend\", attn::attend),\n"
                   "        attn::worker::export_function(\"layer\", attn::layer),\n"
                   "        {nullptr, nullptr, nullptr},\n"));
    BOOST_TEST(has(text, "extern \"C\" const attn::worker::Export* functions_of_x() {\n"));
    const std::string kernels = kernel_table(sample_contract());
    BOOST_TEST(has(kernels, "ATTN_KERNELS_MAY_BE_MISSING(attend)\n"));
    BOOST_TEST(has(kernels, "export_kernels(\"layer\", attn::cuda::layer)"));
    BOOST_TEST(has(kernels, "extern \"C\" const attn::worker::Export* kernels_of_x() {\n"));
}

BOOST_AUTO_TEST_CASE(the_reference_is_declared_for_any_type_of_numbers) {
    const std::string text = reference_header(sample_contract());
    BOOST_TEST(has(text, "#include \"assignments/09_x/x.h\"\n\nnamespace attn::cpu {\n"));
    BOOST_TEST(has(text,
                   "template <class T>\nvoid layer(TensorView<T, 3> Y, TensorView<const T, 3> X, const "
                   "Weights<T>& weights, TensorView<const int, 1> lengths, int H, Norm norm, T eps, int k, "
                   "bool causal);\n"));
    BOOST_TEST(!has(text, "float"));
    const Contract masks =
        testing::read("namespace attn {\n/// M [N]\nvoid f(TensorView<std::uint8_t, 1> M);\n}");
    BOOST_TEST(has(reference_header(masks), "{\n\nvoid f(TensorView<std::uint8_t, 1> M);\n\n}"));
    BOOST_TEST(!has(reference_header(masks), "template"));
}

BOOST_AUTO_TEST_CASE(the_reference_has_an_instance_for_float_and_one_for_double) {
    const std::string text = reference_instances(sample_contract());
    BOOST_TEST(has(text,
                   "template void layer<float>(TensorView<float, 3> Y, TensorView<const float, 3> X, "
                   "const Weights<float>& weights,"));
    BOOST_TEST(has(text,
                   "template void layer<double>(TensorView<double, 3> Y, TensorView<const double, 3> "
                   "X, const Weights<double>& weights,"));
    BOOST_TEST(has(text, "Norm norm, double eps, int k, bool causal);\n"));
    BOOST_TEST(has(text, "template void attend<double>("));
    // Code that is only timed leaves the second half out.
    const std::size_t half = text.find("#if !defined(ATTN_FLOAT_ONLY)");
    BOOST_TEST_REQUIRE(half != std::string::npos);
    BOOST_TEST(text.rfind("<float>") < half);
    BOOST_TEST(text.find("<double>") > half);
    BOOST_TEST(text.rfind("#endif") > text.rfind("<double>"));
    // A text that includes the reference's own for other numbers leaves out both.
    BOOST_TEST(text.find("#if !defined(ATTN_OTHER_NUMBERS)") < text.find("namespace attn::cpu"));
    // A contract of whole numbers alone has no instance, and its file is still one that compiles.
    const Contract whole = testing::read("namespace attn {\n/// n [N]\nvoid f(TensorView<int, 1> n);\n}");
    BOOST_TEST(has(reference_instances(whole), "#if !defined(ATTN_FLOAT_ONLY)\n#endif\n"));
}

BOOST_AUTO_TEST_CASE(the_yardstick_is_declared_for_float) {
    BOOST_TEST(has(fast_header(sample_contract()),
                   "namespace attn::fast {\n\nvoid attend(TensorView<float, 3> Y, TensorView<float, 3> A,"));
}

BOOST_AUTO_TEST_CASE(adapters_pass_on_every_parameter) {
    BOOST_TEST(has(plain_adapter(sample_contract()),
                   "    compile::Apart apart(Y, A);\n"
                   "    cpu::attend<float>(Y, A, apart(Q), apart(K), apart(V), "
                   "apart(mask));\n}\n"));
    BOOST_TEST(has(fast_adapter(sample_contract()),
                   "    fast::layer(Y, X, weights, lengths, H, norm, eps, k, causal);\n}\n"));
    const Contract masks =
        testing::read("namespace attn {\n/// M [N]\nvoid f(TensorView<std::uint8_t, 1> M);\n}");
    BOOST_TEST(has(plain_adapter(masks), "void f(TensorView<std::uint8_t, 1> M) {\n    cpu::f(M);\n}\n"));
}

BOOST_AUTO_TEST_CASE(version_scripts_name_the_functions_as_the_linker_does) {
    const Contract other = testing::read("namespace attn {\n/// M [N]\nvoid f(TensorView<float, 1> M);\n}");
    BOOST_TEST(version_script({sample_contract(), other}) ==
               "{ global:\n_ZN4attn6attendE*;\n_ZN4attn5layerE*;\n_ZN4attn1fE*;\nattention_lab_peak_gflops;\n"
               "local: *; };\n");
}

BOOST_AUTO_TEST_CASE(the_module_has_shapes_options_and_references) {
    const std::string text = module_unit(sample_contract());
    BOOST_TEST(has(text, "{Kind::function, \"attend\", "));
    BOOST_TEST(has(text, "calling<cpu::attend<float>>, calling<cpu::attend<double>>},\n"));
    BOOST_TEST(has(text, "{Kind::output, \"Y\", \"B,N_q,D_v\"},\n"));
    BOOST_TEST(has(text, "{Kind::output, \"A\", \"B,N_q,N_k\", 0, true},\n"));
    BOOST_TEST(has(text, "{Kind::input, \"mask\", \"B,N_q,N_k\", 0, false, ElementType::u8},\n"));
    BOOST_TEST(has(text, "{Kind::input, \"lengths\", \"B\", 0, true, ElementType::i32},\n"));
    BOOST_TEST(has(text, "{Kind::length, \"H\"},\n"));
    BOOST_TEST(has(text, "{Kind::choice, \"norm\", \"pre,post\", 1},\n"));
    BOOST_TEST(has(text, "{Kind::number, \"eps\", \"\", 1e-05},\n"));
    BOOST_TEST(has(text, "{Kind::number, \"k\", \"\", 3},\n"));
    BOOST_TEST(has(text, "{Kind::choice, \"causal\", \"false,true\", 0},\n"));
    BOOST_TEST(has(text, "kRegistered({\"x\", functions(), recipes(), properties()})"));
    BOOST_TEST(has(text, "{Kind::divides, \"H\", \"D\"},\n        {Kind::divides, \"H\", \"F\"},\n"));
}

BOOST_AUTO_TEST_CASE(the_module_has_the_numbers_to_refuse) {
    const std::string text = module_unit(testing::read(
        "namespace attn {\n/// Y, ids [N]. Throws where ids is outside 0 .. N - 1. Requires N >= 3.\n"
        "void f(TensorView<float, 1> Y, TensorView<const int, 1> ids);\n}"));
    BOOST_TEST(has(text, "{Kind::range, \"ids\", \"N\", 0},\n"));
    BOOST_TEST(has(text, "{Kind::range, \"N\", \"\", 3},\n"));
}

BOOST_AUTO_TEST_CASE(the_yardstick_is_found_by_name) {
    BOOST_TEST(has(yardstick_list(sample_contract()), "all[\"attend\"] = calling<fast::attend>;\n"));
}

BOOST_AUTO_TEST_CASE(wrappers_compute_the_shapes_of_outputs_from_the_inputs) {
    const std::string text = array_wrappers(sample_contract());
    BOOST_TEST(has(text, "outputs.A = unwritten<T>(\"A\", {Q.shape[0], Q.shape[1], K.shape[1]});\n"));
    BOOST_TEST(has(text, "struct WeightsArrays {\n    GainsArrays norm;\n    Array W;\n    Array b;\n"));
    BOOST_TEST(has(text, "view_if_any<int, 1>(lengths)"));
    const Contract patches = testing::read(
        "/// Letters: N = (H/P) (W/P)\nnamespace attn {\n/// Z [N + 1, P P], X [H, W]\n"
        "void f(TensorView<float, 2> Z, TensorView<const float, 2> X, int P);\n}");
    BOOST_TEST(has(array_wrappers(patches), "{(X.shape[0] / P) * (X.shape[1] / P) + 1, P * P}"));
    const Contract blocks = testing::read(
        "namespace attn {\n/// M [2 ceil(N/P)], X [N]\n"
        "void f(TensorView<float, 1> M, TensorView<const float, 1> X, int P);\n}");
    BOOST_TEST(has(array_wrappers(blocks), "{2 * (((X.shape[0] + P - 1) / P))}"));
    const Contract twice = testing::read(
        "namespace attn {\n/// M [ceil(ceil(N/P)/P)], X [N]\n"
        "void f(TensorView<float, 1> M, TensorView<const float, 1> X, int P);\n}");
    BOOST_TEST(has(array_wrappers(twice), "{(((((X.shape[0] + P - 1) / P) + P - 1) / P))}"));
}

BOOST_AUTO_TEST_CASE(wrappers_return_the_arrays_of_a_struct_to_write) {
    const std::string text = array_wrappers(testing::read(testing::kGradientContract));
    BOOST_TEST(has(text, "struct Outputs_of_layer_backward {\n    Array dX, dgamma, dbeta, dW;\n};"));
    BOOST_TEST(has(text, "layer_backward(const Array& dY, int F) {"));
    BOOST_TEST(has(text, "outputs.dW = unwritten<T>(\"dW\", {dY.shape[1], F});"));
    BOOST_TEST(has(text,
                   "Gradients<T>{{outputs.dgamma.view<T, 1>(), outputs.dbeta.view<T, 1>()}, "
                   "outputs.dW.view<T, 2>()}, dY.view<T, 2>());"));
    BOOST_TEST(!has(text, "struct GradientsArrays"));
}

BOOST_AUTO_TEST_CASE(long_lines_are_aligned_with_the_first_word) {
    const std::string word(60, 'x');
    BOOST_TEST(wrapped("f(", {word, word}, ");") == "f(" + word + ",\n  " + word + ");");
    BOOST_TEST(wrapped("    ", {word, word}, ";", 4) == "    " + word + ",\n        " + word + ";");
    BOOST_TEST(wrapped("f(", {}, ");") == "f();");
    BOOST_TEST(wrapped("f(", {"a", "b"}, ");") == "f(a, b);");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::contract
