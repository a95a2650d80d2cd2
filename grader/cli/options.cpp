#include "grader/cli/options.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "datasets/files/file_error.h"
#include "grader/base/closest_name.h"
#include "grader/base/installation.h"
#include "grader/base/text_lines.h"
#include "grader/rubric/rubric.h"

namespace attn::cli {

std::optional<po::variables_map> parse(const Words& words, const std::string& usage,
                                       po::options_description& options, const char* positional) {
    options.add_options()("help,h", "show this help");
    po::options_description all;
    all.add(options).add_options()(positional, po::value<std::vector<std::string>>());
    po::positional_options_description rest;
    rest.add(positional, -1);
    po::variables_map values;
    try {
        po::store(po::command_line_parser(words).options(all).positional(rest).run(), values);
        if (values.count("help") != 0) {
            std::cout << usage << "\n" << options;
            return std::nullopt;
        }
        po::notify(values);
    } catch (const po::unknown_option& error) {
        std::vector<std::string> names;
        for (const auto& option : options.options()) names.push_back("--" + option->long_name());
        throw UsageError(fmt::format("there is no option {}.{} --help shows all\n{}", error.get_option_name(),
                                     did_you_mean(error.get_option_name(), names), lines_in(usage).front()));
    } catch (const po::error& error) {
        throw UsageError(fmt::format("{}\n{}", error.what(), lines_in(usage).front()));
    }
    return values;
}

Words arguments_of(const po::variables_map& values, const char* positional, std::size_t count,
                   const std::string& otherwise) {
    Words given = values.count(positional) != 0 ? values[positional].as<Words>() : Words();
    if (given.size() > count) {
        const std::vector<std::string> lines = lines_in(otherwise);  // what to give, and the usage
        throw UsageError(fmt::format("{}; \"{}\" is one word too many, and an option begins with --\n{}",
                                     lines.at(0), given.back(), lines.at(1)));
    }
    if (given.size() != count) throw UsageError(otherwise);
    return given;
}

std::string text_of(const po::variables_map& values, const char* option) {
    return values.count(option) != 0 ? values[option].as<std::string>() : "";
}

void add_assignment_option(po::options_description& options, const char* about) {
    options.add_options()("assignment,a", po::value<std::string>()->value_name("N"), about);
}

std::optional<int> assignment_in(const po::variables_map& values) {
    if (values.count("assignment") == 0) return std::nullopt;
    const auto& typed = values["assignment"].as<std::string>();
    int number = 0;
    const char* end = typed.data() + typed.size();
    if (const auto read = std::from_chars(typed.data(), end, number);
        read.ec == std::errc{} && read.ptr == end)
        return number;
    std::vector<std::string> names;
    for (const rubric::Rubric& rubric : rubric::read_rubrics(Installation().assignments)) {
        std::vector<std::string> here{rubric.module->name, rubric.folder.filename().string()};
        for (const rubric::PartRubric& part : rubric.parts) here.push_back(part.function->name);
        if (std::ranges::find(here, typed) != here.end()) return rubric.number;
        names.insert(names.end(), here.begin(), here.end());
    }
    throw UsageError(fmt::format(
        "--assignment {}: there is no assignment or function of this name; expected a number or a "
        "name, such as 2 or masking; `grader list` shows them.{}",
        typed, did_you_mean(typed, names)));
}

void add_course_option(po::options_description& options) {
    options.add_options()(
        "course", po::value<std::string>()->value_name("FILE"),
        "the course: a file, or the name of a shipped one; by default assignments/course.toml, "
        "and without this file all assignments");
}

std::string course_in(const po::variables_map& values) {
    return text_of(values, "course");
}

void remove_earlier_file(const std::string& path) {
    std::error_code error;
    const auto type = std::filesystem::symlink_status(path, error).type();
    using std::filesystem::file_type;
    if (type != file_type::regular && type != file_type::symlink) return;
    // data::write_file() refuses to replace a pipe or a device behind a link.
    if (type == file_type::symlink && std::filesystem::exists(path, error) &&
        !std::filesystem::is_regular_file(path, error))
        return;
    if (!std::filesystem::remove(path, error) && error)
        throw data::FileError(path, "the file of an earlier run cannot be removed (" + error.message() + ")",
                              "expected the right to replace it", "remove it, or name another file");
}

}  // namespace attn::cli
