// The program `train`: trains a model of the course and draws a page about it. `make train MODEL=digits` runs it.

#include <iostream>
#include <string>

#include "datasets/replacement.h"
#include "datasets/shipped.h"
#include "grader/base/installation.h"
#include "grader/training/model_page_json.h"
#include "grader/training/training_page.h"
#include "reference/training/train_program.h"

namespace attn::trained {
namespace {

int main_of_training(int argc, char** argv) {
    data::set_shipped_folder(Installation().datasets);
    namespace po = boost::program_options;
    std::string html;
    training::Extension extension;
    extension.options.add_options()("html", po::value(&html), "draw a page about the training");
    extension.examples =
        "  train digits --html digits.html\n"
        "  train translation --beside translation_without_attention --html dates.html\n";
    extension.ended = [&](const std::vector<training::Trained>& trained) {
        if (html.empty()) return;
        const std::string page = to_html(page_of(trained));
        data::Replacement file(html);
        file.write(page.data(), page.size());
        file.commit();
        std::cout << "The page with the loss and the pictures: " << html << '\n';
    };
    return training::train_program(argc, argv, extension);
}

}  // namespace
}  // namespace attn::trained

int main(int argc, char** argv) {
    return attn::trained::main_of_training(argc, argv);
}
