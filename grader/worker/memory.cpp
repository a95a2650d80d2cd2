#include "grader/worker/memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file_descriptor.h"
#include "grader/sandbox/dumpable.h"

namespace attn::worker {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and the largest alignment of vector loads
/// Far from all addresses that a loader or an allocator uses.
constexpr std::uint64_t kFirstAddress = 0x2000'0000'0000;
constexpr int kSealFutureWrite = 0x10;  // F_SEAL_FUTURE_WRITE, Linux 5.1; missing from older headers

std::byte poison_at(std::uintptr_t position) {
    std::array<std::byte, sizeof kPoison> pattern{};
    std::memcpy(pattern.data(), &kPoison, sizeof kPoison);
    return pattern[position % sizeof kPoison];
}

bool poisoned(std::span<const std::byte> bytes, std::size_t first_position) {
    for (std::size_t k = 0; k < bytes.size(); ++k)
        if (bytes[k] != poison_at(first_position + k)) return false;
    return true;
}

}  // namespace

SharedMemory::SharedMemory(const char* name, std::size_t bytes, Kind kind)
    : bytes_(bytes), file_(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    if (file_.get() < 0) throw_system_error("memfd_create");
    if (ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) throw_system_error("ftruncate");
    void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (start == MAP_FAILED) throw_system_error("mmap");
    data_ = static_cast<std::byte*>(start);
    // Without these seals a worker could shrink the file, and the parent would end with SIGBUS.
    int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    const bool read_only = kind == Kind::read_only;
    if (read_only) {
        if (fchmod(file_.get(), 0400) != 0) throw_system_error("fchmod");
        seals |= kSealFutureWrite;
    }
    if (fcntl(file_.get(), F_ADD_SEALS, seals) != 0) throw_system_error("sealing shared memory");
    const Dumpable open_for_this(true);
    const std::string again = "/proc/self/fd/" + std::to_string(file_.get());
    for_worker_ = FileDescriptor(open(again.c_str(), (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC));
    if (for_worker_.get() < 0) throw_system_error("opening shared memory again");
}

SharedMemory::~SharedMemory() {
    munmap(data_, bytes_);
}

void SharedMemory::keep_only(std::size_t bytes) {
    if (used_ > bytes) std::memset(data_ + bytes, 0, used_ - bytes);
    used_ = bytes;
}

std::span<std::byte> Region::pages_in(const SharedMemory& memory) const {
    return {memory.data() + offset, pages * kPage};
}

std::span<std::byte> Region::array_in(const SharedMemory& memory) const {
    return pages_in(memory).subspan(start, bytes);
}

Layout::Layout(Placement placement, std::uint32_t call)
    : placement_(placement), address_(kFirstAddress + call % 64 * kPage) {}

Region Layout::place(std::string name, const Shape& shape, ElementType type, std::size_t bytes, bool output) {
    const std::size_t pages = std::max<std::size_t>(1, (bytes + kPage - 1) / kPage);
    const std::size_t aligned = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    const std::size_t start = placement_ == Placement::ends_at_guard ? pages * kPage - aligned : 0;
    std::size_t& used = output ? output_bytes : input_bytes;
    Region region{std::move(name), shape, type, bytes, used, pages, start, address_ + kPage, output};
    used += pages * kPage;
    address_ += (pages + 2) * kPage;
    return region;
}

void poison(std::span<std::byte> bytes) {
    std::size_t k = 0;
    for (; k + sizeof kPoison <= bytes.size(); k += sizeof kPoison)
        std::memcpy(bytes.data() + k, &kPoison, sizeof kPoison);
    for (; k < bytes.size(); ++k) bytes[k] = poison_at(k);
}

std::vector<bool> untouched_marks(const Array& array) {
    const auto* bytes = static_cast<const std::byte*>(array.data());
    const std::size_t size = array.count() == 0 ? 1 : array.bytes() / array.count();
    std::vector<bool> marks(array.count());
    for (std::size_t k = 0; k < marks.size(); ++k) marks[k] = poisoned({bytes + k * size, size}, k * size);
    return marks;
}

bool surroundings_untouched(const Region& region, const SharedMemory& memory, std::string& where) {
    const auto all = region.pages_in(memory);
    const std::size_t end = region.start + region.bytes;
    const bool before = poisoned(all.first(region.start), 0), after = poisoned(all.subspan(end), end);
    if (before && after) return true;
    where =
        (before ? "past the end of " : "before the start of ") + region.name + " " + to_string(region.shape);
    return false;
}

std::string describe_address(std::uint64_t address, std::span<const Region> regions) {
    for (const Region& region : regions) {
        if (address + kPage < region.address || address >= region.address + (region.pages + 1) * kPage)
            continue;
        if (address < region.data_address())
            return "before the start of " + region.name + " " + to_string(region.shape);
        const std::size_t count = element_count(region.shape);
        const std::size_t size = count == 0 ? 1 : region.bytes / count;
        std::size_t rest = (address - region.data_address()) / size;
        const bool inside = rest < count;
        // Row-major indices; after the last row the first index continues beyond its axis.
        Shape index(region.shape.size(), 0);
        for (std::size_t axis = region.shape.size(); axis-- > 1;) {
            const auto length = static_cast<std::size_t>(std::max(region.shape[axis], 1));
            index[axis] = static_cast<int>(rest % length);
            rest /= length;
        }
        if (!index.empty()) index[0] = static_cast<int>(rest);
        return (inside ? "" : "past the end of " + region.name + ": ") + "element " +
               detail::join(index.data(), static_cast<int>(index.size()), '(', ')') + " of " +
               (inside ? region.name + " " : "") + to_string(region.shape);
    }
    return {};
}

}  // namespace attn::worker
