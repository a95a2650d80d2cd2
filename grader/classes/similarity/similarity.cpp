#include "grader/classes/similarity/similarity.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/classes/run_tool.h"
#include "grader/classes/similarity/template_lines.h"

namespace attn::classes {

namespace {
namespace fs = std::filesystem;

namespace similarity {

std::string file_name(std::size_t input) {
    return fmt::format("{:06}.cpp", input);
}

/// The sources of a folder, one after the other. Of more than `most` bytes, the largest files are left out: `left_out`
/// names them.
std::string text_of(const fs::path& folder, std::uintmax_t most, std::vector<std::string>& left_out) {
    static const std::set<std::string> kEndings = {".cpp", ".cu", ".h", ".hpp", ".cuh", ".cc"};
    std::vector<std::pair<std::uintmax_t, fs::path>> sizes;
    std::error_code error;
    for (fs::recursive_directory_iterator walk(folder, error), end; !error && walk != end;
         walk.increment(error))
        if (walk->symlink_status().type() == fs::file_type::regular &&
            kEndings.count(walk->path().extension().string()) != 0)
            sizes.emplace_back(walk->file_size(), walk->path());
    std::sort(sizes.begin(), sizes.end());
    std::vector<fs::path> files;
    for (std::uintmax_t all = 0; const auto& [size, file] : sizes) {
        if (all + size <= most)
            files.push_back(file);
        else
            left_out.push_back(file.lexically_relative(folder).string());
        all += std::min(size, most);
    }
    std::sort(files.begin(), files.end());
    std::string text;
    for (const fs::path& file : files) {
        text += "// FILE: " + file.lexically_relative(folder).string() + "\n" + data::read_file(file);
        if (!text.ends_with('\n')) text += '\n';
    }
    std::erase(text, '\r');
    std::replace(text.begin(), text.end(), '\0', ' ');
    return text;
}

/// Compares texts with Debian's sim_c++, in a folder of its own.
class Tool {
  public:
    Tool(const fs::path& folder, int shortest_run) : folder_(folder), shortest_run_(shortest_run) {}

    static bool is_there() { return run_tool({"sim_c++", "-v"}).has_value(); }

    /// Whether sim_c++ reads a text, and compares it with itself quickly.
    bool is_quick(const std::string& file) const {
        const auto ran = run({file}, {.time_s = 60, .processor_s = 1});
        return ran && ran->exit_code == 0;
    }

    /// Compares the files with each other, not with themselves. Returns the file with what was found.
    fs::path compare(std::vector<std::string> files) const {
        constexpr double kMost_s = 600;
        files.insert(files.begin(), {"-e", "-s"});
        const auto ran = run(std::move(files), {.time_s = kMost_s});
        if (ran && ran->exit_code == kToolCut)
            throw UserError(
                fmt::format("sim_c++ did not compare these hand-ins within {} s; make a class of fewer "
                            "of them",
                            kMost_s));
        if (!ran || ran->exit_code != 0)
            throw std::runtime_error(
                fmt::format("sim_c++ ended with exit code {}", ran ? ran->exit_code : -1));
        return folder_ / "found.txt";
    }

  private:
    std::optional<ToolResult> run(std::vector<std::string> words, const ToolLimits& limits) const {
        words.insert(words.begin(), {"env", "-C", folder_.string(), "sim_c++", "-n", "-w", "120", "-r",
                                     std::to_string(shortest_run_), "-o", "found.txt"});
        return run_tool(words, {"LC_ALL=C"}, limits);
    }

    fs::path folder_;
    int shortest_run_;
};

/// Reads what sim_c++ -n prints.
class Output {
  public:
    Output(const std::vector<SimilarityInput>& inputs, Similarity& result)
        : inputs_(inputs), result_(result) {}

    void read(const fs::path& file) {
        static const std::regex size(R"(File 0*(\d+)\.cpp: (\d+) tokens?, .*)");
        static const std::regex run(
            R"(0*(\d+)\.cpp: line (\d+)-(\d+)\s*\|\s*0*(\d+)\.cpp: line (\d+)-(\d+)\s*\[(\d+)\]\s*)");
        std::ifstream in(file);
        std::smatch found;
        for (std::string line; std::getline(in, line);) {
            if (line.empty()) continue;
            if (std::regex_match(line, found, size))
                result_.texts.at(std::stoul(found[1])).tokens = std::stoi(found[2]);
            else if (std::regex_match(line, found, run))
                add(found);
            else if (!line.starts_with("Total input"))
                throw std::runtime_error("sim_c++ printed a line of an unknown form: " + line.substr(0, 200));
        }
    }

    std::map<std::pair<std::size_t, std::size_t>, std::vector<SimilarRun>> runs;

  private:
    void add(const std::smatch& found) {
        std::size_t a = std::stoul(found[1]), b = std::stoul(found[4]);
        if (inputs_.at(a).student == inputs_.at(b).student) return;
        SimilarRun one{std::stoi(found[2]), std::stoi(found[3]), std::stoi(found[5]),
                       std::stoi(found[6]), std::stoi(found[7]), false};
        if (a > b) {
            std::swap(a, b);
            std::swap(one.first_a, one.first_b);
            std::swap(one.last_a, one.last_b);
        }
        runs[{a, b}].push_back(one);
    }

    const std::vector<SimilarityInput>& inputs_;
    Similarity& result_;
};

}  // namespace similarity

/// How many other inputs share each line of an input.
class SharedLines {
  public:
    explicit SharedLines(const Similarity& result) {
        for (const ComparedText& text : result.texts)
            lines_.emplace_back(static_cast<std::size_t>(std::count(text.own.begin(), text.own.end(), '\n')) +
                                2);
    }

    void add(std::size_t a, std::size_t b, const std::vector<SimilarRun>& runs) {
        std::set<int> of_a, of_b;
        for (const SimilarRun& run : runs) {
            for (int line = run.first_a; line <= run.last_a; ++line) of_a.insert(line);
            for (int line = run.first_b; line <= run.last_b; ++line) of_b.insert(line);
        }
        count(a, of_a);
        count(b, of_b);
    }

    /// Whether most lines of a run are shared by more than `many` inputs.
    bool is_common(std::size_t input, int first, int last, int many) const {
        int common = 0;
        for (int line = first; line <= last; ++line) common += at(input, line) > many ? 1 : 0;
        return 2 * common > last - first + 1;
    }

  private:
    void count(std::size_t input, const std::set<int>& lines) {
        for (const int line : lines)
            if (static_cast<std::size_t>(line) < lines_[input].size())
                ++lines_[input][static_cast<std::size_t>(line)];
    }
    int at(std::size_t input, int line) const {
        const auto k = static_cast<std::size_t>(line);
        return k < lines_[input].size() ? lines_[input][k] : 0;
    }

    std::vector<std::vector<int>> lines_;
};

/// The number of tokens in the runs. A token of the first that two runs share counts once, by lines.
double tokens_in_runs(const std::vector<SimilarRun>& runs, bool with_common) {
    double sum = 0;
    std::set<int> seen;
    for (const SimilarRun& run : runs) {  // the longest first
        if (run.common && !with_common) continue;
        int fresh = 0;
        for (int line = run.first_a; line <= run.last_a; ++line) fresh += seen.insert(line).second ? 1 : 0;
        sum += run.count * static_cast<double>(fresh) / (run.last_a - run.first_a + 1);
    }
    return sum;
}

}  // namespace

Similarity find_similar(const std::vector<SimilarityInput>& inputs, const SimilarityOptions& options) {
    Similarity result;
    GivenCode given;
    for (const fs::path& file : options.given) given.add(data::read_file(file), file.extension() == ".md");
    const data::TemporaryDirectory work;
    const similarity::Tool tool(work.path(), options.shortest_run);
    const bool is_there = similarity::Tool::is_there();
    constexpr int kMostRepeated = 32;
    constexpr std::size_t kSurelyQuick = std::size_t{4} << 10;
    std::vector<std::string> files;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        ComparedText text;
        std::vector<std::string> left_out;
        text.whole = similarity::text_of(inputs[k].folder, options.most_bytes, left_out);
        text.own = without_repetition(given.without_given(text.whole),
                                      static_cast<std::size_t>(options.shortest_run), kMostRepeated);
        files.push_back(similarity::file_name(k));
        work.write(files.back(), text.own);
        if (!left_out.empty()) {
            constexpr std::size_t kNamed = 5;
            const std::size_t more = left_out.size() - std::min(left_out.size(), kNamed);
            left_out.resize(left_out.size() - more);
            if (more > 0) left_out.push_back(fmt::format("{} more files", more));
            result.notes.push_back(fmt::format("{}: {} of more than {} KiB of sources are not compared",
                                               inputs[k].name, fmt::join(left_out, ", "),
                                               options.most_bytes >> 10));
        }
        if (is_there && text.own.size() > kSurelyQuick && !tool.is_quick(files.back())) {
            result.notes.push_back(fmt::format(
                "{}: nothing is compared, because it repeats itself so often that this would take too long",
                inputs[k].name));
            work.write(files.back(), "");
        }
        result.texts.push_back(std::move(text));
    }
    if (!is_there) {
        result.missing =
            "Similar submissions were not looked for: sim_c++ is not installed (Debian's package "
            "similarity-tester).";
        return result;
    }
    for (std::size_t a = 0; a < inputs.size(); ++a)
        for (std::size_t b = a + 1; b < inputs.size(); ++b)
            result.compared += inputs[a].student != inputs[b].student ? 1 : 0;
    if (result.compared == 0) return result;
    similarity::Output output(inputs, result);
    output.read(tool.compare(std::move(files)));
    SharedLines shared(result);
    for (const auto& [pair, runs] : output.runs) shared.add(pair.first, pair.second, runs);
    const int many = std::max(3, static_cast<int>(inputs.size() / 10));
    constexpr double kAllTheSame = 0.8;
    for (auto& [pair, runs] : output.runs) {
        const auto [a, b] = pair;
        for (SimilarRun& run : runs)
            run.common = shared.is_common(a, run.first_a, run.last_a, many) &&
                         shared.is_common(b, run.first_b, run.last_b, many);
        std::stable_sort(runs.begin(), runs.end(), [](const SimilarRun& one, const SimilarRun& other) {
            return one.count > other.count;
        });
        const int tokens = std::min(result.texts[a].tokens, result.texts[b].tokens);
        if (tokens < options.shortest_run) continue;
        SimilarPair one{a,
                        b,
                        std::min(1.0, tokens_in_runs(runs, false) / tokens),
                        std::min(1.0, tokens_in_runs(runs, true) / tokens),
                        std::move(runs),
                        false};
        if (one.share >= options.least_share || one.share_with_common >= kAllTheSame)
            result.pairs.push_back(std::move(one));
    }
    std::stable_sort(result.pairs.begin(), result.pairs.end(),
                     [](const SimilarPair& one, const SimilarPair& other) {
                         return std::pair(one.share, one.share_with_common) >
                                std::pair(other.share, other.share_with_common);
                     });
    result.alike = result.pairs.size();
    group_similar(result, inputs);
    std::size_t outside = 0;
    std::erase_if(result.pairs,
                  [&](const SimilarPair& pair) { return !pair.in_group && ++outside > options.most_pairs; });
    return result;
}

namespace {

/// Whether two inputs are nearly the same, and not one a part of the other.
bool is_nearly_same(const Similarity& found, const SimilarPair& pair) {
    constexpr double kShared = 0.9, kSizes = 0.8;
    const auto [less, more] = std::minmax(found.texts[pair.a].tokens, found.texts[pair.b].tokens);
    return pair.share_with_common >= kShared && less >= kSizes * more;
}

}  // namespace

void group_similar(Similarity& found, const std::vector<SimilarityInput>& inputs) {
    std::map<std::size_t, std::set<std::size_t>> same;
    for (const SimilarPair& pair : found.pairs)
        if (is_nearly_same(found, pair)) {
            same[pair.a].insert(pair.b);
            same[pair.b].insert(pair.a);
        }
    // Whoever has the most neighbours comes first, so that a group is as large as it can be.
    std::vector<std::size_t> order;
    for (const auto& [input, others] : same) order.push_back(input);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t input) { return same[input].size(); });
    std::map<std::size_t, std::size_t> group_of;
    for (const std::size_t first : order) {
        if (group_of.count(first) != 0) continue;
        SimilarGroup group{{first}};
        std::set<int> students = {inputs[first].student};
        for (const std::size_t other : same[first])
            if (group_of.count(other) == 0) {
                group.members.push_back(other);
                students.insert(inputs[other].student);
            }
        constexpr std::size_t kFewest = 3;
        if (students.size() < kFewest) continue;
        for (const std::size_t member : group.members) group_of[member] = found.groups.size();
        found.groups.push_back(std::move(group));
    }
    std::erase_if(found.pairs, [&](SimilarPair& pair) {
        const auto a = group_of.find(pair.a), b = group_of.find(pair.b);
        if (a == group_of.end() || b == group_of.end() || a->second != b->second) return false;
        const std::size_t first = found.groups[a->second].members.front();
        pair.in_group = pair.a == first || pair.b == first;
        return !pair.in_group;
    });
}

}  // namespace attn::classes
