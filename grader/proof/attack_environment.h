#pragma once
/// An environment in which hostile submissions are graded. It holds secrets to steal and files to damage, and
/// detects the signs of a successful attack.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "datasets/files/temporary_directory.h"
#include "grader/base/installation.h"
#include "grader/compile/builds.h"
#include "grader/proof/hostile.h"
#include "grader/proof/leftovers.h"
#include "grader/report/report.h"
#include "grader/worker/process.h"

namespace attn::proof {

/// The result of grading an attack. Signs that an attack succeeded:
///   points         the attacked function got more than it deserves
///   printed        a secret, or the mark that a successful attack prints, is in the report
///   process, file, shared_memory, descriptor       was left behind
///   written        a file that the grader has open was written to
///   connected      an address of this machine received a connection or a datagram
///   signalled      the grader got a signal
struct Trial {
    report::Report report;  ///< of assignment 2
    std::set<std::string> signs;
    std::vector<std::string> evidence;  ///< a description of each sign: "file /tmp/x"
    double seconds = 0;                 ///< the time of grading, without compiling
    double compile_s = 0;               ///< 0 if the attack had been compiled before
};

class AttackEnvironment {
  public:
    /// `time_s`: the time limit of a call.
    AttackEnvironment(const Installation& installation, double time_s);
    ~AttackEnvironment();
    AttackEnvironment(const AttackEnvironment&) = delete;
    AttackEnvironment& operator=(const AttackEnvironment&) = delete;

    /// The time limit of a call from now on.
    void limit_calls(double time_s) { rubric_.limits.time_s = time_s; }

    /// Grades an attack with these layers. A submission that is compiled with all layers is compiled only
    /// once.
    Trial grade_attack(const Attack& attack, const worker::Layers& layers, std::uint64_t seed);

    /// Grades any source text, with all layers.
    report::Report grade(const std::string& name, const std::string& text);

  private:
    using Built = std::shared_ptr<const compile::Build>;
    Built build(const std::string& name, const std::string& text, const std::string& link,
                const worker::Layers& layers);
    report::Report grade(const Built& build, const worker::Layers& layers, std::uint64_t seed);
    void reset() const;
    void collect_signs(Trial& trial) const;

    Installation installation_;
    rubric::Rubric rubric_;
    std::string mark_, secret_;
    int key_;
    data::TemporaryDirectory folder_;
    std::filesystem::path target_folder_, temporary_;
    std::string temporary_before_;
    FileDescriptor open_file_, tcp_socket_, udp_socket_;
    std::map<std::string, std::string> placeholders_;
    std::map<std::string, Built> built_;
};

}  // namespace attn::proof
