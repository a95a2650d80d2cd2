#pragma once
/// A transformer block with a switch for every misconception, so that any two of them can be combined.

#include "assignments/05_transformer_block/transformer_block.h"

namespace attn::ask::transformer_block {

enum class Over { features, tokens, everything };  // what a norm's mean runs over
enum class Variance {
    one_D,
    one_D_minus_1,
    sum,
    mean_of_squares
};  // mean_of_squares: minus the squared mean
enum class Divisor { root_of_var_plus_eps, root_of_sigma_plus_eps, sigma_plus_eps, var_plus_eps };
enum class Eps { given, none, always_1e_5 };
enum class Affine { gamma_z_plus_beta, gamma_dropped, beta_dropped, shift_first };
enum class Chosen { as_given, always_relu, relu_and_gelu_swapped, erf_for_tanh, tanh_for_erf };
enum class Gelu { right, tanh_by_quotient, no_root_of_2 };
enum class Acts { between, behind_W_2, twice, never };
enum class Final { after_pre, never, always, every_block };

/// With its default values: the right computation.
struct Variant {
    // Layer norm
    Over over = Over::features;
    Variance variance = Variance::one_D;
    Divisor divisor = Divisor::root_of_var_plus_eps;
    Eps eps = Eps::given;
    Affine affine = Affine::gamma_z_plus_beta;
    bool mean_is_the_sum = false;
    bool not_centred = false;
    // Feed-forward
    Chosen chosen = Chosen::as_given;
    Gelu gelu = Gelu::right;
    Acts acts = Acts::between;
    bool b_1_dropped = false;
    bool b_2_dropped = false;
    bool matrices_transposed = false;
    // Block
    bool pre_and_post_swapped = false;
    bool no_residual_at_attention = false;
    bool no_residual_at_feed_forward = false;
    bool residual_from_norm = false;
    bool norm_before_add = false;
    bool first_norm_twice = false;
    bool norms_swapped = false;
    bool no_first_norm = false;
    bool no_second_norm = false;
    bool feed_forward_first = false;
    bool feed_forward_reads_X = false;
    bool second_residual_is_X = false;
    bool keys_not_normalised = false;
    bool mask_ignored = false;
    bool one_head = false;
    // Encoder
    Final final_norm = Final::after_pre;
    bool first_block_again = false;
    bool every_block_reads_X = false;
    bool one_block_too_few = false;
    bool first_block_left_out = false;

    bool operator==(const Variant&) const = default;
};

/// The options of a block.
struct Options {
    int H;
    Norm norm;
    Activation activation;
    double eps;
};

template <class T>
void layer_norm(const Variant& variant, TensorView<T, 2> Y, TensorView<const T, 2> X,
                TensorView<const T, 1> gamma, TensorView<const T, 1> beta, double eps);

/// False if the shapes do not allow this variant.
template <class T>
bool feed_forward(const Variant& variant, TensorView<T, 2> Y, TensorView<const T, 2> X,
                  TensorView<const T, 2> W_1, TensorView<const T, 1> b_1, TensorView<const T, 2> W_2,
                  TensorView<const T, 1> b_2, Activation activation);

template <class T>
bool block(const Variant& variant, TensorView<T, 3> Y, TensorView<const T, 3> X,
           const BlockWeights<T>& weights, TensorView<const std::uint8_t, 3> mask, const Options& options);

template <class T>
bool encoder(const Variant& variant, TensorView<T, 3> Y, TensorView<const T, 3> X,
             const EncoderWeights<T>& weights, TensorView<const std::uint8_t, 3> mask,
             const Options& options);

}  // namespace attn::ask::transformer_block
