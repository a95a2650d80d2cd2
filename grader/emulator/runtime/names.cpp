#include "names.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

#include "access_findings.h"
#include "heap.h"
#include "modules.h"

namespace attn::emulator {
namespace {

/// The first argument of the kernel that points into [start, start + size), or null. The pointer may be a
/// member of the argument: of a TensorView, of a struct of parameters.
const detail::Argument* argument_to(std::uintptr_t start, std::size_t size) {
    const detail::Request& request = device.launch.request;
    if (!device.running) return nullptr;
    for (std::size_t k = 0; k < request.argument_count; ++k) {
        const detail::Argument& argument = request.layout[k];
        for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= argument.size;
             at += alignof(std::uintptr_t)) {
            std::uintptr_t word;
            std::memcpy(&word, static_cast<const char*>(request.call) + argument.offset + at, sizeof word);
            if (word - start < size) return &argument;
        }
    }
    return nullptr;
}

/// "element 3 of ", "elements 4 to 7 of ", "byte 5 of ". `element`: the size of an element; 0 if not known.
std::string element_name(std::size_t at, std::size_t size, std::size_t element) {
    if (element == 0) element = size == 16 ? sizeof(float) : size;
    const bool whole =
        size % element == 0 ? at % element == 0 : size < element && at % element + size <= element;
    if (!whole) return "byte " + std::to_string(at) + " of ";
    const std::size_t first = at / element, last = (at + size - 1) / element;
    if (first == last) return "element " + std::to_string(first) + " of ";
    return "elements " + std::to_string(first) + " to " + std::to_string(last) + " of ";
}

/// The names of kernels' parameters, by the kernel.
std::map<std::string, std::vector<std::vector<std::string>>>& names() {
    static auto* const instance = new std::map<std::string, std::vector<std::vector<std::string>>>;
    return *instance;
}

/// "softmax" of "attn::softmax<float, 4>", and "cublasSgemm" of "cublasSgemm, called in a.cu:7".
std::string plain_name(std::string kernel) {
    kernel.resize(std::min({kernel.find('<'), kernel.find(", called in"), kernel.size()}));
    while (!kernel.empty() && (kernel.back() == ' ' || kernel.back() == ')')) kernel.pop_back();
    const std::size_t before = kernel.find_last_of(": (");
    return before == std::string::npos ? kernel : kernel.substr(before + 1);
}

}  // namespace

std::string triple(unsigned x, unsigned y, unsigned z) {
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
}

std::string thread_name(unsigned id) {
    const dim3& size = device.launch.block;
    return triple(id % size.x, id / size.x % size.y, id / size.x / size.y);
}

std::string block_name(std::uint32_t linear) {
    const dim3& size = device.launch.grid;
    return triple(linear % size.x, linear / size.x % size.y, linear / size.x / size.y);
}

std::string running_thread_name() {
    if (device.thread == nullptr) return "the host";
    return "thread " + thread_name(device.thread->id) + " of block " +
           triple(block_index.x, block_index.y, block_index.z) + " of kernel " + device.launch.request.name;
}

std::string place_name(const char* file, int line) {
    const char* slash = std::strrchr(file, '/');
    return std::string(slash == nullptr ? file : slash + 1) + ":" + std::to_string(line);
}

std::string place_name(const Place& place) {
    return place_name(place.file_name(), static_cast<int>(place.line()));
}

bool same_place(const Place& a, const Place& b) {
    return a.line() == b.line() && a.column() == b.column() &&
           (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

std::string place_of(std::uintptr_t pc) {
    const Module* module = module_of(pc);
    // The kernel's last call may be a jump, which leaves no return address in the kernel.
    if (module == nullptr && device.running)
        return "in the kernel launched in " +
               place_name(device.launch.request.file, device.launch.request.line);
    char text[32];
    std::snprintf(text, sizeof text, "0x%lx",
                  static_cast<unsigned long>(module ? pc - 1 - module->bias : pc - 1));
    if (module == nullptr) return text;
    return "@{" + module->file + "+" + text + "}";
}

std::string does(Access access) {
    return access == Access::kRead ? "reads" : access == Access::kWrite ? "writes" : "updates atomically";
}

void name_parameters(const char* kernel, const char* list) {
    std::vector<std::string> words(1);
    for (; *list != '\0'; ++list) {
        if (*list == ',')
            words.emplace_back();
        else
            words.back() += *list;
    }
    names()[kernel].push_back(words);
}

const char* as_written(const char* text) {
    static auto* const known = new std::map<std::string, std::string>;
    std::string& result = (*known)[text];
    if (!result.empty()) return result.c_str();
    result = text;
    const std::string prepare = "::attn::emulator::prepare(", config = "::attn::emulator::config(";
    for (std::size_t at = result.find(prepare); at != std::string::npos; at = result.find(prepare)) {
        const std::size_t name = at + prepare.size(), after_name = result.find(", __FILE__", name),
                          settings = result.find(config, after_name);
        if (settings == std::string::npos) break;
        const std::size_t begin = settings + config.size();
        std::size_t end = begin;
        for (int depth = 1; end < result.size(); ++end)
            if ((depth += result[end] == '(' ? 1 : result[end] == ')' ? -1 : 0) == 0) break;
        std::string launch = result.substr(name, after_name - name);
        if (launch.size() > 2 && launch.front() == '"') launch = launch.substr(1, launch.size() - 2);
        launch += "<<<" + result.substr(begin, end - begin) + ">>>";
        result.replace(at, std::min(end + 2, result.size()) - at, launch);
    }
    return result.c_str();
}

std::string parameter_name(std::size_t argument) {
    const detail::Request& request = device.launch.request;
    std::string found;
    for (const auto& words : names()[plain_name(request.name)]) {
        if (words.size() != request.argument_count) continue;
        if (!found.empty() && found != words[argument]) return {};  // another kernel of the same name
        found = words[argument];
    }
    return found;
}

std::string argument_name(std::uintptr_t start, std::size_t size) {
    const detail::Argument* const argument = argument_to(start, size);
    if (argument == nullptr) return {};
    const auto index = static_cast<std::size_t>(argument - device.launch.request.layout);
    const std::string name = parameter_name(index);
    return name.empty() ? "argument " + std::to_string(index + 1) + " of the kernel" : name;
}

std::string null_parameter() {
    const detail::Request& request = device.launch.request;
    std::string found;
    for (std::size_t k = 0; device.running && k < request.argument_count; ++k) {
        const detail::Argument& argument = request.layout[k];
        if (argument.element == 0) continue;
        std::uintptr_t word;
        std::memcpy(&word, static_cast<const char*>(request.call) + argument.offset, sizeof word);
        if (word != 0) continue;
        if (!found.empty()) return {};
        found = parameter_name(k);
    }
    return found;
}

std::string allocation_name(const Allocation& allocation) {
    const std::string argument = argument_name(allocation.start, allocation.size),
                      place = allocated_place(allocation);
    const std::string bytes = std::to_string(allocation.size) + " bytes";
    return argument.empty() ? "the " + bytes + " from " + place
                            : argument + " (" + bytes + " from " + place + ")";
}

std::string memory_name(std::uintptr_t address, std::size_t size) {
    const Module* module = device.launch.module;
    if (module != nullptr && address - module->shared < module->shared_size) {
        const std::size_t offset = address - module->shared;
        const SharedArray* array = array_near(*module, offset);
        if (array == nullptr) return "shared memory";
        const std::size_t at = offset - array->offset;
        return element_name(at, size, 0) + array->name;
    }
    if (const Allocation* allocation = in_heap(address) ? allocation_near(address) : nullptr) {
        const std::size_t at = address - allocation->start;
        const detail::Argument* const argument = argument_to(allocation->start, allocation->size);
        return element_name(at, size, argument != nullptr ? argument->element : 0) +
               allocation_name(*allocation);
    }
    if (module_of(address) != nullptr) return "a __device__ variable";
    return "memory of the host";
}

}  // namespace attn::emulator
