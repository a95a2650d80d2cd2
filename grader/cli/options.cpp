#include "grader/cli/options.h"

#include <iostream>

#include "datasets/replacement.h"

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
    } catch (const po::error& error) {
        throw UsageError(std::string(error.what()) + "\n" + usage);
    }
    return values;
}

void write_file(const std::string& path, const std::string& text) {
    data::Replacement file(path);
    file.write(text.data(), text.size());
    file.commit();
}

}  // namespace attn::cli
