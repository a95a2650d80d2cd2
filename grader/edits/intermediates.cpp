#include "grader/edits/intermediates.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "grader/edits/machine.h"

namespace attn::edits {
namespace {

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// "s" of "s_t": the part of a name before its index.
std::string without_index(const std::string& name) {
    const std::size_t at = name.rfind('_');
    return at == std::string::npos || at + 2 != name.size() ? name : name.substr(0, at);
}

bool ends_in_step(const std::string& name) {
    return name.ends_with("_t") || name.ends_with("_l");
}

bool is_name(const std::string& text) {
    return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
           std::ranges::all_of(text, is_name_character);
}

/// The names on the left sides of a comment's equations: "a" and "c" of "a, c = their weights and context".
std::vector<std::string> left_sides(const std::string& comment) {
    std::vector<std::string> names, before;
    std::size_t from = comment.find_first_not_of("/ ");
    while (from < comment.size()) {
        const std::size_t end = std::min(comment.find_first_of(",;", from), comment.size());
        const std::string piece = comment.substr(from, end - from);
        const std::string left = piece.substr(0, piece.find(" = "));
        if (is_name(left)) before.push_back(left);
        if (is_name(left) && left.size() < piece.size())
            names.insert(names.end(), before.begin(), before.end());
        if (!is_name(piece)) before.clear();
        from = end == comment.size() ? end : comment.find_first_not_of(" ", end + 1);
    }
    return names;
}

bool names_word(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_name_character(text[at - 1])) &&
            (end == text.size() || !is_name_character(text[end])))
            return true;
    }
    return false;
}

}  // namespace

class IntermediateRecorder final : public Recorder {
  public:
    IntermediateRecorder(const Program& program, int function)
        : machine_(program), program_(program), top_(function) {}

    Arrays run(std::span<const Argument> arguments, std::size_t most_numbers) {
        constexpr std::int64_t kMostSteps = 1'000'000;  // the call is small
        machine_.record(this);
        machine_.run(top_, arguments, {}, kMostSteps);
        leave_call();
        return chosen(most_numbers);
    }

    void after_statement(std::int32_t node) override {
        const auto found = regions().find(node);
        if (found == regions().end()) return;
        const std::vector<std::string>& names = found->second;
        if (names.size() == 1) {
            record_written(names.front());
            return;
        }
        for (const std::string& name : names) {
            const Symbol* const symbol = find_local(without_index(name), machine_.node(node).last);
            if (symbol != nullptr) record(name, *symbol);
        }
    }
    void enter_loop(const Node& loop) override {
        loops_.push_back(static_cast<std::size_t>(machine_.frame_.wholes + machine_.node(loop.a).slot));
    }
    void leave_loop() override { loops_.pop_back(); }
    void enter_call(const Node& call) override { path_.emplace_back(machine_.frame_.number, call.first); }
    /// Records the variables that the documentation names.
    void leave_call() override {
        const Function& text = *machine_.frame_.function;
        const std::string documentation = program_.documentation(machine_.frame_.number);
        for (const Symbol& symbol : text.symbols) {
            const bool whole_body = symbol.until >= static_cast<int>(text.body.size()) - 1;
            if (!is_local(symbol) || !whole_body) continue;
            const std::string& name = program_.words().text(symbol.word);
            if (names_word(documentation, name) && in_own_memory(symbol) && !recorded_.contains(key_of(name)))
                record(name, symbol);
        }
        if (!path_.empty()) path_.pop_back();
    }

  private:
    using View = Machine<double>::View;
    using Path = std::vector<std::pair<int, int>>;
    using Key = std::pair<Path, std::string>;

    /// Snapshots of one array: one for each iteration of the loops around it.
    struct Recorded {
        std::string name;
        std::size_t depth = 0;
        std::vector<std::vector<std::int64_t>> indices;
        std::vector<Shape> shapes;
        std::vector<std::vector<double>> values;
    };

    /// The snapshots as one array with an axis for each loop. Nothing if they do not fill a box.
    static std::optional<Array> stacked(const Recorded& recorded) {
        Shape shape;
        const std::size_t loops = recorded.indices.front().size();
        for (std::size_t loop = 0; loop < loops; ++loop) {
            std::set<std::int64_t> seen;
            for (const auto& index : recorded.indices) {
                if (index.size() != loops) return std::nullopt;
                seen.insert(index[loop]);
            }
            shape.push_back(static_cast<int>(seen.size()));
        }
        const std::set<std::vector<std::int64_t>> distinct(recorded.indices.begin(), recorded.indices.end());
        if (distinct.size() != recorded.indices.size() || element_count(shape) != distinct.size())
            return std::nullopt;
        std::vector<double> values;
        for (const std::vector<double>& each : recorded.values)
            values.insert(values.end(), each.begin(), each.end());
        for (const Shape& each : recorded.shapes)
            if (each != recorded.shapes.front()) return std::nullopt;
        shape.insert(shape.end(), recorded.shapes.front().begin(), recorded.shapes.front().end());
        while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());  // a single batch or head
        if (shape.empty()) shape = {1};
        return Array(recorded.name, shape, values);
    }

    Key key_of(const std::string& name) const { return {path_, name}; }

    /// The names that belong to the last statement below a comment with equations, by the node of the
    /// statement.
    const std::map<std::int32_t, std::vector<std::string>>& regions() {
        const Function& text = *machine_.frame_.function;
        const auto [found, is_new] = regions_.try_emplace(&text);
        if (!is_new) return found->second;
        for (const Node& block : text.nodes) {
            if (block.op != Op::block) continue;
            std::vector<std::string> names;
            for (std::int32_t k = block.a; k >= 0; k = text.at(k).next) {
                if (auto above = names_above(text, text.at(k).first); !above.empty())
                    names = std::move(above);
                const std::int32_t next = text.at(k).next;
                const bool ends = next < 0 || !names_above(text, text.at(next).first).empty();
                if (ends && !names.empty()) found->second[k] = std::exchange(names, {});
            }
        }
        return found->second;
    }
    std::vector<std::string> names_above(const Function& text, int first) const {
        std::string comments;
        for (int k = first - 1; k >= 0; --k) {
            const Token& token = text.body[static_cast<std::size_t>(k)];
            if (token.kind != TokenKind::comment) break;
            const std::string& comment = program_.words().text(token.id);
            comments =
                comment.substr(std::min(comment.find_first_not_of("/ "), comment.size())) + "; " + comments;
        }
        return left_sides(comments);
    }

    bool is_local(const Symbol& symbol) const {
        if (symbol.word < 0) return false;
        if (symbol.type.base == Base::real) return true;
        if (symbol.type.base != Base::view || symbol.type.rank == 0 || symbol.type.element != Element::real)
            return false;
        int parameters = 0;
        const Declaration& declared = program_.declaration(machine_.frame_.number);
        if (declared.member_of >= 0) return false;
        for (const ParameterDeclaration& parameter : declared.parameters)
            parameters += program_.views_of(parameter.type);
        return symbol.slot >= parameters;
    }
    bool is_visible(const Symbol& symbol, int place) const {
        return symbol.from <= place && place <= symbol.until;
    }

    const Symbol* find_local(const std::string& name, int place) const {
        for (const Symbol& symbol : machine_.frame_.function->symbols)
            if (is_local(symbol) && is_visible(symbol, place) && program_.words().text(symbol.word) == name)
                return &symbol;
        return nullptr;
    }
    bool in_own_memory(const Symbol& symbol) {
        if (symbol.type.base != Base::view) return false;
        const std::byte* const data = machine_.view_slot(symbol.slot).data;
        return data != nullptr && machine_.memory_ && data >= machine_.memory_.get() &&
               data < machine_.memory_.get() + machine_.used_memory_;
    }

    /// Records the smallest array, or the number of this name, that was written last.
    void record_written(const std::string& name) {
        const std::byte* const at = machine_.written_;
        const Symbol* smallest = nullptr;
        std::int64_t room = 0;
        for (const Symbol& symbol : machine_.frame_.function->symbols) {
            if (!is_local(symbol)) continue;
            const bool called_so = program_.words().text(symbol.word) == name;
            if (symbol.type.base == Base::real) {
                const double* const number = &machine_.real_slot(symbol.slot);
                if (called_so && at == reinterpret_cast<const std::byte*>(number))
                    return record(name, symbol);
                continue;
            }
            const View& view = machine_.view_slot(symbol.slot);
            const std::int64_t count = count_of(view, symbol.type.rank);
            if (view.data == nullptr || at < view.data || at >= view.data + count * 8) continue;
            if (!called_so && !in_own_memory(symbol)) continue;
            if (smallest != nullptr && (count > room || (count == room && !called_so))) continue;
            smallest = &symbol;
            room = count;
        }
        if (smallest != nullptr) record(name, *smallest);
    }
    static std::int64_t count_of(const View& view, int rank) {
        std::int64_t count = 1;
        for (int axis = 0; axis < rank; ++axis) count *= view.shape[axis];
        return count;
    }

    void record(const std::string& name, const Symbol& symbol) {
        const bool in_step = !loops_.empty();
        if (ends_in_step(name) && !in_step) return;  // the last of many steps
        const auto [found, is_new] = recorded_.try_emplace(key_of(name));
        Recorded& to = found->second;
        if (is_new) {
            to.name = name;
            to.depth = path_.size();
            order_.push_back(key_of(name));
        }
        std::vector<std::int64_t> index;
        for (const std::size_t slot : loops_) index.push_back(machine_.wholes_[slot]);
        to.indices.push_back(std::move(index));
        if (symbol.type.base == Base::real) {
            to.shapes.push_back({});
            to.values.push_back({machine_.real_slot(symbol.slot)});
            return;
        }
        const View& view = machine_.view_slot(symbol.slot);
        Shape shape(view.shape, view.shape + symbol.type.rank);
        std::vector<double> values(element_count(shape));
        std::memcpy(values.data(), view.data, values.size() * sizeof(double));
        to.shapes.push_back(std::move(shape));
        to.values.push_back(std::move(values));
    }

    /// One array for each name, without those too deep inside if there are too many numbers.
    Arrays chosen(std::size_t most_numbers) const {
        std::map<std::string, std::pair<std::size_t, int>> best;  // of each name: the least depth, how often
        for (const auto& [key, recorded] : recorded_) {
            auto& [depth, times] = best.try_emplace(recorded.name, recorded.depth, 0).first->second;
            if (recorded.depth > depth) continue;
            times = recorded.depth < depth ? 1 : times + 1;
            depth = recorded.depth;
        }
        std::set<std::string> taken;
        for (const ParameterDeclaration& parameter : program_.declaration(top_).parameters)
            taken.insert(program_.words().text(parameter.word));
        constexpr std::size_t kDeepest = 2;
        for (std::size_t deepest = kDeepest + 1; deepest-- > 0;) {
            Arrays arrays;
            std::size_t numbers = 0;
            for (const Key& key : order_) {
                const Recorded& recorded = recorded_.at(key);
                if (recorded.depth > deepest || best.at(recorded.name) != std::pair(recorded.depth, 1) ||
                    taken.contains(recorded.name))
                    continue;
                if (std::optional<Array> array = stacked(recorded)) {
                    numbers += array->count();
                    arrays.push_back(std::move(*array));
                }
            }
            if (numbers <= most_numbers) return arrays;
        }
        return {};
    }

    Machine<double> machine_;
    const Program& program_;
    int top_;
    std::vector<std::size_t> loops_;  ///< the slots of the running loops' indices
    Path path_;
    std::map<Key, Recorded> recorded_;
    std::vector<Key> order_;
    std::map<const Function*, std::map<std::int32_t, std::vector<std::string>>> regions_;
};

Arrays intermediates(const Program& program, int function, std::span<const Argument> arguments,
                     std::size_t most_numbers) {
    try {
        return IntermediateRecorder(program, function).run(arguments, most_numbers);
    } catch (const CannotRun&) {
        return {};
    }
}

}  // namespace attn::edits
