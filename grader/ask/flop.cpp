#include "grader/ask/flop.h"

#include <map>

namespace attn::ask::flop {
namespace {

/// Scores, their scaling, softmax, weighted values, for each of `heads` heads.
double attention(double heads, double N_q, double N_k, double D_q, double D_v) {
    return heads * (product(N_q, D_q, N_k) + N_q * N_k + softmax(N_q, N_k) + product(N_q, N_k, D_v));
}

/// X W + b
double projection(double rows, double in, double out) {
    return product(rows, in, out) + rows * out;
}

double multi_head(double B, double N_q, double N_k, double D, double H) {
    return 2 * projection(B * N_q, D, D) + 2 * projection(B * N_k, D, D) +
           attention(B * H, N_q, N_k, D / H, D / H);
}

/// Mean (D + 1), variance (3 D + 1), root (2), and four operations for each number.
double norm(double rows, double D) {
    return rows * (8 * D + 4);
}

double feed(double rows, double D, double F) {
    return projection(rows, D, F) + rows * F + projection(rows, F, D);
}

double block(double B, double N, double D, double F, double H) {
    return multi_head(B, N, N, D, H) + feed(B * N, D, F) + 2 * norm(B * N, D) + 2 * B * N * D;
}

/// e = v . tanh(q + k) for `words` keys of `sentences` queries. Counts the projection of q, not that of k.
double scores(double sentences, double words, double D_s, double D_a) {
    return product(sentences, D_s, D_a) + sentences * words * 4 * D_a;
}

double additive_scores(const Sizes& n) {
    const double B = n.at("B"), T = n.at("T"), D_a = n.at("D_a");
    return product(B * T, n.at("D_h"), D_a) + scores(B, T, n.at("D_s"), D_a);
}

double decode(const Sizes& n) {
    const double B = n.at("B"), T = n.at("T"), L = n.at("L");
    const double D_y = n.at("D_y"), D_h = n.at("D_h"), D_s = n.at("D_s"), D_a = n.at("D_a");
    const double first_state = projection(B, D_h, D_s) + B * D_s;
    const double keys = product(B * T, D_h, D_a);
    const double context = softmax(B, T) + product(B, T, D_h);
    const double step = projection(B, D_y + D_h + D_s, D_s) + B * D_s;
    return first_state + keys + L * (scores(B, T, D_s, D_a) + context + step);
}

double grid_attention(const Sizes& n) {
    const double B = n.at("B"), cells = static_cast<double>(n.at("R")) * n.at("C"), D_h = n.at("D_h");
    return product(B * cells, D_h, n.at("D_a")) + scores(B, cells, n.at("D_s"), n.at("D_a")) +
           softmax(B, cells) + product(B, cells, D_h);
}

double encode(const Sizes& n) {
    const double steps = static_cast<double>(n.at("B")) * n.at("T"), D = n.at("D");
    return n.at("M") * (projection(steps, 2 * D, D) + steps * D);
}

double scaled_dot_product_attention(const Sizes& n) {
    return attention(n.at("B"), n.at("N_q"), n.at("N_k"), n.at("D_q"), n.at("D_v"));
}

double self_attention(const Sizes& n) {
    const double B = n.at("B"), N = n.at("N"), D_q = n.at("D_q"), D_v = n.at("D_v");
    return product(B * N, n.at("D_x"), 2 * D_q + D_v) + attention(B, N, N, D_q, D_v);
}

double multi_head_attention(const Sizes& n) {
    return multi_head(n.at("B"), n.at("N_q"), n.at("N_k"), n.at("D"), n.at("H"));
}

double layer_norm(const Sizes& n) {
    return norm(n.at("N"), n.at("D"));
}

double feed_forward(const Sizes& n) {
    return feed(n.at("N"), n.at("D"), n.at("F"));
}

double transformer_block(const Sizes& n) {
    return block(n.at("B"), n.at("N"), n.at("D"), n.at("F"), n.at("H"));
}

double transformer_encoder(const Sizes& n) {
    return n.at("L") * transformer_block(n) + norm(static_cast<double>(n.at("B")) * n.at("N"), n.at("D"));
}

double embed_patches(const Sizes& n) {
    const double B = n.at("B"), D = n.at("D"), tokens = length_of("H/P*W/P+1", n);
    return projection(B * (tokens - 1), length_of("P*P*C", n), D) + B * tokens * D;
}

double vit_encode(const Sizes& n) {
    const double B = n.at("B"), D = n.at("D"), tokens = length_of("H/P*W/P+1", n);
    return embed_patches(n) + n.at("L") * block(B, tokens, D, n.at("F"), n.at("heads")) +
           norm(B * tokens, D) + projection(B, D, n.at("K"));
}

/// The lengths N_q and N_k are N.
double blocked_attention(const Sizes& n) {
    Sizes plain = n;
    plain["N_q"] = plain["N_k"] = n.at("N");
    return scaled_dot_product_attention(plain);
}

}  // namespace

double product(double n, double k, double m) {
    return 2 * n * k * m;
}

double softmax(double rows, double n) {
    return 5 * rows * n;
}

std::function<double(const Sizes&)> operations_of(const std::string& function) {
    static const std::map<std::string, double (*)(const Sizes&)> kCounts = {
        {"additive_scores", additive_scores},
        {"decode", decode},
        {"grid_attention", grid_attention},
        {"encode", encode},
        {"scaled_dot_product_attention", scaled_dot_product_attention},
        {"self_attention", self_attention},
        {"multi_head_attention", multi_head_attention},
        {"masked_attention", scaled_dot_product_attention},
        {"layer_norm", layer_norm},
        {"feed_forward", feed_forward},
        {"transformer_block", transformer_block},
        {"transformer_encoder", transformer_encoder},
        {"embed_patches", embed_patches},
        {"vit_encode", vit_encode},
        {"blocked_attention", blocked_attention},
    };
    const auto found = kCounts.find(function);
    return found == kCounts.end() ? nullptr : found->second;
}

}  // namespace attn::ask::flop
