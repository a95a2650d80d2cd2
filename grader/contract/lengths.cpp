#include "grader/contract/lengths.h"

#include <cctype>

#include "grader/contract/tokens.h"

namespace attn::contract {
namespace {

constexpr int kDeepest = 20;          ///< depth of nested parentheses
constexpr std::size_t kLongest = 50;  ///< number of products in a sum, and of quotients in a product

class LengthReader {
  public:
    LengthReader(std::string_view text, const Definitions& definitions)
        : text_(text), definitions_(definitions) {}

    Length sum(int depth = 0) {
        if (depth > kDeepest) refuse("has too many parentheses");
        Length total = product(depth);
        while (true) {
            if (take('+')) {
                const Length more = product(depth);
                total.insert(total.end(), more.begin(), more.end());
            } else if (const std::string number = number_subtracted(); !number.empty()) {
                total.push_back({{"-" + number}});
            } else {
                return total;
            }
            if (total.size() > kLongest) refuse("is too long");
        }
    }
    std::size_t used() const { return at_; }

  private:
    Length product(int depth) {
        Length total = quotient(depth);
        while (take('*') || factor_follows()) {
            const Length next = quotient(depth);
            if (total.size() != 1 || next.size() != 1) refuse("multiplies a sum; write a sum of products");
            total[0].insert(total[0].end(), next[0].begin(), next[0].end());
            if (total[0].size() > kLongest) refuse("is too long");
        }
        return total;
    }

    Length quotient(int depth) {
        Length total = operand(depth);
        while (take('/')) {
            const Length divisor = operand(depth);
            if (!is_quotient(total) || !is_quotient(divisor) || divisor[0][0].size() != 1)
                refuse("divides something other than a letter or a number by one");
            total[0][0].push_back(divisor[0][0][0]);
        }
        return total;
    }

    Length operand(int depth) {
        if (take_word("ceil(")) return rounded_up(depth + 1);
        if (take('(')) {
            Length inner = sum(depth + 1);
            if (!take(')')) refuse("has a ( without its )");
            return inner;
        }
        skip_spaces();
        if (!operand_follows()) refuse("has no letter or number where one is expected");
        const std::size_t start = at_;
        while (at_ < text_.size() && continues_word(text_[at_])) ++at_;
        const std::string word(text_.substr(start, at_ - start));
        if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
            const bool number = word.find_first_not_of("0123456789") == std::string::npos;
            if (!number || word.size() > 6)
                refuse("has " + word + ", which is not a number of at most 6 digits");
        }
        if (const auto found = definitions_.find(word); found != definitions_.end()) return found->second;
        return {{{word}}};
    }

    /// The rest of "ceil(N/B_r)".
    Length rounded_up(int depth) {
        const Length inner = quotient(depth);
        if (!is_quotient(inner) || inner[0][0].size() != 2 || !take(')'))
            refuse("has a ceil( that is not ceil(N/B_r), a quotient of two letters or numbers");
        return {{{"ceil(" + to_string(inner) + ")"}}};
    }

    /// The number of " - 1". Empty if no minus with a number follows: other text may go on with a minus.
    std::string number_subtracted() {
        const std::size_t before = at_;
        if (take('-')) {
            skip_spaces();
            const std::size_t start = at_;
            while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
            constexpr std::size_t kDigits = 6;
            const bool ends = at_ == text_.size() || !continues_word(text_[at_]);
            if (ends && at_ > start && at_ - start <= kDigits)
                return std::string(text_.substr(start, at_ - start));
        }
        at_ = before;
        return "";
    }

    static bool is_quotient(const Length& length) { return length.size() == 1 && length[0].size() == 1; }
    bool operand_follows() const {
        if (at_ >= text_.size()) return false;
        const auto c = static_cast<unsigned char>(text_[at_]);
        return std::isupper(c) != 0 || std::isdigit(c) != 0 || text_.substr(at_).starts_with("ceil(");
    }
    /// "P C" is a product: a space separates its factors.
    bool factor_follows() {
        const std::size_t before = at_;
        skip_spaces();
        const bool follows = operand_follows() || (at_ < text_.size() && text_[at_] == '(');
        if (!follows) at_ = before;
        return follows;
    }
    bool take(char wanted) {
        const std::size_t before = at_;
        skip_spaces();
        if (at_ < text_.size() && text_[at_] == wanted) {
            ++at_;
            return true;
        }
        at_ = before;
        return false;
    }
    bool take_word(std::string_view wanted) {
        skip_spaces();
        if (!text_.substr(at_).starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }
    void skip_spaces() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    [[noreturn]] void refuse(const std::string& why) const {
        throw LengthError("'" + std::string(text_) + "' " + why);
    }

    std::string_view text_;
    const Definitions& definitions_;
    std::size_t at_ = 0;
};

template <class Items, class ToString>
std::string joined(const Items& items, const char* between, ToString to_string_of) {
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "" : between) + to_string_of(item);
    return text;
}

}  // namespace

std::string to_string(const Length& length) {
    std::string text;
    for (const Product& product : length) {
        const std::string term = joined(product, "*", [](const Quotient& quotient) {
            return joined(quotient, "/", [](const std::string& word) { return word; });
        });
        text += (text.empty() || term.starts_with('-') ? "" : "+") + term;
    }
    return text;
}

Length read_length(std::string_view text, const Definitions& definitions, std::size_t& used) {
    LengthReader reader(text, definitions);
    Length length = reader.sum();
    used = reader.used();
    return length;
}

std::vector<std::string> read_shape(std::string_view text, const Definitions& definitions) {
    std::vector<std::string> dims;
    while (true) {
        std::size_t used = 0;
        dims.push_back(to_string(read_length(text, definitions, used)));
        text.remove_prefix(used);
        while (text.starts_with(' ')) text.remove_prefix(1);
        if (text.empty()) return dims;
        if (!text.starts_with(',')) throw LengthError("'" + std::string(text) + "' follows a length");
        text.remove_prefix(1);
    }
}

}  // namespace attn::contract
