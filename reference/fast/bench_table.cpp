#include "reference/fast/bench_table.h"

#include <algorithm>
#include <iostream>
#include <set>

#include <fmt/format.h>

namespace attn::fast {
namespace {

/// In the order in which they came first.
template <class F>
std::vector<std::string> distinct(const std::vector<Speeds>& speeds, F key) {
    std::vector<std::string> all;
    for (const Speeds& one : speeds)
        if (std::find(all.begin(), all.end(), key(one)) == all.end()) all.push_back(key(one));
    return all;
}

/// Nothing where one of the two was not measured, which a filter may leave out.
std::string share(double speed, double of, int width) {
    return of > 0 ? fmt::format("{:>{}.2f}", speed / of, width) : fmt::format("{:>{}}", "", width);
}

/// 0 where nothing was measured.
double median_of(const std::vector<Speeds>& speeds, std::string_view row, int threads,
                 std::string_view column) {
    for (const Speeds& one : speeds)
        if (one.row == row && one.threads == threads && one.column == column) return one.median();
    return 0;
}

bool is_contest(const Speeds& one) {
    return one.row != kPeak && one.row != kSgemm;
}

std::vector<Speeds> contests(const std::vector<Speeds>& speeds) {
    std::vector<Speeds> some;
    std::copy_if(speeds.begin(), speeds.end(), std::back_inserter(some), is_contest);
    // Random interleaving starts with any of them.
    std::stable_sort(some.begin(), some.end(),
                     [](const Speeds& a, const Speeds& b) { return a.row < b.row; });
    return some;
}

constexpr std::string_view kPrefix = "table|";
constexpr std::string_view kPeers[] = {kOpenBlas, kPlain};

}  // namespace

std::string cell_name(const std::string& row, int threads, const std::string& column) {
    return fmt::format("{}{}|{}|{}|", kPrefix, row, threads, column);
}

double Speeds::median() const {
    std::vector<double> sorted = gflops;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : (sorted[sorted.size() / 2] + sorted[(sorted.size() - 1) / 2]) / 2;
}

bool TableReporter::ReportContext(const Context& context) {
    return benchmark::ConsoleReporter::ReportContext(context);
}

void TableReporter::ReportRuns(const std::vector<Run>& runs) {
    std::vector<Run> others;
    for (const Run& run : runs) {
        const std::string name = run.run_name.function_name;
        if (name.rfind(kPrefix, 0) != 0) {
            others.push_back(run);
            continue;
        }
        const auto counter = run.counters.find("flop");
        if (run.run_type != Run::RT_Iteration || counter == run.counters.end()) continue;
        const std::size_t a = kPrefix.size(), b = name.find('|', a), c = name.find('|', b + 1),
                          d = name.find('|', c + 1);
        const Speeds cell{name.substr(a, b - a), name.substr(c + 1, d - c - 1),
                          std::stoi(name.substr(b + 1, c - b - 1))};
        auto found = std::find_if(speeds_.begin(), speeds_.end(), [&](const Speeds& one) {
            return one.row == cell.row && one.column == cell.column && one.threads == cell.threads;
        });
        if (found == speeds_.end()) found = speeds_.insert(speeds_.end(), cell);
        // One thread: its processor time, which others on the machine disturb less. More: the clock.
        const double seconds =
            (cell.threads == 1 && run.run_name.time_type != "manual_time" ? run.cpu_accumulated_time
                                                                          : run.real_accumulated_time) /
            static_cast<double>(run.iterations);
        found->gflops.push_back(counter->second.value / seconds * 1e-9);
    }
    if (!others.empty()) benchmark::ConsoleReporter::ReportRuns(others);
}

void print_table(std::ostream& out, const std::vector<Speeds>& speeds) {
    const std::vector<Speeds> cells = contests(speeds);
    std::set<int> threads;
    for (const Speeds& one : cells) threads.insert(one.threads);
    std::vector<std::string> columns = distinct(cells, [](const Speeds& one) { return one.column; });
    std::sort(columns.begin(), columns.end());
    for (const int count : threads) {
        const double peak = median_of(speeds, kPeak, count, ""), sgemm = median_of(speeds, kSgemm, count, "");
        out << fmt::format("\n{} thread{}: ", count, count == 1 ? "" : "s");
        out << (peak > 0 && sgemm > 0 ? fmt::format("{} {:.1f} GFLOP/s, {} {:.1f} ({:.2f} of the peak)\n",
                                                    kPeak, peak, kSgemm, sgemm, sgemm / peak)
                                      : fmt::format("{} or {} was not measured\n", kPeak, kSgemm));
        out << fmt::format("{:26}", "GFLOP/s, of sgemm, of peak");
        for (const std::string& column : columns) out << fmt::format("{:>22}", column);
        for (const std::string_view peer : kPeers) out << fmt::format("  {} / {}", kFast, peer);
        out << '\n';
        for (const std::string& row : distinct(cells, [](const Speeds& one) { return one.row; })) {
            if (std::none_of(cells.begin(), cells.end(),
                             [&](const Speeds& one) { return one.row == row && one.threads == count; }))
                continue;
            out << fmt::format("{:26}", row);
            for (const std::string& column : columns) {
                const double speed = median_of(speeds, row, count, column);
                out << (speed > 0
                            ? fmt::format("{:>10.1f}", speed) + share(speed, sgemm, 6) + share(speed, peak, 6)
                            : fmt::format("{:>22}", ""));
            }
            const double fast = median_of(speeds, row, count, kFast);
            for (const std::string_view peer : kPeers) {
                const double speed = median_of(speeds, row, count, peer);
                const std::size_t width = kFast.size() + peer.size() + 5;  // as in the heading
                out << (fast > 0 && speed > 0 ? fmt::format("{:>{}.2f}", fast / speed, width)
                                              : fmt::format("{:>{}}", "", width));
            }
            out << '\n';
        }
    }
    out << "Medians of the repetitions. Attention counts 4 B H N^2 d floating-point operations, causal half "
           "of it.\nOther functions count their matrix products alone: at a share of 1 of sgemm nothing else "
           "would "
           "take time.\n";
}

void write_plot(std::ostream& out, const std::vector<Speeds>& speeds) {
    constexpr int kBar = 16, kGap = 14, kLeft = 210, kScale = 420, kWidth = 760;
    constexpr const char* kColours[] = {"#4477aa", "#228833", "#ccbb44", "#ee6677", "#aa3377"};
    const std::vector<Speeds> cells = contests(speeds);
    std::vector<std::string> columns = distinct(cells, [](const Speeds& one) { return one.column; });
    std::sort(columns.begin(), columns.end());
    const std::vector<std::string> rows = distinct(cells, [](const Speeds& one) { return one.row; });
    const double sgemm = median_of(speeds, kSgemm, 1, "");
    const int group = static_cast<int>(columns.size()) * kBar + kGap;
    const int height = 40 + group * static_cast<int>(rows.size()) + 20;
    out << fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" font-family="sans-serif" font-size="12">)"
        "\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"10\" y=\"20\">Attention, one thread: speed as a share of sgemm 2048^3 ({:.0f} "
        "GFLOP/s)</text>\n",
        kWidth, height, sgemm);
    int y = 40;
    for (const std::string& row : rows) {
        out << fmt::format("<text x=\"10\" y=\"{}\" font-weight=\"bold\">{}</text>\n", y + 12, row);
        for (std::size_t k = 0; k < columns.size(); ++k, y += kBar) {
            const double of_sgemm = sgemm > 0 ? median_of(speeds, row, 1, columns[k]) / sgemm : 0;
            if (!(of_sgemm > 0)) continue;
            out << fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
                               kLeft, y, of_sgemm * kScale, kBar - 2, kColours[k % std::size(kColours)]);
            out << fmt::format("<text x=\"{:.1f}\" y=\"{}\">{:.2f} {}</text>\n",
                               kLeft + 5 + of_sgemm * kScale, y + kBar - 4, of_sgemm, columns[k]);
        }
        y += kGap;
    }
    out << fmt::format(
        "<line x1=\"{0}\" x2=\"{0}\" y1=\"32\" y2=\"{1}\" stroke=\"black\" "
        "stroke-dasharray=\"4\"/>\n</svg>\n",
        kLeft + kScale, y);
}

}  // namespace attn::fast
