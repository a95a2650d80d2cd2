/// contract HEADER FOLDER: reads the contract HEADER (assignments/NN_x/x.h) and writes the files that only
/// repeat it to FOLDER. A file that would not change is left alone, so that nothing is built again.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "grader/contract/reader.h"
#include "grader/contract/writer.h"

namespace {

namespace fs = std::filesystem;
using namespace attn::contract;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw std::runtime_error(file.string() + ": there is no such file, or it cannot be read");
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

void write(const fs::path& file, const std::string& text) {
    if (fs::exists(file) && text_of(file) == text) return;
    fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (!stream.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

/// For the build: when the files have to be written again.
void write_dependencies(const Contract& contract, const fs::path& folder) {
    std::string text = fs::absolute(folder / (contract.name + "_exports.cpp")).string() + ":";
    for (const std::string& header : contract.read)
        text += " " + fs::absolute(header).lexically_normal().string();
    write(folder / (contract.name + ".d"), text + "\n");
}

void write_all(const Contract& contract, const fs::path& folder) {
    const std::string& x = contract.name;
    write(folder / "cuda" / (x + "_cuda.h"), cuda_header(contract));
    write(folder / (x + "_exports.cpp"), export_table(contract));
    write(folder / (x + "_kernels.cpp"), kernel_table(contract));
    write(folder / (x + "_plain.cpp"), plain_adapter(contract));
    write(folder / (x + "_fast.cpp"), fast_adapter(contract));
    write(folder / (x + "_functions.h"), function_list(contract));
    write(folder / (x + "_yardstick.h"), yardstick_list(contract));
    write(folder / (x + "_on_arrays.h"), array_wrappers(contract));
    write(folder / (x + ".map"), version_script(contract));
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::cerr << "contract HEADER FOLDER: writes what only repeats the contract HEADER to FOLDER\n";
        return 2;
    }
    try {
        const auto load = [](const std::string& path) { return text_of(path); };
        const Contract contract = read_contract(words[1], load);
        write_all(contract, words[2]);
        write_dependencies(contract, words[2]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
