#pragma once
/// Where hostile submissions are let loose: a place with something to steal and to spoil, and an eye on it.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "datasets/temporary_directory.h"
#include "grader/base/installation.h"
#include "grader/build/builds.h"
#include "grader/proof/hostile.h"
#include "grader/proof/leftovers.h"
#include "grader/report/report.h"
#include "grader/worker/process.h"

namespace attn::proof {

/// What was seen when a submission was graded. Signs that an attack succeeded:
///   points         the attacked function has more than it deserves
///   printed        a secret, or the word by which an attack says that it got through, is in the report
///   process, file, shared_memory, descriptor       was left behind
///   written        a file that the grader has open was written to
///   connected      somebody called at an address of this machine
///   signalled      the grader got a signal
struct Trial {
    report::Report report;  ///< of assignment 2
    std::set<std::string> signs;
    std::vector<std::string> evidence;  ///< for people: "file /tmp/x"
    double seconds = 0;                 ///< of grading, without compiling
    double compile_s = 0;               ///< 0 where it had been compiled before
};

class AttackEnvironment {
  public:
    /// `time_s`: limit of a call.
    AttackEnvironment(const Installation& installation, double time_s);
    ~AttackEnvironment();
    AttackEnvironment(const AttackEnvironment&) = delete;
    AttackEnvironment& operator=(const AttackEnvironment&) = delete;

    /// Grades an attack with these layers. What was compiled with all layers is compiled once.
    Trial let_loose(const Attack& attack, const worker::Layers& layers, std::uint64_t seed);

    /// Grades any text, with all layers.
    report::Report grade(const std::string& name, const std::string& text);

  private:
    using Built = std::shared_ptr<const submission::Build>;
    Built build(const std::string& name, const std::string& text, const std::string& link,
                const worker::Layers& layers);
    report::Report grade(const Built& build, const worker::Layers& layers, std::uint64_t seed);
    void set_out() const;
    void look_around(Trial& trial) const;

    Installation installation_;
    submission::Rubric rubric_;
    std::string mark_, secret_;
    int key_;
    data::TemporaryDirectory folder_;
    std::filesystem::path place_, temporary_;
    std::string temporary_before_;
    worker::FileDescriptor open_file_, door_, letter_box_;
    std::map<std::string, std::string> places_;
    std::map<std::string, Built> built_;
};

}  // namespace attn::proof
