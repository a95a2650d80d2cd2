// Assignment 6: the properties of embed_patches and vit_encode.

#include "grader/ask/laws.h"
#include "grader/assignments/vit_patching/helpers.h"

namespace attn::ask::vit_patching {
namespace {

/// Adds sign * v to the rows first .. end - 1 of a matrix. A vector is a matrix of one row.
Array plus(Array array, double sign, const Array& v, int first, int end) {
    const auto D = v.count();
    for (auto k = static_cast<std::size_t>(first) * D; k < static_cast<std::size_t>(end) * D; ++k)
        array.as<float>()[k] += static_cast<float>(sign) * v.as<float>()[k % D];
    return array;
}

/// Z[1 + i] as a convolution: the kernel C x P x P of output channel d moves over the image in steps of P.
Array convolved(const Arrays& inputs) {
    const auto X = by_name(inputs, "X").view<float, 4>();
    const auto E = by_name(inputs, "E").view<float, 2>(), E_pos = by_name(inputs, "E_pos").view<float, 2>();
    const auto b = by_name(inputs, "b").view<float, 1>();
    const int P = static_cast<int>(option_of(inputs, "P")), C = X.size(1), D = E.size(1),
              columns = X.size(3) / P;
    Array result = Array::zeros<double>("", {X.size(0), E_pos.size(0) - 1, D});
    const auto y = result.view<double, 3>();
    const auto kernel = [&](int d, int c, int py, int px) { return E((py * P + px) * C + c, d); };
    for (int image = 0; image < X.size(0); ++image) {
        for (int d = 0; d < D; ++d) {
            for (int i = 0; i < y.size(1); ++i) {
                double sum = static_cast<double>(b(d)) + static_cast<double>(E_pos(1 + i, d));
                for (int c = 0; c < C; ++c)
                    for (int py = 0; py < P; ++py)
                        for (int px = 0; px < P; ++px)
                            sum +=
                                static_cast<double>(X(image, c, i / columns * P + py, i % columns * P + px)) *
                                static_cast<double>(kernel(d, c, py, px));
                y(image, i, d) = sum;
            }
        }
    }
    return result;
}

Property convolution() {
    return {"convolution",
            "the patches' tokens are a convolution of the image with stride P, plus b and E_pos",
            [](const Arrays& inputs, Random&) {
                return Experiment{{inputs}, [expected = convolved(inputs)](const Outputs& y) {
                                      return Relations{{"Z after the class token", "the convolution",
                                                        slices_from(by_name(y[0], "Z"), 1, 1), expected}};
                                  }};
            }};
}

Property class_token() {
    return {"class_token", "row 0 of Z is cls + E_pos[0], whatever the image",
            [](const Arrays& inputs, Random&) {
                const Array& cls = by_name(inputs, "cls");
                const Array row = plus(cls, 1, leading(by_name(inputs, "E_pos"), 0, 1), 0, 1);
                return Experiment{{inputs}, [row](const Outputs& y) {
                                      const Array first = leading(by_name(y[0], "Z"), 1, 1);
                                      Array expected = first;
                                      for (std::size_t k = 0; k < expected.count(); ++k)
                                          expected.as<double>()[k] =
                                              static_cast<double>(row.as<float>()[k % row.count()]);
                                      return Relations{{"Z", "cls + E_pos[0]", first, expected}};
                                  }};
            }};
}

/// Permutes the image's patches and their rows of E_pos. Row 0 stays.
Arrays shuffled(const Arrays& inputs, const std::vector<int>& order) {
    const Array& X = by_name(inputs, "X");
    const int P = static_cast<int>(option_of(inputs, "P"));
    std::vector<int> rows{0};
    for (const int i : order) rows.push_back(1 + i);
    return with(with(inputs, "X", together(permuted(cut(X, P), 1, order), X.shape, P)), "E_pos",
                permuted(by_name(inputs, "E_pos"), 0, rows));
}

int patch_count(const Arrays& inputs) {
    return by_name(inputs, "E_pos").shape[0] - 1;
}

Property tokens_permute() {
    return {"patches_permute", "patches and their positions in another order give tokens in that order",
            [](const Arrays& inputs, Random& random) {
                const auto order = random.permutation(patch_count(inputs));
                return Experiment{
                    {inputs, shuffled(inputs, order)}, [order](const Outputs& y) {
                        return Relations{{"Z of the patches in another order", "Z in that order",
                                          slices_from(by_name(y[1], "Z"), 1, 1),
                                          permuted(slices_from(by_name(y[0], "Z"), 1, 1), 1, order)}};
                    }};
            }};
}

/// Adds a vector to the parameter `from` and subtracts it from E_pos[first .. end - 1]. Its numbers are
/// multiples of 1/64 below 8, so that there is almost no rounding error.
Arrays moved_to_positions(const Arrays& inputs, const std::string& from, int first, int end, Random& random) {
    const Array& given = by_name(inputs, from);
    const Array v =
        map(normal("v", given.shape, random), [](double x) { return static_cast<int>(x * 64) / 64.0; });
    return with(with(inputs, from, plus(given, 1, v, 0, 1)), "E_pos",
                plus(by_name(inputs, "E_pos"), -1, v, first, end));
}

Property b_or_positions() {
    return unchanged(
        "b_or_positions", "only the sum of b and rows 1 .. N of E_pos counts",
        "with v added to b and taken from rows 1 .. N of E_pos",
        [](const Arrays& inputs, Random& random) {
            return moved_to_positions(inputs, "b", 1, 1 + patch_count(inputs), random);
        },
        "Z");
}

Property cls_or_position(const std::string& output) {
    return unchanged(
        "cls_or_position", "only the sum of cls and row 0 of E_pos counts",
        "with v added to cls and taken from row 0 of E_pos",
        [](const Arrays& inputs, Random& random) { return moved_to_positions(inputs, "cls", 0, 1, random); },
        output);
}

/// Adds the same number to all of E_pos. Residuals pass it on, and every layer norm removes it.
Arrays lift(const Arrays& inputs, Random& random) {
    const double lift = 1 + random.uniform();
    return with(inputs, "E_pos", map(by_name(inputs, "E_pos"), [lift](double x) { return x + lift; }));
}

/// The factors are powers of 2, so that rounding does not change.
Arrays rescale_head(const Arrays& inputs, Random&) {
    Arrays changed = with(inputs, "W_head", scaled(by_name(inputs, "W_head"), 0.25));
    for (const char* name : {"gamma", "beta"})
        changed = with(changed, name, scaled(by_name(inputs, name), 4));
    return changed;
}

/// With the last matrices of the blocks 0, no token depends on another. So the class token does not depend on
/// the image.
Property idle_blocks() {
    return {"idle_blocks", "if W_O, b_O, W_2 and b_2 are 0, no logit depends on the image",
            [](const Arrays& inputs, Random& random) {
                const Arrays idle = with_zeros(inputs, {"W_O", "b_O", "W_2", "b_2"});
                const Array other = normal("X", by_name(inputs, "X").shape, random);
                return Experiment{{idle, with(idle, "X", other)}, [](const Outputs& y) {
                                      return Relations{{"logits", "logits of another image",
                                                        by_name(y[0], "logits"), by_name(y[1], "logits")}};
                                  }};
            }};
}

Property classes_permute() {
    return {"classes_permute", "columns of W_head and b_head in another order give the logits in that order",
            [](const Arrays& inputs, Random& random) {
                const Array &W_head = by_name(inputs, "W_head"), &b_head = by_name(inputs, "b_head");
                const auto order = random.permutation(b_head.shape[0]);
                const Arrays changed = with(with(inputs, "W_head", permuted(W_head, 1, order)), "b_head",
                                            permuted(b_head, 0, order));
                return Experiment{{inputs, changed}, [order](const Outputs& y) {
                                      return Relations{{"logits of the classes in another order",
                                                        "logits in that order", by_name(y[1], "logits"),
                                                        permuted(by_name(y[0], "logits"), 1, order)}};
                                  }};
            }};
}

}  // namespace

std::vector<Property> embed_patches_properties() {
    return {convolution(),
            one_pixel_one_row("one_pixel_one_token", "one pixel goes into exactly one token", "Z"),
            class_token(),
            tokens_permute(),
            b_or_positions(),
            cls_or_position("Z"),
            batches_do_not_mix({"X"}, "Z")};
}

std::vector<Property> vit_encode_properties() {
    return {unchanged(
                "patches_permute", "patches and their positions in another order leave the logits",
                "of patches and positions in another order",
                [](const Arrays& inputs, Random& random) {
                    return shuffled(inputs, random.permutation(patch_count(inputs)));
                },
                "logits"),
            cls_or_position("logits"),
            idle_blocks(),
            unchanged("lifted", "the same number added to all of E_pos changes nothing",
                      "with a number added to all of E_pos", lift, "logits"),
            unchanged("final_norm", "gamma and beta times 4 and W_head over 4 change nothing",
                      "with 4 gamma, 4 beta and W_head / 4", rescale_head, "logits"),
            classes_permute(),
            linear_in("W_head", "logits"),
            batches_do_not_mix({"X"}, "logits")};
}

}  // namespace attn::ask::vit_patching
