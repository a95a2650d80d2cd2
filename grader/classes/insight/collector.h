#pragma once
/// Collects an insight from one student at a time. A full report is 100 KB and more, so a class is not kept
/// in memory: each report is reduced to what the page needs as soon as it is added.

#include <memory>

#include "grader/classes/insight/insight.h"

namespace attn::classes {

class InsightCollector {
  public:
    /// `head` gives the title, the moments and whether names may be shown; its students are not read. In
    /// `class_folder` lie the files of attempts, to find where functions begin; empty: they are not looked
    /// at.
    explicit InsightCollector(const ClassView& head, std::filesystem::path class_folder = {});
    ~InsightCollector();
    InsightCollector(const InsightCollector&) = delete;
    InsightCollector& operator=(const InsightCollector&) = delete;

    void add(const StudentView& student);

    /// What was collected. Call it once, after the last student.
    Insight finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace attn::classes
