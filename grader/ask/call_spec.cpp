#include "grader/ask/call_spec.h"

#include <algorithm>

#include <fmt/format.h>

namespace attn::ask {

bool is_wanted(const std::vector<std::string>& wanted, const std::string& output) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), output) != wanted.end();
}

Arrays CallSpec::make_inputs(Random& random) const {
    return ask::make_inputs(*function, *recipe, sizes, setting, random);
}

std::string CallSpec::about() const {
    return recipe->about + ", " + setting_in_words();
}

std::string CallSpec::setting_in_words() const {
    std::string text = to_string(sizes, function->letters());
    for (const OptionSpec& option : function->options) {
        const auto given = setting.options.find(option.name);
        if (given == setting.options.end()) continue;
        text +=
            fmt::format(", {}={}", option.name,
                        option.choices.empty() ? fmt::format("{:g}", given->second)
                                               : option.choices.at(static_cast<std::size_t>(given->second)));
    }
    for (const std::string& input : setting.absent) text += ", without " + input;
    for (const TensorSpec& output : function->outputs)
        if (!is_wanted(wanted, output.name)) text += fmt::format(", {} not wanted", output.name);
    return text;
}

}  // namespace attn::ask
