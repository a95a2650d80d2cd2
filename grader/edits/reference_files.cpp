#include "grader/edits/reference_files.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "grader/edits/source.h"

namespace attn::edits {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> includes_of(const std::string& path, const std::string& text) {
    constexpr std::string_view kInclude = "#include \"";
    std::vector<std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(kInclude)) continue;
        std::string name = line.substr(kInclude.size());
        name = name.substr(0, name.find('"'));
        const bool relative = name.starts_with("..");
        found.push_back(relative ? (fs::path(path).parent_path() / name).lexically_normal().string() : name);
    }
    return found;
}

std::string read(const std::string& path, const Load& load) {
    const auto text = load(path);
    if (!text) throw SourceError(path, 0, "there is no such file");
    return *text;
}

bool has(const std::vector<SourceFile>& files, const std::string& path) {
    return std::ranges::find(files, path, &SourceFile::path) != files.end();
}

class Collector {
  public:
    explicit Collector(const Load& load) : load_(load) {}

    ReferenceFiles all(const std::string& path, const std::string& own_contract) {
        const std::string text = read(path, load_);
        own_header_ = fs::path(path).replace_extension(".h").string();
        if (!own_contract.empty()) contract(own_contract);
        follow(path, text);
        // Structs stand before the functions that use them.
        std::ranges::move(headers_, std::back_inserter(contracts_));
        contracts_.push_back({path, text});
        return {std::move(contracts_), std::move(others_)};
    }

  private:
    void follow(const std::string& path, const std::string& text) {
        for (const std::string& included : includes_of(path, text)) {
            if (included.starts_with("assignments/")) {
                if (!included.ends_with("tensor.h")) contract(included);
            } else if (included.ends_with("_reference.h")) {
                declared(included);
            } else if (included.starts_with("reference/")) {
                header(included);
            }
        }
    }

    void contract(const std::string& path) {
        if (has(contracts_, path)) return;
        const std::string text = read(path, load_);
        follow(path, text);
        contracts_.push_back({path, text});
    }

    /// The build writes contracts/y_reference.h from the contract of y. It declares the plain loops of y.
    void declared(const std::string& path) {
        std::string name = fs::path(path).stem().string();
        name.resize(name.rfind("_reference"));
        const std::string source = "reference/" + name + ".cpp";
        if (fs::path(own_header_).stem() != name) others_.push_back(source);
    }

    void header(const std::string& path) {
        if (has(headers_, path)) return;
        const std::string text = read(path, load_);
        follow(path, text);
        const std::string source = fs::path(path).replace_extension(".cpp").string();
        if (path == own_header_) return;
        if (load_(source))
            others_.push_back(source);
        else
            headers_.push_back({path, text});
    }

    const Load& load_;
    std::string own_header_;
    std::vector<SourceFile> contracts_, headers_;
    std::vector<std::string> others_;
};

/// The contract of reference/x.cpp: assignments/NN_x/x.h.
std::string contract_of(const std::string& reference) {
    const std::string header = fs::path(reference).stem().string() + ".h";
    for (const auto& folder : fs::directory_iterator("assignments"))
        if (fs::exists(folder.path() / header)) return (folder.path() / header).string();
    return {};
}

void add_with_others(const std::string& path, const std::string& contract, const Load& load,
                     std::vector<SourceFile>& all) {
    if (has(all, path)) return;
    const ReferenceFiles own = reference_files(path, contract, load);
    for (const std::string& other : own.others) add_with_others(other, contract_of(other), load, all);
    for (const SourceFile& file : own.files)
        if (!has(all, file.path)) all.push_back(file);
}

}  // namespace

ReferenceFiles reference_files(const std::string& path, const std::string& contract, const Load& load) {
    return Collector(load).all(path, contract);
}

std::vector<SourceFile> with_others(const std::string& path, const std::string& contract, const Load& load) {
    std::vector<SourceFile> all;
    add_with_others(path, contract, load, all);
    return all;
}

}  // namespace attn::edits
