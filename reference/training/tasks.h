#pragma once
/// The trainings of the course.

#include <memory>
#include <string>
#include <vector>

#include "reference/training/training_loop.h"

namespace attn::training {

/// A decoder-only model of words on the lecture's three sentences.
///   lines     the least mean loss, and that of a model that does not use the context
///   samples   what follows the words that tell the sentences apart, word by word the most probable one
///   pictures  "words": no array but the samples' words; "attention.K" [H, N, N] of sample K
std::unique_ptr<Task> three_sentences();

/// A vision transformer on handwritten digits. It learns from 1077 images; neither a random 360 of the first 1437
/// nor the last 360 of the file, which other people wrote, are among them.
///   figures   the share of digits read right in either 360
///   pictures  "image.K" [8, 8], "attention.K" [H, 17, 17] of the last block: row 0 is the class token's;
///             samples[K] has the digit read and written
std::unique_ptr<Task> digits();

/// The task with this name. Throws std::invalid_argument with the list of names if there is none.
std::unique_ptr<Task> task_named(const std::string& name);
std::vector<std::string> task_names();

}  // namespace attn::training
