/// edits REFERENCE CONTRACT MISTAKES OUTPUT: reads reference/x.cpp, its contract assignments/NN_x/x.h and, if
/// the file exists, the listed mistakes, and writes both packed as the C++ file OUTPUT_edits.cpp. It reports the file and the
/// line of what it cannot read. If mistakes are listed, that is an error.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include "grader/edits/edit.h"
#include "grader/edits/listed.h"
#include "grader/edits/packed.h"
#include "grader/edits/reference_files.h"

namespace {

namespace fs = std::filesystem;
using namespace attn::edits;

std::optional<std::string> load(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return std::nullopt;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

void write(const fs::path& file, const std::string& text) {
    if (load(file.string()) == text) return;
    if (file.has_parent_path()) fs::create_directories(file.parent_path());
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (!stream.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

/// Reads every function of the file.
void check(Program& program, const std::string& reference) {
    for (int k = 0; k < program.count(); ++k)
        if (program.declaration(k).file == reference) program.function(k);
}

/// Makes each mistake, so that one that cannot be made stops the build.
void check(Program& program, const std::string& reference, const std::string& file,
           const std::vector<ListedMistake>& listed) {
    for (const ListedMistake& mistake : listed) {
        const int first_line = mistake.edits.front().line;
        int line = first_line;
        try {
            std::vector<Edit> made;
            for (const WrittenEdit& written : mistake.edits) {
                line = written.line;
                made.push_back(locate(program, reference, written));
            }
            line = first_line;
            const EditedFunctions readable(program, made);
            if (conflict(made)) throw SourceError(reference, 0, "two of its edits change the same text");
        } catch (const SourceError& error) {
            throw SourceError(file, line, "mistake " + mistake.name + ": " + error.what());
        }
    }
}

void pack(const std::string& reference, const std::string& contract, const std::string& mistakes,
          const std::string& output) {
    Program program;
    std::string dependencies;
    const auto add = [&](const SourceFile& file) {
        dependencies += " " + fs::absolute(file.path).lexically_normal().string();
        program.add(file.path, tokens_of(program.words(), file.path, file.text));
    };
    Content content;
    std::vector<ListedMistake> listed;
    if (const auto text = load(mistakes)) {
        listed = read_listed(mistakes, *text);
        content.mistakes = listed;
        dependencies += " " + fs::absolute(mistakes).lexically_normal().string();
    }
    try {
        for (const SourceFile& file : with_others(reference, contract, load)) add(file);
        for (const SourceFile& file : reference_files(reference, contract, load).files)
            content.files.push_back({file.path, tokens_of(program.words(), file.path, file.text)});
        check(program, reference);
        check(program, reference, mistakes, listed);
    } catch (const SourceError& error) {
        if (!listed.empty()) throw;
        // The assignment works without edits. Then no mistake is named.
        std::cerr << "note: " << error.what()
                  << ". Edits of these plain loops are not tried for wrong answers.\n";
        content.files.clear();
    }
    write(output + "_edits.cpp",
          packed_source(fs::path(reference).stem().string(), program.words(), content));
    write(output + "_edits.d", fs::absolute(output + "_edits.cpp").string() + ":" + dependencies + "\n");
}

}  // namespace

int main(int count, char** words) {
    if (count != 5) {
        std::cerr << "usage: edits reference/x.cpp assignments/NN_x/x.h grader/assignments/x/mistakes.toml "
                     "OUTPUT\n";
        return 2;
    }
    try {
        pack(words[1], words[2], words[3], words[4]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
