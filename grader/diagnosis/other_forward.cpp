#include "grader/diagnosis/other_forward.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/ask/inputs.h"

namespace attn::diagnosis {
namespace {

constexpr int kDirections = 3;
/// Of the length of a gradient: how far a derivative by differences may lie from the student's, in float.
constexpr double kAllowed = 1e-4;

template <class List>
auto named_in(const List& list, const std::string& name) {
    return std::ranges::find_if(list, [&](const auto& each) { return each.name == name; });
}

bool has_name(const auto& list, const std::string& name) {
    return named_in(list, name) != list.end();
}

/// A wrong or right answer as numbers to compare: derivatives of the loss along random directions.
class Answer {
  public:
    explicit Answer(const Evidence& evidence) : evidence_(evidence) {
        const auto forward = forward_of(*evidence.question->function, evidence.verdict->inputs);
        if (!forward) return;
        forward_ = *forward;
        for (const Array& gradient : evidence.verdict->got) {
            const auto input = named_in(forward_.inputs, gradient.name.substr(1));
            if (input == forward_.inputs.end() || input->shape != gradient.shape) return;
        }
        if (evidence.verdict->got.empty()) return;
        for (int k = 0; k < kDirections; ++k) {
            moved_.emplace_back(along(k, kStep), along(k, -kStep));
            yours_.push_back(inner_product(evidence.verdict->got, k));
            wanted_.push_back(inner_product(evidence.verdict->truth_f64, k));
        }
        allowed_ = kAllowed * length(evidence.verdict->got);
        // Where differences of the right forward do not give the right gradient, those of a wrong one say nothing.
        const auto right = [&](const Arrays& inputs) {
            return std::optional(evaluate(*forward_.function, inputs, ask::Precision::f64));
        };
        can_say_ = true;
        for (int k = 0; k < kDirections && can_say_; ++k) can_say_ = agrees(right, k, wanted_);
    }

    bool can_say() const { return can_say_; }
    bool is_wrong() const { return evidence_.verdict->outcome == Outcome::wrong; }
    const ask::Module* module() const { return forward_.module; }

    enum class Said { yes, no, nothing };
    /// Whether this answer is the derivative of the forward with this mistake.
    Said agrees_with(int mistake) const {
        bool impossible = false;
        const auto mistaken = [&](const Arrays& inputs) {
            const ask::MistakenCall call =
                forward_.module->mistaken(*forward_.function, inputs, ask::Precision::f64);
            std::optional<Arrays> outputs = call(std::span(&mistake, 1));
            impossible = impossible || !outputs;
            return outputs;
        };
        for (int k = 0; k < kDirections; ++k)
            if (!agrees(mistaken, k, yours_)) return impossible ? Said::nothing : Said::no;
        return Said::yes;
    }

  private:
    static constexpr double kStep = 1e-5;

    /// The forward's inputs, moved along direction k. Only inputs move whose gradients were asked for.
    Arrays along(int k, double step) const {
        Arrays changed;
        for (const Array& array : forward_.inputs) {
            changed.push_back(array);
            if (!has_name(evidence_.verdict->got, "d" + array.name)) continue;
            changed.back() = array.cast<double>();
            const Array u = direction(array, k);
            for (std::size_t n = 0; n < u.count(); ++n)
                changed.back().as<double>()[n] += step * u.as<double>()[n];
        }
        return changed;
    }

    static Array direction(const Array& array, int k) {
        ask::Random random(static_cast<std::uint64_t>(k), array.name);
        std::vector<double> u(array.count());
        for (double& x : u) x = random.normal();
        return {array.name, array.shape, u};
    }

    double inner_product(const Arrays& gradients, int k) const {
        double sum = 0;
        for (const Array& gradient : gradients) {
            const Array exact = gradient.cast<double>();
            const Array u = direction(*named_in(forward_.inputs, gradient.name.substr(1)), k);
            for (std::size_t n = 0; n < u.count(); ++n) sum += exact.as<double>()[n] * u.as<double>()[n];
        }
        return sum;
    }

    static double length(const Arrays& gradients) {
        double sum = 0;
        for (const Array& gradient : gradients) {
            const Array exact = gradient.cast<double>();
            for (const double x : exact.as<double>()) sum += x * x;
        }
        return std::sqrt(sum);
    }

    template <class Forward>
    bool agrees(const Forward& forward, int k, const std::vector<double>& with) const {
        const auto& [ahead, behind] = moved_[static_cast<std::size_t>(k)];
        const std::optional<Arrays> high = forward(ahead);
        const std::optional<Arrays> low = high ? forward(behind) : std::nullopt;
        if (!low) return false;
        const double slope = (loss_of(forward_, *high) - loss_of(forward_, *low)) / (2 * kStep);
        return std::abs(slope - with[static_cast<std::size_t>(k)]) <= allowed_;
    }

    Evidence evidence_;
    ForwardCall forward_;
    std::vector<std::pair<Arrays, Arrays>> moved_;
    std::vector<double> yours_, wanted_;
    double allowed_ = 0;
    bool can_say_ = false;
};

}  // namespace

std::optional<ForwardCall> forward_of(const ask::Function& backward, const Arrays& inputs) {
    const std::string ending = "_backward";
    if (!backward.name.ends_with(ending)) return std::nullopt;
    const std::string name = backward.name.substr(0, backward.name.size() - ending.size());
    ForwardCall call{ask::module_of(name), nullptr, {}, {}};
    if (call.module == nullptr) return std::nullopt;
    call.function = call.module->find_function(name);
    for (const ask::TensorSpec& spec : call.function->inputs) {
        const auto given = named_in(inputs, spec.name);
        if (given != inputs.end())
            call.inputs.push_back(*given);
        else if (!spec.optional)
            return std::nullopt;
    }
    const ask::Sizes sizes = sizes_of(backward, inputs);
    for (const ask::OptionSpec& option : call.function->options) {
        const auto given = named_in(inputs, option.name);
        if (given != inputs.end())
            call.inputs.push_back(*given);
        else if (sizes.contains(option.name))
            call.inputs.push_back(ask::option(option.name, sizes.at(option.name)));
        else if (option.length)
            return std::nullopt;
    }
    for (const ask::TensorSpec& output : call.function->outputs)
        if (const auto given = named_in(inputs, "d" + output.name); given != inputs.end())
            call.upstream.emplace(output.name, *given);
    if (call.upstream.empty()) return std::nullopt;
    return call;
}

double loss_of(const ForwardCall& forward, const Arrays& outputs) {
    double sum = 0;
    for (const Array& output : outputs) {
        const auto upstream = forward.upstream.find(output.name);
        if (upstream == forward.upstream.end()) continue;
        const Array weights = upstream->second.cast<double>(), numbers = output.cast<double>();
        for (std::size_t k = 0; k < numbers.count(); ++k)
            sum += weights.as<double>()[k] * numbers.as<double>()[k];
    }
    return sum;
}

std::optional<report::Diagnosis> right_for_another_forward(std::span<const Evidence> answers) {
    std::vector<Evidence> small_first(answers.begin(), answers.end());
    std::ranges::stable_sort(small_first, {}, work_of);
    std::vector<Answer> asked;
    for (const Evidence& evidence : small_first) {
        if (evidence.verdict->got.empty() || !evidence.question->refusal().empty()) continue;
        if (Answer answer(evidence); answer.can_say()) asked.push_back(std::move(answer));
    }
    if (std::ranges::none_of(asked, &Answer::is_wrong)) return std::nullopt;
    const ask::Module& module = *asked.front().module();
    std::vector<std::vector<int>> found;
    for (int mistake = 0; mistake < static_cast<int>(module.mistakes.size()); ++mistake) {
        bool fits = true, explains_one = false;
        for (const Answer& answer : asked) {
            const Answer::Said said = answer.agrees_with(mistake);
            fits = said != Answer::Said::no;
            explains_one = explains_one || (said == Answer::Said::yes && answer.is_wrong());
            if (!fits) break;
        }
        if (fits && explains_one) found.push_back({mistake});
    }
    if (found.empty()) return std::nullopt;
    report::Diagnosis diagnosis = describe(module, found);
    for (std::string& name : diagnosis.mistakes) name = "other_forward:" + name;
    diagnosis.sentence = "Your gradients are right for another forward pass: what comes back " +
                         diagnosis.sentence.substr(report::kExactly.size());
    return diagnosis;
}

}  // namespace attn::diagnosis
