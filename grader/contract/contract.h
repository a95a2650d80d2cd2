#pragma once
/// What a contract header (assignments/NN_x/x.h) says: functions, structs of tensors, enums, and the shape of
/// every array. The reader makes it from the header, the writers make the build's glue from it.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace attn::contract {

/// A header that cannot be understood: what was found, and what is expected there.
class ContractError : public std::runtime_error {
  public:
    ContractError(const std::string& file, int line, const std::string& message)
        : std::runtime_error(file + ":" + std::to_string(line) + ": " + message) {}
};

enum class Element { real, u8, i32 };  ///< real: float, and double where the truth is computed

/// An array of a function or a struct. `dims` are lengths as grader/ask/dims.h reads them: "H/P*W/P+1".
struct Tensor {
    std::string name;
    std::vector<std::string> dims;
    Element element = Element::real;
    int rank = 0;
    bool optional = false;
    int line = 0;
};

/// A member of a struct: a tensor, or another struct of tensors.
struct Member {
    Tensor tensor;          ///< its name alone where the member is a struct
    std::string structure;  ///< the struct's name; empty for a tensor
};

/// template <class T> struct Name { TensorView<const T, 2> W; .. };
struct Struct {
    std::string name;
    std::string header;  ///< the contract that declares it: "multi_head"
    std::vector<Member> members;
};

/// enum class Name { first, second };
struct Enum {
    std::string name;
    std::vector<std::string> values;
};

enum class Kind { output, input, weights, length, number, choice, flag };

/// A parameter of a function as it is declared.
struct Parameter {
    Kind kind = Kind::input;
    std::string type;       ///< "TensorView<const float, 2>", "const BlockWeights<float>&", "int", "Norm"
    Tensor tensor;          ///< of outputs and inputs; of the others the name and the line
    std::string structure;  ///< of weights: the struct's name
    std::vector<std::string> choices;  ///< of a choice: the enumerators
    double default_value = 0;              ///< of a number, choice or flag: the default

    const std::string& name() const { return tensor.name; }
};

/// A function to write. Structs are flattened in `inputs`.
struct Function {
    std::string name;
    int line = 0;
    std::vector<Parameter> parameters;
    std::vector<Tensor> outputs, inputs;
    std::vector<std::string> output_lengths;  ///< that only an output's shape tells
    std::vector<std::pair<std::string, std::string>> divides;

    /// Whether there is a version for double beside that for float.
    bool has_reals() const {
        for (const Parameter& p : parameters) {
            const bool tensor = p.kind == Kind::output || p.kind == Kind::input;
            if (p.kind == Kind::weights || p.type == "float" || (tensor && p.tensor.element == Element::real))
                return true;
        }
        return false;
    }
};

struct Contract {
    std::string path;             ///< as it was given: "assignments/02_self_attention/self_attention.h"
    std::string name;             ///< "self_attention"
    std::vector<Enum> enums;      ///< those of included contracts, too
    std::vector<Struct> structs;  ///< likewise
    std::vector<Function> functions;
    std::vector<std::string> read;  ///< all contract headers that were read, this one first

    const Struct* find_struct(const std::string& wanted) const {
        for (const Struct& each : structs)
            if (each.name == wanted) return &each;
        return nullptr;
    }
    const Enum* find_enum(const std::string& wanted) const {
        for (const Enum& each : enums)
            if (each.name == wanted) return &each;
        return nullptr;
    }
};

}  // namespace attn::contract
