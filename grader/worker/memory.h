#pragma once
/// Arrays in memory that parent and worker share, each on pages of its own between two unreadable ones.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assignments/array.h"
#include "grader/worker/process.h"
#include "grader/worker/protocol.h"

namespace attn::worker {

/// Where in its pages an array lies. An access beyond that end is a fault that can be named.
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
    /// The descriptor to hand to the worker.
    int descriptor() const { return for_worker_.get(); }

  private:
    std::byte* data_ = nullptr;
    std::size_t bytes_;
    FileDescriptor file_, for_worker_;
};

/// One array's place: `pages` pages of a memory, the array's first byte `start` bytes into them.
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

/// Lays the arrays of a call into the two memories, one after the other, and gives each its addresses in the
/// worker.
class Layout {
  public:
    /// `call`: its number. Each begins at another page, so that an address tells nothing about an earlier
    /// call.
    Layout(Placement placement, std::uint32_t call);
    Region place(std::string name, const Shape& shape, ElementType type, std::size_t bytes, bool output);

    std::size_t input_bytes = 0, output_bytes = 0;

  private:
    Placement placement_;
    std::uint64_t address_;
};

/// Fills bytes with kPoison.
void poison(std::span<std::byte> bytes);

/// Which elements still hold the poison.
std::vector<bool> untouched_marks(const Array& array);

/// True where the bytes around an array still hold the poison; else says in `where` on which side they do
/// not.
bool surroundings_untouched(const Region& region, const SharedMemory& memory, std::string& where);

/// Which array a faulting address belongs to and which element it would be:
/// "past the end of K: element (4, 0) of [4, 17]". Empty where it belongs to none.
std::string name_address(std::uint64_t address, std::span<const Region> regions);

}  // namespace attn::worker
