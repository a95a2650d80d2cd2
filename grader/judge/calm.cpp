#include "grader/judge/calm.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "datasets/file_error.h"
#include "datasets/replacement.h"
#include "grader/judge/statistics.h"

namespace attn::judge {
namespace {

constexpr double kFifth = 0.2, kWorseEachTime = 1.02;
constexpr double kPlainMay = 1.06, kYardstickMay = 1.15;  ///< be as much longer in a calm moment

double better(double own, double before) {
    return before > 0 ? std::min(own, before) : own;
}

}  // namespace

CalmLevels::CalmLevels(std::filesystem::path file) : file_(std::move(file)) {
    std::ifstream lines(file_);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        Level level;
        std::string name;
        if (words >> level.plain_s >> level.yardstick_s && std::getline(words >> std::ws, name) &&
            level.plain_s > 0 && level.yardstick_s > 0)
            levels_[name] = level;
    }
}

Level CalmLevels::before(const std::string& name) const {
    const auto found = levels_.find(name);
    return found == levels_.end() ? Level{} : found->second;
}

void CalmLevels::note(const std::string& name, Level own) {
    const auto [place, is_new] = levels_.emplace(name, own);
    Level& level = place->second;
    if (!is_new)
        level = {std::min(own.plain_s, kWorseEachTime * level.plain_s),
                 std::min(own.yardstick_s, kWorseEachTime * level.yardstick_s)};
    if (file_.empty()) return;
    std::string text;
    for (const auto& [each, known] : levels_)
        text += fmt::format("{} {} {}\n", known.plain_s, known.yardstick_s, each);
    try {
        data::Replacement replacement(file_);
        replacement.write(text.data(), text.size());
        replacement.commit();
    } catch (const data::FileError&) {
        file_.clear();  // and there is no more to it
    }
}

Level level_of(const std::vector<Level>& restarts) {
    std::vector<double> plain, yardstick;
    for (const Level& each : restarts) {
        plain.push_back(each.plain_s);
        yardstick.push_back(each.yardstick_s);
    }
    return restarts.empty() ? Level{} : Level{quantile(plain, kFifth), quantile(yardstick, kFifth)};
}

std::vector<std::size_t> calm_ones(const std::vector<Level>& restarts, Level before) {
    const Level own = level_of(restarts);
    const double plain = kPlainMay * better(own.plain_s, before.plain_s);
    const double yardstick = kYardstickMay * better(own.yardstick_s, before.yardstick_s);
    std::vector<std::size_t> calm;
    for (std::size_t k = 0; k < restarts.size(); ++k)
        if (restarts[k].plain_s <= plain && restarts[k].yardstick_s <= yardstick) calm.push_back(k);
    return calm;
}

}  // namespace attn::judge
