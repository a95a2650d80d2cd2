// The installation of a build. CMake defines the paths.

#include "grader/base/installation.h"
#include "grader/base/timed_level.h"

namespace attn {

Installation::Installation()
    : version(ATTN_VERSION),
      commit_file(ATTN_LOADED_DIR "/COMMIT"),
      assignments(ATTN_ASSIGNMENTS_DIR),
      datasets(ATTN_SOURCES_DIR "/datasets"),
      worker(ATTN_WORKER),
      reader(ATTN_READER),
      exports(ATTN_LOADED_DIR "/exports.so"),
      kernel_exports(ATTN_LOADED_DIR "/kernel_exports.so"),
      plain(ATTN_LOADED_DIR "/plain.so"),
      yardstick(ATTN_LOADED_DIR "/yardstick.so"),
      with_yardstick(ATTN_YARDSTICKS),
      stand_ins(ATTN_LOADED_DIR "/stand_ins"),
      cuda_headers(ATTN_CONTRACTS_DIR "/cuda"),
      timed_level(ATTN_TIMED_LEVEL),
      timed_flags(ATTN_TIMED_FLAGS),
      no_speed(obstacle_to_speed(timed_level)),
      preludes(ATTN_PRELUDES_DIR),
      compiler(ATTN_STUDENT_CXX),
      emulator_headers(ATTN_SOURCES_DIR "/grader/emulator/include"),
      emulator_library(ATTN_EMULATOR_LIBRARY),
      sources(ATTN_SOURCES_DIR),
      proof(sources / "grader/proof"),
      reference(ATTN_REFERENCE),
      adapters(ATTN_CONTRACTS_DIR) {}

}  // namespace attn
