// Google Benchmark's main with a table at the end, and a plot: --plot=FILE.svg.

#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "reference/fast/bench_openblas.h"
#include "reference/fast/bench_peers.h"
#include "reference/fast/bench_table.h"
#include "reference/fast/bench_torch.h"
#include "reference/fast/vector_unit.h"

int main(int count, char** values) {
    const std::string peers = attn::fast::with_peers_at_their_best(count, values);
    std::string interleave = "--benchmark_enable_random_interleaving=true", plot;
    std::vector<char*> arguments = {values[0], interleave.data()};
    const std::string flag = "--plot=";
    for (int k = 2; k < count; ++k) {
        if (std::string(values[k]).rfind(flag, 0) == 0)
            plot = values[k] + flag.size();
        else
            arguments.push_back(values[k]);
    }
    count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
    attn::fast::TableReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    if (reporter.speeds().empty()) return 0;
    std::cout << "\nVector unit: " << attn::fast::name_of(attn::fast::vector_unit())
              << "\nPeers: " << attn::fast::openblas_in_words() << "; " << attn::fast::torch().in_words()
              << "\nOf the peers: " << peers << '\n';
    attn::fast::print_table(std::cout, reporter.speeds());
    if (!plot.empty()) {
        std::ofstream file(plot);
        attn::fast::write_plot(file, reporter.speeds());
        if (!file.flush()) {
            std::cerr << "cannot write " << plot << '\n';
            return 2;
        }
    }
    return 0;
}
