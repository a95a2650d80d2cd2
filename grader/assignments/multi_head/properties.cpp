// Assignment 3: the properties.

#include <algorithm>
#include <utility>

#include "contracts/multi_head_reference.h"
#include "contracts/self_attention_reference.h"
#include "grader/ask/laws.h"

namespace attn::ask::multi_head {
namespace {

/// The option H of a call.
int heads_of(const Arrays& inputs) {
    return static_cast<int>(option_of(inputs, "H"));
}

/// An order of blocks as an order of their elements. Each block has `width` elements.
std::vector<int> blocks(const std::vector<int>& order, int width) {
    std::vector<int> all;
    for (const int block : order)
        for (int d = 0; d < width; ++d) all.push_back(block * width + d);
    return all;
}

/// Permuting the slices of X along one axis permutes the slices of Y along another axis.
Property carried_over(std::string name, std::string statement, int axis_of_X, int axis_of_Y) {
    return {std::move(name), std::move(statement), [=](const Arrays& inputs, Random& random) {
                const Array& X = by_name(inputs, "X");
                const auto order = random.permutation(X.shape[static_cast<std::size_t>(axis_of_X)]);
                return Experiment{
                    {inputs, with(inputs, "X", permuted(X, axis_of_X, order))}, [=](const Outputs& y) {
                        return Relations{{"P f(X)", "f(P X)", permuted(by_name(y[0], "Y"), axis_of_Y, order),
                                          by_name(y[1], "Y")}};
                    }};
            }};
}

/// Undoing f on its output gives X.
Property undone(std::string name, std::string statement, std::function<void(const Array& Y, Array& X)> undo) {
    return {std::move(name), std::move(statement), [undo = std::move(undo)](const Arrays& inputs, Random&) {
                return Experiment{{inputs},
                                  [undo, X = by_name(inputs, "X").cast<double>()](const Outputs& y) {
                                      Array back = X;
                                      undo(by_name(y[0], "Y"), back);
                                      return Relations{{"X from Y", "X", back, X}};
                                  }};
            }};
}

/// Blocks of D/H columns of X are heads of Y.
Property column_blocks_are_heads() {
    return {"column_blocks_are_heads", "permuting the blocks of D/H columns of X permutes the heads",
            [](const Arrays& inputs, Random& random) {
                const Array& X = by_name(inputs, "X");
                const auto order = random.permutation(heads_of(inputs));
                const auto columns = blocks(order, X.shape[2] / heads_of(inputs));
                return Experiment{
                    {inputs, with(inputs, "X", permuted(X, 2, columns))}, [order](const Outputs& y) {
                        return Relations{
                            {"P f(X)", "f(P X)", permuted(by_name(y[0], "Y"), 1, order), by_name(y[1], "Y")}};
                    }};
            }};
}

Property heads_are_column_blocks() {
    return {"heads_are_column_blocks", "permuting the heads permutes the blocks of D_h columns of Y",
            [](const Arrays& inputs, Random& random) {
                const Array& X = by_name(inputs, "X");
                const auto order = random.permutation(X.shape[1]);
                const auto columns = blocks(order, X.shape[3]);
                return Experiment{
                    {inputs, with(inputs, "X", permuted(X, 1, order))}, [columns](const Outputs& y) {
                        return Relations{{"P f(X)", "f(P X)", permuted(by_name(y[0], "Y"), 2, columns),
                                          by_name(y[1], "Y")}};
                    }};
            }};
}

void merge_back(const Array& Y, Array& X) {
    cpu::merge_heads<double>(X.view<double, 3>(), Y.view<double, 4>());
}
void split_back(const Array& Y, Array& X) {
    cpu::split_heads<double>(X.view<double, 4>(), Y.view<double, 3>());
}

/// The inputs with the result of `change` as their mask. It starts from the given mask, or from all ones if
/// there is none.
Arrays with_mask(Arrays inputs, const std::function<void(TensorView<std::uint8_t, 3>)>& change) {
    const Array &X_q = by_name(inputs, "X_q"), &X_kv = by_name(inputs, "X_kv");
    Array mask("mask", {X_q.shape[0], X_q.shape[1], X_kv.shape[1]},
               std::vector<std::uint8_t>(X_q.count() / static_cast<std::size_t>(X_q.shape[2]) *
                                             static_cast<std::size_t>(X_kv.shape[1]),
                                         1));
    if (has(inputs, "mask")) mask = by_name(inputs, "mask");
    change(mask.view<std::uint8_t, 3>());
    return in_place_of(std::move(inputs), std::move(mask));
}

/// Permutes the tokens of X, and the rows (axis 1) or columns (axis 2) of the mask with them.
Arrays permute_tokens(const Arrays& inputs, const char* X, int axis_of_mask, const std::vector<int>& order) {
    Arrays changed = with(inputs, X, permuted(by_name(inputs, X), 1, order));
    if (!has(inputs, "mask")) return changed;
    return with(std::move(changed), "mask", permuted(by_name(inputs, "mask"), axis_of_mask, order));
}

Property queries_permute() {
    return {"queries_permute", "permuted queries, with their rows of the mask, give permuted outputs",
            [](const Arrays& inputs, Random& random) {
                const auto order = random.permutation(by_name(inputs, "X_q").shape[1]);
                return Experiment{
                    {inputs, permute_tokens(inputs, "X_q", 1, order)}, [order](const Outputs& y) {
                        return Relations{{"P f(X_q)", "f(P X_q)", permuted(by_name(y[0], "Y"), 1, order),
                                          by_name(y[1], "Y")}};
                    }};
            }};
}

Arrays permute_keys(const Arrays& inputs, Random& random) {
    return permute_tokens(inputs, "X_kv", 2, random.permutation(by_name(inputs, "X_kv").shape[1]));
}

/// A head owns columns of W_Q, W_K, W_V and of their biases, and rows of W_O.
Arrays permute_heads(const Arrays& inputs, Random& random) {
    const int H = heads_of(inputs);
    const auto order = blocks(random.permutation(H), by_name(inputs, "b_Q").shape[0] / H);
    return permuted(permuted(inputs, {"W_Q", "W_K", "W_V"}, 1, order), {"b_Q", "b_K", "b_V", "W_O"}, 0,
                    order);
}

/// The inputs with zeros in the rows of W_O of all heads that are not kept.
Arrays only_heads(const Arrays& inputs, const std::function<bool(int head)>& kept) {
    Array W_O = by_name(inputs, "W_O");
    const int D = W_O.shape[0], D_h = D / heads_of(inputs);
    const auto view = W_O.view<float, 2>();
    for (int row = 0; row < D; ++row)
        for (int d = 0; d < D; ++d)
            if (!kept(row / D_h)) view(row, d) = 0;
    return with(inputs, "W_O", std::move(W_O));
}

Property sum_over_heads() {
    return {
        "sum_over_heads", "Y is the sum over the heads of O_h times their rows of W_O, plus b_O",
        [](const Arrays& inputs, Random&) {
            std::vector<Arrays> runs{inputs, only_heads(inputs, [](int) { return false; })};
            for (int h = 0; h < heads_of(inputs); ++h)
                runs.push_back(with_zeros(only_heads(inputs, [h](int head) { return head == h; }), {"b_O"}));
            return Experiment{std::move(runs), [](const Outputs& y) {
                                  Array total = by_name(y[1], "Y");
                                  for (std::size_t k = 2; k < y.size(); ++k)
                                      total = combined(1, total, 1, by_name(y[k], "Y"));
                                  return Relations{{"Y", "the sum of what the heads give alone, plus b_O",
                                                    by_name(y[0], "Y"), total}};
                              }};
        }};
}

Property head_removed_exactly() {
    return {"head_removed_exactly", "zeroing one head's rows of W_O removes that head's term and no more",
            [](const Arrays& inputs, Random& random) {
                const int removed = random.below(heads_of(inputs));
                const auto is_removed = [removed](int head) { return head == removed; };
                return Experiment{
                    {inputs, only_heads(inputs, [=](int head) { return !is_removed(head); }),
                     with_zeros(only_heads(inputs, is_removed), {"b_O"})},
                    [](const Outputs& y) {
                        return Relations{{"Y less Y without the head", "the head's term alone",
                                          combined(1, by_name(y[0], "Y"), -1, by_name(y[1], "Y")),
                                          by_name(y[2], "Y")}};
                    }};
            }};
}

/// A head reaches the output only through its rows of W_O.
Property silent_head_is_silent() {
    return {"silent_head_is_silent",
            "if a head's rows of W_O are 0, its columns of W_Q, W_K, W_V do not matter",
            [](const Arrays& inputs, Random& random) {
                const int H = heads_of(inputs), silent = random.below(H);
                const Arrays quiet = only_heads(inputs, [silent](int head) { return head != silent; });
                Arrays other = quiet;
                for (const char* name : {"W_Q", "W_K", "W_V"}) {
                    Array W = by_name(quiet, name);
                    const Array fresh = normal(name, W.shape, random);
                    const int D = W.shape[0];
                    for (int k = 0; k < D; ++k)
                        for (int d = silent * (D / H); d < (silent + 1) * (D / H); ++d)
                            W.view<float, 2>()(k, d) = fresh.view<float, 2>()(k, d);
                    other = with(std::move(other), name, std::move(W));
                }
                return Experiment{{quiet, other}, [](const Outputs& y) {
                                      return Relations{{"Y", "Y with other weights in the silent head",
                                                        by_name(y[0], "Y"), by_name(y[1], "Y")}};
                                  }};
            }};
}

/// X W + b in double.
Array projected(const Arrays& inputs, const char* X, const char* W, const char* bias) {
    Array result = by_name(inputs, X).cast<double>();
    const Array x = result, w = by_name(inputs, W).cast<double>(), b = by_name(inputs, bias).cast<double>();
    const auto y = result.view<double, 3>();
    for (int n = 0; n < y.size(0); ++n)
        for (int i = 0; i < y.size(1); ++i)
            for (int d = 0; d < y.size(2); ++d) {
                y(n, i, d) = b.view<double, 1>()(d);
                for (int k = 0; k < y.size(2); ++k)
                    y(n, i, d) += x.view<double, 3>()(n, i, k) * w.view<double, 2>()(k, d);
            }
    return result;
}

Property one_head_is_assignment_2() {
    return {"one_head_is_assignment_2",
            "H = 1 without a mask is scaled dot-product attention of Q, K, V, times W_O, plus b_O",
            [](const Arrays& inputs, Random&) {
                Arrays one = without(with(inputs, "H", option("H", 1)), "mask");
                const Array Q = projected(one, "X_q", "W_Q", "b_Q"), K = projected(one, "X_kv", "W_K", "b_K"),
                            V = projected(one, "X_kv", "W_V", "b_V");
                Array O = Q;
                cpu::scaled_dot_product_attention<double>(O.view<double, 3>(), {}, Q.view<double, 3>(),
                                                          K.view<double, 3>(), V.view<double, 3>());
                Arrays last = one;
                by_name(last, "X_q") = O;
                by_name(last, "X_q").name = "X_q";
                const Array expected = projected(last, "X_q", "W_O", "b_O");
                return Experiment{{one}, [expected](const Outputs& y) {
                                      return Relations{{"Y", "attention of assignment 2, times W_O, plus b_O",
                                                        by_name(y[0], "Y"), expected}};
                                  }};
            }};
}

Property mask_of_ones_is_no_mask() {
    return {"mask_of_ones_is_no_mask", "a mask of ones gives what no mask gives",
            [](const Arrays& inputs, Random&) {
                const Arrays free = without(inputs, "mask");
                const Arrays ones = with_mask(free, [](TensorView<std::uint8_t, 3>) {});
                return Experiment{{ones, free}, [](const Outputs& y) {
                                      return Relations{{"Y with a mask of ones", "Y without a mask",
                                                        by_name(y[0], "Y"), by_name(y[1], "Y")}};
                                  }};
            }};
}

/// Masks one key for all queries and changes its vector.
Property masked_key_is_silent() {
    return {"masked_key_is_silent", "a vector that no query may attend to does not matter",
            [](const Arrays& inputs, Random& random) {
                const int hidden = random.below(by_name(inputs, "X_kv").shape[1]);
                const Arrays masked = with_mask(inputs, [hidden](TensorView<std::uint8_t, 3> mask) {
                    for (int b = 0; b < mask.size(0); ++b)
                        for (int i = 0; i < mask.size(1); ++i) mask(b, i, hidden) = 0;
                });
                Array X_kv = by_name(inputs, "X_kv");
                const Array fresh = normal("X_kv", X_kv.shape, random);
                for (int b = 0; b < X_kv.shape[0]; ++b)
                    for (int d = 0; d < X_kv.shape[2]; ++d)
                        X_kv.view<float, 3>()(b, hidden, d) = fresh.view<float, 3>()(b, hidden, d);
                return Experiment{{masked, with(masked, "X_kv", X_kv)}, [](const Outputs& y) {
                                      return Relations{{"Y", "Y with another vector at the masked key",
                                                        by_name(y[0], "Y"), by_name(y[1], "Y")}};
                                  }};
            }};
}

Property nothing_allowed_gives_b_O() {
    return {"nothing_allowed_gives_b_O", "a query that may attend to nothing has the output b_O",
            [](const Arrays& inputs, Random&) {
                const Arrays masked = with_mask(inputs, [](TensorView<std::uint8_t, 3> mask) {
                    for (int b = 0; b < mask.size(0); ++b)
                        for (int j = 0; j < mask.size(2); ++j) mask(b, 0, j) = 0;
                });
                const Array bias = by_name(inputs, "b_O").cast<double>();
                return Experiment{{masked}, [bias](const Outputs& y) {
                                      const Array row = leading(by_name(y[0], "Y"), 1, 1);
                                      Array expected = row;
                                      for (std::size_t k = 0; k < row.count(); ++k)
                                          expected.as<double>()[k] = bias.as<double>()[k % bias.count()];
                                      return Relations{{"Y of such a query", "b_O", row, expected}};
                                  }};
            }};
}

std::vector<Property> layer_properties() {
    return {queries_permute(),
            unchanged("keys_permute", "permuting X_kv with the columns of the mask changes nothing",
                      "with X_kv and the mask's columns permuted", permute_keys),
            unchanged("heads_permute", "permuting the heads together with the rows of W_O changes nothing",
                      "with the heads permuted", permute_heads),
            sum_over_heads(),
            head_removed_exactly(),
            silent_head_is_silent(),
            one_head_is_assignment_2(),
            batches_do_not_mix({"X_q", "X_kv", "mask"}),
            mask_of_ones_is_no_mask(),
            masked_key_is_silent(),
            nothing_allowed_gives_b_O()};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"split_heads",
         {undone("merging_gives_X_back", "merging the heads gives X", merge_back),
          carried_over("tokens_permute", "permuted tokens give permuted tokens in every head", 1, 2),
          column_blocks_are_heads()}},
        {"merge_heads",
         {undone("splitting_gives_X_back", "splitting Y gives X", split_back),
          carried_over("tokens_permute", "permuted tokens in every head give permuted tokens", 2, 1),
          heads_are_column_blocks()}},
        {"multi_head_attention", layer_properties()},
    };
}

}  // namespace attn::ask::multi_head
