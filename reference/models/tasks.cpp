#include "reference/models/tasks.h"

#include <stdexcept>
#include <utility>

namespace attn::training {
namespace {

using Maker = std::unique_ptr<Task> (*)();
constexpr std::pair<const char*, Maker> kTasks[] = {
    {"three_sentences", three_sentences},
    {"recall", recall},
    {"digits", digits},
    {"translation", translation},
    {"translation_without_attention", translation_without_attention},
    {"bottleneck", bottleneck},
    {"bottleneck_without_attention", bottleneck_without_attention},
    {"transformer", transformer},
    {"text", text},
    {"sums", sums},
    {"sums_without_feed_forward", sums_without_feed_forward},
    {"deep_sums_without_feed_forward", deep_sums_without_feed_forward},
    {"captions", captions},
    {"captions_without_attention", captions_without_attention},
    {"alignment", alignment},
    {"little_data", little_data},
    {"masked", masked}};

}  // namespace

std::unique_ptr<Task> task_named(const std::string& name) {
    std::string names;
    for (const auto& [known, make] : kTasks) {
        if (name == known) return make();
        names += (names.empty() ? "" : ", ") + std::string(known);
    }
    throw std::invalid_argument("there is no model with the name \"" + name + "\"; the names are " + names);
}

std::vector<std::string> task_names() {
    std::vector<std::string> names;
    for (const auto& [name, make] : kTasks) names.emplace_back(name);
    return names;
}

}  // namespace attn::training
