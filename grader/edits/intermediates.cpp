#include "grader/edits/intermediates.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "grader/edits/known_words.h"
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
        from = end == comment.size() ? end : comment.find_first_not_of(' ', end + 1);
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
        note_order();
        const auto found = regions().find(node);
        if (found == regions().end()) return;
        const Region& region = found->second;
        if (region.names.size() == 1) {
            record_written(region, machine_.node(node).last);
            return;
        }
        for (const std::string& name : region.names) {
            const Symbol* const symbol = find_local(without_index(name), machine_.node(node).last);
            if (symbol != nullptr) record(name, *symbol);
        }
    }
    void enter_loop(const Node& loop) override {
        loops_.push_back({static_cast<std::size_t>(machine_.frame_.wholes + machine_.node(loop.a).slot),
                          machine_.node(loop.c).op != Op::increment});
    }
    void leave_loop() override { loops_.pop_back(); }
    void enter_call(const Node& call) override { path_.emplace_back(machine_.frame_.number, call.first); }
    /// Records the variables that the documentation names.
    void leave_call() override {
        for (const Symbol* const symbol : documented())
            if (in_own_memory(*symbol) && !has_name(*symbol)) record(name_of(*symbol), *symbol, true);
        if (!path_.empty()) path_.pop_back();
    }

  private:
    using View = Machine<double>::View;
    using Path = std::vector<std::pair<int, int>>;
    using Key = std::pair<Path, std::string>;

    struct RunningLoop {
        std::size_t slot = 0;    ///< of its index
        bool in_blocks = false;  ///< i += B_r, not ++i
    };

    /// The statements from a comment with equations to the next one.
    struct Region {
        std::vector<std::string> names;
        /// The slots of the arrays that they write, with those of the indices at which they do.
        std::map<int, std::set<int>> written;
    };

    /// Snapshots of one array: one for each iteration of the loops around it.
    struct Recorded {
        std::string name;
        std::size_t depth = 0;
        std::vector<RunningLoop> loops;
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
            // An axis of blocks of keys reads like one of queries.
            if (recorded.loops[loop].in_blocks && seen.size() > 1) return std::nullopt;
            shape.push_back(static_cast<int>(seen.size()));
        }
        const std::set<std::vector<std::int64_t>> distinct(recorded.indices.begin(), recorded.indices.end());
        if (distinct.size() != recorded.indices.size() || element_count(shape) != distinct.size())
            return std::nullopt;
        // A loop may run backwards.
        std::vector<std::size_t> order(recorded.indices.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t k) { return recorded.indices[k]; });
        std::vector<double> values;
        for (const std::size_t k : order)
            values.insert(values.end(), recorded.values[k].begin(), recorded.values[k].end());
        for (const Shape& each : recorded.shapes)
            if (each != recorded.shapes.front()) return std::nullopt;
        shape.insert(shape.end(), recorded.shapes.front().begin(), recorded.shapes.front().end());
        // A single batch, head or layer needs no axis.
        for (auto axis = shape.begin(); shape.size() > 2 && axis != shape.end();)
            axis = *axis == 1 ? shape.erase(axis) : axis + 1;
        if (shape.empty()) shape = {1};
        return Array(recorded.name, shape, values);
    }

    Key key_of(const std::string& name) const { return {path_, name}; }

    const std::string& name_of(const Symbol& symbol) const { return program_.words().text(symbol.word); }

    /// The running function's variables that its documentation names, and that have their numbers until its end.
    const std::vector<const Symbol*>& documented() {
        const FunctionTree& text = *machine_.frame_.function;
        const auto [found, is_new] = documented_.try_emplace(&text);
        if (!is_new) return found->second;
        const std::string documentation = program_.documentation(machine_.frame_.number);
        for (const Symbol& symbol : text.symbols) {
            const bool whole_body = symbol.until >= static_cast<int>(text.body.size()) - 1;
            if (whole_body && is_local(symbol) && symbol.type.base == Base::view &&
                names_word(documentation, name_of(symbol)) && !is_reused(text, symbol))
                found->second.push_back(&symbol);
        }
        return found->second;
    }

    /// Such a variable is recorded at the end, but shown where it is written first.
    void note_order() {
        for (const Symbol* const symbol : documented()) {
            if (!in_own_memory(*symbol) || !holds_written(*symbol)) continue;
            const Key key = key_of(name_of(*symbol));
            if (std::ranges::find(order_, key) == order_.end()) order_.push_back(key);
        }
    }
    /// Whether the variable, or another one of its name, is recorded.
    bool has_name(const Symbol& symbol) {
        const std::string& name = name_of(symbol);
        return seen_.contains({path_, machine_.view_slot(symbol.slot).data}) ||
               std::ranges::any_of(recorded_, [&](const auto& each) {
                   const auto& [path, recorded_name] = each.first;
                   return path == path_ && (recorded_name == name || without_index(recorded_name) == name);
               });
    }
    bool holds_written(const Symbol& symbol) {
        const View& view = machine_.view_slot(symbol.slot);
        const auto bytes = count_of(view, symbol.type.rank) * static_cast<std::int64_t>(sizeof(double));
        return view.data != nullptr && machine_.written_ >= view.data &&
               machine_.written_ < view.data + bytes;
    }

    /// By the node of the last statement.
    const std::map<std::int32_t, Region>& regions() {
        const FunctionTree& text = *machine_.frame_.function;
        const auto [found, is_new] = regions_.try_emplace(&text);
        if (!is_new) return found->second;
        for (const Node& block : text.nodes) {
            // A declaration of several variables is a block, too, without braces.
            if (block.op != Op::block ||
                text.body[static_cast<std::size_t>(block.first)].id != known::open_brace)
                continue;
            std::vector<std::string> names;
            int first = 0;
            for (std::int32_t k = block.a; k >= 0; k = text.at(k).next) {
                if (auto above = names_above(text, text.at(k).first); !above.empty()) {
                    names = std::move(above);
                    first = text.at(k).first;
                }
                const std::int32_t next = text.at(k).next;
                const bool ends = next < 0 || !names_above(text, text.at(next).first).empty();
                if (ends && !names.empty())
                    found->second[k] = {std::exchange(names, {}), written_in(text, first, text.at(k).last)};
            }
        }
        return found->second;
    }
    /// The slots of the arrays that the tokens [first, last) write: elements that are assigned, and arguments that a function
    /// does not only read.
    std::map<int, std::set<int>> written_in(const FunctionTree& text, int first, int last) const {
        std::map<int, std::set<int>> slots;
        // An element or a row of an array, of which only the local variable at its root is asked for.
        const auto add = [&](std::int32_t place) {
            std::int32_t view = place;
            while (view >= 0 && text.at(view).op != Op::local) view = text.at(view).a;
            if (view < 0 || text.at(view).type.base != Base::view) return;
            std::set<int>& indices = slots[text.at(view).slot];
            for (const Node& inside : text.nodes)
                if (inside.op == Op::local && inside.type.base == Base::integer &&
                    text.at(place).first <= inside.first && inside.last <= text.at(place).last)
                    indices.insert(inside.slot);
        };
        for (const Node& node : text.nodes) {
            if (node.first < first || node.last > last) continue;
            if (node.op == Op::assign && text.at(node.a).op == Op::element) add(node.a);
            if (node.op == Op::fill || node.op == Op::copy) add(node.a);
            std::vector<Type> parameters;
            if (node.op == Op::call_lambda)
                for (const Symbol& parameter : text.lambdas[static_cast<std::size_t>(node.slot)].parameters)
                    parameters.push_back(parameter.type);
            // A function that returns a view makes one, and writes nothing.
            if (node.op == Op::call && node.type.base != Base::view)
                for (const auto& parameter : program_.declaration(node.slot).parameters)
                    parameters.push_back(parameter.type);
            std::int32_t argument = node.a;
            for (const Type& parameter : parameters) {
                if (argument < 0) break;
                if (parameter.base == Base::view && !parameter.constant) add(argument);
                argument = text.at(argument).next;
            }
        }
        return slots;
    }
    /// Whether a loop sets the variable again and again, so that only its last numbers are left at the end.
    bool is_reused(const FunctionTree& text, const Symbol& symbol) const {
        return std::ranges::any_of(text.nodes, [&](const Node& write) {
            const bool sets = write.op == Op::call || write.op == Op::fill || write.op == Op::copy ||
                              (write.op == Op::assign && write.slot == static_cast<int>(Assign::set));
            if (!sets) return false;
            const auto written = written_in(text, write.first, write.last);
            const auto found = written.find(symbol.slot);
            return found != written.end() && std::ranges::any_of(text.nodes, [&](const Node& loop) {
                       return loop.op == Op::loop && symbol.from <= loop.first && loop.first < write.first &&
                              write.last <= loop.last && !found->second.contains(text.at(loop.a).slot);
                   });
        });
    }
    std::vector<std::string> names_above(const FunctionTree& text, int first) const {
        const auto id = [&text](int k) { return text.body[static_cast<std::size_t>(k)].id; };
        const auto is_comment = [&text](int k) {
            return text.body[static_cast<std::size_t>(k)].kind == TokenKind::comment;
        };
        int k = first - 1;  // a declaration's node begins at the name, after the type
        while (k >= 0 && !is_comment(k) && id(k) != known::semicolon && id(k) != known::open_brace &&
               id(k) != known::close_brace)
            --k;
        std::string comments;
        for (; k >= 0 && is_comment(k); --k) {
            const std::string& comment = program_.words().text(id(k));
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
    static bool is_visible(const Symbol& symbol, int place) {
        return symbol.from <= place && place <= symbol.until;
    }

    const Symbol* find_local(const std::string& name, int place) const {
        for (const Symbol& symbol : machine_.frame_.function->symbols)
            if (is_local(symbol) && is_visible(symbol, place) && name_of(symbol) == name) return &symbol;
        return nullptr;
    }
    bool in_own_memory(const Symbol& symbol) {
        if (symbol.type.base != Base::view) return false;
        const std::byte* const data = machine_.view_slot(symbol.slot).data;
        return data != nullptr && machine_.memory_ && data >= machine_.memory_.get() &&
               data < machine_.memory_.get() + machine_.used_memory_;
    }

    /// Records the array or the number of this name. If there is none: the smallest array that was written last, unless the
    /// statements write several.
    void record_written(const Region& region, int place) {
        const std::string& name = region.names.front();
        const Symbol* const own = ends_in_step(name) ? find_local(without_index(name), place) : nullptr;
        if (own != nullptr) return record(name, *own);
        const Symbol* const called = find_local(name, place);
        if (called != nullptr && called->type.base == Base::real) return record(name, *called);
        if (called != nullptr && region.written.contains(called->slot))
            return record(name, *called, false, region.written.at(called->slot));
        if (region.written.size() != 1) return;
        const Symbol* smallest = nullptr;
        std::int64_t room = 0;
        for (const Symbol& symbol : machine_.frame_.function->symbols) {
            if (!is_local(symbol) || !is_visible(symbol, place)) continue;
            if (symbol.type.base == Base::real || !holds_written(symbol)) continue;
            const bool called_so = name_of(symbol) == name;
            const std::int64_t count = count_of(machine_.view_slot(symbol.slot), symbol.type.rank);
            if (!called_so && !in_own_memory(symbol)) continue;
            if (smallest != nullptr && (count > room || (count == room && !called_so))) continue;
            smallest = &symbol;
            room = count;
        }
        if (smallest != nullptr && !is_in_parameter(*smallest, name)) record(name, *smallest);
    }
    /// Whether a variable is a part of the parameter of this name, which the caller knows by another one.
    bool is_in_parameter(const Symbol& symbol, const std::string& name) {
        const std::byte* const data = machine_.view_slot(symbol.slot).data;
        for (const Symbol& parameter : machine_.frame_.function->symbols) {
            if (parameter.word < 0 || parameter.type.base != Base::view || is_local(parameter) ||
                name_of(parameter) != name)
                continue;
            const View& view = machine_.view_slot(parameter.slot);
            const auto bytes =
                count_of(view, parameter.type.rank) * static_cast<std::int64_t>(sizeof(double));
            if (view.data != nullptr && data >= view.data && data < view.data + bytes) return true;
        }
        return false;
    }
    static std::int64_t count_of(const View& view, int rank) {
        std::int64_t count = 1;
        for (int axis = 0; axis < rank; ++axis) count *= view.shape[axis];
        return count;
    }

    /// `indices`: an array that is filled at these indices has no axis for their loops.
    void record(const std::string& name, const Symbol& symbol, bool noted = false,
                const std::set<int>& indices = {}) {
        for (const ParameterDeclaration& parameter : program_.declaration(top_).parameters)
            if (program_.words().text(parameter.word) == name) return;
        if (symbol.type.base == Base::real && !path_.empty()) return;  // too many of them
        const bool in_step = !loops_.empty();
        if (ends_in_step(name) && !in_step) return;  // the last of many steps
        std::vector<RunningLoop> loops = loops_;
        std::erase_if(loops, [&](const RunningLoop& loop) {
            return indices.contains(static_cast<int>(loop.slot) - static_cast<int>(machine_.frame_.wholes));
        });
        const auto [found, is_new] = recorded_.try_emplace(key_of(name));
        Recorded& to = found->second;
        if (is_new) {
            to.name = name;
            to.depth = path_.size();
            to.loops = loops;
            if (!noted) {
                std::erase(order_, key_of(name));
                order_.push_back(key_of(name));
            }
        }
        std::vector<std::int64_t> index;
        for (const RunningLoop& loop : loops) index.push_back(machine_.wholes_[loop.slot]);
        if (!indices.empty() && !to.indices.empty() && to.indices.back() == index) {
            to.indices.pop_back(), to.shapes.pop_back(), to.values.pop_back();
        }
        to.indices.push_back(std::move(index));
        if (symbol.type.base == Base::real) {
            to.shapes.emplace_back();
            to.values.push_back({machine_.real_slot(symbol.slot)});
            return;
        }
        const View& view = machine_.view_slot(symbol.slot);
        seen_.insert({path_, view.data});
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
        constexpr std::size_t kDeepest = 2;
        for (std::size_t deepest = kDeepest + 1; deepest-- > 0;) {
            Arrays arrays;
            std::size_t numbers = 0;
            for (const Key& key : order_) {
                if (!recorded_.contains(key)) continue;
                const Recorded& recorded = recorded_.at(key);
                if (recorded.depth > deepest || best.at(recorded.name) != std::pair(recorded.depth, 1))
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
    std::vector<RunningLoop> loops_;
    Path path_;
    std::map<Key, Recorded> recorded_;
    std::vector<Key> order_;
    std::set<std::pair<Path, const std::byte*>> seen_;  ///< arrays that have a name already
    std::map<const FunctionTree*, std::vector<const Symbol*>> documented_;
    std::map<const FunctionTree*, std::map<std::int32_t, Region>> regions_;
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
