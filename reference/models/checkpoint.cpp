#include "reference/models/checkpoint.h"

#include <charconv>
#include <map>

#include "datasets/files/file_error.h"
#include "datasets/safetensors.h"

namespace attn::training {
namespace {

constexpr const char* kState = "state.";

template <class T>
T number_in(const std::string& text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument(data::in_quotes(text) + " is no whole number");
    return number;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Task& task, const Training& training,
                      const Origin& origin) {
    Arrays arrays = to_arrays(task.layout(), training.weights());
    if (!training.done())
        for (Array& array : training.state()) {
            array.name = kState + array.name;
            arrays.push_back(std::move(array));
        }
    data::write_safetensors(path, arrays,
                            {{"model", origin.model},
                             {"modules", origin.modules},
                             {"seed", std::to_string(origin.seed)},
                             {"steps", std::to_string(origin.steps)},
                             {"steps made", std::to_string(training.steps_made())}});
}

Interrupted read_interrupted(const std::filesystem::path& path) {
    data::Safetensors file = data::read_safetensors(path);
    Interrupted result;
    const std::string prefix = kState;
    for (Array& array : file.arrays)
        if (array.name.rfind(prefix, 0) == 0) {
            array.name = array.name.substr(prefix.size());
            result.state.push_back(std::move(array));
        }
    if (result.state.empty())
        throw data::FileError(path, "it has weights only", "the file of an interrupted training was expected",
                              "begin a training from these weights with --load");
    try {
        result.origin = {file.metadata.at("model"), file.metadata.at("modules"),
                         number_in<std::uint64_t>(file.metadata.at("seed")),
                         number_in<int>(file.metadata.at("steps"))};
    } catch (const std::exception& error) {
        throw data::FileError(path, std::string("its metadata is damaged (") + error.what() + ")",
                              "model, modules, seed and steps were expected", "train from the start");
    }
    return result;
}

}  // namespace attn::training
