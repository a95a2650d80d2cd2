// Assignment 6: patches and tokens as a Variant says.

#include <algorithm>

#include "grader/ask/inputs.h"
#include "grader/assignments/vit_patching/variant.h"

namespace attn::ask::vit_patching {
namespace {

/// The indices of a number: row r and column k of its patch, row py and column px in the patch, channel c.
struct Place {
    int r, k, py, px, c;
};

/// Removes the fastest index, 0 .. count - 1, from a combined index and returns it.
int last(int& number, int count) {
    const int value = number % count;
    number /= count;
    return value;
}

/// Maps number f of patch i to an index of the images. No two numbers have the same index unless patches
/// overlap.
class Map {
  public:
    Map(const Variant& variant, const Sizes& sizes)
        : variant_(variant),
          B_(sizes.at("B")),
          C_(sizes.at("C")),
          H_(sizes.at(variant.H_is_W ? "W" : "H")),
          W_(sizes.at(variant.H_is_W ? "H" : "W")),
          P_(sizes.at("P")) {}

    bool possible() const {
        const bool reordered =
            variant_.columns_of_patches || variant_.columns_of_pixels || variant_.channels_apart;
        return variant_.unrolled == Unrolled::patches || !reordered;
    }
    bool covers() const { return !variant_.overlapping || P_ == 1 || (H_ == P_ && W_ == P_); }
    int patches() const { return (H_ / P_) * (W_ / P_); }
    int features() const { return P_ * P_ * C_; }
    int images() const { return B_; }

    /// The index of number f of patch i of image b in [B, C, H, W].
    std::size_t operator()(int b, int i, int f) const {
        Place at = place(i, f);
        if (variant_.turned) at.py = P_ - 1 - at.py, at.px = P_ - 1 - at.px;
        if (variant_.last_channel_first) at.c = C_ - 1 - at.c;
        const int stride = variant_.overlapping ? std::max(1, P_ - 1) : P_;
        const int plane = variant_.B_is_C ? at.c * B_ + b : b * C_ + at.c;
        return static_cast<std::size_t>((plane * H_ + at.r * stride + at.py) * W_ + at.k * stride + at.px);
    }

  private:
    Place place(int i, int f) const {
        const int rows = H_ / P_, columns = W_ / P_;
        int n = i * features() + f;
        Place at{};
        switch (variant_.unrolled) {
            case Unrolled::patches:
                at.c = variant_.channels_apart ? f / (P_ * P_) : last(f, C_);
                at.px = last(f, P_);
                at.py = last(f, P_);
                if (variant_.columns_of_pixels) std::swap(at.px, at.py);
                at.k = variant_.columns_of_patches ? i / rows : i % columns;
                at.r = variant_.columns_of_patches ? i % rows : i / columns;
                break;
            case Unrolled::image:
                at.px = last(n, P_);
                at.k = last(n, columns);
                at.py = last(n, P_);
                at.r = last(n, rows);
                at.c = n;
                break;
            case Unrolled::channels:
                at.px = last(n, P_);
                at.py = last(n, P_);
                at.k = last(n, columns);
                at.r = last(n, rows);
                at.c = n;
                break;
            case Unrolled::features:
                at.k = last(n, columns);
                at.r = last(n, rows);
                at.px = last(n, P_);
                at.py = last(n, P_);
                at.c = n;
                break;
        }
        return at;
    }

    const Variant& variant_;
    int B_, C_, H_, W_, P_;
};

/// Calls move(index in the patches, index in the images, index in the images that are read) for every number.
template <class Move>
void for_each_move(const Variant& variant, const Map& map, Move move) {
    std::size_t at = 0;
    for (int b = 0; b < map.images(); ++b)
        for (int i = 0; i < map.patches(); ++i)
            for (int f = 0; f < map.features(); ++f, ++at)
                move(at, map(b, i, f), map(variant.first_image ? 0 : b, i, f));
}

}  // namespace

template <class T>
bool patchify(const Variant& variant, Array& patches, const Array& X, const Sizes& sizes) {
    const Map map(variant, sizes);
    if (!map.possible()) return false;
    for_each_move(variant, map, [&](std::size_t to, std::size_t, std::size_t from) {
        patches.as<T>()[to] = X.as<T>()[from];
    });
    return true;
}

template <class T>
bool unpatchify(const Variant& variant, Array& X, const Array& patches, const Sizes& sizes) {
    const Map map(variant, sizes);
    if (!map.possible() || !map.covers()) return false;
    const std::size_t image = patches.count() / static_cast<std::size_t>(map.images());
    for_each_move(variant, map, [&](std::size_t from, std::size_t to, std::size_t) {
        X.as<T>()[to] = patches.as<T>()[variant.first_image ? from % image : from];
    });
    return true;
}

template <class T>
bool embed_patches(const Variant& variant, Array& Z, const Arrays& inputs, const Sizes& sizes) {
    const int B = sizes.at("B"), D = sizes.at("D");
    const Map map(variant, sizes);
    const int N = map.patches(), features = map.features();
    Array cut = Array::zeros<T>("patches", {B, N, features});
    if (!patchify<T>(variant, cut, by_name(inputs, "X"), sizes)) return false;
    const auto z = Z.view<T, 3>(), patches = cut.view<T, 3>();
    const auto E = by_name(inputs, "E").view<T, 2>(), E_pos = by_name(inputs, "E_pos").view<T, 2>();
    const auto b = by_name(inputs, "b").view<T, 1>(), cls = by_name(inputs, "cls").view<T, 1>();
    const TensorView<const T, 2> E_T(E.data(), D, features);  // the same memory as [D, P P C]

    const int cls_row = variant.cls_last ? N : 0, first_patch = variant.cls_last ? 0 : 1;
    const bool from_row_0 =
        variant.positions == Positions::patches_from_row_0 || variant.positions == Positions::all_from_row_0;
    const bool cls_has_one =
        variant.positions == Positions::all || variant.positions == Positions::all_from_row_0;
    for (int image = 0; image < B; ++image) {
        for (int d = 0; d < D; ++d) {
            z(image, cls_row, d) = cls(d) + (variant.b_on_cls ? b(d) : T{0});
            if (cls_has_one) z(image, cls_row, d) += E_pos(from_row_0 ? 0 : cls_row, d);
            for (int i = 0; i < N; ++i) {
                T sum = 0;
                for (int f = 0; f < features; ++f)
                    sum += patches(image, i, f) * (variant.E_transposed ? E_T(d, f) : E(f, d));
                if (variant.b) sum += b(d);
                if (variant.positions != Positions::none) sum += E_pos(from_row_0 ? i : first_patch + i, d);
                z(image, first_patch + i, d) = sum;
            }
        }
    }
    return true;
}

#define ATTN_INSTANTIATE(T)                                                          \
    template bool patchify<T>(const Variant&, Array&, const Array&, const Sizes&);   \
    template bool unpatchify<T>(const Variant&, Array&, const Array&, const Sizes&); \
    template bool embed_patches<T>(const Variant&, Array&, const Arrays&, const Sizes&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn::ask::vit_patching
