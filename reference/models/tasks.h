#pragma once
/// The trainings of the course.

#include <memory>
#include <string>
#include <vector>

#include "reference/models/training_loop.h"

namespace attn::training {

/// A decoder-only model of words on the lecture's three sentences.
///   lines     the least mean loss, and that of a model that knows only the word before
///   samples   what follows the words that tell the sentences apart, word by word the most probable one
///   pictures  "attention.K" [H, N, N] of sample K: <start>, then its words
std::unique_ptr<Task> three_sentences();

/// A decoder-only model of "b 2 c 1 a 3 c 1": three keys with their values, then one of the keys and its value.
///   lines     the least mean loss, and what is least if the model knows only which words stand before, or only the
///             last word and its place
///   figures   the mean surprise at the last word, over all 108 sentences
///   pictures  "attention.K" [H, N, N] of sample K in the last block
std::unique_ptr<Task> recall();

/// A decoder-only model of one block that learns the last digit of sums: "7 8 5".
///   figures   the share of the 100 sums that are right
std::unique_ptr<Task> sums();
/// The same without the block's feed-forward network, and three such blocks.
std::unique_ptr<Task> sums_without_feed_forward();
std::unique_ptr<Task> deep_sums_without_feed_forward();

/// A vision transformer on handwritten digits. It learns from 1077 images; neither a random 360 of the first
/// 1437 nor the last 360 of the file, which other people wrote, are among them.
///   figures   the share of digits read right in either 360
///   pictures  "image.K" [8, 8], "attention.K" [H, 17, 17] of the last block: row 0 is the class token's;
///             samples[K] has the digit read and written
std::unique_ptr<Task> digits();

/// What the vision transformer of digits and a convolutional network of as many weights learn from few images and from more.
///   series    the share of 360 images by other people read right, over the number of images to learn from
std::unique_ptr<Task> little_data();

/// A captioner of two handwritten digits on a canvas: "three left of five". Digits, pairs of digits and places are held out.
///   figures   the share of whole captions, and of the attention that lies on the digit that a word names
///   pictures  "image.K" [20, 20], and "words.K" [L, R, C]: where each word of samples[K] looked
std::unique_ptr<Task> captions();
/// The same without attention: show_and_tell.
std::unique_ptr<Task> captions_without_attention();

/// Co-attention between the regions of such a canvas and a caption: do they belong together?
///   figures   how often the right caption has the larger score, against captions with another digit, with the digits exchanged
///             and with the other relation; and how often the sign of a score is right
std::unique_ptr<Task> alignment();

/// A recurrent translator of dates: "12 march 1987" is "1987-03-12".
///   figures   the share of held-out dates with every character right
///   pictures  "alignment.K" [10, T] of samples[K]: row t says where step t looked
std::unique_ptr<Task> translation();
/// The same, but the decoder knows the encoder's last state only.
std::unique_ptr<Task> translation_without_attention();

/// The recurrent translator on digits in reverse order, 1 to 16 of them: what one vector holds, and what attention adds.
///   figures   the share of fresh sentences with every digit right
///   series    the same for each length
///   pictures  "alignment.K" [T, T] of samples[K]
std::unique_ptr<Task> bottleneck();
/// The same, but the decoder knows the encoder's last state only.
std::unique_ptr<Task> bottleneck_without_attention();

/// The transformer of assignment 10, character by character, on the same dates.
///   figures   the share of held-out dates with every character right
///   pictures  "alignment.K" [10, T] of samples[K]: the mean over the heads of the last block
std::unique_ptr<Task> transformer();

/// A decoder-only model of the characters of a book.
///   figures   the mean loss on the last tenth of the book, which it has not read
///   samples   what it writes
std::unique_ptr<Task> text();

/// A masked language model of the book's words, which then learns from few labels whether a line stands as in the book or with
/// its words in disorder; another one of the same size learns that without the book.
///   lines     the loss without any knowledge, and if the model knows only how frequent each word is
///   figures   the share of hidden words of held-out chapters that are right, beside two tables; the share of held-out lines
///             that are called right, after 50, 200 and 800 labels
///   series    the latter, over the number of labels
///   samples   lines with a gap, and the most probable words for it
std::unique_ptr<Task> masked();

/// The same task with another name, in which the weights whose names end with one of these texts are 0 and stay 0.
std::unique_ptr<Task> with_zeros(std::unique_ptr<Task> task, const std::string& name,
                                 const std::vector<std::string>& endings);

/// The task with this name. Throws std::invalid_argument with the list of names if there is none.
std::unique_ptr<Task> task_named(const std::string& name);
std::vector<std::string> task_names();

}  // namespace attn::training
