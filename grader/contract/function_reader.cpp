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

/// A length that is an axis of an array, not an expression of lengths.
bool is_letter(const std::string& dim) {
    return starts_word(dim[0]) && std::all_of(dim.begin(), dim.end(), continues_word);
}

/// A divisor of a length that is not 0: the 2 of "where 2 does not divide D".
bool is_number(const std::string& word) {
    return word.find_first_not_of("0123456789") == std::string::npos && word[0] != '0';
}

/// An array that the function writes, or a struct of such arrays.
bool is_written(const Parameter& parameter) {
    return parameter.kind == Kind::output || parameter.kind == Kind::outputs;
}

class FunctionReader {
  public:
    FunctionReader(const std::string& file, Parser& parser, const Contract& contract)
        : file_(file), parser_(parser), contract_(contract) {}

    Function read(const Token& comment, const Definitions& definitions) {
        read_declaration();
        if (comment.kind != TokenKind::comment)
            throw ContractError(
                file_, function_.line,
                function_.name + " has no comment; expected /// with its equation and its shapes");
        std::set<std::string> names;
        for (const Parameter& parameter : function_.parameters)
            if (!names.insert(parameter.name()).second)
                throw ContractError(
                    file_, parameter.tensor.line,
                    "two parameters of " + function_.name + " are called " + parameter.name());
        const CommentContent content = read_comment(file_, comment, names, definitions);
        set_shapes(content.shapes);
        set_defaults(content.defaults);
        flatten();
        find_output_lengths();
        set_divides(content.divides);
        set_ranges(content.ranges);
        return std::move(function_);
    }

  private:
    void read_declaration() {
        parser_.expect("void", "void");
        function_.line = parser_.next().line;
        function_.name = parser_.word("the function's name");
        parser_.expect("(", "( and the function's parameters");
        if (!parser_.next().is(")")) {
            do read_parameter();
            while (parser_.take_if(","));
        }
        parser_.expect(")", ", or ) after a parameter");
        parser_.expect(";", "; after the declaration: a contract defines no function");
        if (std::none_of(function_.parameters.begin(), function_.parameters.end(), is_written))
            throw ContractError(
                file_, function_.line,
                function_.name + " has no output; expected a first parameter such as TensorView<float, 2> Y");
    }

    void read_parameter() {
        Parameter parameter;
        const int line = parser_.next().line;
        if (parser_.next().is("TensorView")) {
            const ViewType view = parser_.view("float");
            parameter.kind = view.constant ? Kind::input : Kind::output;
            parameter.tensor.element = view.element;
            parameter.tensor.rank = view.rank;
            constexpr const char* kElements[] = {"float", "std::uint8_t", "int"};
            parameter.type = std::string("TensorView<") + (view.constant ? "const " : "") +
                             kElements[static_cast<int>(view.element)] + ", " + std::to_string(view.rank) +
                             ">";
        } else if (parser_.take_if("const")) {
            const Struct* structure = contract_.find_struct(parser_.next().text);
            if (structure == nullptr) parser_.refuse("a struct that is declared above");
            parser_.take();
            parameter.kind = structure->output ? Kind::outputs : Kind::weights;
            parameter.structure = structure->name;
            for (const char* symbol : {"<", "float", ">", "&"})
                parser_.expect(symbol, "const " + structure->name + "<float>&");
            parameter.type = "const " + structure->name + "<float>&";
        } else {
            read_option(parameter);
        }
        parameter.tensor.line = line;
        parameter.tensor.name = parser_.word("the parameter's name");
        require_order(parameter);
        function_.parameters.push_back(std::move(parameter));
    }

    void read_option(Parameter& parameter) {
        const Token type = parser_.next();
        if (const Enum* choice = contract_.find_enum(type.text); choice != nullptr) {
            parameter.kind = Kind::choice;
            parameter.choices = choice->values;
        } else if (type.is("int")) {
            parameter.kind = Kind::length;
        } else if (type.is("float")) {
            parameter.kind = Kind::number;
        } else if (type.is("bool")) {
            parameter.kind = Kind::flag;
            parameter.choices = {"false", "true"};
        } else {
            parser_.refuse(
                "TensorView<float, RANK>, TensorView<const float, RANK>, const Struct<float>&, int, float, "
                "bool, or an enum that is declared above");
        }
        parameter.type = parser_.take().text;
    }

    /// Throws unless outputs come first, then inputs, then options.
    void require_order(const Parameter& next) {
        const auto rank = [](const Parameter& p) {
            return is_written(p) ? 0 : p.kind == Kind::input || p.kind == Kind::weights ? 1 : 2;
        };
        if (!function_.parameters.empty() && rank(next) < rank(function_.parameters.back()))
            throw ContractError(file_, next.tensor.line,
                                next.name() + " comes after " + function_.parameters.back().name() +
                                    "; expected: outputs first, then inputs, then options");
    }

    void set_shapes(const std::vector<NamedShape>& content) {
        for (const NamedShape& shape : content) {
            Parameter& parameter = parameter_named(shape.name);
            if (parameter.kind != Kind::output && parameter.kind != Kind::input)
                throw ContractError(file_, shape.line,
                                    parameter.name() + " is not an array and has no shape");
            Tensor& tensor = parameter.tensor;
            if (!tensor.dims.empty() && tensor.dims != shape.dims)
                throw ContractError(file_, shape.line,
                                    tensor.name + " is [" + joined(shape.dims, ", ") + "] here and [" +
                                        joined(tensor.dims, ", ") + "] above");
            tensor.dims = shape.dims;
            tensor.optional = tensor.optional || shape.optional;
        }
        for (const Parameter& parameter : function_.parameters)
            if (parameter.kind == Kind::output || parameter.kind == Kind::input)
                check_rank(file_, parameter.tensor,
                           parameter.name() + " [..] in the comment of " + function_.name +
                               ", or [..] at the end of its equation");
    }

    void flatten() {
        for (const Parameter& parameter : function_.parameters) {
            if (!parameter.structure.empty()) {
                flatten(parameter.structure, is_written(parameter) ? function_.outputs : function_.inputs);
                continue;
            }
            require_new_name(parameter.name());
            if (parameter.kind == Kind::output) function_.outputs.push_back(parameter.tensor);
            if (parameter.kind == Kind::input) function_.inputs.push_back(parameter.tensor);
        }
    }

    void flatten(const std::string& structure, std::vector<Tensor>& all) {
        for (const Member& member : contract_.find_struct(structure)->members) {
            if (!member.structure.empty()) {
                flatten(member.structure, all);
                continue;
            }
            require_new_name(member.tensor.name);
            all.push_back(member.tensor);
        }
    }

    /// Names must be unique in a function, because array files, rubrics and reports find an array by its
    /// name.
    void require_new_name(const std::string& name) {
        if (!names_.insert(name).second)
            throw ContractError(file_, function_.line,
                                function_.name + " has two arrays or options that are called " + name);
    }

    /// Finds the lengths of outputs that are neither an axis of an input nor an option.
    void find_output_lengths() {
        std::set<std::string> known;
        for (const Tensor& input : function_.inputs)
            if (!input.optional) known.insert(input.dims.begin(), input.dims.end());
        for (const Parameter& parameter : function_.parameters)
            if (parameter.kind == Kind::length) known.insert(parameter.name());
        for (const Tensor& output : function_.outputs)
            for (const std::string& dim : output.dims)
                if (is_letter(dim) && known.insert(dim).second) function_.output_lengths.push_back(dim);
        known_ = known;
        for (const auto* tensors : {&function_.outputs, &function_.inputs})
            for (const Tensor& tensor : *tensors)
                for (const std::string& dim : tensor.dims) check_letters(tensor, dim);
    }

    void check_letters(const Tensor& tensor, const std::string& dim) {
        for (std::size_t at = 0; at < dim.size(); ++at) {
            if (!starts_word(dim[at])) continue;
            std::size_t end = at;
            while (end < dim.size() && continues_word(dim[end])) ++end;
            const std::string letter = dim.substr(at, end - at);
            const bool rounds_up = end < dim.size() && dim[end] == '(';
            if (known_.count(letter) == 0 && !rounds_up)
                throw ContractError(file_, function_.line,
                                    "the length " + letter + " in " + tensor.name + " [" +
                                        joined(tensor.dims, ", ") + "] of " + function_.name +
                                        " cannot be known: no array has " + letter +
                                        " as an axis, and no option has this name");
            at = end - 1;
        }
    }

    void set_defaults(const std::vector<NamedWord>& content) {
        std::set<std::string> have;
        for (const NamedWord& each : content) {
            Parameter& parameter = parameter_named(each.name);
            const double value = value_of(parameter, each);
            if (!have.insert(each.name).second && parameter.default_value != value)
                throw ContractError(file_, each.line, each.name + " has two defaults");
            parameter.default_value = value;
            if (parameter.kind == Kind::length) parameter.kind = Kind::number;
        }
        for (const Parameter& parameter : function_.parameters)
            if (parameter.type == "float" && have.count(parameter.name()) == 0)
                throw ContractError(file_, parameter.tensor.line,
                                    "the number " + parameter.name() + " of " + function_.name +
                                        " has no default; expected " + parameter.name() +
                                        " (default 1e-5) in its comment");
    }

    double value_of(const Parameter& parameter, const NamedWord& given) const {
        const auto choice = std::find(parameter.choices.begin(), parameter.choices.end(), given.word);
        if (choice != parameter.choices.end()) return static_cast<double>(choice - parameter.choices.begin());
        double value = 0;
        const char* end = given.word.data() + given.word.size();
        const auto [stop, error] = std::from_chars(given.word.data(), end, value);
        const bool whole = std::abs(value) < 1e9 && value == std::round(value);
        const bool number = error == std::errc() && stop == end && std::isfinite(value) &&
                            (parameter.type == "float" || whole);
        if (!number || (parameter.type != "float" && parameter.type != "int"))
            throw ContractError(
                file_, given.line,
                "'" + given.word + "' is not a value for " + parameter.name() + "; expected " +
                    (parameter.choices.empty() ? "a number" : "one of " + joined(parameter.choices, ", ")));
        return value;
    }

    void set_divides(const std::vector<NamedWord>& content) {
        for (const NamedWord& each : content) {
            for (const std::string& letter : {each.name, each.word})
                if (known_.count(letter) == 0 && !(letter == each.name && is_number(letter)))
                    throw ContractError(file_, each.line,
                                        "'" + letter + "' is not a length of " + function_.name +
                                            "; expected '.. where H does not divide D'");
            const std::pair<std::string, std::string> pair(each.name, each.word);
            if (std::find(function_.divides.begin(), function_.divides.end(), pair) ==
                function_.divides.end())
                function_.divides.push_back(pair);
        }
    }

    void set_ranges(const std::vector<NamedRange>& content) {
        for (const NamedRange& each : content) {
            if (each.end.empty() && each.least > 0) {  // a least length
                if (known_.count(each.name) > 0) function_.ranges.push_back({each.name, each.least, ""});
                continue;
            }
            const Parameter& parameter = parameter_named(each.name);
            const bool positive = each.end.empty(), option = parameter.kind == Kind::number,
                       whole_input =
                           parameter.kind == Kind::input && parameter.tensor.element == Element::i32;
            if (!(positive ? option : whole_input || (option && parameter.type == "int")))
                throw ContractError(file_, each.line,
                                    each.name + " of " + function_.name +
                                        (positive ? " is no number by value with a default"
                                                  : " is no input of whole numbers and no whole option") +
                                        ", so it has no range");
            check_letters(parameter.tensor, each.end);
            function_.ranges.push_back({each.name, each.least, each.end});
        }
    }

    Parameter& parameter_named(const std::string& name) {
        return *std::find_if(function_.parameters.begin(), function_.parameters.end(),
                             [&](const Parameter& p) { return p.name() == name; });
    }

    const std::string& file_;
    Parser& parser_;
    const Contract& contract_;
    Function function_;
    std::set<std::string> names_;  ///< of arrays and options, including those in structs
    std::set<std::string> known_;  ///< lengths that are an axis of an array or an option
};

}  // namespace

Function read_function(const std::string& file, Parser& parser, const Token& comment,
                       const Definitions& definitions, const Contract& contract) {
    return FunctionReader(file, parser, contract).read(comment, definitions);
}

void check_rank(const std::string& file, const Tensor& tensor, const std::string& where) {
    if (tensor.dims.empty())
        throw ContractError(file, tensor.line,
                            "the shape of " + tensor.name + " is missing; expected " + where);
    if (static_cast<int>(tensor.dims.size()) != tensor.rank)
        throw ContractError(file, tensor.line,
                            tensor.name + " [" + joined(tensor.dims, ", ") + "] has " +
                                std::to_string(tensor.dims.size()) + " lengths, and its type has " +
                                std::to_string(tensor.rank) + " axes");
}

}  // namespace attn::contract
