#pragma once
/// The content of a contract header (assignments/NN_x/x.h): functions, structs of tensors, enums, and the
/// shape of every array. contract_reader.h reads it from the header. glue_writer.h writes the build's glue
/// code from it.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace attn::contract {

/// An error in a header. The message has the line, what was found, and what was expected.
class ContractError : public std::runtime_error {
  public:
    ContractError(const std::string& file, int line, const std::string& message)
        : std::runtime_error(file + ":" + std::to_string(line) + ": " + message) {}
};

enum class Element { real, u8, i32 };  ///< real: float, or double in the reference

/// An array of a function or a struct. `dims` are lengths in the form of grader/ask/dims.h: "H/P*W/P+1".
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
    Tensor tensor;          ///< only its name is set if the member is a struct
    std::string structure;  ///< the struct's name; empty for a tensor
};

/// template <class T> struct Name { TensorView<const T, 2> W; .. };
struct Struct {
    std::string name;
    std::string header;   ///< the contract that declares it: "multi_head"
    bool output = false;  ///< of arrays that a function writes: TensorView<T, 2> dW
    std::vector<Member> members;
};

/// enum class Name { first, second };
struct Enum {
    std::string name;
    std::vector<std::string> values;
};

/// Numbers of an input or option that the function must refuse: those outside least .. end - 1.
struct Range {
    std::string input;
    int least = 0;
    std::string end;  ///< a length: "V", "N_s+1"; empty: those that are not above 0
};

/// `outputs` and `weights` are structs, of arrays that the function writes and of arrays that it reads.
enum class Kind { output, outputs, input, weights, length, number, choice, flag };

/// A parameter of a function as it is declared.
struct Parameter {
    Kind kind = Kind::input;
    std::string type;       ///< "TensorView<const float, 2>", "const BlockWeights<float>&", "int", "Norm"
    Tensor tensor;          ///< only name and line are set unless this is an output or an input
    std::string structure;  ///< for outputs and weights: the struct's name
    std::vector<std::string> choices;  ///< for a choice: the enumerators
    double default_value = 0;          ///< for a number, choice or flag

    const std::string& name() const { return tensor.name; }
};

/// A function of the contract. `outputs` and `inputs` have the members of structs in the place of the structs.
struct Function {
    std::string name;
    int line = 0;
    std::vector<Parameter> parameters;
    std::vector<Tensor> outputs, inputs;
    std::vector<std::string> output_lengths;  ///< lengths that only the shape of an output has
    std::vector<std::pair<std::string, std::string>> divides;
    std::vector<Range> ranges;

    /// Whether the reference has a version for double in addition to the one for float.
    bool has_reals() const {
        for (const Parameter& p : parameters) {
            const bool tensor = p.kind == Kind::output || p.kind == Kind::input;
            if (!p.structure.empty() || p.type == "float" || (tensor && p.tensor.element == Element::real))
                return true;
        }
        return false;
    }
};

struct Contract {
    std::string path;         ///< as given by the caller: "assignments/02_self_attention/self_attention.h"
    std::string name;         ///< "self_attention"
    std::vector<Enum> enums;  ///< also those of included contracts
    std::vector<Struct> structs;  ///< also those of included contracts
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
