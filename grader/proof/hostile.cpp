#include "grader/proof/hostile.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "datasets/files/file_error.h"
#include "grader/proof/proof_submissions.h"
#include "grader/rubric/rubric.h"
#include "grader/rubric/toml_reader.h"

namespace attn::proof {
namespace {

using rubric::TableReader;

constexpr int kLargestSeed = 1 << 30;

Outcome outcome_named(const TableReader& table, const char* key, const std::string& name) {
    const auto* const found = std::find(kOutcomeNames.begin(), kOutcomeNames.end(), name);
    if (found == kOutcomeNames.end()) table.refuse(key, "there is no outcome '" + name + "'");
    return static_cast<Outcome>(found - kOutcomeNames.begin());
}

std::optional<std::uint64_t> seed_of(TableReader& table) {
    const int seed = table.whole("seed", 0, kLargestSeed, -1);
    return seed < 0 ? std::nullopt : std::optional<std::uint64_t>(seed);
}

std::vector<worker::Layer> layers_of(TableReader& table, const char* key) {
    std::vector<worker::Layer> layers;
    for (const std::string& name : table.texts(key, true)) {
        try {
            layers.push_back(worker::layer_named(name));
        } catch (const std::invalid_argument& error) {
            table.refuse(key, error.what());
        }
    }
    return layers;
}

Control read_control(TableReader table) {
    Control control;
    control.without = layers_of(table, "without");
    control.alone = layers_of(table, "alone");
    for (const worker::Layer layer : control.alone)
        if (std::find(control.without.begin(), control.without.end(), layer) == control.without.end())
            table.refuse("alone", worker::name_of(layer) + " is not among the layers taken away");
    control.seed = seed_of(table);
    control.shows = table.texts("shows");
    if (control.without.empty() && !control.seed)
        table.refuse("shows", "a control takes something away: 'without' or 'seed'");
    table.done();
    return control;
}

Attack read_attack(TableReader& table, const std::string& base) {
    Attack attack;
    attack.number = table.whole("number", 1, kLastAttackNumber);
    attack.name = table.text("name");
    attack.tries = table.text("tries");
    attack.link = table.text("link", "");
    attack.text = table.text("head", "") + "\n" +
                  edited(base, {{"//@top", table.text("top", "")}, {"//@code", table.text("code", "")}});
    attack.outcome = outcome_named(table, "outcome", table.text("outcome"));
    attack.says = table.texts("says", true);
    constexpr double kMostPoints = 30;
    attack.points = table.number("points", 0, kMostPoints, 0);
    attack.neighbours = outcome_named(table, "neighbours", table.text("neighbours", "passed"));
    attack.seed = seed_of(table);
    attack.no_control = table.text("no_control", "");
    attack.remains = table.texts("remains", true);
    if (attack.no_control.empty()) attack.control = read_control(table.table("control"));
    table.done();
    return attack;
}

}  // namespace

std::vector<Attack> read_attacks(const std::filesystem::path& folder) {
    const std::string base = data::read_file(folder / "base.cpp");
    std::vector<Attack> attacks;
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".toml") continue;
        const toml::table root = rubric::parse_toml(entry.path());
        TableReader file(entry.path(), root, "this file");
        for (TableReader& table : file.tables("attack")) {
            attacks.push_back(read_attack(table, base));
            if (!names.insert(attacks.back().name).second)
                table.refuse("name", "there is another attack '" + attacks.back().name + "'");
        }
        file.done();
    }
    std::stable_sort(attacks.begin(), attacks.end(), [](const Attack& a, const Attack& b) {
        return a.number < b.number;  // the attacks of one number are in one file, so they keep its order
    });
    return attacks;
}

std::string fill_placeholders(std::string text, const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) {
        const std::string marked = "@" + name + "@";
        for (auto at = text.find(marked); at != std::string::npos; at = text.find(marked, at + value.size()))
            text.replace(at, marked.size(), value);
    }
    for (auto at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1)) {
        const auto end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at + 1);
        if (end != std::string::npos && end > at + 1 && text[end] == '@')
            throw std::invalid_argument("there is no value for the placeholder " +
                                        text.substr(at, end + 1 - at));
    }
    return text;
}

std::string table_of(const std::vector<Attack>& attacks) {
    std::string table =
        "| no. | attack | what it does | outcome | stopped by | signs without these layers "
        "|\n|---|---|---|---|---|---|\n";
    for (const Attack& attack : attacks) {
        std::vector<std::string> layers;
        std::string shows = "no control: " + attack.no_control;
        if (attack.control) {
            for (const worker::Layer layer : attack.control->without) layers.push_back(name_of(layer));
            if (attack.control->seed) layers.emplace_back("another seed");
            shows = fmt::format("{}", fmt::join(attack.control->shows, ", "));
        }
        table += fmt::format("| {} | {} | {} | {} | {} | {} |\n", attack.number, attack.name, attack.tries,
                             in_words(attack.outcome), fmt::join(layers, ", "), shows);
    }
    return table;
}

}  // namespace attn::proof
