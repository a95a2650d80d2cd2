#include "grader/worker/call_outcome.h"

#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <cxxabi.h>

#include "grader/sandbox/system_calls.h"

namespace attn::worker {
namespace {

/// "attn::softmax(..)" for its symbol.
std::string demangled(const std::string& symbol) {
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), std::free);
    return name ? name.get() : symbol;
}

/// A sentence about a system call that the sandbox does not allow.
std::string about_system_call(int number) {
    const std::string name = name_of_system_call(number);
    static const std::map<std::string_view, const char*> kTries = {
        {"clone", "to start a thread or another process"},
        {"clone3", "to start a thread or another process"},
        {"fork", "to start another process"},
        {"vfork", "to start another process"},
        {"execve", "to run another program"},
        {"execveat", "to run another program"},
        {"socket", "to reach the network"},
        {"socketpair", "to open a channel"},
        {"connect", "to reach the network"},
        {"kill", "to send a signal"},
        {"tgkill", "to send a signal"},
        {"ptrace", "to look into a process"},
        {"rt_sigaction", "to handle a signal itself"}};
    const auto tried = kTries.find(name);
    return tried == kTries.end() ? "It made the system call " + name + ", which graded code may not make."
                                 : std::string("It tried ") + tried->second + " (system call " + name +
                                       "), which graded code may not do.";
}

/// What the loader says of a function or kernel that no file defines, in words. Nothing if it says something else.
std::optional<CallResult> missing_symbol(const std::string& message) {
    constexpr std::string_view kMessage = "undefined symbol: ";
    const auto at = message.rfind(kMessage);
    if (at == std::string::npos) return std::nullopt;
    const auto start = at + kMessage.size();
    const std::string symbol = message.substr(start, message.find_first_of(" \n\t", start) - start);
    return failure(Outcome::missing, std::string(kCallsWhatIsMissing) + demangled(symbol) +
                                         ", which none of the files that compiled defines.");
}

}  // namespace

CallResult outcome_of(const Reply& reply, std::span<const Region> regions, const Limits& limits) {
    const std::string text = reply.text;
    switch (reply.kind) {
        case ReplyKind::filtered:
        case ReplyKind::ready:
        case ReplyKind::done:
            return {};
        case ReplyKind::load_failed:
            // The loader looks up kernels that are launched before anything is called.
            if (auto missing = missing_symbol(text)) return std::move(*missing);
            return failure(Outcome::crashed, "It could not be called: " + text);
        case ReplyKind::missing:
            return failure(Outcome::missing,
                           "Your files define no function with the header's name and parameters, inside "
                           "namespace attn.");
        case ReplyKind::out_of_memory:
            return failure(Outcome::out_of_memory, "It asked for more than the " +
                                                       std::to_string(limits.memory_mib) + " MiB allowed.");
        case ReplyKind::threw:
            return failure(Outcome::threw, "It threw " + text + ".");
        case ReplyKind::heap_error:
            return failure(Outcome::out_of_bounds, text);
        case ReplyKind::trace:  // a trace is no answer
            return failure(Outcome::forbidden, "It wrote into the grader's own channel.");
        case ReplyKind::finding:  // a finding is no answer
            return failure(Outcome::kernel_error, text);
        case ReplyKind::refused: {
            CallResult result =
                failure(Outcome::threw, "It threw std::invalid_argument for valid inputs: " + text);
            result.refused = true;
            return result;
        }
        case ReplyKind::index_error: {
            for (const Region& region : regions)
                if (reply.address >= region.data_address() &&
                    reply.address < region.data_address() + region.bytes)
                    return failure(Outcome::out_of_bounds, "In " + region.name + ": " + text + ".");
            return failure(Outcome::out_of_bounds, reply.address == 0
                                                       ? "There is no " + text + "."
                                                       : "In an array of your own: " + text + ".");
        }
        case ReplyKind::fault:
            break;
    }
    Fault fault{reply.signal, reply.address, -1, reply.on_stack != 0};
    if (fault.signal == SIGSYS) fault.system_call = static_cast<int>(reply.address);
    return outcome_of(fault, reply, regions, limits);
}

CallResult outcome_of(const Fault& fault, const Reply& reply, std::span<const Region> regions,
                      const Limits& limits) {
    if (fault.signal == SIGSYS) return failure(Outcome::forbidden, about_system_call(fault.system_call));
    const Access access = reply.kind == ReplyKind::fault ? reply.access : Access::unknown;
    const std::string verb = access == Access::write  ? "wrote "
                             : access == Access::read ? "read "
                                                      : "read or wrote ";
    if (const std::string where = describe_address(fault.address, regions);
        fault.address != 0 && !where.empty()) {
        const bool inside = where.starts_with("element");
        return failure(inside ? Outcome::changed_input : Outcome::out_of_bounds,
                       inside ? "It wrote to an input: " + where + "." : "It " + verb + where + ".");
    }
    if (reply.kind == ReplyKind::fault && reply.text[0] != '\0')  // beside a buffer of the heap
        return failure(Outcome::out_of_bounds, reply.text);
    std::string detail = describe_signal(fault.signal);
    if (fault.on_stack) {
        detail = "a stack overflow: more than " + std::to_string(limits.stack_mib) +
                 " MiB of local variables (an endless recursion, or a large local array?)";
    } else if (fault.signal == SIGSEGV && fault.address < kPage) {
        detail += ": it " + verb + "through a null pointer";
    }
    return failure(Outcome::crashed, "It ended with " + detail + ".");
}

CallResult outcome_of(Ending ending, const std::string& printed) {
    if (ending.signal == SIGXCPU) return failure(Outcome::timed_out, "It used up its processor time.");
    if (ending.signal != 0)
        return failure(Outcome::crashed, "It ended with " + describe_signal(ending.signal) + ".");
    constexpr int kLoaderGaveUp = 127;
    if (ending.exit_code == kLoaderGaveUp)
        if (auto missing = missing_symbol(printed)) return std::move(*missing);
    return failure(Outcome::exited, "It ended the process itself, with exit code " +
                                        std::to_string(ending.exit_code) + ", instead of returning.");
}

CallResult outcome_of(const std::vector<std::string>& findings) {
    const std::string* reported = &findings.front();
    // A thread that does not wait for a value may first read it unwritten and then race for it. The race
    // explains both, so report it.
    if (reported->starts_with("uninitialised_read:"))
        for (const std::string& each : findings)
            if (each.starts_with("race_in_block:")) reported = &each;
    std::string text = *reported;
    // The text of a message is limited. Do not cut inside a code location "@{..}".
    constexpr std::size_t kMost = 760;
    if (text.size() > kMost) {
        text.resize(kMost);
        const std::size_t open = text.rfind("@{");
        if (open != std::string::npos && text.find('}', open) == std::string::npos) text.resize(open);
        text += " ..";
    }
    if (findings.size() > 1) text += " (And " + std::to_string(findings.size() - 1) + " more.)";
    return failure(Outcome::kernel_error, text);
}

}  // namespace attn::worker
