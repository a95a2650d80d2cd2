#pragma once
/// The heap of the worker. While a student's function runs, each buffer that it allocates lies beside an
/// unreadable page, as the arrays of the call do, and is filled with poison. So an access beyond a buffer is
/// a fault that can be described, and a read of memory that was never written gives NaN. Otherwise, and for
/// more or larger buffers than the limits in the .cpp file, this is the heap of the C library.

#include <cstddef>
#include <cstdint>
#include <exception>

namespace attn::worker {

/// Which side of a buffer lies at an unreadable page. At the end, up to 15 bytes lie between, because buffers
/// are aligned. These and 64 bytes on the other side are checked when the buffer is freed and when the call
/// returns.
enum class GuardedSide { end, start };

/// Guards the heap as long as it exists.
class HeapGuard {
  public:
    explicit HeapGuard(GuardedSide side);
    ~HeapGuard();
    HeapGuard(const HeapGuard&) = delete;
    HeapGuard& operator=(const HeapGuard&) = delete;

    /// Throws HeapError if something was written beside a buffer since the construction.
    void require_undamaged() const;
};

/// Something was written beside a buffer. what() is a sentence that says where.
class HeapError : public std::exception {
  public:
    explicit HeapError(const char* text) : text_(text) {}
    const char* what() const noexcept override { return text_; }

  private:
    const char* text_;  // static
};

/// Writes a sentence about an access to the unreadable page beside a buffer: "It wrote past the end of ..".
/// Writes nothing if the address is not beside a buffer. May be called from a signal handler.
void describe_heap_fault(std::uint64_t address, const char* verb, char* text, std::size_t size);

/// Writes a sentence if these bytes are on the pages of a buffer, but outside of it, or in a buffer that was
/// freed.
void describe_heap_access(std::uint64_t address, std::size_t bytes, const char* verb, char* text,
                          std::size_t size);

}  // namespace attn::worker
