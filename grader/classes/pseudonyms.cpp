#include "grader/classes/pseudonyms.h"

#include <array>
#include <random>

#include <fmt/format.h>

namespace attn::classes {
namespace {

constexpr std::array kPseudonymWords{
    "amber",  "brave", "bright",  "calm",  "clear",  "clever", "copper", "cosy",   "crisp",
    "eager",  "early", "fair",    "fleet", "fresh",  "gentle", "glad",   "golden", "green",
    "happy",  "jolly", "keen",    "kind",  "lively", "lucky",  "mellow", "merry",  "modest",
    "neat",   "noble", "patient", "plain", "polite", "proud",  "quick",  "quiet",  "rapid",
    "silver", "smart", "sunny",   "swift", "tidy",   "warm",   "wise",   "witty"};

constexpr std::array kPseudonymAnimals{
    "badger", "beaver", "bee",     "bison", "crane", "cricket", "deer",   "dolphin", "eagle",
    "falcon", "ferret", "finch",   "fox",   "frog",  "gull",    "hare",   "hawk",    "heron",
    "horse",  "ibis",   "koala",   "lark",  "lemur", "lynx",    "magpie", "marten",  "mole",
    "moose",  "newt",   "otter",   "owl",   "panda", "puffin",  "rabbit", "raven",   "robin",
    "salmon", "seal",   "sparrow", "stork", "swan",  "tapir",   "trout",  "wren"};

}  // namespace

std::string new_pseudonym() {
    static std::random_device device;
    const auto below = [](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(device);
    };
    constexpr std::size_t kNumbers = 90, kFirst = 10;
    return fmt::format("{}-{}-{}", kPseudonymWords[below(kPseudonymWords.size())],
                       kPseudonymAnimals[below(kPseudonymAnimals.size())], kFirst + below(kNumbers));
}

}  // namespace attn::classes
