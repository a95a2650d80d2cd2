#include "grader/classes/insight/evidence.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/module.h"
#include "grader/report/findings.h"
#include "grader/report/text.h"

namespace attn::classes {
namespace {

/// The line of a source at which a definition of the function begins; 0 if there is none. Definitions of a
/// contract's functions stand at the beginning of a line and are no declarations.
int line_of_definition(const std::filesystem::path& file, const std::string& function) {
    std::ifstream stream(file);
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        const std::size_t at = line.find(function);
        if (at == std::string::npos || at == 0) continue;
        const char before = line[at - 1];
        const std::size_t after = line.find_first_not_of(' ', at + function.size());
        // The first parenthesis of a definition opens its parameters; in another line it would be a call.
        const bool is_name =
            (before == ' ' || before == ':') && after != std::string::npos && after == line.find('(');
        if (is_name && line[0] != ' ' && line[0] != '/' && line[0] != '#' && !line.ends_with(';'))
            return number;
    }
    return 0;
}

const ask::Mistake* find_mistake(const std::string& function, const std::string& name) {
    const ask::Module* module = ask::module_of(function);
    if (module == nullptr) return nullptr;
    const auto found = std::ranges::find(module->mistakes, name, &ask::Mistake::name);
    return found == module->mistakes.end() ? nullptr : &*found;
}

/// The text of a mistake: as the assignment lists it; otherwise as this diagnosis describes it, if it is
/// about this mistake alone; otherwise its name.
std::string cause_of(const std::string& function, const std::string& name,
                     const report::Diagnosis& diagnosis) {
    if (const ask::Mistake* listed = find_mistake(function, name)) return listed->when;
    if (diagnosis.mistakes.size() == 1 && diagnosis.mistakes.front() == name)
        return report::cause_in(diagnosis);
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::string hint_of(const std::string& function, const std::string& name,
                    const report::Diagnosis& diagnosis) {
    if (const ask::Mistake* listed = find_mistake(function, name)) return listed->hint;
    return diagnosis.hints.empty() ? "" : diagnosis.hints.front();
}

std::vector<std::string> names_in(const std::string& made) {
    std::vector<std::string> names;
    std::size_t begin = 0;
    for (std::size_t plus = 0; (plus = made.find('+', begin)) != std::string::npos; begin = plus + 1)
        names.push_back(made.substr(begin, plus - begin));
    names.push_back(made.substr(begin));
    return names;
}

}  // namespace

std::string place_of_failure(const std::filesystem::path& files, const report::Assignment& assignment,
                             const report::Part& part, const report::Check& check) {
    if (check.lines && !check.lines->lines.empty()) return report::in_words(check.lines->lines.front());
    if (std::string place = report::place_in(check.message); !place.empty()) return place;
    std::string only_file;
    for (const report::SourceFile& source : assignment.sources) {
        if (!source.exists || source.name.ends_with(".cu") != report::is_kernel_check(check)) continue;
        if (only_file.empty()) only_file = source.name;
        if (files.empty()) continue;
        if (const int line = line_of_definition(files / source.name, part.function))
            return fmt::format("{}:{}", source.name, line);
    }
    return only_file;
}

std::vector<NamedMistake> named_mistakes(const report::Report& report, const std::filesystem::path& files) {
    std::vector<NamedMistake> found;
    for (const report::Assignment& assignment : report.assignments)
        for (const report::Part& part : assignment.parts)
            for (const report::Check& check : part.checks) {
                if (!check.diagnosis || check.diagnosis->mistakes.empty()) continue;
                const report::Diagnosis& diagnosis = *check.diagnosis;
                const auto add = [&](const std::vector<std::string>& mistakes) {
                    const bool known = std::ranges::any_of(found, [&](const NamedMistake& each) {
                        return each.assignment == assignment.number && each.function == part.function &&
                               each.mistakes == mistakes;
                    });
                    if (known) return;
                    NamedMistake& named = found.emplace_back();
                    named.assignment = assignment.number;
                    named.function = part.function;
                    named.mistakes = mistakes;
                    std::vector<std::string> causes;
                    for (const std::string& made : mistakes) {
                        std::vector<std::string> together;
                        for (const std::string& name : names_in(made))
                            together.push_back(cause_of(part.function, name, diagnosis));
                        causes.push_back(fmt::format("{}", fmt::join(together, " and ")));
                    }
                    named.cause = fmt::format("{}", fmt::join(causes, ", or "));
                    named.hint = hint_of(part.function, names_in(mistakes.front()).front(), diagnosis);
                    named.check = check.id;
                    named.place = place_of_failure(files, assignment, part, check);
                };
                if (diagnosis.mistakes.size() == 1)
                    for (const std::string& name : names_in(diagnosis.mistakes.front())) add({name});
                else
                    add(diagnosis.mistakes);
            }
    const std::vector<NamedMistake> all = found;
    std::erase_if(found, [&](const NamedMistake& each) {
        return each.mistakes.size() > 1 && std::ranges::any_of(all, [&](const NamedMistake& other) {
                   return other.mistakes.size() == 1 && other.assignment == each.assignment &&
                          std::ranges::find(each.mistakes, other.mistakes.front()) != each.mistakes.end();
               });
    });
    return found;
}

}  // namespace attn::classes
