#pragma once
/// What `make bench` prints: who computes attention how fast, beside one matrix product and the machine's
/// peak, all from one interleaved run.

#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

namespace attn::fast {

/// A benchmark with this name and a counter "flop" (of one iteration) is a cell of the table.
std::string cell_name(const std::string& row, int threads, const std::string& column);

/// Rows that every other is divided by.
inline constexpr std::string_view kPeak = "FMA peak";
inline constexpr std::string_view kSgemm = "sgemm 2048^3";

/// Columns. The ratio of the first to each of the others stands at the end of each row that has both.
inline constexpr std::string_view kFast = "attn::fast";
inline constexpr std::string_view kOpenBlas = "OpenBLAS";
inline constexpr std::string_view kPlain = "plain loops";

struct Speeds {
    std::string row, column;
    int threads = 1;
    std::vector<double> gflops = {};  ///< of every repetition
    double median() const;
};

/// Collects the cells and passes everything else on to the console.
class TableReporter : public benchmark::ConsoleReporter {
  public:
    bool ReportContext(const Context& context) override;
    void ReportRuns(const std::vector<Run>& runs) override;
    const std::vector<Speeds>& speeds() const { return speeds_; }

  private:
    std::vector<Speeds> speeds_;
};

/// A block for every number of threads. A cell: GFLOP/s, share of sgemm, share of the peak.
void print_table(std::ostream& out, const std::vector<Speeds>& speeds);

/// The shares of sgemm with one thread, as bars.
void write_plot(std::ostream& out, const std::vector<Speeds>& speeds);

}  // namespace attn::fast
