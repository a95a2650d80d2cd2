#include "grader/diagnosis/search_edits.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string_view>

#include "grader/diagnosis/edited_answers.h"

namespace attn::diagnosis {
namespace {

using edits::EditedFunctions;
using edits::SystematicEdit;

/// The same for equal outputs.
std::size_t hash_of(const Arrays& outputs) {
    std::string bytes;
    for (const Array& output : outputs)
        std::visit(
            [&bytes](const auto& numbers) {
                bytes.append(reinterpret_cast<const char*>(numbers.data()),
                             numbers.size() * sizeof(numbers[0]));
            },
            output.values);
    return std::hash<std::string>()(bytes);
}

std::vector<edits::Edit> edits_of(edits::Program& program, const ExplainingEdit& found) {
    std::vector<edits::Edit> all = as_edits(program, found.edit);
    for (const SystematicEdit& other : found.alike)
        for (edits::Edit& edit : as_edits(program, other)) all.push_back(std::move(edit));
    if (found.listed) all.insert(all.end(), found.listed->edits.begin(), found.listed->edits.end());
    return all;
}

/// The equations that a listed mistake changes.
std::vector<std::string> equations_of(const edits::Program& program, const std::vector<edits::Edit>& made,
                                      int user) {
    std::vector<std::string> equations;
    for (const edits::Edit& edit : made) {
        SystematicEdit there;
        there.function = edit.function;
        there.changes = {{edit.first, edit.last, {}}};
        there.caller = edit.caller;
        there.call = edit.call;
        equations.push_back(equation_of(program, there, user));
    }
    return equations;
}

/// A small wrong answer. Unlike a shrunk one it has no length of 1 that the question does not have, because two
/// mistakes seldom show together there.
struct SmallAnswer {
    judge::Question question;
    judge::Verdict verdict;
};
std::unique_ptr<SmallAnswer> small_answer(std::span<const Evidence> answers,
                                          const judge::CallFunction& call) {
    constexpr std::array<int, 3> kLengths = {3, 2, 4};
    for (const Evidence& like : answers) {
        if (like.verdict->outcome != Outcome::wrong || !like.question->recipe->fixed.empty()) continue;
        for (const int most : kLengths) {
            auto small = std::make_unique<SmallAnswer>();
            small->question = *like.question;
            for (auto& [letter, length] : small->question.sizes) length = std::min(length, most);
            if (!small->question.refusal().empty()) continue;
            std::optional<judge::Verdict> verdict = answer_if_decided(small->question, call);
            if (!verdict || verdict->outcome != Outcome::wrong) continue;
            small->verdict = std::move(*verdict);
            return small;
        }
    }
    return nullptr;
}

class EditSearch {
  public:
    EditSearch(const Evidence& filter, std::span<const Evidence> answers, const judge::CallFunction& call,
               const SearchLimits& limits)
        : module_(*filter.question->module),
          function_(program_.find_public(filter.question->function->name)),
          small_(small_answer(answers, call)),
          first_(small_ ? Evidence{&small_->question, &small_->verdict} : filter),
          quick_(filter),
          given_(answers),
          call_(call),
          limits_(limits) {
        possible_ = function_ >= 0 && first_.possible() && !first_.crashed();
        all_ = edited_answers(answers);
    }

    FoundEdits run() {
        if (!possible_) return {};
        const std::int64_t begin = edits::work_done();
        end_ = begin + limits_.work;
        plain_ = hash_of(*first_.outputs(EditedFunctions(program_, {})));
        first_alone_ = !small_ || first_.steps() < kCheap || !quick_.possible() || quick_.crashed() ||
                       quick_.steps() >= first_.steps();
        search_alone();
        found_.work = edits::work_done() - begin;
        if (found_.all.empty()) {
            end_ = edits::work_done() + limits_.pair_work;
            if (!first_alone_) find_candidates();
            search_alike();
            if (found_.all.empty()) search_with_listed();
            found_.pair_work = edits::work_done() - begin - found_.work;
        }
        drop_right_equations();
        return std::move(found_);
    }

  private:
    /// A listed mistake that changes the first answer.
    struct Listed {
        std::shared_ptr<const ListedHalf> half;
        std::vector<std::string> equations;
        std::unique_ptr<EditedFunctions> edited;
    };

    /// An answer with fewer steps costs no more than reading an edited text.
    static constexpr std::int64_t kCheap = 2000;

    void say_place(ExplainingEdit& found) const {
        found.equation = equation_of(program_, found.edit, function_);
        found.function = function_around(program_, found.edit, function_);
    }

    void add_found(ExplainingEdit found) {
        say_place(found);
        found_.all.push_back(std::move(found));
    }

    /// Of several edits, those in an equation of an output that is always right are no help.
    void drop_right_equations() {
        if (found_.all.size() < 2) return;
        std::vector<std::string> wrong;
        const std::vector<ask::TensorSpec>& outputs = given_.front().question->function->outputs;
        for (const Evidence& answer : given_)
            for (std::size_t k = 0; k < answer.verdict->got.size(); ++k)
                if (!compared(answer, k).ok) wrong.push_back(answer.verdict->got[k].name);
        const auto is_right = [&](const ExplainingEdit& found) {
            const std::string output = found.equation.substr(0, found.equation.find_first_of(" [("));
            return std::ranges::find(outputs, output, &ask::TensorSpec::name) != outputs.end() &&
                   std::ranges::find(wrong, output) == wrong.end();
        };
        if (!std::ranges::all_of(found_.all, is_right)) std::erase_if(found_.all, is_right);
    }

    bool is_late() const { return edits::work_done() >= end_; }

    void search_alone() {
        std::map<int, std::vector<SystematicEdit>> edits_of_function;
        int found_rank = 0;
        for (const edits::EditPlace& place : edits::edit_places(program_, function_)) {
            if (!found_.all.empty() && place.rank > found_rank) return;
            found_rank = place.rank;
            const auto [made, is_new] = edits_of_function.try_emplace(place.function);
            if (is_new) made->second = systematic_edits(program_, place.function);
            for (SystematicEdit edit : made->second) {
                if (is_late()) return;
                edit.caller = place.caller;
                edit.call = place.call;
                try_alone(edit);
            }
        }
    }

    void try_alone(const SystematicEdit& edit) {
        ++found_.tried;
        try {
            const EditedFunctions edited(program_, as_edits(program_, edit));
            EditedAnswer& filter = first_alone_ ? first_ : quick_;
            const Arrays* const outputs = filter.outputs(edited);
            if (outputs == nullptr) return;
            if (first_alone_)
                add_candidate(edit, *outputs);
            else
                later_.push_back(edit);
            if (!filter.is_similar(*outputs)) return;
            const Arrays* const first = first_alone_ ? outputs : first_.outputs(edited);
            if (first != nullptr && explains(edited, *first)) add_found({edit, {}, {}, {}});
        } catch (const edits::SourceError&) {
            // The edit has no meaning here: a name is not known at its place, for example.
        }
    }

    /// Keeps an edit for pairs, if it changes the first answer.
    void add_candidate(const SystematicEdit& edit, const Arrays& outputs) {
        const std::size_t hash = hash_of(outputs);
        if (hash == plain_) return;
        alike_[hash].push_back(candidates_.size());
        candidates_.push_back(edit);
    }

    /// Makes the edits for the first answer that were made for a quicker one only.
    void find_candidates() {
        for (const SystematicEdit& edit : later_) {
            if (is_late()) return;
            const EditedFunctions edited(program_, as_edits(program_, edit));
            if (const Arrays* const outputs = first_.outputs(edited)) add_candidate(edit, *outputs);
        }
    }

    /// Tries edits of one pattern together: all of them, and each two.
    void search_alike() {
        constexpr std::size_t kMost = 8;
        std::map<std::string, std::vector<std::size_t>> patterns;
        for (std::size_t k = 0; k < candidates_.size(); ++k)
            patterns[pattern_of(program_, candidates_[k])].push_back(k);
        std::vector<const std::vector<std::size_t>*> groups;
        for (const auto& [pattern, members] : patterns)
            if (members.size() > 1 && members.size() <= kMost) groups.push_back(&members);
        std::ranges::sort(groups, {},
                          [](const auto* members) { return std::pair(members->size(), members->front()); });
        for (const auto* const members : groups) {
            if (members->size() > 2) try_alike(*members);
            for (std::size_t a = 0; a < members->size(); ++a)
                for (std::size_t b = a + 1; b < members->size(); ++b)
                    try_alike({(*members)[a], (*members)[b]});
        }
    }

    void try_alike(const std::vector<std::size_t>& members) {
        if (is_late()) return;
        ExplainingEdit together{candidates_[members.front()], {}, {}, {}};
        for (std::size_t k = 1; k < members.size(); ++k) together.alike.push_back(candidates_[members[k]]);
        const std::vector<edits::Edit> made = edits_of(program_, together);
        if (conflict(made)) return;
        ++found_.tried;
        try {
            const EditedFunctions edited(program_, made);
            const Arrays* const outputs = first_.outputs(edited);
            if (outputs == nullptr || !explains(edited, *outputs)) return;
            add_found(std::move(together));
        } catch (const edits::SourceError&) {
            // The edits have no meaning together.
        }
    }

    /// Tries one of the edits that change the first answer in the same way, with each listed mistake. If that
    /// gives the first answer, tries the others, too.
    void search_with_listed() {
        const std::vector<Listed> listed = listed_here();
        std::vector<const std::vector<std::size_t>*> classes;
        for (const auto& [hash, alike] : alike_) classes.push_back(&alike);
        std::ranges::sort(classes, {}, [](const auto* alike) { return alike->front(); });
        for (const auto* const alike : classes)
            for (const Listed& one : listed) {
                if (is_late()) return;
                if (!is_similar_with(one, alike->front())) continue;
                for (const std::size_t other : *alike)
                    if (other != alike->front()) is_similar_with(one, other);
            }
    }

    std::vector<Listed> listed_here() {
        std::vector<Listed> here;
        const auto words = edits::listed_mistakes(module_.name);
        const auto all = edits::listed_edits(module_.name);
        for (std::size_t k = 0; k < all.size(); ++k) {
            try {
                auto edited = std::make_unique<EditedFunctions>(program_, all[k]);
                const Arrays* const outputs = first_.outputs(*edited);
                if (outputs == nullptr || hash_of(*outputs) == plain_) continue;
                here.push_back(
                    {std::make_shared<ListedHalf>(ListedHalf{words[k].when, words[k].hint, all[k]}),
                     equations_of(program_, all[k], function_), std::move(edited)});
            } catch (const edits::SourceError&) {
                // What the student wrote is outside of the part of C++ that edits/ reads.
            }
        }
        return here;
    }

    /// Whether both together nearly give the first answer. Adds them to what is found if they explain all.
    bool is_similar_with(const Listed& listed, std::size_t candidate) {
        const SystematicEdit& edit = candidates_[candidate];
        ExplainingEdit both{edit, {}, {}, listed.half};
        const std::vector<edits::Edit> made = edits_of(program_, both);
        if (conflict(made)) return false;
        ++found_.tried;
        try {
            const EditedFunctions edited(program_, made);
            const Arrays* const outputs = first_.outputs(edited);
            if (outputs == nullptr || !first_.is_similar(*outputs)) return false;
            say_place(both);
            const EditedFunctions alone(program_, as_edits(program_, edit));
            // In one equation, two changes can stand for one that is in no list.
            if (std::ranges::find(listed.equations, both.equation) == listed.equations.end() &&
                explains(edited, *outputs) && is_needed_beside(alone, edited) &&
                is_needed_beside(*listed.edited, edited) && !cancel_out(alone, *listed.edited))
                found_.all.push_back(std::move(both));
            return true;
        } catch (const edits::SourceError&) {
            return false;
        }
    }

    /// Whether one half leaves an answer unexplained that both explain.
    bool is_needed_beside(const EditedFunctions& half, const EditedFunctions& both) {
        return std::ranges::any_of(all_, [&](const auto& answer) {
            return answer->was_wrong() && answer->explained_by(half) == Explains::no &&
                   answer->explained_by(both) == Explains::yes;
        });
    }

    /// Whether an answer is right that either half alone would make wrong. Then both stand for a mistake that is neither.
    bool cancel_out(const EditedFunctions& a, const EditedFunctions& b) {
        return std::ranges::any_of(all_, [&](const auto& answer) {
            return !answer->was_wrong() && answer->explained_by(a) == Explains::no &&
                   answer->explained_by(b) == Explains::no;
        });
    }

    /// `outputs`: of the first answer.
    bool explains(const EditedFunctions& edited, const Arrays& outputs) {
        if (!first_.is_similar(outputs) || !explains_every(all_, edited)) return false;
        if (!fresh_) fresh_ = std::make_unique<FreshAnswers>(given_, call_, limits_.fresh_inputs);
        return fresh_->asked.empty() || explains_every(fresh_->asked, edited);
    }

    edits::Program& program_ = edits::packed_program();
    const ask::Module& module_;
    int function_;
    std::unique_ptr<SmallAnswer> small_;
    EditedAnswer first_;  ///< the first one that pairs are made for
    EditedAnswer quick_;  ///< for single edits, if the first one is not cheap
    bool first_alone_ = true;
    std::vector<SystematicEdit> later_;  ///< those that were made for the quick answer only
    std::span<const Evidence> given_;
    const judge::CallFunction& call_;
    SearchLimits limits_;
    bool possible_ = false;
    EditedAnswers all_;
    std::unique_ptr<FreshAnswers> fresh_;
    std::int64_t end_ = 0;
    std::size_t plain_ = 0;                                  ///< the hash of the first answer without edits
    std::vector<SystematicEdit> candidates_;                 ///< those that change the first answer
    std::map<std::size_t, std::vector<std::size_t>> alike_;  ///< candidates by the hash of the first answer
    FoundEdits found_;
};

}  // namespace

FoundEdits search_edits(const Evidence& filter, std::span<const Evidence> answers,
                        const judge::CallFunction& call, const SearchLimits& limits) {
    return EditSearch(filter, answers, call, limits).run();
}

bool no_longer_notices(const FoundEdits& found, std::span<const std::vector<int>> listed,
                       const judge::Question& question, const Arrays& inputs) {
    if (found.all.empty() && listed.empty()) return false;
    edits::Program& program = edits::packed_program();
    ask::EditedCall call(*question.function, inputs, ask::Precision::f32,
                         ask::EditedCall::Unlimited{.refuses = false});
    const auto stays_inside = [&call](const EditedFunctions& edited) {
        return call.outputs(edited.replacements()) != nullptr;
    };
    return !stays_inside(EditedFunctions(program, {})) &&
           std::ranges::all_of(found.all,
                               [&](const ExplainingEdit& each) {
                                   return stays_inside(EditedFunctions(program, edits_of(program, each)));
                               }) &&
           std::ranges::all_of(listed, [&](const std::vector<int>& made) {
               return stays_inside(*ask::with_mistakes(question.module->name, made));
           });
}

bool explained_by(const FoundEdits& found, const Evidence& answer) {
    edits::Program& program = edits::packed_program();
    EditedAnswer asked(answer);
    return !found.all.empty() && asked.possible() &&
           std::ranges::all_of(found.all, [&](const ExplainingEdit& each) {
               return asked.explained_by(EditedFunctions(program, edits_of(program, each))) == Explains::yes;
           });
}

}  // namespace attn::diagnosis
