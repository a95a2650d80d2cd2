#include "grader/search/passages.h"

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>

#include "datasets/files/file_error.h"
#include "grader/rubric/toml_reader.h"

namespace attn::search {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEnough = 25, kMost = 150;  ///< words of a passage

std::size_t count_words(const std::string& text) {
    std::istringstream words(text);
    return static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(words), {}));
}

/// "[text](link)" is text. A link may go over lines.
std::string without_links(const std::string& text) {
    static const std::regex kLink(R"(\[([^\]]*)\]\([^)]*\))");
    return std::regex_replace(text, kLink, "$1");
}

/// A line without what Markdown writes for people's eyes: `code`, *stress*, bars of tables.
std::string without_marks(const std::string& line) {
    static const std::regex kItem(R"(^\s*(> ?)?(- |\d+\. )?)");
    static const std::regex kBars(R"(\s*\|[-\s|]*)");
    std::string text = std::regex_replace(line, kItem, "");
    if (line.starts_with('|')) text = std::regex_replace(text, kBars, " ");
    std::erase_if(text, [](char c) { return c == '*' || c == '`'; });
    return text;
}

/// Whether an item of a list or a row of a table begins here.
bool begins_item(const std::string& line) {
    static const std::regex kItem(R"((> ?)?(- |\d+\. |\|).*)");
    return std::regex_match(line, kItem);
}

/// The lines of a text, one after the other.
class Lines {
  public:
    explicit Lines(std::string_view text) : text_(text) {}
    bool next(std::string& line) {
        if (text_.empty()) return false;
        const std::size_t end = std::min(text_.find('\n'), text_.size());
        line = text_.substr(0, end);
        text_.remove_prefix(std::min(end + 1, text_.size()));
        ++number_;
        return true;
    }
    int number() const { return number_; }

  private:
    std::string_view text_;
    int number_ = 0;
};

/// Collects the passages of a page, line by line.
class Page {
  public:
    explicit Page(std::string file) { now_.file = std::move(file); }

    void read(const std::string& line, int number) {
        if (line.starts_with("```")) {
            in_code_ = !in_code_;
            add(line, "", number);
        } else if (in_code_) {
            add(line, "", number);
        } else if (line.starts_with('#')) {
            end_passage();
            const std::string name =
                without_marks(line.substr(std::min(line.find_first_not_of("# "), line.size())));
            (line.starts_with("# ") ? now_.title : now_.heading) = name;
            if (line.starts_with("# ")) now_.heading.clear();
        } else if (line.find_first_not_of(" >|-:") ==
                   std::string::npos) {  // an empty line, or one below a table's head
            between_ = true;
        } else {
            if ((between_ || begins_item(line)) && count_words(now_.prose) >= kEnough) end_passage();
            add(line, without_marks(line), number);
        }
    }

    std::vector<Passage> passages() {
        end_passage();
        return std::move(all_);
    }

  private:
    void add(const std::string& line, const std::string& prose, int number) {
        if (count_words(now_.text) + count_words(line) > kMost) end_passage();
        between_ = false;
        if (now_.text.empty()) now_.line = number;
        now_.text += line + '\n';
        if (!prose.empty()) now_.prose += prose + '\n';
    }

    void end_passage() {
        now_.prose = without_links(now_.prose);
        if (count_words(now_.text) > 1) all_.push_back(now_);
        now_.text.clear();
        now_.prose.clear();
    }

    Passage now_;
    std::vector<Passage> all_;
    bool in_code_ = false, between_ = false;
};

/// The name that a line declares, for example "softmax"; empty if it declares none.
std::string declared_name(const std::string& line) {
    static const std::regex kType(R"((struct|class|enum class|enum) (\w+))"), kFunction(R"((\w+)\()");
    std::smatch found;
    if (std::regex_search(line, found, kType)) return found[2];
    if (std::regex_search(line, found, kFunction)) return found[1];
    return {};
}

/// The notes of a course on where its slides and the handouts differ.
std::vector<Passage> notes_of_course(const std::string& name, const fs::path& file) {
    std::vector<Passage> all;
    const toml::table course = rubric::parse_toml(file);
    const std::string title = course["title"].value_or(std::string());
    const auto add_notes = [&](const toml::table& table, const std::string& heading) {
        if (const toml::array* const notes = table["notes"].as_array())
            for (const toml::node& each : *notes)
                if (const auto note = each.value<std::string>())
                    all.push_back(
                        {name, static_cast<int>(each.source().begin.line), title, heading, *note, *note});
    };
    add_notes(course, "");
    if (const toml::array* const steps = course["assignment"].as_array())
        for (const toml::node& step : *steps)
            if (const toml::table* const table = step.as_table())
                add_notes(*table, "Assignment " + std::to_string((*table)["number"].value_or(0)));
    return all;
}

}  // namespace

std::string Passage::to_read() const {
    const std::string head = title + (title.empty() || heading.empty() ? "" : ". ") + heading;
    return in_one_line(head + ". " + (prose.empty() ? text : prose));
}

std::string Passage::to_show() const {
    std::string shown;
    Lines lines(text);
    bool in_code = file.ends_with(".h"), is_flowing = false;
    for (std::string each; lines.next(each);) {
        const bool is_fence = each.starts_with("```");
        in_code = in_code != is_fence;
        if (is_fence) continue;
        if (is_flowing && !in_code && !begins_item(each)) shown.back() = ' ';
        shown += (in_code ? each : in_one_line(without_marks(each))) + '\n';
        is_flowing = !in_code;
    }
    return without_links(shown);
}

std::string in_one_line(std::string_view text) {
    std::istringstream words{std::string(text)};
    std::string line;
    for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
    return line;
}

std::vector<Passage> passages_of_page(const std::string& file, std::string_view text) {
    Page page(file);
    Lines lines(text);
    for (std::string line; lines.next(line);) page.read(line, lines.number());
    return page.passages();
}

std::vector<Passage> passages_of_header(const std::string& file, std::string_view text) {
    std::vector<Passage> all;
    Passage now{file, 0, "", "", "", ""};
    const auto end_passage = [&] {
        if (now.heading.empty() && all.empty()) now.heading = fs::path(file).filename();
        if (count_words(now.prose) > 2) all.push_back(now);
        now = {file, 0, now.title, "", "", ""};
    };
    Lines lines(text);
    for (std::string line; lines.next(line);) {
        const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
        const std::string bare = line.substr(start);
        if (bare.starts_with("///") && !bare.starts_with("///<")) {
            if (!now.heading.empty()) end_passage();
            if (now.text.empty()) now.line = lines.number();
            const std::string words = bare.size() > 4 ? bare.substr(4) : "";
            if (now.title.empty() && !words.empty())
                now.title = words.substr(0, words.find_first_of(".:", words.find(':') + 1));
            now.text += line + '\n';
            now.prose += words + '\n';
        } else if (!now.text.empty() && !bare.empty()) {
            if (now.heading.empty()) now.heading = declared_name(bare);
            if (now.heading.empty()) continue;
            now.text += line + '\n';
            now.prose += bare + '\n';
            if (bare.ends_with(';') || bare.ends_with('}')) end_passage();
        } else if (!now.text.empty()) {
            end_passage();
        }
    }
    end_passage();
    return all;
}

std::vector<Passage> course_passages(const fs::path& assignments) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(assignments)) {
        const fs::path& path = each.path();
        const bool is_course = path.extension() == ".toml" && (path.parent_path().filename() == "courses" ||
                                                               path.filename() == "course.toml");
        if (each.is_regular_file() && (path.extension() == ".md" || path.extension() == ".h" || is_course))
            files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    std::vector<Passage> all;
    for (const fs::path& path : files) {
        const std::string name = (fs::path("assignments") / path.lexically_relative(assignments)).string();
        const auto passages = path.extension() == ".md"  ? passages_of_page(name, data::read_file(path))
                              : path.extension() == ".h" ? passages_of_header(name, data::read_file(path))
                                                         : notes_of_course(name, path);
        all.insert(all.end(), passages.begin(), passages.end());
    }
    return all;
}

}  // namespace attn::search
