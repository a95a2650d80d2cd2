#pragma once
/// Memory of a real GPU for the arguments of a call, prepared so that mistakes show. (On the emulator every
/// allocation ends at a guard page instead.)

#include <cstddef>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "assignments/device.h"

namespace attn::worker {

/// Device memory between two zones that no kernel may write. All of it holds NaN at first, as floats, so a
/// kernel that reads what was never written, or beyond the end, does not find an earlier call's numbers
/// there.
class PaddedMemory {
  public:
    explicit PaddedMemory(std::size_t bytes) : bytes_(bytes), memory_(bytes + 2 * kZone) {
        cuda::check(cudaMemset(memory_.data(), kNan, memory_.bytes()), "cudaMemset of an argument");
    }
    unsigned char* data() const { return memory_.data() + kZone; }

    /// Throws DeviceError if a zone has changed. `what`: "argument 2".
    void require_intact(const std::string& what) const {
        require_intact(memory_.data(), "before " + what);
        require_intact(data() + bytes_, "after the end of " + what);
    }

  private:
    static constexpr std::size_t kZone = 4096;
    static constexpr int kNan = 0xff;

    static void require_intact(const unsigned char* zone, const std::string& where) {
        std::vector<unsigned char> bytes(kZone);
        cuda::check(cudaMemcpy(bytes.data(), zone, kZone, cudaMemcpyDeviceToHost), "cudaMemcpy of a zone");
        std::size_t changed = 0;
        for (const unsigned char byte : bytes) changed += byte != kNan ? 1 : 0;
        if (changed > 0)
            throw cuda::DeviceError("a kernel wrote " + std::to_string(changed) + " bytes of the memory " +
                                    where);
    }

    std::size_t bytes_;
    cuda::DeviceBuffer<unsigned char> memory_;
};

/// The default of call_on_device(): memory as it comes.
class PlainMemory {
  public:
    explicit PlainMemory(std::size_t bytes) : memory_(bytes) {}
    unsigned char* data() const { return memory_.data(); }
    void require_intact(const std::string&) const {}

  private:
    cuda::DeviceBuffer<unsigned char> memory_;
};

}  // namespace attn::worker
