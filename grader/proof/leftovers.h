#pragma once
/// What a submission leaves behind: processes, files, shared memory, open descriptors.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace attn::proof {

/// Looks for what was not there when it was made. Processes that lose their parent become children of this
/// one from then on, so that none can hide.
class Leftovers {
  public:
    /// `mark`: a word in the names of what foreign code may leave in folders that others use, too. `key`: of
    /// System V objects. `own`: folders that nobody else uses, in which anything new counts.
    Leftovers(std::string mark, int key, std::vector<std::filesystem::path> own);

    struct Found {
        std::string sign;  ///< process, file, shared_memory, descriptor
        std::string what;
    };
    /// What there is now. Processes that have been killed get a moment to end.
    std::vector<Found> look() const;

    /// Ends the processes and removes the rest.
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
