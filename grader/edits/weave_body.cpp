#include "grader/edits/weave_body.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "grader/edits/woven.h"

namespace attn::edits {
namespace {

/// The switch of a mistake, or of its edits at one call.
using Key = std::pair<int, int>;

Key key_of(const Atom& atom) {
    return {atom.mistake, atom.site};
}

/// A piece of code with the edits that can still be made in it.
struct Scope {
    Tokens tokens;
    Unit root;
    std::vector<Atom> atoms;
    std::vector<const Unit*> homes;  ///< of each atom: the smallest unit that can be replaced for it
    std::set<Key> off;               ///< switches that are off in the code that is being written

    bool is_open(std::size_t k) const { return !off.contains(key_of(atoms[k])); }
};

/// Neighbouring statements of a list that are replaced together.
struct Group {
    int first = 0, last = 0;  ///< statements
    bool to_end = false;      ///< to the end of the list, because of a declaration
};

Tokens edited(const Tokens& tokens, int first, int last, const Tokens& text) {
    Tokens result(tokens.begin(), tokens.begin() + first);
    result.insert(result.end(), text.begin(), text.end());
    result.insert(result.end(), tokens.begin() + last, tokens.end());
    return result;
}

bool holds(const Unit& unit, const Unit* wanted) {
    return &unit == wanted ||
           std::ranges::any_of(unit.children, [&](const Unit& child) { return holds(child, wanted); });
}

void add_containing(const Unit& unit, int first, int last, std::vector<const Unit*>& found) {
    if (unit.first > first || last > unit.last) return;
    for (const Unit& child : unit.children) add_containing(child, first, last, found);
    found.push_back(&unit);
}

/// The places in `tokens` where `wanted` stands.
std::vector<int> places_of(const Tokens& wanted, const Tokens& tokens) {
    std::vector<int> found;
    for (std::size_t at = 0; !wanted.empty() && at + wanted.size() <= tokens.size(); ++at)
        if (std::equal(wanted.begin(), wanted.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
                       [](const Token& a, const Token& b) { return a.id == b.id; }))
            found.push_back(static_cast<int>(at));
    return found;
}

/// Whether two edits make the same change, so that one of them is enough for both mistakes.
bool changes_the_same(const Atom& a, const Atom& b) {
    return a.first == b.first && a.last == b.last &&
           std::ranges::equal(a.text, b.text, {}, &Token::id, &Token::id);
}

/// Whether `other` changes a token of the text by which the place of `atom` was found.
bool touches(const Atom& other, const Atom& atom) {
    const int first = atom.first - atom.offset, last = first + static_cast<int>(atom.place.size());
    return other.first < last && first < other.last;
}

/// `atom` in the code that another mistake made of [first, last). `own`: the edits of this mistake there, in
/// order. Nothing if they change the same text.
std::optional<Atom> moved(Atom atom, const std::vector<Atom>& own, const Tokens& code, int first) {
    int shift = -first;
    for (const Atom& other : own) {
        // Whether an insertion beside a changed text belongs before or after it, only the text can tell.
        const int room = atom.first == atom.last || other.first == other.last ? 1 : 0;
        const bool before = atom.last + room <= other.first, behind = atom.first >= other.last + room;
        const bool apart = before || behind;
        if (apart && !(touches(other, atom) && touches(atom, other))) {
            if (!before) shift += static_cast<int>(other.text.size()) - (other.last - other.first);
            continue;
        }
        const bool beside = atom.last <= other.first || atom.first >= other.last;
        const bool inside = other.first <= atom.first && atom.last <= other.last &&
                            atom.last - atom.first < other.last - other.first;
        if (!inside && !beside) return std::nullopt;
        // What the student wrote there may hold the same text, which can be wrong in the same way.
        const auto places = places_of(atom.place, code);
        if (places.size() != 1) return std::nullopt;
        const int length = atom.last - atom.first;
        atom.first = places[0] + atom.offset;
        atom.last = atom.first + length;
        return atom;
    }
    atom.first += shift;
    atom.last += shift;
    return atom;
}

class BodyWriter {
  public:
    BodyWriter(const Words& words, LineWriter& to, std::set<std::pair<int, int>>& conflicts)
        : words_(words), to_(to), conflicts_(conflicts) {}

    /// `made`: the mistakes that are made whenever this code runs.
    void write(Tokens tokens, std::vector<Atom> atoms, Unit::Kind kind, const std::vector<Key>& made) {
        Scope scope{std::move(tokens), {}, std::move(atoms), {}, {}};
        scope.root = parsed(scope.tokens, kind);
        for (const Atom& atom : scope.atoms) scope.homes.push_back(home_of(scope, atom));
        write(scope, scope.root, made);
    }

  private:
    Unit parsed(const Tokens& tokens, Unit::Kind kind) const {
        const int end = static_cast<int>(tokens.size());
        return kind == Unit::Kind::expression ? expression_of(words_, tokens, 0, end)
                                              : outline_of(words_, tokens, 0, end);
    }

    /// The smallest unit that is still one after the edit, so that the edit means there what it means in the
    /// text.
    const Unit* home_of(const Scope& scope, const Atom& atom) const {
        std::vector<const Unit*> candidates;
        add_containing(scope.root, atom.first, atom.last, candidates);
        std::ranges::stable_sort(candidates, {}, [](const Unit* unit) { return unit->last - unit->first; });
        const Tokens tokens = edited(scope.tokens, atom.first, atom.last, atom.text);
        const Unit root = parsed(tokens, scope.root.kind);
        const int grown = static_cast<int>(atom.text.size()) - (atom.last - atom.first);
        for (const Unit* const unit : candidates) {
            if (unit->rigid) continue;
            const Unit* const after = find_unit(root, unit->kind, unit->first, unit->last + grown);
            if (after == nullptr || after->rigid) continue;
            if (unit->kind == Unit::Kind::statement && (unit->declares || after->declares)) continue;
            return unit;
        }
        return &scope.root;
    }

    void write(Scope& scope, const Unit& unit, const std::vector<Key>& made) {
        if (unit.kind == Unit::Kind::list) return write_list(scope, unit, made);
        const auto keys = keys_at(scope, [&](std::size_t k) { return scope.homes[k] == &unit; });
        if (keys.empty()) return write_children(scope, unit, made);
        const bool expression = unit.kind == Unit::Kind::expression;
        to_.text(expression ? " (" : " { ");
        for (std::size_t k = 0; k < keys.size(); ++k) {
            to_.text(expression ? condition(keys[k]) + " ? (" : "if (" + condition(keys[k]) + ") {");
            const auto in_unit = [&](std::size_t a) { return holds(unit, scope.homes[a]); };
            write_variant(scope, unit.first, unit.last, unit.kind, keys, k, in_unit, made);
            to_.text(expression ? ") : " : " } else ");
        }
        to_.text(expression ? "(" : "{");
        const std::set<Key> before = scope.off;
        scope.off.insert(keys.begin(), keys.end());
        write_children(scope, unit, made);
        scope.off = before;
        to_.text(expression ? "))" : " } }");
    }

    void write_children(Scope& scope, const Unit& unit, const std::vector<Key>& made) {
        int at = unit.first;
        for (const Unit& child : unit.children) {
            write_tokens(scope, at, child.first);
            write(scope, child, made);
            at = child.last;
        }
        write_tokens(scope, at, unit.last);
    }

    void write_list(Scope& scope, const Unit& list, const std::vector<Key>& made) {
        const std::vector<Group> groups = groups_of(scope, list);
        int at = list.first;
        std::size_t group = 0;
        for (int k = 0; k <= static_cast<int>(list.children.size()); ++k) {
            while (group < groups.size() && groups[group].first == k) {
                write_group(scope, list, groups[group], made);
                const int last = groups[group++].last;
                if (last == k) continue;
                at = list.children[static_cast<std::size_t>(last - 1)].last;
                k = last;
            }
            if (k == static_cast<int>(list.children.size())) break;
            const Unit& child = list.children[static_cast<std::size_t>(k)];
            write_tokens(scope, at, child.first);  // labels
            write(scope, child, made);
            at = child.last;
        }
        write_tokens(scope, at, list.last);
    }

    /// The statements of a list that an edit with this list as home changes.
    Group group_of(const Scope& scope, const Unit& list, const Atom& atom) const {
        const auto& all = list.children;
        const int count = static_cast<int>(all.size());
        Group group;
        while (group.first < count && all[static_cast<std::size_t>(group.first)].last <= atom.first)
            ++group.first;
        group.last = group.first;
        while (group.last < count && all[static_cast<std::size_t>(group.last)].first < atom.last)
            ++group.last;
        const auto declares = [](const std::vector<Unit>& some, int first, int last) {
            return std::any_of(some.begin() + first, some.begin() + last,
                               [](const Unit& unit) { return unit.declares; });
        };
        const Unit after = parsed(edited(scope.tokens, atom.first, atom.last, atom.text), scope.root.kind);
        const int grown = static_cast<int>(atom.text.size()) - (atom.last - atom.first);
        const Unit* const new_list = find_unit(after, Unit::Kind::list, list.first, list.last + grown);
        const int kept_behind = count - group.last;
        const bool new_declares =
            new_list == nullptr ||
            declares(new_list->children, group.first,
                     std::max(group.first, static_cast<int>(new_list->children.size()) - kept_behind));
        // What is declared has to be known until the end of the list.
        if (new_declares || declares(all, group.first, group.last)) return {group.first, count, true};
        return group;
    }

    std::vector<Group> groups_of(const Scope& scope, const Unit& list) const {
        std::vector<Group> groups;
        for (std::size_t k = 0; k < scope.atoms.size(); ++k)
            if (scope.homes[k] == &list && scope.is_open(k))
                groups.push_back(group_of(scope, list, scope.atoms[k]));
        std::ranges::sort(groups, {}, [](const Group& group) { return std::pair(group.first, group.last); });
        std::vector<Group> merged;
        for (const Group& group : groups) {
            const bool same =
                !merged.empty() && merged.back().first == group.first && merged.back().last == group.last;
            const bool overlaps = !merged.empty() && group.first < merged.back().last;
            if (same || overlaps || (!merged.empty() && merged.back().to_end)) {
                merged.back().last = std::max(merged.back().last, group.last);
                merged.back().to_end = merged.back().to_end || group.to_end;
            } else {
                merged.push_back(group);
            }
        }
        return merged;
    }

    void write_group(Scope& scope, const Unit& list, const Group& group, const std::vector<Key>& made) {
        const auto place = [&](int statement) { return list.children[static_cast<std::size_t>(statement)]; };
        const int count = static_cast<int>(list.children.size());
        const bool inserted = group.first == group.last;
        const int first = group.first == count ? list.last : place(group.first).first;
        const int last = inserted ? first : place(group.last - 1).last;
        const auto here = [&](std::size_t k) {
            const Atom& atom = scope.atoms[k];
            if (scope.homes[k] != &list) return false;
            const Group own = group_of(scope, list, atom);
            if (inserted) return own.first == group.first && own.last == group.last;
            return own.first >= group.first && own.last <= group.last && own.last > group.first &&
                   (own.first < group.last || group.to_end);
        };
        const auto inside = [&](std::size_t k) {
            return here(k) ||
                   std::any_of(list.children.begin() + group.first, list.children.begin() + group.last,
                               [&](const Unit& unit) { return holds(unit, scope.homes[k]); });
        };
        const auto keys = keys_at(scope, here);
        to_.text(" { ");
        for (std::size_t k = 0; k < keys.size(); ++k) {
            to_.text("if (" + condition(keys[k]) + ") {");
            write_variant(scope, first, last, Unit::Kind::list, keys, k, inside, made);
            to_.text(" } else ");
        }
        to_.text("{");
        const std::set<Key> before = scope.off;
        scope.off.insert(keys.begin(), keys.end());
        int at = first;
        for (int k = group.first; k < group.last; ++k) {
            const Unit& child = list.children[static_cast<std::size_t>(k)];
            write_tokens(scope, at, child.first);
            write(scope, child, made);
            at = child.last;
        }
        scope.off = before;
        to_.text(" } }");
    }

    /// The switches of the atoms that `belongs` chooses. Those of longer texts come first, because they hold
    /// the others.
    template <class Belongs>
    std::vector<Key> keys_at(const Scope& scope, Belongs belongs) const {
        std::vector<std::pair<int, Key>> sized;
        for (std::size_t k = 0; k < scope.atoms.size(); ++k) {
            if (!scope.is_open(k) || !belongs(k)) continue;
            const int size = scope.atoms[k].last - scope.atoms[k].first;
            const Key key = key_of(scope.atoms[k]);
            const auto known = std::ranges::find(sized, key, &std::pair<int, Key>::second);
            if (known == sized.end())
                sized.emplace_back(size, key);
            else
                known->first = std::max(known->first, size);
        }
        std::ranges::stable_sort(sized, std::ranges::greater(), &std::pair<int, Key>::first);
        std::vector<Key> keys;
        for (const auto& [size, key] : sized) keys.push_back(key);
        return keys;
    }

    /// The code [first, last) with the mistake keys[chosen]. Those before it are not made there.
    template <class Inside>
    void write_variant(const Scope& scope, int first, int last, Unit::Kind kind, const std::vector<Key>& keys,
                       std::size_t chosen, Inside inside, std::vector<Key> made) {
        const Key key = keys[chosen];
        std::vector<Atom> own, others;
        for (std::size_t k = 0; k < scope.atoms.size(); ++k) {
            if (!scope.is_open(k) || !inside(k)) continue;
            const Atom& atom = scope.atoms[k];
            if (key_of(atom) == key) {
                own.push_back(atom);
                continue;
            }
            const auto excluded = keys.begin() + static_cast<std::ptrdiff_t>(chosen);
            if (atom.mistake != key.first && std::find(keys.begin(), excluded, key_of(atom)) == excluded)
                others.push_back(atom);
        }
        std::ranges::stable_sort(own, {}, &Atom::first);
        Tokens code;
        int at = first;
        for (const Atom& atom : own) {
            code.insert(code.end(), scope.tokens.begin() + at, scope.tokens.begin() + atom.first);
            code.insert(code.end(), atom.text.begin(), atom.text.end());
            at = atom.last;
        }
        code.insert(code.end(), scope.tokens.begin() + at, scope.tokens.begin() + last);
        made.push_back(key);
        std::vector<Atom> left;
        std::set<Key> impossible;
        for (const Atom& other : others) {
            if (made.size() >= woven::kMostTogether) break;
            const auto same = [&other](const Atom& atom) { return changes_the_same(atom, other); };
            if (std::ranges::any_of(own, same)) continue;
            if (auto there = moved(other, own, code, first))
                left.push_back(std::move(*there));
            else
                impossible.insert(key_of(other));
        }
        for (const Key& other : impossible) conflicts_.insert(std::minmax(key.first, other.first));
        std::erase_if(left, [&](const Atom& atom) { return impossible.contains(key_of(atom)); });
        write(std::move(code), std::move(left), kind == Unit::Kind::expression ? kind : Unit::Kind::list,
              made);
    }

    static std::string condition(const Key& key) {
        return "made(" + std::to_string(key.first) +
               (key.second == 0 ? std::string() : ", " + std::to_string(key.second)) + ")";
    }

    void write_tokens(const Scope& scope, int first, int last) {
        for (int k = first; k < last; ++k) to_.token(scope.tokens[static_cast<std::size_t>(k)]);
    }

    const Words& words_;
    LineWriter& to_;
    std::set<std::pair<int, int>>& conflicts_;
};

}  // namespace

std::string suffix_of_site(int site) {
    return "_at_" + std::to_string(site);
}

void LineWriter::token(const Token& token) {
    if (token.line != line_) {
        line_ = token.line;
        written_ += "\n#line " + std::to_string(std::abs(line_)) + " \"" +
                    (line_ < 0 ? listed_file_ : file_) + "\"\n";
    } else if (!token.glued) {
        written_ += " ";
    }
    written_ += words_.text(token.id);
    if (token.site > 0) written_ += suffix_of_site(token.site);
}

void weave_body(const Words& words, const Tokens& body, const std::vector<Atom>& atoms, LineWriter& to,
                std::set<std::pair<int, int>>& conflicts) {
    BodyWriter(words, to, conflicts).write(body, atoms, Unit::Kind::list, {});
}

}  // namespace attn::edits
