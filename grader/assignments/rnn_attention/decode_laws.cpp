#include "grader/assignments/rnn_attention/decode_laws.h"

#include <algorithm>
#include <cmath>

#include "contracts/rnn_attention_reference.h"

namespace attn::ask::rnn_attention {

Property taken_up_again() {
    return {"taken_up_again", "a decoder that begins where step 1 ended goes on with step 2",
            [](const Arrays& inputs, Random&) {
                Arrays one = inputs;
                for (const char* name : {"h", "mask", "y"})
                    one = with(std::move(one), name, leading(by_name(inputs, name), 0, 1));
                const int L = by_name(one, "y").shape[1] - 1;
                const auto given = [&one](const char* name) { return by_name(one, name).cast<double>(); };
                const Array h = given("h"), y = given("y"), W_q = given("W_q"), W_k = given("W_k"),
                            v = given("v"), W_x = given("W_x"), W_s = given("W_s"), b = given("b"),
                            W_0 = given("W_0"), b_0 = given("b_0");
                Array S = filled({1, L, b.shape[0]}, 0), A = filled({1, L, h.shape[1]}, 0);
                cpu::decode<double>(S.view<double, 3>(), A.view<double, 3>(), h.view<double, 3>(),
                                    by_name(one, "mask").view<std::uint8_t, 2>(), y.view<double, 3>(),
                                    {W_q.view<double, 2>(), W_k.view<double, 2>(), v.view<double, 1>(),
                                     W_x.view<double, 2>(), W_s.view<double, 2>(), b.view<double, 1>(),
                                     W_0.view<double, 2>(), b_0.view<double, 1>()});
                const int rest = std::max(1, L - 1);
                const auto last = [](const Array& array, int count) {
                    std::vector<int> order;
                    for (int t = array.shape[1] - count; t < array.shape[1]; ++t) order.push_back(t);
                    return permuted(array, 1, order);
                };
                Arrays again = with(one, "y", last(by_name(one, "y"), rest + 1));
                Array& start = by_name(again, "b_0");
                for (std::size_t d = 0; L > 1 && d < start.count(); ++d)
                    start.as<float>()[d] = static_cast<float>(std::atanh(S.as<double>()[d]));
                if (L > 1) by_name(again, "W_0") = map(by_name(again, "W_0"), [](double) { return 0.0; });
                by_name(again, "L") = option("L", rest);
                return Experiment{
                    {one, again}, [last, rest](const Outputs& out) {
                        Relations relations;
                        for (const char* each : {"S", "A"})
                            relations.push_back({std::string(each) + " from step 2 on",
                                                 std::string(each) + " begun with s_1",
                                                 last(by_name(out[0], each), rest), by_name(out[1], each)});
                        return relations;
                    }};
            }};
}

Property words_to_come(const std::string& name, const std::string& statement, bool last_only) {
    return {name, statement, [last_only](const Arrays& inputs, Random& random) {
                Array y = by_name(inputs, "y");
                const auto v = y.view<float, 3>();
                const int L = v.size(1) - 1, from = last_only ? L : (L + 1) / 2;
                for (int b = 0; b < v.size(0); ++b)
                    for (int t = from; t <= L; ++t)
                        for (int d = 0; d < v.size(2); ++d) v(b, t, d) = random.normal();
                return Experiment{
                    {inputs, with(inputs, "y", y)}, [from](const Outputs& out) {
                        Relations relations;
                        for (const char* each : {"S", "A"}) {
                            relations.push_back({each, std::string(each) + " before other words",
                                                 leading(by_name(out[0], each), 1, from),
                                                 leading(by_name(out[1], each), 1, from)});
                            relations.back().exact = true;
                        }
                        return relations;
                    }};
            }};
}

Property steps_can_be_cut_off() {
    return {"steps_can_be_cut_off", "the first steps are the same, however many follow",
            [](const Arrays& inputs, Random&) {
                const Array& y = by_name(inputs, "y");
                const int kept = std::max(1, (y.shape[1] - 1) / 2);
                Arrays fewer = with(inputs, "y", leading(y, 1, kept + 1));
                by_name(fewer, "L") = option("L", kept);
                return Experiment{{inputs, fewer}, [kept](const Outputs& out) {
                                      Relations relations;
                                      for (const char* each : {"S", "A"})
                                          relations.push_back({each, std::string(each) + " of fewer steps",
                                                               leading(by_name(out[0], each), 1, kept),
                                                               by_name(out[1], each)});
                                      return relations;
                                  }};
            }};
}

}  // namespace attn::ask::rnn_attention
