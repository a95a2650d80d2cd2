#pragma once
/// Finds what a submission leaves behind: processes, files, shared memory, open descriptors.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace attn::proof {

/// Finds everything that was not there when the object was constructed. From then on, processes that lose
/// their parent become children of this process, so that none can hide.
class Leftovers {
  public:
    /// `mark`: a word in the names of files that a submission may leave in shared folders. `key`: the key of
    /// its System V objects. `own`: folders that only the submission uses; every new file there counts.
    Leftovers(std::string mark, int key, std::vector<std::filesystem::path> own);

    struct Found {
        std::string sign;  ///< process, file, shared_memory, descriptor
        std::string what;
    };
    /// Lists the leftovers now present. Killed processes get a moment to end.
    std::vector<Found> look() const;

    /// Ends leftover processes and removes the other leftovers.
    void remove() const;
    static void end_processes();

  private:
    std::vector<std::filesystem::path> files() const;

    std::string mark_;
    int key_;
    std::vector<std::filesystem::path> own_;
    std::set<std::filesystem::path> files_before_;
    std::set<std::string> descriptors_before_;
};

}  // namespace attn::proof
