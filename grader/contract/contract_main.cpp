/// contract HEADER FOLDER: reads the contract HEADER (assignments/NN_x/x.h) and writes the files that follow
/// from it to FOLDER. contract --helpers FILE HEADER..: writes the documented functions of these headers to
/// FILE, for `grader catalogue`. contract --map FILE HEADER..: writes the linker's version script for the
/// libraries that implement these contracts. contract --stubs HEADER FOLDER: writes the stubs x.cpp and x.cu to
/// FOLDER where they do not exist yet. A file that would not change is not written, so that nothing is built
/// again.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/contract/contract_reader.h"
#include "grader/contract/documented_functions.h"
#include "grader/contract/glue_writer.h"
#include "grader/contract/stub_writer.h"

namespace {

namespace fs = std::filesystem;
using namespace attn::contract;

std::string read_text(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw std::runtime_error(file.string() + ": there is no such file, or it cannot be read");
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

void write(const fs::path& file, const std::string& text) {
    if (fs::exists(file) && read_text(file) == text) return;
    if (file.has_parent_path()) fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (!stream.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

/// Tells the build on which headers the written files depend.
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
    write(folder / (x + "_reference.h"), reference_header(contract));
    write(folder / (x + "_instances.h"), reference_instances(contract));
    write(folder / (x + "_fast.h"), fast_header(contract));
    write(folder / (x + "_plain.cpp"), plain_adapter(contract));
    write(folder / (x + "_fast.cpp"), fast_adapter(contract));
    write(folder / (x + "_module.cpp"), module_unit(contract));
    write(folder / (x + "_yardstick.h"), yardstick_list(contract));
    write(folder / (x + "_on_arrays.h"), array_wrappers(contract));
}

void write_glue(const std::string& header, const fs::path& folder) {
    const auto load = [](const std::string& path) { return read_text(path); };
    const Contract contract = read_contract(header, load);
    write_all(contract, folder);
    write_dependencies(contract, folder);
}

void write_map(const fs::path& file, const std::vector<std::string>& headers) {
    std::vector<Contract> all;
    for (const std::string& header : headers) all.push_back(read_contract(header, read_text));
    write(file, version_script(all));
}

/// A student's work is never written over.
void write_stubs(const std::string& header, const fs::path& folder) {
    const Contract contract = read_contract(header, read_text);
    const fs::path cpp = folder / (contract.name + ".cpp"), cu = folder / (contract.name + ".cu");
    if (!fs::exists(cpp)) write(cpp, stub(contract));
    if (!fs::exists(cu)) write(cu, kernel_stub(contract));
}

void write_helpers(const fs::path& file, const std::vector<std::string>& headers) {
    std::vector<HelperHeader> all;
    for (const std::string& header : headers) all.push_back(read_helpers(header, read_text(header)));
    write(file, helper_source(text_of(all)));
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> arguments(words + 1, words + count);
    try {
        if (arguments.size() > 2 && arguments[0] == "--helpers") {
            write_helpers(arguments[1], {arguments.begin() + 2, arguments.end()});
        } else if (arguments.size() > 2 && arguments[0] == "--map") {
            write_map(arguments[1], {arguments.begin() + 2, arguments.end()});
        } else if (arguments.size() == 3 && arguments[0] == "--stubs") {
            write_stubs(arguments[1], arguments[2]);
        } else if (arguments.size() == 2) {
            write_glue(arguments[0], arguments[1]);
        } else {
            std::cerr
                << "usage: contract HEADER FOLDER\n"
                   "       contract --stubs HEADER FOLDER\n"
                   "       contract --helpers FILE.cpp HEADER..\n"
                   "       contract --map FILE HEADER..\n"
                   "Writes the code that follows from the contract HEADER to FOLDER, the stubs that are "
                   "not there yet,\n"
                   "the documented functions of headers as text to FILE.cpp, or a linker's version script.\n";
            return 2;
        }
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
