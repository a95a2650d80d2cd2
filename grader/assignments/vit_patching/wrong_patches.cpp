// Assignment 6, patches and tokens the way somebody makes them.

#include <algorithm>

#include "grader/ask/inputs.h"
#include "grader/assignments/vit_patching/variant.h"

namespace attn::ask::vit_patching {
namespace {

/// The parts of a number's place, in the image's letters.
struct Place {
    int r, k, py, px, c;
};

/// Takes the last of the counters that make up `number` off it.
int last(int& number, int count) {
    const int value = number % count;
    number /= count;
    return value;
}

/// Which number of the image stands at f of patch i; no two are alike unless patches overlap.
class Map {
  public:
    Map(const Variant& way, const Sizes& sizes)
        : way_(way),
          B_(sizes.at("B")),
          C_(sizes.at("C")),
          H_(sizes.at(way.H_is_W ? "W" : "H")),
          W_(sizes.at(way.H_is_W ? "H" : "W")),
          P_(sizes.at("P")) {}

    bool possible() const {
        const bool reordered = way_.columns_of_patches || way_.columns_of_pixels || way_.channels_apart;
        return way_.unrolled == Unrolled::patches || !reordered;
    }
    bool covers() const { return !way_.overlapping || P_ == 1 || (H_ == P_ && W_ == P_); }
    int patches() const { return (H_ / P_) * (W_ / P_); }
    int features() const { return P_ * P_ * C_; }
    int images() const { return B_; }

    /// Where number f of patch i of image b stands in [B, C, H, W].
    std::size_t operator()(int b, int i, int f) const {
        Place at = place(i, f);
        if (way_.turned) at.py = P_ - 1 - at.py, at.px = P_ - 1 - at.px;
        if (way_.last_channel_first) at.c = C_ - 1 - at.c;
        const int stride = way_.overlapping ? std::max(1, P_ - 1) : P_;
        const int plane = way_.B_is_C ? at.c * B_ + b : b * C_ + at.c;
        return static_cast<std::size_t>((plane * H_ + at.r * stride + at.py) * W_ + at.k * stride + at.px);
    }

  private:
    Place place(int i, int f) const {
        const int rows = H_ / P_, columns = W_ / P_;
        int n = i * features() + f;
        Place at{};
        switch (way_.unrolled) {
            case Unrolled::patches:
                at.c = way_.channels_apart ? f / (P_ * P_) : last(f, C_);
                at.px = last(f, P_);
                at.py = last(f, P_);
                if (way_.columns_of_pixels) std::swap(at.px, at.py);
                at.k = way_.columns_of_patches ? i / rows : i % columns;
                at.r = way_.columns_of_patches ? i % rows : i / columns;
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

    const Variant& way_;
    int B_, C_, H_, W_, P_;
};

/// Calls move(place in the patches, place in the images, place in the images that are read) for every number.
template <class Move>
void for_each_move(const Variant& way, const Map& map, Move move) {
    std::size_t at = 0;
    for (int b = 0; b < map.images(); ++b)
        for (int i = 0; i < map.patches(); ++i)
            for (int f = 0; f < map.features(); ++f, ++at)
                move(at, map(b, i, f), map(way.first_image ? 0 : b, i, f));
}

}  // namespace

template <class T>
bool patchify(const Variant& way, Array& patches, const Array& X, const Sizes& sizes) {
    const Map map(way, sizes);
    if (!map.possible()) return false;
    for_each_move(way, map, [&](std::size_t to, std::size_t, std::size_t from) {
        patches.as<T>()[to] = X.as<T>()[from];
    });
    return true;
}

template <class T>
bool unpatchify(const Variant& way, Array& X, const Array& patches, const Sizes& sizes) {
    const Map map(way, sizes);
    if (!map.possible() || !map.covers()) return false;
    const std::size_t image = patches.count() / static_cast<std::size_t>(map.images());
    for_each_move(way, map, [&](std::size_t from, std::size_t to, std::size_t) {
        X.as<T>()[to] = patches.as<T>()[way.first_image ? from % image : from];
    });
    return true;
}

template <class T>
bool embed_patches(const Variant& way, Array& Z, const Arrays& inputs, const Sizes& sizes) {
    const int B = sizes.at("B"), D = sizes.at("D");
    const Map map(way, sizes);
    const int N = map.patches(), features = map.features();
    Array cut = Array::zeros<T>("patches", {B, N, features});
    if (!patchify<T>(way, cut, by_name(inputs, "X"), sizes)) return false;
    const auto z = Z.view<T, 3>(), patches = cut.view<T, 3>();
    const auto E = by_name(inputs, "E").view<T, 2>(), E_pos = by_name(inputs, "E_pos").view<T, 2>();
    const auto b = by_name(inputs, "b").view<T, 1>(), cls = by_name(inputs, "cls").view<T, 1>();
    const TensorView<const T, 2> E_T(E.data(), D, features);  // of the same memory

    const int cls_row = way.cls_last ? N : 0, first_patch = way.cls_last ? 0 : 1;
    const bool from_row_0 =
        way.positions == Positions::patches_from_row_0 || way.positions == Positions::all_from_row_0;
    const bool cls_has_one = way.positions == Positions::all || way.positions == Positions::all_from_row_0;
    for (int image = 0; image < B; ++image) {
        for (int d = 0; d < D; ++d) {
            z(image, cls_row, d) = cls(d) + (way.b_on_cls ? b(d) : T{0});
            if (cls_has_one) z(image, cls_row, d) += E_pos(from_row_0 ? 0 : cls_row, d);
            for (int i = 0; i < N; ++i) {
                T sum = 0;
                for (int f = 0; f < features; ++f)
                    sum += patches(image, i, f) * (way.E_transposed ? E_T(d, f) : E(f, d));
                if (way.b) sum += b(d);
                if (way.positions != Positions::none) sum += E_pos(from_row_0 ? i : first_patch + i, d);
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
