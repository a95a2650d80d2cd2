#include "grader/proof/contradictions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "grader/ask/module.h"

namespace attn::proof {
namespace {

using report::Check;

/// A call of the report, read from its words.
struct Call {
    std::string name;  ///< "ragged", "the smallest case"
    std::string recipe;
    std::map<std::string, int> sizes;
    std::map<std::string, std::string> options;
    std::set<std::string> absent, unwanted;
    bool passed = false;
    const std::vector<report::Tensor>* inputs = nullptr;
};
/// Whether a sentence says that the function is right in a call. Nothing if it says nothing of it.
using Right = std::function<std::optional<bool>(const Call&)>;

std::vector<std::string> split(const std::string& text, const std::string& pattern) {
    const std::regex between(pattern);
    return {std::sregex_token_iterator(text.begin(), text.end(), between, -1), {}};
}

void read_setting(const ask::Function& function, const std::string& setting, Call& call) {
    for (const ask::OptionSpec& option : function.options)
        if (!option.length) call.options[option.name] = option.in_words(option.default_value);
    std::smatch match;
    for (const std::string& each : split(setting, ", ")) {
        if (std::regex_match(each, match, std::regex("without (\\w+)")))
            call.absent.insert(match[1]);
        else if (std::regex_match(each, match, std::regex("(\\w+) not wanted")))
            call.unwanted.insert(match[1]);
        else
            for (const std::string& one : split(each, " "))
                if (std::regex_match(one, match, std::regex("(\\w+)=(\\S+)"))) {
                    if (call.options.contains(match[1]))
                        call.options[match[1]] = match[2];
                    else
                        call.sizes[match[1]] = std::stoi(match[2]);
                }
    }
}

/// The numeric checks of one kind that were asked, without those that have to refuse.
std::vector<Call> calls_of(const report::Part& part, const ask::Function& function, report::CheckKind kind) {
    std::vector<Call> calls;
    const std::string first = ", " + function.letters().front() + "=";
    for (const Check& check : part.checks) {
        if (check.kind != kind || check.outcome == Outcome::skipped ||
            check.about.ends_with("must be refused"))
            continue;
        const std::size_t at = check.about.rfind(first);
        if (at == std::string::npos) continue;
        Call& call = calls.emplace_back();
        call.name = check.name;
        call.recipe = check.about.substr(0, at);
        call.passed = check.outcome == Outcome::passed;
        call.inputs = &check.inputs;
        read_setting(function, check.about.substr(at + 2), call);
    }
    return calls;
}

std::optional<int> length_in(const Call& call, const std::string& words) {
    const std::size_t slash = words.find('/');
    const auto of = [&](const std::string& letter) {
        const auto found = call.sizes.find(letter);
        return found == call.sizes.end() ? 0 : found->second;
    };
    const int length = of(words.substr(0, slash));
    const int divisor = slash == std::string::npos ? 1 : of(words.substr(slash + 1));
    return length > 0 && divisor > 0 ? std::optional(length / divisor) : std::nullopt;
}

/// "D = 1 or N = 1", "D/H is a square or N = 1", "N <= D"
bool holds(const Call& call, const std::string& condition) {
    std::smatch match;
    for (const std::string& each : split(condition, ", | or ")) {
        if (std::regex_match(each, match, std::regex("(\\S+) is (a square|even|a power of 2)"))) {
            const int n = length_in(call, match[1]).value_or(0);
            const int root = static_cast<int>(std::lround(std::sqrt(n)));
            if (match[2] == "even"       ? n % 2 == 0
                : match[2] == "a square" ? root * root == n
                                         : (n & (n - 1)) == 0)
                return true;
        } else if (std::regex_match(each, match, std::regex("(\\S+) (=|<=|>) (\\S+)"))) {
            const std::string right = match[3];
            const int a = length_in(call, match[1]).value_or(0), b = std::isdigit(right.front()) != 0
                                                                         ? std::stoi(right)
                                                                         : length_in(call, right).value_or(0);
            if (match[2] == "=" ? a == b : match[2] == "<=" ? a <= b : a > b) return true;
        }
    }
    return false;
}

bool row_has(std::vector<double> row, const std::string& what) {
    const auto largest = std::ranges::max_element(row);
    std::smatch match;
    if (what == "has no 1") return std::ranges::count(row, 1.0) == 0;
    if (what == "has a 0") return std::ranges::count(row, 0.0) > 0;
    if (what == "has a 0 before a 1") return !std::ranges::is_sorted(row, std::greater<>());
    if (what == "is below 0 throughout") return std::ranges::all_of(row, [](double x) { return x < 0; });
    if (what == "stands first") return row.size() > 1 && largest == row.begin();
    if (what == "stands last") return row.size() > 1 && largest + 1 == row.end();
    if (std::regex_match(what, match, std::regex("is (-?\\d+)")))
        return std::ranges::count(row, std::stod(match[1])) > 0;
    return false;
}

/// "a row of mask has no 1". Nothing if the report does not show this input.
std::optional<bool> content_holds(const Call& call, const std::string& input, const std::string& what,
                                  bool all) {
    if (call.absent.contains(input)) return false;
    if (call.inputs == nullptr) return std::nullopt;
    const auto found = std::ranges::find(*call.inputs, input, &report::Tensor::name);
    if (found == call.inputs->end() || found->values.empty()) return std::nullopt;
    const auto columns = static_cast<std::ptrdiff_t>(found->shape.back());
    if (all) return std::ranges::all_of(found->values, [](double x) { return x == 0; });
    for (auto row = found->values.begin(); row != found->values.end(); row += columns)
        if (row_has({row, row + columns}, what)) return true;
    return false;
}

/// What a sentence of a pattern says about calls. Nothing if it is of no known form.
std::optional<Right> read_sentence(const std::string& sentence) {
    std::smatch match;
    const auto is = [&](const char* pattern) {
        return std::regex_match(sentence, match, std::regex(pattern));
    };
    const auto where = [](const std::string& condition, bool right) -> Right {
        return [=](const Call& call) { return std::optional(holds(call, condition) == right); };
    };
    if (is("(.+), except with (.+), where all is right")) {
        const std::optional<Right> rule = read_sentence(match[1]);
        if (!rule) return std::nullopt;
        return [rule = *rule, ones = match[2].str()](const Call& call) {
            return holds(call, ones) ? std::optional(true) : rule(call);
        };
    }
    if (is("right up to (\\w+) = (\\d+), wrong from .+"))
        return [letter = match[1].str(), most = std::stoi(match[2])](const Call& call) {
            return std::optional(length_in(call, letter).value_or(0) <= most);
        };
    if (is("right with (\\w+ = 1.*), wrong (otherwise|from \\w+ = 2)")) return where(match[1], true);
    if (is("right where (\\w+) (is|is not) asked for, wrong where it (is|is not)"))
        return [output = match[1].str(), asked = match[2] == "is"](const Call& call) {
            return std::optional(call.unwanted.contains(output) != asked);
        };
    if (is("right where (\\S+ (=|<=|is) .+), wrong (where .+|otherwise)")) return where(match[1], true);
    if (is("wrong where (\\w+ = \\w+), right where they differ")) return where(match[1], false);
    if (is("right with (\\w+) = (.+), wrong with \\1 = (.+)"))
        return [option = match[1].str(), right = split(match[2], " or "),
                wrong = split(match[3], " or ")](const Call& call) -> std::optional<bool> {
            const auto given = call.options.find(option);
            if (given == call.options.end()) return std::nullopt;
            if (std::ranges::count(right, given->second) > 0) return true;
            return std::ranges::count(wrong, given->second) > 0 ? std::optional(false) : std::nullopt;
        };
    if (is("right (with|without) (\\w+), wrong (with|without) \\2"))
        return [input = match[2].str(), with = match[1] == "with"](const Call& call) {
            return std::optional(call.absent.contains(input) != with);
        };
    if (is("wrong only with (.+)"))
        return [recipe = match[1].str()](const Call& call) { return std::optional(call.recipe != recipe); };
    if (is("right if (\\w+) is 0, wrong otherwise"))
        return [input = match[1].str()](const Call& call) { return content_holds(call, input, "", true); };
    if (is("wrong where (?:one of |a row of |the largest number of (?:a row of )?)?(\\w+) ((?:has|is|stands) "
           ".+), "
           "right elsewhere"))
        return [input = match[1].str(), what = match[2].str()](const Call& call) -> std::optional<bool> {
            const auto said = content_holds(call, input, what, false);
            return said ? std::optional(!*said) : std::nullopt;
        };
    return std::nullopt;
}

/// "first batch": the axis of the output, and whether an index is named.
std::optional<std::pair<std::size_t, bool>> place_of(const ask::TensorSpec& output, const Check& check,
                                                     const std::string& end, const std::string& word) {
    const std::vector<std::string>& dims = output.dims;
    std::optional<std::size_t> axis;
    for (std::size_t k = 0; k < dims.size(); ++k)
        if ((word == "batch" && dims[k] == "B") || word == "element along " + dims[k]) axis = k;
    if (word == "head") axis = 1;
    if (word == "column") axis = dims.size() - 1;
    if (word == "row" && dims.size() > 1) axis = dims.size() - 2;
    if (!axis || *axis >= check.difference->index.size() || end != "first") return std::nullopt;
    return std::pair(*axis, check.difference->index[*axis] == 0);
}

/// Sentences on outputs: "A, L are right in every case", "Y is right in the first row and has errors in every other".
bool read_outputs(const report::Part& part, const ask::Function& function, report::CheckKind kind,
                  const std::string& sentence, std::vector<std::string>& found) {
    std::smatch match;
    const bool right = std::regex_match(sentence, match, std::regex("(.+) (?:is|are) right in every case"));
    const bool place =
        !right && std::regex_match(sentence, match,
                                   std::regex("(\\w+) is (right|wrong) in the (first|last) (.+) and "
                                              "(?:right|has errors) in every other"));
    // "Y is the expected one, moved by one row: .." is judged by the numbers, which the report need not show.
    if (std::regex_match(
            sentence, std::regex("\\w+ is the expected one.+|Every .+ is the mean of all that are expected")))
        return true;
    if (!right && !place) return false;
    const std::vector<std::string> outputs = split(match[1], ", ");
    for (const Check& check : part.checks) {
        if (check.kind != kind || !check.difference ||
            std::ranges::count(outputs, check.difference->array) == 0)
            continue;
        bool refuted = right;
        if (place) {
            const auto output =
                std::ranges::find(function.outputs, check.difference->array, &ask::TensorSpec::name);
            const auto at = output == function.outputs.end() ? std::nullopt
                                                             : place_of(*output, check, match[3], match[4]);
            refuted = at && at->second == (match[2] == "right");
        }
        if (refuted)
            found.push_back(fmt::format("'{}' is refuted by {}: {}", sentence, check.name, check.message));
    }
    return true;
}

void read_pattern(const report::Part& part, const ask::Function& function, const Check& check,
                  std::vector<std::string>& found) {
    std::vector<Call> calls = calls_of(part, function, check.kind);
    const auto own = std::ranges::find(calls, check.name, &Call::name);
    if (own == calls.end()) return;
    const std::string recipe = own->recipe;
    if (check.smallest) {
        Call smallest;
        smallest.name = "the smallest case, " + check.smallest->sizes;
        smallest.recipe = recipe;
        smallest.inputs = &check.smallest->inputs;
        read_setting(function, check.smallest->sizes, smallest);
        calls.push_back(std::move(smallest));
    }
    std::string pattern = check.pattern;
    const bool same_kind = pattern.find(" with inputs of this kind,") != std::string::npos;
    pattern = std::regex_replace(
        pattern, std::regex("In the cases shown here( with inputs of this kind)?, and in calls like them: "),
        "");
    pattern = std::regex_replace(pattern, std::regex("All calls agree as well with this: "), "");
    std::vector<std::string> sentences = split(pattern, "[.](?: |$)");
    for (std::string& sentence : sentences) {
        if (read_outputs(part, function, check.kind, sentence, found)) {
            sentence.clear();
            continue;
        }
        sentence[0] = static_cast<char>(std::tolower(sentence[0]));
    }
    for (const std::string& sentence : sentences) {
        if (sentence.empty()) continue;
        const std::optional<Right> right = read_sentence(sentence);
        if (!right) {
            found.push_back(
                fmt::format("{}: this reader does not know such a sentence: '{}'", check.name, sentence));
            continue;
        }
        for (const Call& call : calls) {
            if (same_kind && call.recipe != recipe) continue;
            const std::optional<bool> said = (*right)(call);
            if (said && *said != call.passed)
                found.push_back(fmt::format("{}: '{}' is refuted by {}, which is {}", check.name, sentence,
                                            call.name, call.passed ? "right" : "wrong"));
        }
    }
}

/// A name is refuted if the mistake fails a check that passed. "With norm = post, your output is .." is said
/// of some checks only. Of several names in one sentence each has to agree with the cases only, because the grader
/// does not ask for properties to tell them apart.
void read_names(const report::Part& part, const Check& check, const PartMatrix& matrix,
                std::vector<std::string>& found) {
    const ask::Module* const module = ask::module_of(part.function);
    if (check.diagnosis->sentence.starts_with("With ")) return;
    for (const std::string& name : check.diagnosis->mistakes) {
        const auto mistake = std::ranges::find(module->mistakes, name, &ask::Mistake::name);
        if (mistake == module->mistakes.end()) continue;  // two at once, or a mistake of another function
        const std::vector<bool>& caught =
            matrix.caught.at(static_cast<std::size_t>(mistake - module->mistakes.begin()));
        for (std::size_t k = 0; k < matrix.columns.size(); ++k) {
            if (matrix.columns[k].property && check.diagnosis->mistakes.size() > 1) continue;
            const auto same = std::ranges::find_if(part.checks, [&](const Check& other) {
                return other.name == matrix.columns[k].name &&
                       (other.kind == report::CheckKind::property) == matrix.columns[k].property &&
                       report::is_function_check(other);
            });
            if (caught.at(k) && same != part.checks.end() && same->outcome == Outcome::passed)
                found.push_back(fmt::format("{} is called {}, but {} passes, which this mistake fails",
                                            check.name, name, same->name));
        }
    }
}

/// "With norm = post your output is exactly what belongs to norm = pre." is said of a case with this choice.
void read_choices(const ask::Function& function, const Check& check, const std::vector<Call>& calls,
                  std::vector<std::string>& found) {
    const auto own = std::ranges::find(calls, check.name, &Call::name);
    const std::string& sentence = check.diagnosis->sentence;
    if (own == calls.end() || !sentence.starts_with("With ")) return;
    bool any = false;
    for (const ask::OptionSpec& option : function.options) {
        if (option.length) continue;
        const std::regex said("With (?:[^,.]* and )?" + option.name + " = ([^,.]+?)(?: and [^,.]*)?,? your ");
        for (std::sregex_iterator each(sentence.begin(), sentence.end(), said), end; each != end; ++each)
            any = any || std::ranges::count(split((*each)[1], " or "), own->options.at(option.name)) > 0;
    }
    if (!any) found.push_back(fmt::format("{}: '{}' speaks of other choices", check.name, sentence));
}

}  // namespace

std::vector<std::string> contradictions(const report::Part& part, const PartMatrix* matrix) {
    std::vector<std::string> found;
    const ask::Module* const module = ask::module_of(part.function);
    if (module == nullptr) return found;
    const ask::Function& function = *module->find_function(part.function);
    for (const Check& check : part.checks) {
        if (!check.pattern.empty()) read_pattern(part, function, check, found);
        if (check.diagnosis) read_choices(function, check, calls_of(part, function, check.kind), found);
        if (check.diagnosis && matrix != nullptr && report::is_function_check(check))
            read_names(part, check, *matrix, found);
        if (check.outcome == Outcome::wrong && check.difference &&
            check.difference->error_yardsticks <= check.difference->allowed_yardsticks)
            found.push_back(fmt::format("{}: the error is allowed, and called wrong", check.name));
        if (check.outcome == Outcome::passed &&
            (check.diagnosis || check.difference || !check.pattern.empty()))
            found.push_back(fmt::format("{} passes, and something is said to be wrong", check.name));
    }
    for (std::string& each : found) each = part.function + ", " + each;
    return found;
}

}  // namespace attn::proof
