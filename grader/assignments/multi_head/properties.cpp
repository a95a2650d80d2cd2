// Assignment 3: the properties of split_heads and merge_heads.

#include <utility>

#include "contracts/multi_head_reference.h"
#include "grader/ask/laws.h"
#include "grader/assignments/multi_head/parts.h"

namespace attn::ask::multi_head {
namespace {

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

}  // namespace

int heads_of(const Arrays& inputs) {
    return static_cast<int>(by_name(inputs, "H").as<double>().at(0));
}

std::vector<int> blocks(const std::vector<int>& order, int width) {
    std::vector<int> all;
    for (const int block : order)
        for (int d = 0; d < width; ++d) all.push_back(block * width + d);
    return all;
}

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
