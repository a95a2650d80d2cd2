#include "grader/emulator/unwatched_code.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string>

#include "grader/emulator/masked_source.h"

namespace attn::emulator {
namespace {

using Names = std::set<std::string, std::less<>>;

[[noreturn]] void refuse(const std::string& what, const std::string& instead) {
    throw std::runtime_error("error: " + what + "; " + instead);
}

/// Calls `see` with each line, without the space around it.
template <class See>
void for_each_line(std::string_view text, const See& see) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
        while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
        if (!line.empty()) see(line);
    }
}

bool contains(std::string_view text, std::string_view word) {
    return text.find(word) != npos;
}

template <class Words>
bool contains_any(std::string_view text, const Words& words) {
    return std::any_of(std::begin(words), std::end(words),
                       [text](auto word) { return contains(text, word); });
}

/// What a statement of the dump calls: "memcpy" for "_1 = memcpy (p, q, 8);". Empty for other statements.
std::string_view called_in(std::string_view statement) {
    if (const std::size_t assigned = statement.find(" = "); assigned < statement.find_first_of("(\""))
        statement.remove_prefix(assigned + 3);
    const std::size_t end = statement.find(" (");
    const std::string_view name = statement.substr(0, end == npos ? 0 : end);
    return std::all_of(name.begin(), name.end(), is_word) ? name : std::string_view();
}

/// Reads the dump: the compiler's own list of what it compiles. Returns the names of the functions.
Names checked_functions(std::string_view dump) {
    // Our operators are compiled without the calls, because they are the allocation itself.
    static constexpr std::array kOwn = {"_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};
    static constexpr std::array kCopies = {"memcpy",       "memmove",       "memset",       "mempcpy",
                                           "__memcpy_chk", "__memmove_chk", "__memset_chk", "__mempcpy_chk"};
    static constexpr std::array kTouchMemory = {"load", "store", "mov", "gather", "scatter", "mask"};
    constexpr std::string_view kFunction = ";; Function ";
    Names names;
    std::string function, symbol;
    for_each_line(dump, [&](std::string_view line) {
        if (line.starts_with(kFunction)) {
            // ;; Function NAME (SYMBOL, funcdef_no=..
            const std::size_t end = line.find(", funcdef_no="), open = line.substr(0, end).rfind(" (");
            if (end == npos || open == npos || open < kFunction.size()) return;
            function = line.substr(kFunction.size(), open - kFunction.size());
            symbol = line.substr(open + 2, end - open - 2);
            names.insert(symbol);
        } else if (line.starts_with("__attribute__((")) {
            if (contains(line, "section (") && contains(line, "\\"))
                refuse("the name of the section of " + function + " is no name", "leave it out");
            if (contains(line, "no_sanitize") && std::ranges::find(kOwn, symbol) == kOwn.end())
                refuse("the attribute no_sanitize hides what " + function + " does from the emulator",
                       "leave it out");
        } else if (line.starts_with("__asm__")) {
            refuse("the emulator cannot watch the assembly in " + function, "write it in C++");
        } else {
            const std::string_view called = called_in(line);
            if (std::ranges::find(kCopies, called) != kCopies.end())
                refuse("the emulator cannot watch how " + function + " copies or fills memory",
                       "write memcpy, memmove or memset, and no __builtin function");
            if (called.starts_with("__builtin_ia32_") && contains_any(called, kTouchMemory))
                refuse("the emulator cannot watch an instruction of this processor in " + function,
                       "leave it out: a GPU does not have it");
        }
    });
    return names;
}

class AssemblyCheck {
  public:
    explicit AssemblyCheck(const Names* functions) : functions_(functions) {}

    void take(std::string_view line) {
        if (line == "#APP" || line == "#NO_APP") {
            in_statement_ = line == "#APP";
            return;
        }
        if (line.front() == '#') return;
        if (in_statement_ && line != kHidden) refuse("the emulator cannot watch assembly", "write it in C++");
        const std::string_view first = line.substr(0, std::min(line.find_first_of(" \t"), line.size()));
        const bool is_text = first == ".string" || first == ".ascii";
        if (is_text ? !is_one_text(line.substr(first.size())) : contains_any(line, kSeveral))
            refuse_injected(line);
        if (!is_text) look_at_names(line, first);
        if (functions_ != nullptr) look_at_place(line, first);
    }

  private:
    /// What our own header writes: see include/memory_api.h.
    static constexpr std::string_view kHidden = ".hidden _Znwm, _Znam, _ZdlPv, _ZdaPv, _ZdlPvm, _ZdaPvm";

    [[noreturn]] static void refuse_injected(std::string_view line) {
        constexpr std::size_t kShown = 60;
        refuse("its assembly has a line that g++ does not make of C++ (" +
                   std::string(line.substr(0, kShown)) + ")",
               "leave out attributes with text for the assembler");
    }

    /// A line of g++ is one statement. These could put a second one after it, or hide the lines after it.
    static constexpr std::array kSeveral = {";", "/*", "*/"};

    /// Whether this is one text in quotes.
    static bool is_one_text(std::string_view text) {
        while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
        if (text.size() < 2 || text.front() != '"') return false;
        for (std::size_t k = 1; k < text.size(); ++k) {
            if (text[k] == '\\')
                ++k;
            else if (text[k] == '"')
                return k + 1 == text.size();
        }
        return false;
    }

    /// Functions that the calls before accesses reach.
    void look_at_names(std::string_view line, std::string_view first) {
        static constexpr std::array kCalled = {"__tsan_", "__ubsan_", "attn_emulator_"};
        if (first.ends_with(':') && first.size() != line.size()) refuse_injected(line);
        if (std::count(line.begin(), line.end(), '"') % 2 != 0) refuse_injected(line);
        const bool defines = first.front() == '.' || first.ends_with(':') || contains(line, "=");
        if (defines && contains_any(line, kCalled))
            refuse("it defines a function of the emulator", "give it another name");
    }

    /// Code is in the functions that g++ has listed, and nothing else is in their sections.
    void look_at_place(std::string_view line, std::string_view first) {
        static constexpr std::array kOther = {".macro",    ".rept",       ".irp",        ".irpc",
                                              ".altmacro", ".include",    ".incbin",     ".pushsection",
                                              ".previous", ".popsection", ".subsection", ".if"};
        if (contains_any(first, kOther)) refuse_injected(line);
        if (first == ".text" || first == ".data" || first == ".bss" || first == ".section") {
            const std::size_t open = line.find('"'), close = line.find('"', open + 1);
            const std::string_view flags =
                open == npos || close == npos ? std::string_view() : line.substr(open, close - open);
            // Flags could also be numbers.
            if (const std::size_t comma = line.find(','); comma != npos && open != comma + 1)
                refuse_injected(line);
            in_code_ = contains(flags, "x") || contains(line, ".text");
        } else if (first.ends_with(':')) {
            look_at_label(first);
        } else if (first.front() == '.') {
            static constexpr std::array kInCode = {".loc",  ".cfi_",  ".p2align", ".align",  ".size",
                                                   ".type", ".globl", ".weak",    ".hidden", ".set",
                                                   ".file", ".local", ".ident",   ".comm",   ".internal"};
            if (first == ".size") known_ = false;  // a table of jumps may lie inside a function
            // A part of the call that finds thread-local memory.
            if (line == ".value\t0x6666" || line == ".word\t0x6666" || line == ".byte\t0x66") return;
            const auto begins = [first](std::string_view word) { return first.starts_with(word); };
            if (in_code_ && std::none_of(kInCode.begin(), kInCode.end(), begins)) refuse_injected(line);
        } else if (!in_code_ || !known_) {
            refuse_injected(line);
        }
    }

    /// The labels inside a function begin with .L; the part of it that is rarely run ends in .cold.
    void look_at_label(std::string_view line) {
        std::string_view name = line.substr(0, line.size() - 1);
        if (!in_code_ || name.starts_with(".L")) return;
        if (name.ends_with(".cold")) name.remove_suffix(5);
        known_ = functions_->contains(name);
        if (!known_) refuse_injected(line);
    }

    const Names* functions_;
    bool in_statement_ = false;
    bool in_code_ = true;  ///< whether the section holds instructions
    bool known_ = false;   ///< whether this is inside a listed function
};

}  // namespace

void refuse_unwatched(std::string_view assembly, const std::optional<std::string_view>& functions) {
    Names names;
    if (functions) names = checked_functions(*functions);
    if (functions && names.empty())
        throw std::runtime_error("error: the compiler does not list its functions; the emulator needs g++");
    AssemblyCheck check(functions ? &names : nullptr);
    for_each_line(assembly, [&check](std::string_view line) { check.take(line); });
}

void refuse_functions_of_the_host(std::string_view assembly) {
    static constexpr std::array kOfHost = {"attention_lab_send_findings_to",
                                           "_ZN4attn8emulator5begin",
                                           "_ZN4attn8emulator8findings",
                                           "_ZN4attn8emulator12watch_output",
                                           "_ZN4attn8emulator13check_outputs",
                                           "_ZN4attn8emulator14forget_outputs",
                                           "_ZN4attn8emulator14require_stream",
                                           "_ZN4attn8emulator14set_time_limit",
                                           "dlsym",
                                           "dlvsym",
                                           "dl_iterate_phdr"};
    int registrations = 0;
    for_each_line(assembly, [&registrations](std::string_view line) {
        if (line.starts_with(".string") || line.starts_with(".ascii") || line.front() == '#') return;
        const bool again = contains(line, "_ZN4attn8emulator15register_module") && ++registrations > 1;
        if (again || contains_any(line, kOfHost))
            refuse("it uses a function of the emulator's host", "leave it out: a GPU does not have it");
    });
}

}  // namespace attn::emulator
