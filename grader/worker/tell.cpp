#include "grader/worker/tell.h"

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <cxxabi.h>

namespace attn::worker {
namespace {

/// "attn::softmax(..)" for its symbol.
std::string demangled(const std::string& symbol) {
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), std::free);
    return name ? name.get() : symbol;
}

}  // namespace

CallResult outcome_of(const Reply& reply, std::span<const Region> regions, const Limits& limits) {
    const std::string text = reply.text;
    switch (reply.said) {
        case Said::ready:
        case Said::done:
            return {};
        case Said::load_failed:
            return failure(Outcome::crashed, "It could not be called: " + text);
        case Said::missing:
            return failure(Outcome::missing,
                           "Your files define no function with the header's name and parameters, inside "
                           "namespace attn.");
        case Said::out_of_memory:
            return failure(Outcome::out_of_memory, "It asked for more than the " +
                                                       std::to_string(limits.memory_mib) + " MiB allowed.");
        case Said::threw:
            return failure(Outcome::threw, "An exception left it: " + text);
        case Said::refused: {
            CallResult result = failure(
                Outcome::threw, "It threw std::invalid_argument at inputs that are all right: " + text);
            result.refused = true;
            return result;
        }
        case Said::index_error: {
            for (const Region& region : regions)
                if (reply.address >= region.data_address() &&
                    reply.address < region.data_address() + region.bytes)
                    return failure(Outcome::out_of_bounds, "In " + region.name + ": " + text + ".");
            return failure(Outcome::out_of_bounds, reply.address == 0
                                                       ? "There is no " + text + "."
                                                       : "In an array of your own: " + text + ".");
        }
        case Said::fault:
            break;
    }
    const std::string verb = reply.access == Access::write  ? "wrote "
                             : reply.access == Access::read ? "read "
                                                            : "read or wrote ";
    if (const std::string where = name_address(reply.address, regions);
        reply.address != 0 && !where.empty()) {
        const bool inside = where.starts_with("element");
        return failure(inside ? Outcome::changed_input : Outcome::out_of_bounds,
                       inside ? "It wrote to an input: " + where + "." : "It " + verb + where + ".");
    }
    std::string detail = describe_signal(reply.signal);
    if (reply.on_stack != 0) {
        detail = "a stack overflow: more than " + std::to_string(limits.stack_mib) +
                 " MiB of local variables (a recursion without an end, or a large local array?)";
    } else if (reply.signal == SIGSEGV && reply.address < kPage) {
        detail += ": it " + verb + "through a null pointer";
    }
    return failure(Outcome::crashed, "It ended with " + detail + ".");
}

CallResult outcome_of(Ending ending, const std::string& printed) {
    if (ending.signal == SIGXCPU) return failure(Outcome::timed_out, "It used up its processor time.");
    if (ending.signal != 0)
        return failure(Outcome::crashed, "It ended with " + describe_signal(ending.signal) + ".");
    constexpr int kLoaderGaveUp = 127;
    constexpr std::string_view kWords = "undefined symbol: ";
    if (const auto at = printed.rfind(kWords); ending.exit_code == kLoaderGaveUp && at != std::string::npos) {
        const auto start = at + kWords.size();
        const std::string symbol = printed.substr(start, printed.find_first_of(" \n\t", start) - start);
        return failure(Outcome::missing,
                       "It calls " + demangled(symbol) + ", which none of the files that compiled defines.");
    }
    return failure(Outcome::exited, "It ended the process itself, with exit code " +
                                        std::to_string(ending.exit_code) + ", instead of returning.");
}

}  // namespace attn::worker
