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
    // A function of lengths alone has no numbers that could be normal or large.
    return (function->inputs.empty() ? "" : recipe->about + ", ") + setting_in_words();
}

std::string CallSpec::setting_in_words(bool with_defaults) const {
    std::string text = to_string(sizes, function->letters());
    for (const OptionSpec& option : function->options) {
        const auto given = setting.options.find(option.name);
        const bool is_default = given == setting.options.end();
        if (option.length || (is_default && option.choices.empty() && !with_defaults)) continue;
        const double value = is_default ? option.default_value : given->second;
        text += fmt::format(", {}={}", option.name, option.in_words(value));
    }
    for (const std::string& input : setting.absent) text += ", without " + input;
    for (const TensorSpec& output : function->outputs)
        if (!is_wanted(wanted, output.name)) text += fmt::format(", {} not wanted", output.name);
    return text;
}

}  // namespace attn::ask
