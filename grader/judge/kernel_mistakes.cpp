#include "grader/judge/kernel_mistakes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "grader/worker/memory.h"

namespace attn::judge {
namespace {

struct KernelMistake {
    std::string_view name, when, hint;
};

constexpr KernelMistake kBoundsCheck{
    "missing_bounds_check", "a thread without an element of its own goes on all the same",
    "A grid has whole blocks: how many threads start, and how many elements are there? Which line sends the "
    "others home?"};
constexpr KernelMistake kBarrier{"missing_barrier",
                                 "threads of a block share memory without waiting for each other",
                                 "Between which line that writes and which line that reads does every thread "
                                 "of the block have to have arrived? And before the memory is used again?"};
constexpr KernelMistake kBlocksShare{
    "blocks_share_memory", "two blocks write the same element, or one reads what another writes",
    "No barrier holds between blocks. Which block owns which element of the output?"};
constexpr KernelMistake kGridStride{
    "wrong_grid_stride", "the stride from one element of a thread to its next does not fit the grid",
    "A thread begins at blockIdx.x * blockDim.x + threadIdx.x. How many threads are "
    "there in all of the grid's blocks together?"};
constexpr KernelMistake kOneBlock{
    "only_one_block", "only the first block's threads have an element",
    "How does a thread's number follow from blockIdx, blockDim and threadIdx? And does "
    "the launch start as many blocks as the elements take?"};
constexpr KernelMistake kBlockLimit{
    "block_over_the_limit", "a launch asks for what no GPU starts",
    "A block has at most 1024 threads, and a grid at least one block. At which sizes "
    "does your launch go beyond?"};
constexpr KernelMistake kSharedMemory{"shared_memory_too_small",
                                      "a block uses more shared memory than it has",
                                      "How many elements does the array have, and what is the largest index? "
                                      "Is the third number of the launch in "
                                      "bytes?"};
constexpr KernelMistake kAtomics{"order_of_float_atomics",
                                 "the order in which threads happen to run decides the last digits",
                                 "a + (b + c) is not (a + b) + c. Who adds floats whose turn nobody decides: "
                                 "atomicAdd, or threads that race?"};
constexpr KernelMistake kUninitialised{
    "uninitialised_memory", "memory is read that nobody has set",
    "Neither cudaMalloc nor __shared__ sets anything to 0. Which element is added to "
    "before it is written?"};
constexpr KernelMistake kDivergent{"divergent_barrier", "not all threads of a block come to the same barrier",
                                   "Every thread has to pass the same __syncthreads(). Does one return "
                                   "early, or stand in the other branch of an if?"};
constexpr KernelMistake kAbsentLane{
    "absent_lane", "a warp operation waits for a lane that does not take part",
    "The mask names the lanes that come to this line. Which of them are elsewhere?"};
constexpr KernelMistake kWrongMemory{
    "wrong_memory", "a pointer to the host's memory is used on the device, or the other way round",
    "Whose memory does the pointer come from? TensorView's data() is the device's here."};
constexpr KernelMistake kMisaligned{
    "misaligned_access",
    "several numbers are read at once from where their address is no multiple of their size",
    "A float4 is 16 bytes. Where in the array may it begin?"};
constexpr KernelMistake kStale{"memory_freed_too_early", "memory is used that was freed already",
                               "A launch only queues the kernel. Does the buffer live until it has run?"};
constexpr KernelMistake kNotWaiting{
    "not_synchronised", "a result is used before it is there",
    "Launches and asynchronous copies only queue their work. Who waits for it?"};
constexpr KernelMistake kEndlessKernel{
    "endless_kernel", "a kernel does not end",
    "Which condition ends the loop? A thread must not wait for one of another block."};

struct Known {
    std::string_view kind;
    const KernelMistake* mistake;
};
constexpr std::array kKnown{Known{"out_of_bounds", &kBoundsCheck},
                            Known{"outside_of_tensor", &kBoundsCheck},
                            Known{"race_in_block", &kBarrier},
                            Known{"race_between_blocks", &kBlocksShare},
                            Known{"bad_launch", &kBlockLimit},
                            Known{"shared_memory_too_small", &kSharedMemory},
                            Known{"shared_out_of_bounds", &kSharedMemory},
                            Known{"uninitialised_read", &kUninitialised},
                            Known{"divergent_barrier", &kDivergent},
                            Known{"absent_lane", &kAbsentLane},
                            Known{"host_memory_in_kernel", &kWrongMemory},
                            Known{"device_memory_on_host", &kWrongMemory},
                            Known{"bad_copy", &kWrongMemory},
                            Known{"bad_free", &kWrongMemory},
                            Known{"use_after_free", &kStale},
                            Known{"misaligned", &kMisaligned},
                            Known{"not_synchronised", &kNotWaiting},
                            Known{kEndless, &kEndlessKernel}};

const KernelMistake* find_mistake(std::string_view kind) {
    const auto* const known =
        std::find_if(kKnown.begin(), kKnown.end(), [kind](const Known& k) { return k.kind == kind; });
    return known != kKnown.end() ? known->mistake : nullptr;
}

void name(const KernelMistake& mistake, report::Check& check) {
    report::Diagnosis diagnosis;
    diagnosis.mistakes = {std::string(mistake.name)};
    diagnosis.sentence = fmt::format("This is what comes out when {}.", mistake.when);
    diagnosis.hints = {std::string(mistake.hint)};
    check.diagnosis = std::move(diagnosis);
}

/// What the elements that nobody wrote look like, in the order of memory: all from some whole number of warps
/// on, or in stripes of whole warps.
const KernelMistake* behind_unwritten(const Arrays& outputs) {
    constexpr std::size_t kWarp = 32;
    for (const Array& output : outputs) {
        const std::vector<bool> left = worker::untouched_marks(output);
        const auto first = std::find(left.begin(), left.end(), true);
        if (first == left.end() || first == left.begin()) continue;
        if (static_cast<std::size_t>(first - left.begin()) % kWarp != 0) return nullptr;
        return std::find(first, left.end(), false) == left.end() ? &kOneBlock : &kGridStride;
    }
    return nullptr;
}

}  // namespace

std::string_view kind_of_finding(std::string_view found) {
    for (std::size_t end = found.find(": "); end != std::string_view::npos; end = found.find(": ", end + 1)) {
        const std::size_t space = found.find_last_of(" \n", end);
        const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
        const std::string_view word = found.substr(begin, end - begin);
        const bool slug =
            !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
        // The judge may have said in front when it was; a kind that nobody knows stands first.
        if (slug && (begin == 0 || find_mistake(word) != nullptr)) return word;
    }
    return {};
}

std::string text_of_finding(std::string_view found) {
    const std::string_view kind = kind_of_finding(found);
    if (kind.empty()) return std::string(found);
    const auto begin = static_cast<std::size_t>(kind.data() - found.data());
    return std::string(found.substr(0, begin)) + std::string(found.substr(begin + kind.size() + 2));
}

std::string mistake_behind(std::string_view kind) {
    const KernelMistake* mistake = find_mistake(kind);
    return mistake != nullptr ? std::string(mistake->name) : std::string();
}

void name_kernel_mistake(const Verdict& verdict, report::Check& check) {
    if (verdict.outcome == Outcome::kernel_error) {
        const std::string kind(kind_of_finding(check.message));
        check.message = text_of_finding(check.message);
        if (const KernelMistake* mistake = find_mistake(kind)) name(*mistake, check);
    } else if (verdict.outcome == Outcome::not_deterministic) {
        check.message = "With its threads in another order it gave other numbers" +
                        check.message.substr(std::min(check.message.find(':'), check.message.size()));
        name(kAtomics, check);
    } else if (verdict.outcome == Outcome::partly_written) {
        if (const KernelMistake* mistake = behind_unwritten(verdict.got)) name(*mistake, check);
    }
}

}  // namespace attn::judge
