#pragma once
/// The trained weights of a model, under the names of the contract.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "reference/models/stack.h"

namespace attn::trained {

class Weights {
  public:
    /// Throws data::FileError if the file cannot be read.
    explicit Weights(const std::filesystem::path& file);
    explicit Weights(Arrays arrays, std::map<std::string, std::string> texts = {});

    /// The array with this name, under the name `as`. Throws UserError if there is none.
    Array operator()(const std::string& name, const std::string& as = {}) const;

    /// The arrays of all blocks, whose names in the file begin with "blocks.L.", along the first axis, as
    /// transformer_encoder takes them, with the last layer norm.
    Arrays encoder() const;

    /// The arrays of block l of a decoder, whose names in the file begin with "decoder.L.", as decoder_block
    /// takes them.
    Arrays decoder_block(int l) const;
    /// The arrays of all of them, along the first axis, as transformer takes them, with the last layer norm.
    Arrays decoder() const;
    int decoder_blocks() const;

    /// The arrays of all blocks of co-attention, as vision_language_encode takes them.
    Arrays co_blocks() const;

    /// The sizes of the blocks, with so many heads.
    training::StackSizes stack_sizes(int heads) const;
    /// The numbers of a model with this layout. Throws UserError if they are another model's.
    training::Numbers numbers(const training::Layout& layout) const;

    /// What the file says about its making, "KEY: TEXT".
    std::vector<std::string> texts() const;

  private:
    /// Each block has an array of the name `counted`.
    int count_blocks(const std::string& prefix, const std::string& counted = "gamma_1") const;
    /// The weights that a block's function takes, of block l.
    Arrays block(const std::string& function, const std::string& prefix, int l) const;
    /// Those of all blocks, along the first axis.
    Arrays stacked(const std::string& function, const std::string& prefix) const;

    Arrays arrays_;
    std::map<std::string, std::string> texts_;
    std::string file_;
};

}  // namespace attn::trained
