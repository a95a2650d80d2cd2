#include "grader/models/model_page.h"

#include <sstream>

#include <nlohmann/json.hpp>

#include "grader/report/html.h"
#include "grader/report/json_text.h"

namespace attn::trained {
namespace {

using Json = nlohmann::ordered_json;

template <class T, class F>
Json list_of(const std::vector<T>& items, F json_of) {
    Json list = Json::array();
    for (const T& item : items) list.push_back(json_of(item));
    return list;
}

Json to_json_value(const Chart& chart) {
    return {{"title", chart.title},
            {"x_name", chart.x_name},
            {"y_name", chart.y_name},
            {"curves", list_of(chart.curves,
                               [](const Curve& curve) {
                                   return Json{{"name", curve.name}, {"x", curve.x}, {"y", curve.y}};
                               })},
            {"levels", list_of(chart.levels, [](const Level& level) {
                 return Json{{"value", level.value}, {"text", level.text}};
             })}};
}

Json to_json_value(const ReadImage& image) {
    return {{"height", image.height}, {"width", image.width},          {"ink", image.ink},
            {"patch", image.patch},   {"looked", image.looked},        {"caption", image.caption},
            {"right", image.right},   {"starts_row", image.starts_row}};
}

Json to_json_value(const WeightMap& map) {
    return {{"title", map.title}, {"rows", map.rows}, {"columns", map.columns}, {"weights", map.weights}};
}

Json to_json_value(const Sample& sample) {
    return {
        {"given", sample.given}, {"written", sample.written}, {"note", sample.note}, {"right", sample.right}};
}

Json to_json_value(const WordBars& bars) {
    return {{"title", bars.title}, {"words", bars.words}, {"probabilities", bars.probabilities}};
}

Json to_json_value(const Section& section) {
    const auto json = [](const auto& value) { return to_json_value(value); };
    return {{"title", section.title},
            {"text", section.text},
            {"charts", list_of(section.charts, json)},
            {"images", list_of(section.images, json)},
            {"columns", section.columns},
            {"maps", list_of(section.maps, json)},
            {"samples", list_of(section.samples, json)},
            {"bars", list_of(section.bars, json)}};
}

Json to_json_value(const UsedFunction& origin) {
    return {{"function", origin.function},
            {"assignment", origin.assignment},
            {"students", origin.students},
            {"note", origin.note}};
}

}  // namespace

std::vector<std::string> letters_of(const std::string& text) {
    std::vector<std::string> letters;
    for (const char c : text) letters.emplace_back(c == ' ' ? "\u2423" : std::string{c});
    return letters;
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::string to_json(const ModelPage& page) {
    const auto json = [](const auto& value) { return to_json_value(value); };
    return report::json_text({{"title", page.title},
                              {"verdict", page.verdict},
                              {"good", page.good},
                              {"sections", list_of(page.sections, json)},
                              {"origins", list_of(page.origins, json)},
                              {"notes", page.notes}},
                             false);
}

std::string to_html(const ModelPage& page) {
    return report::kShowPage.with(to_json(page));
}

}  // namespace attn::trained
