// Assignment 18: the properties.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"

namespace attn::ask::co_attention {
namespace {

int length(const Arrays& inputs, const char* name, std::size_t axis) {
    return by_name(inputs, name).shape[axis];
}

/// The arrays of these names that a call has.
std::vector<std::string> present(const Arrays& inputs, const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const std::string& name : names)
        if (has(inputs, name)) all.push_back(name);
    return all;
}

/// Whether vector j of pair b may be attended to.
bool allowed(const Arrays& inputs, const std::string& mask, int b, int j) {
    return !has(inputs, mask) || by_name(inputs, mask).view<std::uint8_t, 2>()(b, j) == 1;
}

/// X with other normal numbers at the places that the mask hides.
Arrays with_others_where_hidden(const Arrays& inputs, const std::string& X, const std::string& mask,
                                Random& random) {
    Array changed = by_name(inputs, X);
    const auto x = changed.view<float, 3>();
    for (int b = 0; b < x.size(0); ++b)
        for (int j = 0; j < x.size(1); ++j)
            for (int d = 0; d < x.size(2) && !allowed(inputs, mask, b, j); ++d) x(b, j, d) = random.normal();
    return with(inputs, X, changed);
}

/// Y [B, N, D] with 0 at the places that the mask hides.
Array where_allowed(Array Y, const Arrays& inputs, const std::string& mask) {
    const auto y = Y.view<double, 3>();
    for (int b = 0; b < y.size(0); ++b)
        for (int i = 0; i < y.size(1); ++i)
            for (int d = 0; d < y.size(2) && !allowed(inputs, mask, b, i); ++d) y(b, i, d) = 0;
    return Y;
}

/// "X_r" is "X_w" and "X_w" is "X_r".
std::string exchanged(std::string name) {
    const bool of_stream = name.size() > 2 && name[name.size() - 2] == '_';
    if (of_stream && name.back() == 'r')
        name.back() = 'w';
    else if (of_stream && name.back() == 'w')
        name.back() = 'r';
    return name;
}

Arrays exchanged(Arrays inputs) {
    for (Array& array : inputs) array.name = exchanged(array.name);
    return inputs;
}

/// The slices of some inputs in another order: one output follows, the other stays.
Property permutes(std::string name, std::string statement, std::vector<std::string> names, int axis,
                  const std::string& follows, const std::string& stays) {
    return {std::move(name), std::move(statement),
            [names = std::move(names), axis, follows, stays](const Arrays& inputs, Random& random) {
                const std::vector<std::string> moved = present(inputs, names);
                const auto order =
                    random.permutation(by_name(inputs, names.front()).shape[static_cast<std::size_t>(axis)]);
                Arrays changed = permuted(inputs, moved, axis, order);
                // Positions belong to places, and have no batch in front.
                if (names.front() == "tokens")
                    changed = with(changed, "P", permuted(by_name(inputs, "P"), 0, order));
                return Experiment{
                    {inputs, changed}, [order, axis, follows, stays](const Outputs& y) {
                        return Relations{
                            {follows + " in this order", follows + " of inputs in this order",
                             permuted(by_name(y[0], follows), axis, order), by_name(y[1], follows)},
                            {stays, stays + " with the other stream in another order", by_name(y[0], stays),
                             by_name(y[1], stays)}};
                    }};
            }};
}

Property image_scales() {
    return unchanged(
        "image_scales", "an image of twice the size with boxes of twice the size has the same regions",
        "with all pixels counted twice",
        [](const Arrays& inputs, Random&) {
            Arrays changed = inputs;
            for (const char* name : {"boxes", "width", "height"})
                by_name(changed, name) = scaled(by_name(changed, name), 2);
            return changed;
        },
        "X");
}

/// Both halves of a box, cut between left and right.
Property halves_share_the_area() {
    return {"halves_share_the_area", "the areas of the two halves of a box sum to the area of the box",
            [](const Arrays& inputs, Random&) {
                Array left = by_name(inputs, "boxes"), right = left;
                const auto L = left.view<float, 3>(), R = right.view<float, 3>();
                for (int b = 0; b < L.size(0); ++b)
                    for (int i = 0; i < L.size(1); ++i)
                        L(b, i, 2) = R(b, i, 0) = (L(b, i, 0) + L(b, i, 2)) / 2;
                return Experiment{{inputs, with(inputs, "boxes", left), with(inputs, "boxes", right)},
                                  [](const Outputs& y) {
                                      const auto area = [&y](std::size_t run) {
                                          return slices(by_name(y[run], "five"), 2, 4, 1);
                                      };
                                      return Relations{{"the area of a box", "the sum of its halves' areas",
                                                        area(0), combined(1, area(1), 1, area(2))}};
                                  }};
            }};
}

Property weights_sum_to_one() {
    return {"weights_sum_to_one",
            "the weights of a query sum to 1, or to 0 if it may attend to nothing; masked ones are 0",
            [](const Arrays& inputs, Random&) {
                return Experiment{{inputs}, [inputs](const Outputs& y) {
                                      const Array& A = by_name(y[0], "A");
                                      Array wanted = row_sums(A), masked = A;
                                      const auto sums = wanted.view<double, 3>();
                                      const auto zeros = masked.view<double, 4>();
                                      for (int b = 0; b < zeros.size(0); ++b)
                                          for (int h = 0; h < zeros.size(1); ++h)
                                              for (int i = 0; i < zeros.size(2); ++i) {
                                                  sums(b, h, i) = 0;
                                                  for (int j = 0; j < zeros.size(3); ++j) {
                                                      const bool open = allowed(inputs, "mask", b, j);
                                                      if (open) sums(b, h, i) = 1;
                                                      if (!open) zeros(b, h, i, j) = 0;
                                                  }
                                              }
                                      return Relations{
                                          {"the sum of a row of A", "the wanted sum", row_sums(A), wanted},
                                          {"A", "A with 0 where the mask is 0", A, masked, true}};
                                  }};
            }};
}

Property keys_have_no_order() {
    return unchanged("keys_have_no_order", "vectors that are asked have no order",
                     "with X_kv in another order", [](const Arrays& inputs, Random& random) {
                         return permuted(inputs, present(inputs, {"X_kv", "mask"}), 1,
                                         random.permutation(length(inputs, "X_kv", 1)));
                     });
}

Property masked_keys_change_nothing() {
    return {"masked_changes_nothing", "what stands in masked vectors changes nothing, bit for bit",
            [](const Arrays& inputs, Random& random) {
                return Experiment{{inputs, with_others_where_hidden(inputs, "X_kv", "mask", random)},
                                  [](const Outputs& y) {
                                      return Relations{{"Y", "Y with other masked vectors",
                                                        by_name(y[0], "Y"), by_name(y[1], "Y"), true}};
                                  }};
            }};
}

Property one_vector_is_constant() {
    return {"one_vector_is_constant", "if one vector may be asked, every query gets the same",
            [](const Arrays& inputs, Random&) {
                Arrays one = with(inputs, "X_kv", leading(by_name(inputs, "X_kv"), 1, 1));
                if (has(inputs, "mask"))
                    one = with(one, "mask",
                               map(leading(by_name(inputs, "mask"), 1, 1), [](double) { return 1.0; }));
                return Experiment{{one}, [](const Outputs& y) {
                                      const Array& Y = by_name(y[0], "Y");
                                      const std::vector<int> first(static_cast<std::size_t>(Y.shape[1]));
                                      return Relations{{"Y", "its first row", Y, permuted(Y, 1, first)}};
                                  }};
            }};
}

/// Of a block: what masked vectors hold is seen at their own place alone.
Property masked_vectors_change_nothing() {
    return {"masked_changes_nothing",
            "what stands in a masked vector changes the output at its own place only, bit for bit",
            [](const Arrays& inputs, Random& random) {
                return Experiment{
                    {inputs, with_others_where_hidden(inputs, "X_w", "mask_w", random),
                     with_others_where_hidden(inputs, "X_r", "mask_r", random)},
                    [inputs](const Outputs& y) {
                        const auto rest = [&](std::size_t run, const char* name, const char* mask) {
                            return where_allowed(by_name(y[run], name), inputs, mask);
                        };
                        return Relations{{"Y_r", "Y_r with other masked words", by_name(y[0], "Y_r"),
                                          by_name(y[1], "Y_r"), true},
                                         {"Y_w of the other words", "the same with other masked words",
                                          rest(0, "Y_w", "mask_w"), rest(1, "Y_w", "mask_w"), true},
                                         {"Y_w", "Y_w with other masked regions", by_name(y[0], "Y_w"),
                                          by_name(y[2], "Y_w"), true},
                                         {"Y_r of the other regions", "the same with other masked regions",
                                          rest(0, "Y_r", "mask_r"), rest(2, "Y_r", "mask_r"), true}};
                    }};
            }};
}

/// `outputs`: both streams', or one output that belongs to both.
Property streams_exchange(std::vector<std::string> outputs) {
    return {"streams_exchange", "the streams exchanged, with all their weights, have each other's outputs",
            [outputs = std::move(outputs)](const Arrays& inputs, Random&) {
                return Experiment{
                    {inputs, exchanged(inputs)}, [outputs](const Outputs& y) {
                        Relations all;
                        for (const std::string& name : outputs)
                            all.push_back({name, exchanged(name) + " of the exchanged streams",
                                           by_name(y[0], name), by_name(y[1], exchanged(name))});
                        return all;
                    }};
            }};
}

/// The weights that only make the new vectors of one stream.
Arrays with_another_update(Arrays inputs, char stream, Random& random) {
    for (const std::string name : {"W_O_", "b_O_", "W_1_", "b_1_", "W_2_", "b_2_", "gamma_1_", "beta_2_"}) {
        Array& array = by_name(inputs, name + stream);
        array = normal(array.name, array.shape, random);
    }
    return inputs;
}

Property both_at_once() {
    return {"both_at_once", "how one stream is updated changes nothing in the other, bit for bit",
            [](const Arrays& inputs, Random& random) {
                return Experiment{{inputs, with_another_update(inputs, 'w', random),
                                   with_another_update(inputs, 'r', random)},
                                  [](const Outputs& y) {
                                      return Relations{{"Y_r", "Y_r with another update of the words",
                                                        by_name(y[0], "Y_r"), by_name(y[1], "Y_r"), true},
                                                       {"Y_w", "Y_w with another update of the regions",
                                                        by_name(y[0], "Y_w"), by_name(y[2], "Y_w"), true}};
                                  }};
            }};
}

/// Another word where the mask is 0.
Property masked_word_changes_nothing() {
    return {"masked_word_changes_nothing",
            "which word stands at a masked place is seen at this place alone, bit for bit",
            [](const Arrays& inputs, Random&) {
                Array tokens = by_name(inputs, "tokens");
                const auto t = tokens.view<int, 2>();
                const int V = length(inputs, "table", 0);
                for (int b = 0; b < t.size(0); ++b)
                    for (int i = 0; i < t.size(1); ++i)
                        if (!allowed(inputs, "mask_w", b, i)) t(b, i) = (t(b, i) + 1) % V;
                return Experiment{{inputs, with(inputs, "tokens", tokens)}, [inputs](const Outputs& y) {
                                      return Relations{
                                          {"Y_r", "Y_r with other masked words", by_name(y[0], "Y_r"),
                                           by_name(y[1], "Y_r"), true},
                                          {"Y_w of the other words", "the same with other masked words",
                                           where_allowed(by_name(y[0], "Y_w"), inputs, "mask_w"),
                                           where_allowed(by_name(y[1], "Y_w"), inputs, "mask_w"), true}};
                                  }};
            }};
}

Property first_vectors_alone() {
    return {"first_vectors_alone", "the score reads the first vector of each stream, and no other",
            [](const Arrays& inputs, Random& random) {
                Arrays changed = inputs;
                for (const char* name : {"X_r", "X_w"})
                    changed = with(changed, name, with_other_rows(by_name(inputs, name), 1, random));
                return Experiment{
                    {inputs, changed}, [](const Outputs& y) {
                        return Relations{{"score", "score with other vectors after the first",
                                          by_name(y[0], "score"), by_name(y[1], "score"), true}};
                    }};
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"embed_regions",
         {equivariant("regions_permute", "regions in another order have their vectors in that order",
                      {"features", "boxes"}, 1, "X"),
          image_scales(), halves_share_the_area(), linear_in("features", "X"),
          batches_do_not_mix({"features"}, "X")}},
        {"co_attention",
         {weights_sum_to_one(),
          equivariant("queries_permute", "vectors that ask in another order get theirs in that order",
                      {"X_q"}, 1),
          keys_have_no_order(), masked_keys_change_nothing(), one_vector_is_constant(), linear_in("W_O"),
          batches_do_not_mix({"X_q", "X_kv", "mask"})}},
        {"co_attention_block",
         {permutes("regions_permute", "regions in another order: theirs follow, and the words' stay",
                   {"X_r", "mask_r"}, 1, "Y_r", "Y_w"),
          permutes("words_permute", "words in another order: theirs follow, and the regions' stay",
                   {"X_w", "mask_w"}, 1, "Y_w", "Y_r"),
          masked_vectors_change_nothing(), streams_exchange({"Y_r", "Y_w"}), both_at_once(),
          batches_do_not_mix({"X_r", "X_w", "mask_r", "mask_w"}, "Y_r")}},
        {"vision_language_encode",
         {permutes("regions_permute", "regions in another order: theirs follow, and the words' stay",
                   {"features", "boxes", "mask_r"}, 1, "Y_r", "Y_w"),
          permutes("words_permute_with_positions",
                   "words in another order, with their positions: theirs follow, and the regions' stay",
                   {"tokens", "mask_w"}, 1, "Y_w", "Y_r"),
          masked_word_changes_nothing(), batches_do_not_mix({"features", "mask_r", "mask_w"}, "Y_w")}},
        {"alignment_score",
         {first_vectors_alone(), streams_exchange({"score"}), linear_in("v", "score"),
          batches_do_not_mix({"X_r", "X_w"}, "score")}},
    };
}

}  // namespace attn::ask::co_attention
