#pragma once
/// The decoder with attention, which keeps what its backward needs.

#include "assignments/21_recurrent_backward/recurrent_backward.h"
#include "reference/fast/buffer.h"
#include "reference/fast/matmul.h"

namespace attn::fast {

/// What s_0 is computed from: the state of the last word that counts, or 0 where there is none, as in assignment 1; or the
/// mean over all words, as assignment 8 has it for the cells of a grid.
enum class FirstState { last_word, mean };

/// What L steps leave, step after step: rows [t B, (t + 1) B) belong to step t.
class DecoderMemory {
  public:
    /// The first call and one with other sizes allocate.
    void resize(int B, int L, int T, int D_h, int D_s, int D_a);

    FirstState first = FirstState::last_word;
    /// What s_0 was computed from      [B, D_h]
    float* read_first = nullptr;
    /// s_t as rows [t B, ..) for t = 0 .. L.
    float* S = nullptr;
    /// Of step t + 1, from row t B on: attention weights [T], context [D_h], and s_t W_q [D_a].
    float *A = nullptr, *C = nullptr, *queries = nullptr;
    /// h W_k      [B T, D_a]
    float* keys = nullptr;

  private:
    Buffer buffer_;
};

/// As decode. A may be an empty view.
void decode_keeping(DecoderMemory& memory, TensorView<float, 3> S, TensorView<float, 3> A,
                    TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                    TensorView<const float, 3> y, const DecoderWeights<float>& weights,
                    FirstState first = FirstState::last_word);

/// As decode_backward, with the memory of a forward with the same inputs.
void decode_backward_of_kept(TensorView<float, 3> dh, TensorView<float, 3> dy,
                             const DecoderGradients<float>& gradients, TensorView<const float, 3> dS,
                             TensorView<const float, 3> h, TensorView<const std::uint8_t, 2> mask,
                             TensorView<const float, 3> y, const DecoderWeights<float>& weights,
                             const DecoderMemory& memory);

/// The last word that counts, -1 if there is none.
int last_word(TensorView<const std::uint8_t, 1> mask);

}  // namespace attn::fast
