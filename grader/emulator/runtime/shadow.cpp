#include "shadow.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include <sys/mman.h>

#include "access_findings.h"
#include "allocations.h"
#include "device_state.h"
#include "heap.h"
#include "modules.h"
#include "ordering.h"
#include "scheduler.h"
#include "streams.h"

namespace attn::emulator {
namespace {

std::size_t bytes_for(std::size_t size) {
    return (size / 4 + 2) * sizeof(Cell);
}

/// The bytes of the cell at `offset` that lie in [offset, end), as a mask, and where the next cell begins.
struct Piece {
    std::size_t cell;
    std::uint32_t bytes;
    std::size_t next;
};

Piece piece_at(std::size_t offset, std::size_t end) {
    const std::size_t low = offset & 3, high = std::min<std::size_t>(4, end - (offset - low));
    return {offset / 4, static_cast<std::uint32_t>(((1u << high) - 1) & ~((1u << low) - 1)),
            offset - low + 4};
}

/// A write that races with another thread's write. Its bytes are compared after it has happened.
struct PendingWrite {
    bool waiting = false;
    std::uintptr_t address = 0;
    std::size_t size = 0;
    std::uintptr_t pc = 0;
    Stamp other{};
    unsigned char before[16] = {};
};
PendingWrite pending;

/// Elements that several blocks wrote with the same value. A few may be flags; many show that blocks do the
/// same work twice.
constexpr std::size_t kWorkDoneTwice = 32;
std::unordered_set<std::uintptr_t>& written_alike() {
    static auto* const instance = new std::unordered_set<std::uintptr_t>;
    return *instance;
}

/// The cells of an accessed address.
struct Target {
    Cell* cells = nullptr;
    std::size_t offset = 0;
    bool shared = false;
    bool written = false;  // the loader has initialised it, so no read comes too early
};

[[gnu::always_inline]] inline Target find(std::uintptr_t address, std::size_t size, Access access,
                                          std::uintptr_t pc) {
    if (in_heap(address)) {
        const Allocation* const at = allocation_of(address);
        if (at == nullptr || at->freed || address - at->start + size > at->size)
            report_wild_access(address, size, access, pc);
        return {at->cells, address - at->start, false, false};
    }
    const Module* module = device.launch.module;
    if (address - device.shared_start < device.shared_size) {
        const std::size_t offset = address - device.shared_start;
        const std::uint16_t owner = module->owners[offset / 4];
        if (owner == kNotShared) return {};
        if (owner == 0) report_shared_out_of_bounds(address, size, access, pc);
        const SharedArray& array = module->arrays[owner - 1u];
        const std::size_t limit = array.dynamic ? std::min(device.launch.shared, array.size) : array.size;
        if (offset < array.offset || offset - array.offset + size > limit)
            report_shared_out_of_bounds(address, size, access, pc);
        return {module->cells, offset, true, false};
    }
    if (module != nullptr && address - module->data < module->data_size)
        return {module->data_cells, address - module->data, false, true};
    for (const uint3* built_in : {&thread_index, &block_index, &block_size, &grid_size})
        if (address - reinterpret_cast<std::uintptr_t>(built_in) < sizeof(uint3)) return {};
    const auto arguments = reinterpret_cast<std::uintptr_t>(device.launch.request.call);
    if (address - arguments < device.launch.request.call_size || module_of(address) != nullptr) return {};
    report_wild_access(address, size, access, pc);
}

/// Shared memory of an earlier block counts as fresh: no accesses are recorded, and it holds NaN.
void reset_if_from_earlier_block(Cell& cell, std::uintptr_t word) {
    if (cell.block == (device.block_first & 0xfffffff)) return;
    cell = Cell{};
    cell.block = device.block_first & 0xfffffff;
    std::memset(reinterpret_cast<void*>(word), 0xff, 4);
}

[[gnu::always_inline]] inline void read_cell(Cell& cell, const Stamp& now) {
    Stamp& first = cell.readers[0];
    if (first.thread == now.thread && first.interval == now.interval) {
        first.clock = now.clock;
        first.pc = now.pc;
        first.bytes = (first.bytes | now.bytes) & 0xf;
        if (now.atomic == 0) first.atomic = 0;
    } else if (first.interval == 0 || ordered(first)) {
        first = now;
    } else {
        cell.readers[1] = now;
    }
}

/// True for a plain write to the number that this thread's latest atomic function changed: the last block
/// sets the counter back by which it has found out that it is the last.
bool resets_its_counter(const Stamp& writer, Access access, std::uintptr_t address) {
    return access == Access::kWrite && writer.atomic != 0 && device.thread->last_atomic == address;
}

/// Returns false if the write must be checked again after it has happened.
[[gnu::always_inline]] inline bool check_cell(Cell& cell, const Stamp& now, Access access,
                                              std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
    const std::uint32_t bytes = now.bytes;
    bool settled = true;
    if (access != Access::kWrite && (cell.written & bytes) != bytes) report_uninitialised(address, size, pc);
    const bool overlaps = (cell.writer.bytes & bytes) != 0,
               both_atomic = (cell.writer.atomic & now.atomic) != 0;
    const bool unordered_writer = overlaps && !ordered(cell.writer);
    if (unordered_writer && !both_atomic && !resets_its_counter(cell.writer, access, address)) {
        if (access == Access::kWrite && size <= sizeof pending.before) {
            if (!pending.waiting) pending = {true, address, size, pc, cell.writer, {}};
            settled = false;
        } else {
            report_race(address, size, access, pc, cell.writer, true);
        }
    }
    if (access == Access::kRead) {
        read_cell(cell, now);
        return settled;
    }
    for (const Stamp& reader : cell.readers)
        if ((reader.bytes & bytes) != 0 && (reader.atomic & now.atomic) == 0 && !ordered(reader))
            report_race(address, size, access, pc, reader, false);
    // An atomic must not hide another thread's: a later plain access of this thread may race with that.
    const bool hides = unordered_writer && both_atomic;
    if (!hides && ((cell.writer.bytes & ~bytes) == 0 || now.atomic != 0 || ordered(cell.writer)))
        cell.writer = now;
    cell.written |= bytes & 0xf;
    return settled;
}

/// Checks an access of the host to managed memory.
void check_managed(Allocation& at, std::uintptr_t address, std::size_t size, Access access,
                   std::uintptr_t pc) {
    run_ahead();
    if (at.cells == nullptr || address - at.start + size > at.size) return;
    for (std::size_t offset = address - at.start, end = offset + size; offset < end;
         offset = (offset / 4 + 1) * 4) {
        Cell& cell = at.cells[offset / 4];
        if (const auto* const other = operation_not_waited_for(cell.writer.interval))
            report_not_waited_for(address, size, access, pc, *other, true);
        if (access == Access::kRead) continue;
        for (const Stamp& reader : cell.readers)
            if (const auto* const other = operation_not_waited_for(reader.interval))
                report_not_waited_for(address, size, access, pc, *other, false);
        const std::uint32_t written = cell.written;
        cell = Cell{};
        cell.written = written & 0xf;
    }
    if (access != Access::kRead) mark_written(at.cells, address - at.start, size);
}

}  // namespace

Cell* new_cells(std::size_t size) {
    void* memory = ::mmap(nullptr, bytes_for(size), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<Cell*>(memory);
}

void delete_cells(Cell* cells, std::size_t size) {
    if (cells != nullptr) ::munmap(cells, bytes_for(size));
}

void mark_written(Cell* cells, std::size_t offset, std::size_t size) {
    if (cells == nullptr) return;
    for (std::size_t at = offset; at < offset + size;) {
        const Piece piece = piece_at(at, offset + size);
        cells[piece.cell].written |= piece.bytes & 0xf;
        at = piece.next;
    }
}

void copy_written(Cell* to, std::size_t to_offset, const Cell* from, std::size_t from_offset,
                  std::size_t size) {
    if (to == nullptr || from == nullptr) return;
    for (std::size_t k = 0; k < size; ++k) {
        const std::size_t source = from_offset + k, target = to_offset + k;
        const std::uint32_t bit = 1u << (target & 3);
        if ((from[source / 4].written >> (source & 3) & 1) != 0)
            to[target / 4].written |= bit & 0xf;
        else
            to[target / 4].written &= ~bit & 0xf;
    }
}

Unwritten unwritten_elements(const Cell* cells, std::size_t offset, std::size_t size, std::size_t element) {
    Unwritten found;
    for (std::size_t begin = 0; begin < size; begin += element) {
        bool written = false;
        const std::size_t end = offset + std::min(begin + element, size);
        for (std::size_t at = offset + begin; at < end && !written;) {
            const Piece piece = piece_at(at, end);
            written = (cells[piece.cell].written & piece.bytes) != 0;
            at = piece.next;
        }
        if (written) continue;
        const std::size_t index = begin / element;
        if (found.count++ == 0) found.first = found.last = index;
        if (found.last + 1 == index) found.last = index;
    }
    return found;
}

void settle_write() {
    if (!pending.waiting) return;
    pending.waiting = false;
    if (device.thread == nullptr) return;
    const bool between_blocks = pending.other.interval < device.block_first;
    if (std::memcmp(pending.before, reinterpret_cast<const void*>(pending.address), pending.size) == 0) {
        if (!between_blocks || pending.other.thread != device.thread->id) return;
        written_alike().insert(pending.address);
        if (written_alike().size() < kWorkDoneTwice) return;
    }
    report_race(pending.address, pending.size, Access::kWrite, pending.pc, pending.other, true);
}

void begin_late_write(std::uintptr_t address, std::size_t size) {
    std::memset(reinterpret_cast<void*>(address), 0xff, size);
    if (!device.checked) return;
    Cell* const cells = device.shared_cells + (address - device.shared_start) / 4;
    for (std::size_t k = 0; k < size / 4; ++k) {
        cells[k].written = 0;
        cells[k].readers[0] = cells[k].readers[1] = {};
    }
}

void end_late_write(std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
    if (!device.checked) return;
    Thread& me = *device.thread;
    refresh(me);
    Cell* const cells = device.shared_cells + (address - device.shared_start) / 4;
    for (std::size_t k = 0; k < size / 4; ++k) {
        cells[k].writer = {device.interval,
                           std::min(me.clock, kLatest) & kLatest,
                           me.id & 0x3ffu,
                           0xf,
                           0,
                           static_cast<std::uint32_t>(pc)};
        cells[k].written = 0xf;
    }
}

void forget_accesses() {
    pending.waiting = false;
    written_alike().clear();
}

void excuse_own_reads(std::uintptr_t address, std::size_t size) {
    Cell* cells = nullptr;
    if (const Allocation* const at = allocation_of(address);
        at != nullptr && at->cells != nullptr && !at->freed && address - at->start + size <= at->size)
        cells = at->cells + (address - at->start) / 4;
    else if (address - device.shared_start < device.shared_size && device.shared_cells != nullptr)
        cells = device.shared_cells + (address - device.shared_start) / 4;
    else if (const Module* module = device.launch.module;
             module != nullptr && module->data_cells != nullptr && address - module->data < module->data_size)
        cells = module->data_cells + (address - module->data) / 4;
    if (cells == nullptr) return;
    for (std::size_t k = 0; k < (size + 3) / 4; ++k)
        for (Stamp& reader : cells[k].readers)
            if (reader.interval == device.interval && reader.thread == device.thread->id &&
                reader.atomic == 0) {
                reader.atomic = 1;
                excuse_read(reader.pc);
            }
}

void check_operation_access(const std::string& name, std::uintptr_t address, std::size_t size, bool writes) {
    Allocation* const at = allocation_of(address);
    if (at == nullptr || at->cells == nullptr || at->freed) return;
    const Stamp now{device.interval, 1, 0, 0xf, 0, 0};
    for (std::size_t offset = address - at->start, end = offset + size; offset < end;
         offset = (offset / 4 + 1) * 4) {
        Cell& cell = at->cells[offset / 4];
        if (const auto* const other = unordered_operation(cell.writer.interval))
            report_operation_race(name, at->start + offset, 4, writes, *other, true);
        for (const Stamp& reader : cell.readers)
            if (const auto* const other = writes ? unordered_operation(reader.interval) : nullptr)
                report_operation_race(name, at->start + offset, 4, true, *other, false);
        if (writes)
            cell.writer = now;
        else
            cell.readers[cell.readers[0].interval < ordered_before() ? 0 : 1] = now;
    }
}

void check_release(const std::string& name, const Allocation& allocation, bool by_host) {
    // Most programs wait for their streams, or use one. Then there is nothing to look for in a large array.
    if (allocation.cells == nullptr ||
        !(by_host ? some_not_waited_for() : ordered_before() < device.interval))
        return;
    const auto unordered = [&](const Stamp& stamp) {
        return by_host ? operation_not_waited_for(stamp.interval) : unordered_operation(stamp.interval);
    };
    for (std::size_t k = 0; k < (allocation.size + 3) / 4; ++k) {
        const Cell& cell = allocation.cells[k];
        if (const auto* const other = unordered(cell.writer))
            report_early_release(name, allocation, *other, by_host, true);
        for (const Stamp& reader : cell.readers)
            if (const auto* const other = unordered(reader))
                report_early_release(name, allocation, *other, by_host, false);
    }
}

void check_access(std::uintptr_t address, std::size_t size, Access access, std::uintptr_t pc, bool aligned,
                  bool excused) {
    Thread* me = device.thread;
    if (me == nullptr) {
        Allocation* const at = allocation_of(address);
        if (at != nullptr && at->host != HostAccess::none && !at->freed)
            check_managed(*at, address, size, access, pc);
        else if (in_heap(address))
            report_host_access(address, size, access, pc);
        else if (device.host_watched)
            check_host_range(address, size, access, pc);
        return;
    }
    if (device.has_pending_checks) run_pending_checks(pc, address);
    if (address - me->stack < kStackSize) return;
    const Target target = find(address, size, access, pc);
    if (aligned && size > 1 && (address & ((size < 16 ? size : 16) - 1)) != 0)
        report_misaligned(address, size, access, pc);
    if (target.cells == nullptr) return;
    refresh(*me);
    Stamp now{device.interval,
              std::min(me->clock, kLatest) & kLatest,
              me->id & 0x3ffu,
              0xf,
              access == Access::kAtomic || excused,
              static_cast<std::uint32_t>(pc)};
    const auto check = [&](Cell& cell, std::uintptr_t word) {
        if (target.written) cell.written = 0xf;
        if (target.shared) reset_if_from_earlier_block(cell, word);
        return check_cell(cell, now, access, address, size, pc);
    };
    bool settled = true;
    if (((target.offset | size) & 3) == 0) {
        for (std::size_t at = 0; at < size; at += 4)
            settled &= check(target.cells[(target.offset + at) / 4], address + at);
    } else {
        for (std::size_t at = target.offset, end = target.offset + size; at < end;) {
            const std::size_t low = at & 3, word = at - low, high = std::min<std::size_t>(4, end - word);
            now.bytes = ((1u << high) - (1u << low)) & 0xf;
            settled &= check(target.cells[at / 4], address - target.offset + word);
            at = word + 4;
        }
    }
    if (settled) return;
    std::memcpy(pending.before, reinterpret_cast<const void*>(address), size);
    device.has_pending_checks = true;
}

}  // namespace attn::emulator
