#include "grader/worker/prepared_call.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "grader/worker/bytes_of.h"

namespace attn::worker {
namespace {

WireArgument wire(const Region& region, const Layers& layers) {
    WireArgument result;
    result.argument.type = region.type;
    result.argument.rank = static_cast<std::int32_t>(region.shape.size());
    std::copy(region.shape.begin(), region.shape.end(), result.argument.shape);
    result.argument.data = reinterpret_cast<void*>(region.data_address());
    result.address = region.address;
    result.offset = region.offset;
    result.pages = region.pages;
    result.output = region.output ? 1 : 0;
    result.writable = region.output || !layers.has(Layer::seals) ? 1 : 0;
    result.guarded = layers.has(Layer::guards) ? 1 : 0;
    return result;
}

}  // namespace

PreparedCall::PreparedCall(const Call& call, std::uint32_t number, Layout& layout, const Layers& layers)
    : layers_(layers) {
    request_.call = number;
    request_.starts_at_guard = call.placement == Placement::starts_at_guard ? 1 : 0;
    std::strncpy(request_.function, call.function.c_str(), sizeof request_.function - 1);
    const auto add = [this](const WireArgument& argument) {
        if (request_.count == kMaxArguments) throw std::logic_error("a call has too many arguments");
        request_.arguments[request_.count++] = argument;
    };
    for (const OutputRequest& output : call.outputs) {
        const std::size_t bytes = output.wanted ? element_count(output.shape) * bytes_of(output.type) : 0;
        Region region =
            layout.place(output.name, output.wanted ? output.shape : Shape(output.shape.size(), 0),
                         output.type, bytes, true);
        WireArgument argument = wire(region, layers);
        if (!output.wanted) argument.argument.data = nullptr;
        add(argument);
        if (!output.wanted) continue;
        regions_.push_back(std::move(region));
        contents_.push_back(nullptr);
    }
    for (const Input& input : call.inputs) {
        if (input.array == nullptr) {
            WireArgument nothing;
            nothing.argument.type = input.type;
            nothing.argument.rank = input.rank;
            add(nothing);
            continue;
        }
        const Array& array = *input.array;
        regions_.push_back(layout.place(array.name, array.shape, type_of(array), array.bytes(), false));
        contents_.push_back(&array);
        add(wire(regions_.back(), layers));
    }
    for (const double option : call.options) {
        WireArgument argument;
        argument.argument.number = option;
        add(argument);
    }
}

void PreparedCall::write(const Memories& memories) const {
    for (std::size_t k = 0; k < regions_.size(); ++k) {
        const Region& region = regions_[k];
        if (layers_.has(Layer::poison)) poison(region.pages_in(memories.of(region)));
        if (contents_[k] != nullptr && region.bytes != 0)
            std::memcpy(region.array_in(memories.inputs).data(), contents_[k]->data(), region.bytes);
    }
}

CallResult PreparedCall::read(const Memories& memories) const {
    CallResult result;
    for (std::size_t k = 0; k < regions_.size(); ++k) {
        const Region& region = regions_[k];
        const auto bytes = region.array_in(memories.of(region));
        if (region.output) {
            std::string where;
            if (layers_.has(Layer::guards) && layers_.has(Layer::poison) &&
                !surroundings_untouched(region, memories.outputs, where))
                result.outcome = Outcome::out_of_bounds, result.detail = "It wrote " + where + ".";
            Array array = zeros_of(region.type, region.name, region.shape);
            if (!bytes.empty()) std::memcpy(array.data(), bytes.data(), bytes.size());
            result.outputs.push_back(std::move(array));
        } else if (region.bytes != 0 && std::memcmp(bytes.data(), contents_[k]->data(), region.bytes) != 0) {
            result.outcome = Outcome::changed_input;
            result.detail = "It changed its input " + region.name + ".";
        }
    }
    if (result.outcome != Outcome::passed) result.outputs.clear();
    return result;
}

}  // namespace attn::worker
