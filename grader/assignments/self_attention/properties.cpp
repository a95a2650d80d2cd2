// Assignment 2: the properties.

#include "grader/ask/laws.h"

namespace attn::ask::self_attention {
namespace {

/// V: an input, or X W_V.
Array values_of(const Arrays& inputs) {
    return (has(inputs, "W_V") ? product(by_name(inputs, "X"), by_name(inputs, "W_V")) : by_name(inputs, "V"))
        .cast<double>();
}

/// With Q = 0 all scores are equal, so all keys get the same weight.
Property no_query_gives_the_mean(const std::string& input) {
    return {"zero_" + input + "_gives_the_mean", input + " = 0 gives the mean of V",
            [input](const Arrays& inputs, Random&) {
                return Experiment{
                    {with_zeros(inputs, {input})}, [V = values_of(inputs)](const Outputs& y) {
                        const double share = 1.0 / V.shape[1];
                        const Array& Y = by_name(y[0], "Y");
                        const auto mean = [share](double total, double v) { return total + share * v; };
                        return Relations{{"Y", "the mean of V", Y, over_columns(Y, V, 0, mean)}};
                    }};
            }};
}

/// Adds the same vector to every key.
Arrays shift_keys(const Arrays& inputs, Random& random) {
    Array K = by_name(inputs, "K");
    const Array b = normal("b", {K.shape[2]}, random);
    const auto D_q = static_cast<std::size_t>(K.shape[2]);
    for (std::size_t k = 0; k < K.count(); ++k) K.as<float>()[k] += b.as<float>()[k % D_q];
    return with(inputs, "K", K);
}

Arrays permute_keys_and_values(const Arrays& inputs, Random& random) {
    return permuted(inputs, {"K", "V"}, 1, random.permutation(by_name(inputs, "K").shape[1]));
}

/// W_Q M and W_K M^-T. M adds column 0 to the last column and halves column 0. The products of queries and
/// keys stay the same.
Arrays change_basis(const Arrays& inputs, Random&) {
    Array W_Q = by_name(inputs, "W_Q"), W_K = by_name(inputs, "W_K");
    const auto D_q = static_cast<std::size_t>(W_Q.shape[1]);
    for (std::size_t row = 0; row < W_Q.count(); row += D_q) {
        float* q = &W_Q.as<float>()[row];
        float* k = &W_K.as<float>()[row];
        if (D_q > 1) {
            q[D_q - 1] += q[0];
            k[0] -= k[D_q - 1];
        }
        q[0] /= 2;
        k[0] *= 2;
    }
    return with(with(inputs, "W_Q", W_Q), "W_K", W_K);
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"softmax",
         {rows_sum_to_one("Y"), shift_invariant("softmax(x + c) = softmax(x)"),
          equivariant("columns_permute", "permuted columns give permuted columns", {"X"}, 1),
          rows_do_not_mix("a row of Y depends on its own row of X alone", {"X"})}},
        {"scaled_dot_product_attention",
         {rows_sum_to_one("A"),
          equivariant("queries_permute", "permuted queries give permuted outputs", {"Q"}, 1),
          unchanged("keys_and_values_permute", "K and V permuted together change nothing",
                    "with K and V permuted", permute_keys_and_values),
          unchanged("same_vector_on_every_key", "K + 1 b^T, the same vector on every key, changes nothing",
                    "with K + 1 b^T", shift_keys),
          in_the_hull_of_V(values_of), batches_do_not_mix({"Q", "K", "V"}), no_query_gives_the_mean("Q"),
          linear_in("V")}},
        {"self_attention",
         {equivariant("equivariant", "f(P X) = P f(X): permuted tokens give permuted outputs", {"X"}, 1),
          unchanged("change_of_basis", "W_Q M and W_K M^-T in place of W_Q and W_K change nothing",
                    "with W_Q M and W_K M^-T", change_basis),
          in_the_hull_of_V(values_of), batches_do_not_mix({"X"}), no_query_gives_the_mean("W_Q"),
          linear_in("W_V")}},
    };
}

}  // namespace attn::ask::self_attention
