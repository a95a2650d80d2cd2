#include "grader/contract/function_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace attn::contract {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

/// A length that an array tells, and no expression of lengths.
bool is_letter(const std::string& dim) {
    return starts_word(dim[0]) && std::all_of(dim.begin(), dim.end(), continues_word);
}

class FunctionReader {
  public:
    FunctionReader(const std::string& file, Parser& parser, const Contract& contract)
        : file_(file), parser_(parser), contract_(contract) {}

    Function read(const Token& comment, const Definitions& definitions) {
        declaration();
        if (comment.kind != TokenKind::comment)
            throw ContractError(file_, made_.line,
                                "no comment stands above " + made_.name +
                                    "; expected is /// with its equation and its shapes");
        std::set<std::string> names;
        for (const Parameter& parameter : made_.parameters)
            if (!names.insert(parameter.name()).second)
                throw ContractError(file_, parameter.tensor.line,
                                    "two parameters of " + made_.name + " are called " + parameter.name());
        const Said said = read_comment(file_, comment, names, definitions);
        shapes(said.shapes);
        defaults(said.defaults);
        flatten();
        output_lengths();
        divides(said.divides);
        return std::move(made_);
    }

  private:
    void declaration() {
        parser_.expect("void", "void");
        made_.line = parser_.next().line;
        made_.name = parser_.word("the function's name");
        parser_.expect("(", "( and the function's parameters");
        if (!parser_.next().is(")")) {
            do parameter();
            while (parser_.take_if(","));
        }
        parser_.expect(")", ", or ) behind a parameter");
        parser_.expect(";", "; behind the declaration: a contract defines no function");
        const auto is_output = [](const Parameter& p) { return p.kind == Kind::output; };
        if (std::none_of(made_.parameters.begin(), made_.parameters.end(), is_output))
            throw ContractError(
                file_, made_.line,
                made_.name + " has no output; expected is a first parameter such as TensorView<float, 2> Y");
    }

    void parameter() {
        Parameter made;
        const int line = parser_.next().line;
        if (parser_.next().is("TensorView")) {
            const ViewType view = parser_.view("float");
            made.kind = view.constant ? Kind::input : Kind::output;
            made.tensor.element = view.element;
            made.tensor.rank = view.rank;
            constexpr const char* kElements[] = {"float", "std::uint8_t", "int"};
            made.type = std::string("TensorView<") + (view.constant ? "const " : "") +
                        kElements[static_cast<int>(view.element)] + ", " + std::to_string(view.rank) + ">";
        } else if (parser_.take_if("const")) {
            made.kind = Kind::weights;
            const Struct* structure = contract_.find_struct(parser_.next().text);
            if (structure == nullptr) parser_.refuse("a struct that is declared above");
            parser_.take();
            made.structure = structure->name;
            for (const char* symbol : {"<", "float", ">", "&"})
                parser_.expect(symbol, "const " + structure->name + "<float>&");
            made.type = "const " + structure->name + "<float>&";
        } else {
            option(made);
        }
        made.tensor.line = line;
        made.tensor.name = parser_.word("the parameter's name");
        in_order(made);
        made_.parameters.push_back(std::move(made));
    }

    void option(Parameter& made) {
        const Token type = parser_.next();
        if (const Enum* choice = contract_.find_enum(type.text); choice != nullptr) {
            made.kind = Kind::choice;
            made.choices = choice->values;
        } else if (type.is("int")) {
            made.kind = Kind::length;
        } else if (type.is("float")) {
            made.kind = Kind::number;
        } else if (type.is("bool")) {
            made.kind = Kind::flag;
            made.choices = {"false", "true"};
        } else {
            parser_.refuse(
                "TensorView<float, RANK>, TensorView<const float, RANK>, const Struct<float>&, int, float, "
                "bool, or an enum that is declared above");
        }
        made.type = parser_.take().text;
    }

    /// Outputs, inputs, options.
    void in_order(const Parameter& next) {
        const auto rank = [](const Parameter& p) {
            return p.kind == Kind::output ? 0 : p.kind == Kind::input || p.kind == Kind::weights ? 1 : 2;
        };
        if (!made_.parameters.empty() && rank(next) < rank(made_.parameters.back()))
            throw ContractError(file_, next.tensor.line,
                                next.name() + " stands behind " + made_.parameters.back().name() +
                                    "; expected are outputs first, then inputs, then options");
    }

    void shapes(const std::vector<SaidShape>& said) {
        for (const SaidShape& shape : said) {
            Parameter& parameter = named(shape.name);
            if (parameter.kind != Kind::output && parameter.kind != Kind::input)
                throw ContractError(file_, shape.line, parameter.name() + " is no array and has no shape");
            Tensor& tensor = parameter.tensor;
            if (!tensor.dims.empty() && tensor.dims != shape.dims)
                throw ContractError(file_, shape.line,
                                    tensor.name + " is [" + joined(shape.dims, ", ") + "] here and [" +
                                        joined(tensor.dims, ", ") + "] further up");
            tensor.dims = shape.dims;
            tensor.optional = tensor.optional || shape.optional;
        }
        for (const Parameter& parameter : made_.parameters)
            if (parameter.kind == Kind::output || parameter.kind == Kind::input)
                check_rank(file_, parameter.tensor,
                           parameter.name() + " [..] in the comment of " + made_.name +
                               ", or [..] at the end of its equation");
    }

    void flatten() {
        for (const Parameter& parameter : made_.parameters) {
            if (parameter.kind == Kind::weights) {
                flatten(parameter.structure);
                continue;
            }
            is_new(parameter.name());
            if (parameter.kind == Kind::output) made_.outputs.push_back(parameter.tensor);
            if (parameter.kind == Kind::input) made_.inputs.push_back(parameter.tensor);
        }
    }

    void flatten(const std::string& structure) {
        for (const Member& member : contract_.find_struct(structure)->members) {
            if (!member.structure.empty()) {
                flatten(member.structure);
                continue;
            }
            is_new(member.tensor.name);
            made_.inputs.push_back(member.tensor);
        }
    }

    /// Files of arrays, rubrics and reports know an array by its name alone.
    void is_new(const std::string& name) {
        if (!names_.insert(name).second)
            throw ContractError(file_, made_.line,
                                made_.name + " has two arrays or options that are called " + name);
    }

    /// Lengths of the outputs that no input tells and no option is.
    void output_lengths() {
        std::set<std::string> known;
        for (const Tensor& input : made_.inputs)
            if (!input.optional) known.insert(input.dims.begin(), input.dims.end());
        for (const Parameter& parameter : made_.parameters)
            if (parameter.kind == Kind::length) known.insert(parameter.name());
        for (const Tensor& output : made_.outputs)
            for (const std::string& dim : output.dims)
                if (is_letter(dim) && known.insert(dim).second) made_.output_lengths.push_back(dim);
        known_ = known;
        for (const auto* tensors : {&made_.outputs, &made_.inputs})
            for (const Tensor& tensor : *tensors)
                for (const std::string& dim : tensor.dims) check_letters(tensor, dim);
    }

    void check_letters(const Tensor& tensor, const std::string& dim) {
        for (std::size_t at = 0; at < dim.size(); ++at) {
            if (!starts_word(dim[at])) continue;
            std::size_t end = at;
            while (end < dim.size() && continues_word(dim[end])) ++end;
            const std::string letter = dim.substr(at, end - at);
            if (known_.count(letter) == 0)
                throw ContractError(file_, made_.line,
                                    "the length " + letter + " in " + tensor.name + " [" +
                                        joined(tensor.dims, ", ") + "] of " + made_.name +
                                        " cannot be known: no array has " + letter +
                                        " as an axis, and no option has this name");
            at = end - 1;
        }
    }

    void defaults(const std::vector<SaidWord>& said) {
        std::set<std::string> have;
        for (const SaidWord& each : said) {
            Parameter& parameter = named(each.name);
            const double value = value_of(parameter, each);
            if (!have.insert(each.name).second && parameter.default_value != value)
                throw ContractError(file_, each.line, each.name + " has two defaults");
            parameter.default_value = value;
            if (parameter.kind == Kind::length) parameter.kind = Kind::number;
        }
        for (const Parameter& parameter : made_.parameters)
            if (parameter.type == "float" && have.count(parameter.name()) == 0)
                throw ContractError(file_, parameter.tensor.line,
                                    "the number " + parameter.name() + " of " + made_.name +
                                        " has no default; expected is " + parameter.name() +
                                        " (default 1e-5) in its comment");
    }

    double value_of(const Parameter& parameter, const SaidWord& said) const {
        const auto choice = std::find(parameter.choices.begin(), parameter.choices.end(), said.word);
        if (choice != parameter.choices.end()) return static_cast<double>(choice - parameter.choices.begin());
        double value = 0;
        const char* end = said.word.data() + said.word.size();
        const auto [stop, error] = std::from_chars(said.word.data(), end, value);
        const bool whole = std::abs(value) < 1e9 && value == std::round(value);
        const bool number = error == std::errc() && stop == end && std::isfinite(value) &&
                            (parameter.type == "float" || whole);
        if (!number || (parameter.type != "float" && parameter.type != "int"))
            throw ContractError(
                file_, said.line,
                "'" + said.word + "' is no value for " + parameter.name() + "; expected is " +
                    (parameter.choices.empty() ? "a number" : "one of " + joined(parameter.choices, ", ")));
        return value;
    }

    void divides(const std::vector<SaidWord>& said) {
        for (const SaidWord& each : said) {
            for (const std::string& letter : {each.name, each.word})
                if (known_.count(letter) == 0)
                    throw ContractError(file_, each.line,
                                        "'" + letter + "' is no length of " + made_.name +
                                            "; expected is '.. where H does not divide D'");
            const std::pair<std::string, std::string> pair(each.name, each.word);
            if (std::find(made_.divides.begin(), made_.divides.end(), pair) == made_.divides.end())
                made_.divides.push_back(pair);
        }
    }

    Parameter& named(const std::string& name) {
        return *std::find_if(made_.parameters.begin(), made_.parameters.end(),
                             [&](const Parameter& p) { return p.name() == name; });
    }

    const std::string& file_;
    Parser& parser_;
    const Contract& contract_;
    Function made_;
    std::set<std::string> names_;  ///< of arrays and options, with those in structs
    std::set<std::string> known_;  ///< lengths that an array or an option tells
};

}  // namespace

Function read_function(const std::string& file, Parser& parser, const Token& comment,
                       const Definitions& definitions, const Contract& contract) {
    return FunctionReader(file, parser, contract).read(comment, definitions);
}

void check_rank(const std::string& file, const Tensor& tensor, const std::string& where) {
    if (tensor.dims.empty())
        throw ContractError(file, tensor.line,
                            "the shape of " + tensor.name + " is not said; expected is " + where);
    if (static_cast<int>(tensor.dims.size()) != tensor.rank)
        throw ContractError(file, tensor.line,
                            tensor.name + " [" + joined(tensor.dims, ", ") + "] has " +
                                std::to_string(tensor.dims.size()) + " lengths, and its type has " +
                                std::to_string(tensor.rank) + " axes");
}

}  // namespace attn::contract
