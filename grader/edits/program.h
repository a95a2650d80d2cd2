#pragma once
/// The plain loops of all assignments: their functions, the structs of weights and the enums of the
/// contracts.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/edits/cursor.h"
#include "grader/edits/source.h"
#include "grader/edits/tree.h"

namespace attn::edits {

/// A struct of views (weights), or a local class whose objects own an array.
struct Structure {
    struct Member {
        int word = 0;
        Type type;
    };
    int word = 0;
    std::vector<Member> members;
    std::vector<int> methods;  ///< numbers of functions whose first parameter is the struct
    bool owns_array = false;
    int owned_rank = 0;  ///< of the array, if it does not follow from the type
};

class Program {
  public:
    Program() = default;
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Reads the declarations of a file. A file of this name is read once. Throws SourceError.
    void add(const std::string& file, const Tokens& tokens);

    Words& words() { return words_; }
    const Words& words() const { return words_; }
    int count() const { return static_cast<int>(functions_.size()); }
    const Declaration& declaration(int function) const {
        return functions_[static_cast<std::size_t>(function)];
    }
    const std::vector<Structure>& structures() const { return structures_; }
    const Structure& structure(int k) const { return structures_[static_cast<std::size_t>(k)]; }

    /// The function of this name that a text in `file` means: one of the file, or else one that other files
    /// may use. -1 if there is none.
    int find(const std::string& name, const std::string& file) const;
    /// The function of this name that is in no unnamed namespace, such as one of a contract. -1 if there is none.
    int find_public(const std::string& name) const;
    /// Whether other files may call the function: it is in no unnamed namespace.
    bool is_public(int function) const { return !local_[static_cast<std::size_t>(function)]; }
    int find_structure(int word, const std::string& file) const;
    /// The number of an enumerator such as Norm::post.
    std::optional<int> enumerator(int enumeration, int name) const;
    bool is_enumeration(int word) const;
    /// The names of its enumerators. None if there is no such enum.
    std::vector<std::string> enumerators(const std::string& enumeration) const;

    /// The function as it stands, read when it is first asked for. Throws SourceError.
    const FunctionTree& function(int number) const;
    /// The function with another body. Throws SourceError.
    FunctionTree read(int number, Tokens body) const;

    /// Takes the type at the cursor.
    Type read_type(Cursor& cursor, const std::string& file) const;
    /// The number of views that an argument of this type stands for.
    int views_of(const Type& type) const;

    /// The comment above the function in its contract, or in its file. Empty if there is none.
    std::string documentation(int function) const;

  private:
    friend class DeclarationReader;
    struct Enumeration {
        int word;
        std::vector<int> names;
    };
    struct Comment {
        std::string name;
        int word;
    };

    Words words_;
    std::vector<std::string> files_;
    std::vector<Declaration> functions_;
    std::vector<bool> local_;  ///< in an unnamed namespace
    std::vector<Structure> structures_;
    std::vector<std::string> structure_files_;
    std::vector<Enumeration> enumerations_;
    std::vector<Comment> contract_comments_;
    std::vector<int> callables_;  ///< template parameters that stand for functions
    mutable std::vector<std::unique_ptr<FunctionTree>> read_;
};

}  // namespace attn::edits
