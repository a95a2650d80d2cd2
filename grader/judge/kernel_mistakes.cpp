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
    "missing_bounds_check", "a thread that has no element does not stop",
    "A grid has whole blocks: how many threads start, and how many elements are there? Which line stops the "
    "threads that are left over?"};
constexpr KernelMistake kBarrier{"missing_barrier",
                                 "threads of a block share memory without waiting for each other",
                                 "Between which write and which read must every thread of the block have "
                                 "arrived? And before the memory is used again?"};
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
constexpr KernelMistake kAtomics{
    "order_of_float_atomics", "the order in which threads happen to run decides the last digits",
    "a + (b + c) is not (a + b) + c. Which floats are added in an order that is not "
    "fixed: by atomicAdd, or by threads that race?"};
constexpr KernelMistake kUninitialised{
    "uninitialised_memory", "memory is read before it is set",
    "Neither cudaMalloc nor __shared__ sets anything to 0. Which element is added to "
    "before it is written?"};
constexpr KernelMistake kDivergent{"divergent_barrier", "not all threads of a block come to the same barrier",
                                   "Every thread must reach the same __syncthreads(). Does one take the "
                                   "other branch of an if, or leave a loop earlier?"};
constexpr KernelMistake kAbsentLane{
    "absent_lane", "a warp operation waits for a lane that does not take part",
    "The mask names the lanes that come to this line. Which of them are elsewhere?"};
constexpr KernelMistake kWrongMemory{
    "wrong_memory", "a pointer to the host's memory is used on the device, or the other way round",
    "Is the pointer to memory of the host or of the device? Here data() of a TensorView points to the "
    "device."};
constexpr KernelMistake kMisaligned{
    "misaligned_access",
    "several numbers are read at once from an address that is not a multiple of their size",
    "A float4 is 16 bytes. Where in the array may it begin?"};
constexpr KernelMistake kStale{"memory_freed_too_early", "memory is used after it was freed",
                               "A launch only queues the kernel. Does the buffer live until it has run?"};
constexpr KernelMistake kNotWaiting{
    "not_synchronised", "a result is used before it is complete",
    "Launches and asynchronous copies only queue their work. Which line waits for it?"};
constexpr KernelMistake kWrongStream{
    "wrong_stream", "a kernel or a copy is queued on another stream than the one that the function was given",
    "Work in two streams has no order. What is the fourth value between <<< and >>>, and which stream do you "
    "use if it is left out?"};
constexpr KernelMistake kEndlessKernel{
    "endless_kernel", "a kernel does not end",
    "Which condition ends the loop? A thread must not wait for a thread of another block."};

constexpr KernelMistake kHostComputes{
    "written_by_host", "the host computes what kernels should",
    "Which lines of the function run on the host, and which in a kernel? An output "
    "has to be written by a kernel."};

struct KnownFinding {
    std::string_view kind;
    const KernelMistake* mistake;
};
constexpr std::array kKnown{KnownFinding{"out_of_bounds", &kBoundsCheck},
                            KnownFinding{"outside_of_tensor", &kBoundsCheck},
                            KnownFinding{"race_in_block", &kBarrier},
                            KnownFinding{"race_between_blocks", &kBlocksShare},
                            KnownFinding{"bad_launch", &kBlockLimit},
                            KnownFinding{"shared_memory_too_small", &kSharedMemory},
                            KnownFinding{"shared_out_of_bounds", &kSharedMemory},
                            KnownFinding{"uninitialised_read", &kUninitialised},
                            KnownFinding{"divergent_barrier", &kDivergent},
                            KnownFinding{"absent_lane", &kAbsentLane},
                            KnownFinding{"host_memory_in_kernel", &kWrongMemory},
                            KnownFinding{"device_memory_on_host", &kWrongMemory},
                            KnownFinding{"bad_copy", &kWrongMemory},
                            KnownFinding{"bad_free", &kWrongMemory},
                            KnownFinding{"use_after_free", &kStale},
                            KnownFinding{"misaligned", &kMisaligned},
                            KnownFinding{"not_synchronised", &kNotWaiting},
                            KnownFinding{"race_between_streams", &kNotWaiting},
                            KnownFinding{"wrong_stream", &kWrongStream},
                            KnownFinding{"written_by_host", &kHostComputes},
                            KnownFinding{kEndless, &kEndlessKernel}};

const KernelMistake* find_mistake(std::string_view kind) {
    const auto* const known =
        std::find_if(kKnown.begin(), kKnown.end(), [kind](const KnownFinding& k) { return k.kind == kind; });
    return known != kKnown.end() ? known->mistake : nullptr;
}

void set_diagnosis(const KernelMistake& mistake, report::Check& check) {
    report::Diagnosis diagnosis;
    diagnosis.mistakes = {std::string(mistake.name)};
    diagnosis.sentence = fmt::format("This is what comes out when {}.", mistake.when);
    diagnosis.hints = {std::string(mistake.hint)};
    check.diagnosis = std::move(diagnosis);
}

/// The mistake that leaves these elements unwritten, in the order of memory: all elements after a whole
/// number of warps, or stripes of whole warps. Null for any other pattern.
const KernelMistake* mistake_of_unwritten(const Arrays& outputs) {
    constexpr std::size_t kWarp = 32;
    for (const Array& output : outputs) {
        const std::vector<bool> unwritten = worker::untouched_marks(output);
        const auto first = std::find(unwritten.begin(), unwritten.end(), true);
        if (first == unwritten.end() || first == unwritten.begin()) continue;
        if (static_cast<std::size_t>(first - unwritten.begin()) % kWarp != 0) return nullptr;
        return std::find(first, unwritten.end(), false) == unwritten.end() ? &kOneBlock : &kGridStride;
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
        // A sentence of the judge may stand before the kind. An unknown kind is accepted only at the
        // beginning.
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

std::string mistake_for_finding(std::string_view kind) {
    const KernelMistake* mistake = find_mistake(kind);
    return mistake != nullptr ? std::string(mistake->name) : std::string();
}

void name_kernel_mistake(const Verdict& verdict, report::Check& check) {
    if (verdict.outcome == Outcome::kernel_error) {
        const std::string kind(kind_of_finding(check.message));
        check.message = text_of_finding(check.message);
        if (const KernelMistake* mistake = find_mistake(kind)) set_diagnosis(*mistake, check);
    } else if (verdict.outcome == Outcome::not_deterministic) {
        check.message = "With the threads in another order the kernel gave other numbers" +
                        check.message.substr(std::min(check.message.find(':'), check.message.size()));
        set_diagnosis(kAtomics, check);
    } else if (verdict.outcome == Outcome::partly_written) {
        if (const KernelMistake* mistake = mistake_of_unwritten(verdict.got)) set_diagnosis(*mistake, check);
    }
}

}  // namespace attn::judge
