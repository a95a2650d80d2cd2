#pragma once
/// Arrays in memory that parent and worker share. Each array has its own pages, between two unreadable pages.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::worker {

/// Whether an array ends or starts next to an unreadable page. An access beyond that end is a fault, which
/// can be described by array and element.
enum class Placement { ends_at_guard, starts_at_guard };

/// An anonymous file mapped into the parent.
class SharedMemory {
  public:
    enum class Kind { read_only, writable };  ///< for the worker; the parent always writes

    /// Throws std::system_error.
    SharedMemory(const char* name, std::size_t bytes, Kind kind);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    std::byte* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    /// Prepares for a call that uses the first `bytes`: what earlier calls have written after them is
    /// cleared.
    void keep_only(std::size_t bytes);
    /// The descriptor to hand to the worker.
    int descriptor() const { return for_worker_.get(); }

  private:
    std::byte* data_ = nullptr;
    std::size_t bytes_;
    std::size_t used_ = 0;
    FileDescriptor file_, for_worker_;
};

/// The location of an array: `pages` pages of a memory; the first byte is `start` bytes into them.
struct Region {
    std::string name;
    Shape shape;
    ElementType type = ElementType::f32;
    std::size_t bytes = 0;   ///< of the array
    std::size_t offset = 0;  ///< of the pages in their memory
    std::size_t pages = 0;
    std::size_t start = 0;
    std::uint64_t address = 0;  ///< of the pages in the worker
    bool output = false;

    std::uint64_t data_address() const { return address + start; }
    std::span<std::byte> pages_in(const SharedMemory& memory) const;
    std::span<std::byte> array_in(const SharedMemory& memory) const;
};

/// Places the arrays of a call in the two memories, one after the other, and assigns addresses in the worker.
class Layout {
  public:
    /// `call`: the number of the call. Consecutive calls start at different pages, so that an old address is
    /// of no use in a later call.
    Layout(Placement placement, std::uint32_t call);
    Region place(std::string name, const Shape& shape, ElementType type, std::size_t bytes, bool output);

    std::size_t input_bytes = 0, output_bytes = 0;

  private:
    Placement placement_;
    std::uint64_t address_;
};

/// Fills bytes with kPoison.
void poison(std::span<std::byte> bytes);

/// Marks the elements that still hold the poison.
std::vector<bool> untouched_marks(const Array& array);

/// Whether the bytes around an array still hold the poison. If not, `where` says on which side.
bool surroundings_untouched(const Region& region, const SharedMemory& memory, std::string& where);

/// Describes a faulting address by array and element: "past the end of K: element (4, 0) of [4, 17]". Empty
/// if it belongs to no array.
std::string describe_address(std::uint64_t address, std::span<const Region> regions);

}  // namespace attn::worker
