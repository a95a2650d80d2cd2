#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <yaml.h>

#include "grader/base/errors.h"
#include "grader/classes/downloads/layout.h"
#include "grader/classes/moments.h"
#include "grader/classes/roster/names.h"

namespace attn::classes {
namespace {

/// The events of libyaml, with the place of each scalar as the keys that lead to it.
class GradescopeYaml {
  public:
    explicit GradescopeYaml(const std::filesystem::path& path)
        : path_(path), file_(std::fopen(path.c_str(), "rbe"), [](std::FILE* file) {
              if (file != nullptr) std::fclose(file);
          }) {
        if (!file_) refuse("it cannot be opened");
        if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
        yaml_parser_set_input_file(&parser_, file_.get());
    }
    ~GradescopeYaml() { yaml_parser_delete(&parser_); }
    GradescopeYaml(const GradescopeYaml&) = delete;
    GradescopeYaml& operator=(const GradescopeYaml&) = delete;

    /// Calls on_scalar(keys, value) for each value of a mapping, and on_item(keys) where an item of a list
    /// begins.
    template <class Scalar, class Item>
    void read(Scalar on_scalar, Item on_item) {
        for (bool more = true; more;) {
            yaml_event_t event;
            if (yaml_parser_parse(&parser_, &event) == 0)
                refuse(fmt::format("it is no YAML from line {} on ({})", parser_.problem_mark.line + 1,
                                   parser_.problem == nullptr ? "unknown" : parser_.problem));
            const std::unique_ptr<yaml_event_t, void (*)(yaml_event_t*)> owned(&event, yaml_event_delete);
            more = event.type != YAML_STREAM_END_EVENT;
            take(event, on_scalar, on_item);
        }
    }

    [[noreturn]] void refuse(const std::string& found) const {
        throw UserError(fmt::format(
            "{}: {}; expected the submission_metadata.yml of Gradescope's \"Export Submissions\"; "
            "download the export again",
            path_.string(), found));
    }

  private:
    struct Level {
        bool list;
        bool key_is_next = true;
        std::string key = {};
    };

    template <class Scalar, class Item>
    void take(const yaml_event_t& event, Scalar on_scalar, Item on_item) {
        constexpr std::size_t kDeepest = 200;
        switch (event.type) {
            case YAML_MAPPING_START_EVENT:
            case YAML_SEQUENCE_START_EVENT:
                if (levels_.size() > kDeepest) refuse("it is nested too deeply");
                if (!levels_.empty() && levels_.back().list) on_item(keys());
                levels_.push_back({event.type == YAML_SEQUENCE_START_EVENT});
                break;
            case YAML_MAPPING_END_EVENT:
            case YAML_SEQUENCE_END_EVENT:
                levels_.pop_back();
                value_ended();
                break;
            case YAML_ALIAS_EVENT:
                value_ended();
                break;
            case YAML_SCALAR_EVENT: {
                const std::string text(reinterpret_cast<const char*>(event.data.scalar.value),
                                       event.data.scalar.length);
                if (levels_.empty()) break;
                Level& level = levels_.back();
                if (!level.list && level.key_is_next) {
                    level.key = text;
                    level.key_is_next = false;
                } else {
                    if (!level.list) on_scalar(keys(), text);
                    value_ended();
                }
                break;
            }
            default:
                break;
        }
    }

    void value_ended() {
        if (!levels_.empty()) levels_.back().key_is_next = true;
    }

    std::vector<std::string> keys() const {
        std::vector<std::string> result;
        for (const Level& level : levels_) result.push_back(level.list ? "-" : level.key);
        return result;
    }

    std::filesystem::path path_;
    std::unique_ptr<std::FILE, void (*)(std::FILE*)> file_;
    yaml_parser_t parser_{};
    std::vector<Level> levels_;
};

/// Gradescope writes "2021-09-15 02:45:37.123456000 Z" and, elsewhere, "2021-09-14T19:45:37.12-07:00".
std::optional<Moment> gradescope_moment(const std::string& text) {
    constexpr std::size_t kLongest = 64;
    try {
        return text.size() > kLongest ? std::nullopt : std::optional(read_moment(text));
    } catch (const UserError&) {
        return std::nullopt;
    }
}

}  // namespace

std::map<std::string, GradescopeSubmission> read_gradescope_metadata(const std::filesystem::path& file) {
    std::map<std::string, GradescopeSubmission> submissions;
    GradescopeYaml yaml(file);
    yaml.read(
        [&](const std::vector<std::string>& keys, const std::string& value) {
            if (keys.size() == 2 && keys[1] == ":created_at")
                submissions[keys[0]].when = gradescope_moment(value);
            if (keys.size() != 4 || keys[1] != ":submitters") return;
            auto& people = submissions[keys[0]].people;
            if (people.empty()) return;
            if (keys[3] == ":name") people.back().name = tidy_name(value);
            if (keys[3] == ":email") people.back().email = tidy_name(value);
            if (keys[3] == ":sid") people.back().key = tidy_name(value);
        },
        [&](const std::vector<std::string>& keys) {
            if (keys.size() == 3 && keys[1] == ":submitters") submissions[keys[0]].people.emplace_back();
        });
    if (submissions.empty()) yaml.refuse("it names no submission");
    return submissions;
}

}  // namespace attn::classes
