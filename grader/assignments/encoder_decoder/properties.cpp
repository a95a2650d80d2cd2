// Assignment 10: properties of right answers.

#include <algorithm>
#include <utility>

#include "contracts/transformer_block_reference.h"
#include "grader/ask/inputs.h"
#include "grader/ask/laws.h"

namespace attn::ask::encoder_decoder {
namespace {

/// Other vectors, or words, after the end of each source sentence.
Property padding_unused(const std::string& source, const std::string& output) {
    return unchanged(
        "padding_unused", "what stands after the end of a source sentence changes nothing",
        "with other padding",
        [source](const Arrays& inputs, Random& random) {
            Arrays changed = inputs;
            Array& array = by_name(changed, source);
            const auto& lengths = by_name(inputs, "lengths").as<int>();
            const std::size_t row = array.shape.size() == 2 ? 1 : static_cast<std::size_t>(array.shape[2]);
            const auto N_s = static_cast<std::size_t>(array.shape[1]);
            for (std::size_t k = 0; k < array.count(); ++k) {
                if (static_cast<int>(k / row % N_s) < lengths[k / row / N_s]) continue;
                if (array.shape.size() == 2)
                    array.as<int>()[k] = random.below(by_name(inputs, "embedding").shape[0]);
                else
                    array.as<float>()[k] = random.normal();
            }
            return changed;
        },
        output);
}

/// Without lengths, the vectors of the source have no order.
Property source_has_no_order() {
    return {"source_has_no_order", "vectors of the source in another order change nothing",
            [](const Arrays& inputs, Random& random) {
                const Arrays all = without(inputs, "lengths");
                const Array& S = by_name(all, "S");
                const Arrays changed = with(all, "S", permuted(S, 1, random.permutation(S.shape[1])));
                return Experiment{{all, changed}, [](const Outputs& y) {
                                      return Relations{{"Y", "Y with S in another order", by_name(y[0], "Y"),
                                                        by_name(y[1], "Y")}};
                                  }};
            }};
}

/// The outputs at the places 0 .. last - 1 of the target with another X or another word at `first` and after.
Property future_unused(const std::string& target, const std::string& output) {
    const bool words = target == "target";
    return {"future_unused",
            words ? "the logits of a place depend on the words before it alone"
                  : "an output depends on the places up to its own alone",
            [=](const Arrays& inputs, Random& random) {
                const Array& given = by_name(inputs, target);
                std::vector<Arrays> runs{inputs};
                for (int j = 0; j < given.shape[1]; ++j) {
                    Array other = given;
                    for (int b = 0; b < given.shape[0]; ++b) {
                        if (words) {
                            int& word = other.view<int, 2>()(b, j);
                            word = (word + 1) % by_name(inputs, "embedding").shape[0];
                        } else {
                            for (int d = 0; d < given.shape[2]; ++d)
                                other.view<float, 3>()(b, j, d) = random.normal();
                        }
                    }
                    runs.push_back(with(inputs, target, other));
                }
                return Experiment{
                    runs, [=](const Outputs& y) {
                        Relations relations;
                        for (int j = 0; j + 1 < static_cast<int>(y.size()); ++j) {
                            const int until = words ? j + 1 : j;
                            if (until == 0) continue;
                            const std::string place = std::to_string(j);
                            relations.push_back(
                                {output + " up to place " + std::to_string(until - 1),
                                 "the same with another place " + place + " of " + target,
                                 leading(by_name(y[0], output), 1, until),
                                 leading(by_name(y[static_cast<std::size_t>(j) + 1], output), 1, until)});
                        }
                        return relations;
                    }};
            }};
}

/// With W_O, W_O_c, W_2 and their biases 0, a block only normalises.
Property silent_block(Norm norm) {
    const bool pre = norm == Norm::pre;
    return {
        pre ? "silent_pre_block" : "silent_post_block",
        pre ? "with W_O, W_O_c, W_2 and their biases 0 and norm = pre, Y = X"
            : "with W_O, W_O_c, W_2 and their biases 0 and norm = post, Y = LN_3(LN_2(LN_1(X)))",
        [norm, pre](const Arrays& inputs, Random&) {
            const Arrays silent = with_zeros(in_place_of(inputs, option("norm", static_cast<double>(norm))),
                                             {"W_O", "b_O", "W_O_c", "b_O_c", "W_2", "b_2"});
            Array expected = by_name(inputs, "X").cast<double>();
            const int D = expected.shape[2], rows = static_cast<int>(expected.count()) / D;
            for (const char* k : {"_1", "_2", "_3"}) {
                const Array from = expected, gamma = by_name(inputs, std::string("gamma") + k).cast<double>(),
                            beta = by_name(inputs, std::string("beta") + k).cast<double>();
                if (!pre)
                    cpu::layer_norm<double>({expected.as<double>().data(), rows, D},
                                            {from.as<double>().data(), rows, D}, gamma.view<double, 1>(),
                                            beta.view<double, 1>(), option_of(inputs, "eps"));
            }
            return Experiment{
                {silent}, [expected, pre](const Outputs& y) {
                    return Relations{{"Y", pre ? "X" : "LN_3(LN_2(LN_1(X)))", by_name(y[0], "Y"), expected}};
                }};
        }};
}

/// Each sentence alone gives what it gives among others.
Property batches_stay_apart(const std::vector<std::string>& batched, const std::string& output) {
    return {"batches_stay_apart", "each sentence alone gives what it gives among others",
            [=](const Arrays& inputs, Random&) {
                std::vector<Arrays> runs = one_by_one(inputs, batched);
                runs.insert(runs.begin(), inputs);
                return Experiment{
                    runs, [output](const Outputs& y) {
                        return Relations{{output + " of a sentence", output + " of this sentence alone",
                                          by_name(y[0], output), joined(y, 1, output)}};
                    }};
            }};
}

/// The words in another order in the vocabulary, START apart.
Property words_have_no_order() {
    return {"words_have_no_order", "the words of the vocabulary in another order give logits in this order",
            [](const Arrays& inputs, Random& random) {
                const int V = by_name(inputs, "embedding").shape[0];
                std::vector<int> order{0};  // order[new] = old
                for (const int word : random.permutation(V - 1)) order.push_back(word + 1);
                std::vector<int> renamed(order.size());
                for (std::size_t word = 0; word < order.size(); ++word)
                    renamed[static_cast<std::size_t>(order[word])] = static_cast<int>(word);
                Arrays changed = with(inputs, "embedding", permuted(by_name(inputs, "embedding"), 0, order));
                for (const char* name : {"source", "target"})
                    for (int& word : by_name(changed, name).as<int>())
                        word = renamed[static_cast<std::size_t>(word)];
                return Experiment{{inputs, changed}, [order](const Outputs& y) {
                                      return Relations{{"logits in this order", "logits of the renamed words",
                                                        permuted(by_name(y[0], "logits"), 2, order),
                                                        by_name(y[1], "logits")}};
                                  }};
            }};
}

/// The logits of each step, and those of a whole pass over the words that were written.
Property cached_is_whole() {
    return {"cached_is_whole", "a step gives the logits that a whole pass gives for the words before it",
            [](const Arrays& inputs, Random&) {
                const Arrays endless = in_place_of(inputs, option("end", -1));
                return Experiment{
                    {endless}, [endless](const Outputs& y) {
                        const Function& whole = *module_of("transformer")->find_function("transformer");
                        Arrays asked = endless;
                        Array target = by_name(endless, "source");
                        target.name = "target";
                        target.shape = by_name(y[0], "words").shape;
                        target.values = std::vector<int>(target.count());
                        const int V = by_name(endless, "embedding").shape[0];
                        for (std::size_t k = 0; k < target.count(); ++k)
                            target.as<int>()[k] =
                                std::clamp(static_cast<int>(number_at(by_name(y[0], "words"), k)), 0, V - 1);
                        asked.push_back(target);
                        return Relations{{"the logits of the steps", "those of a whole pass over these words",
                                          by_name(y[0], "logits"),
                                          by_name(evaluate(whole, asked, Precision::f64), "logits")}};
                    }};
            }};
}

/// Fewer steps give the first words.
Property fewer_steps() {
    return {"fewer_steps", "fewer steps give the first words and logits of more steps",
            [](const Arrays& inputs, Random&) {
                const int N_t = static_cast<int>(by_name(inputs, "N_t").as<double>().at(0));
                const Arrays shorter = in_place_of(inputs, option("N_t", N_t - 1));
                return Experiment{{inputs, shorter}, [N_t](const Outputs& y) {
                                      Relations relations;
                                      for (const char* name : {"words", "logits"})
                                          relations.push_back({std::string("the first ") + name,
                                                               std::string(name) + " of a step less",
                                                               leading(by_name(y[0], name), 1, N_t - 1),
                                                               by_name(y[1], name)});
                                      return relations;
                                  }};
            }};
}

}  // namespace

std::map<std::string, std::vector<Property>> properties() {
    return {
        {"cross_attention",
         {rows_sum_to_one("A"), padding_unused("S", "Y"), source_has_no_order(),
          equivariant("queries_permute", "places of the target in another order give outputs in this order",
                      {"X"}, 1),
          batches_stay_apart({"X", "S", "lengths"}, "Y")}},
        {"decoder_block",
         {future_unused("X", "Y"), padding_unused("S", "Y"), source_has_no_order(), silent_block(Norm::pre),
          silent_block(Norm::post), batches_stay_apart({"X", "S", "lengths"}, "Y")}},
        {"transformer",
         {future_unused("target", "logits"), padding_unused("source", "logits"), words_have_no_order(),
          batches_stay_apart({"source", "target", "lengths"}, "logits")}},
        {"translate_greedy",
         {cached_is_whole(), padding_unused("source", "logits"), fewer_steps(),
          batches_stay_apart({"source", "lengths"}, "words")}},
    };
}

}  // namespace attn::ask::encoder_decoder
