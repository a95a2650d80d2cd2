#include "grader/ask/function_row.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "grader/ask/flop.h"

namespace attn::ask {
namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

}  // namespace

std::vector<Function> functions_of(std::span<const FunctionRow> rows) {
    using Kind = FunctionRow::Kind;
    std::vector<Function> all;
    for (const FunctionRow& row : rows) {
        if (row.kind == Kind::function) {
            all.push_back({row.name, {}, {}, {}, row.f32, row.f64});
            all.back().flop = flop::operations_of(row.name);
            continue;
        }
        if (all.empty()) throw std::logic_error(std::string(row.name) + " stands above the first function");
        Function& function = all.back();
        switch (row.kind) {
            case Kind::function:
                break;
            case Kind::output:
                function.outputs.push_back({row.name, words_of(row.words), row.optional, row.type});
                break;
            case Kind::input:
                function.inputs.push_back({row.name, words_of(row.words), row.optional, row.type});
                break;
            case Kind::length:
                function.options.push_back(length_option(row.name));
                break;
            case Kind::output_length:
                function.options.push_back(output_length(row.name));
                break;
            case Kind::number:
                function.options.push_back(number_option(row.name, row.value));
                break;
            case Kind::choice:
                function.options.push_back(
                    choice_option(row.name, words_of(row.words), static_cast<int>(row.value)));
                break;
            case Kind::divides:
                function.divides.emplace_back(row.name, row.words);
                break;
            case Kind::range:
                function.ranges.push_back({row.name, static_cast<int>(row.value), row.words});
                break;
        }
    }
    return all;
}

}  // namespace attn::ask
