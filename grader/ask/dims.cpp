#include "grader/ask/dims.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>

namespace attn::ask {
namespace {

bool is_part_of_a_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Reads an expression from left to right.
class Parser {
  public:
    Parser(const std::string& text, const Sizes& sizes) : text_(text), sizes_(sizes) {}

    long long sum() {
        long long total = product();
        while (true) {
            if (take('+'))
                total += product();
            else if (take('-'))
                total -= product();
            else
                break;
        }
        if (at_ != text_.size()) refuse();
        return total;
    }

  private:
    long long product() {
        long long total = quotient();
        while (take('*')) total *= quotient();
        return total;
    }
    long long quotient() {
        long long total = operand();
        while (take('/')) {
            const long long divisor = operand();
            if (divisor == 0) refuse();
            total /= divisor;
        }
        return total;
    }
    long long operand() {
        const std::size_t start = at_;
        while (at_ < text_.size() && is_part_of_a_letter(text_[at_])) ++at_;
        const std::string word = text_.substr(start, at_ - start);
        if (word.empty()) refuse();
        if (word == "ceil" && take('(')) return rounded_up();
        const bool number = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
        return number ? std::stoi(word) : sizes_.at(word);
    }
    /// "N/B_r)"
    long long rounded_up() {
        const long long number = operand();
        if (!take('/')) refuse();
        const long long divisor = operand();
        if (divisor == 0 || !take(')')) refuse();
        return (number + divisor - 1) / divisor;
    }
    bool take(char wanted) {
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    [[noreturn]] void refuse() const { throw std::invalid_argument("'" + text_ + "' is not a length"); }

    const std::string& text_;
    const Sizes& sizes_;
    std::size_t at_ = 0;
};

}  // namespace

bool is_letter(const std::string& dim) {
    return !dim.empty() && std::isdigit(static_cast<unsigned char>(dim[0])) == 0 &&
           std::all_of(dim.begin(), dim.end(), is_part_of_a_letter);
}

std::vector<std::string> letters_of(const std::string& dim) {
    std::vector<std::string> letters;
    std::string word;
    for (const char c : dim + "+") {
        if (is_part_of_a_letter(c)) {
            word += c;
            continue;
        }
        if (is_letter(word) && c != '(') letters.push_back(word);
        word.clear();
    }
    return letters;
}

int length_of(const std::string& dim, const Sizes& sizes) {
    if (const auto letter = sizes.find(dim); letter != sizes.end()) return letter->second;
    const long long length = Parser(dim, sizes).sum();
    if (length > std::numeric_limits<int>::max())
        throw std::invalid_argument("'" + dim + "' is " + std::to_string(length) + ", too long for an axis");
    return static_cast<int>(length);
}

}  // namespace attn::ask
