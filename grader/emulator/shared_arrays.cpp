#include "grader/emulator/shared_arrays.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include <cxxabi.h>

#include "grader/emulator/masked_source.h"

namespace attn::emulator {
namespace {

constexpr int kVectorAlignment = 16;           // of a float4
constexpr std::size_t kMostStatic = 48 << 10;  // bytes of a kernel's shared arrays

bool is_symbol(char c) {
    return is_word(c) || c == '.';
}

std::string_view trimmed(std::string_view line) {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
    return line;
}

/// The first word of a line: `.zero` of `.zero 128`.
std::string_view directive_of(std::string_view line) {
    return line.substr(0, std::min(line.find_first_of(" \t"), line.size()));
}

/// The first operand: NAME of `.size NAME, 12`.
std::string_view operand_of(std::string_view line) {
    const std::string_view rest = trimmed(line.substr(directive_of(line).size()));
    return trimmed(rest.substr(0, std::min(rest.find(','), rest.size())));
}

/// The name of a label line `NAME:`; empty for any other line.
std::string_view label_of(std::string_view line) {
    if (!line.ends_with(':') || !std::all_of(line.begin(), line.end() - 1, is_symbol)) return {};
    return line.substr(0, line.size() - 1);
}

bool begins_section(std::string_view directive) {
    return directive == ".section" || directive == ".text" || directive == ".data" || directive == ".bss";
}

/// Whether a `.section NAME,"awT",..` is thread-local. Without flags (a section seen before, .tbss) the name
/// decides.
bool is_thread_local(std::string_view line) {
    if (directive_of(line) != ".section") return false;
    const std::size_t open = line.find('"'), close = line.find('"', open + 1);
    if (open != npos && close != npos) return line.substr(open, close - open).find('T') != npos;
    const std::string_view name = operand_of(line);
    return name.starts_with(".tbss") || name.starts_with(".tdata");
}

bool holds_data(std::string_view directive) {
    static constexpr std::array kData = {".zero",  ".skip",   ".space",   ".byte",  ".value",
                                         ".short", ".long",   ".int",     ".quad",  ".2byte",
                                         ".4byte", ".8byte",  ".octa",    ".float", ".double",
                                         ".ascii", ".string", ".string8", ".base64"};
    return std::find(kData.begin(), kData.end(), directive) != kData.end();
}

/// Collects the thread-local symbols that a line uses: NAME@tlsgd, ..
void collect_uses(std::string_view line, std::set<std::string, std::less<>>& uses) {
    static constexpr std::array kKinds = {"@tlsgd", "@tlsld", "@dtpoff", "@gottpoff", "@tpoff", "@tlsdesc"};
    for (std::size_t at = line.find('@'); at != npos; at = line.find('@', at + 1)) {
        if (std::none_of(kKinds.begin(), kKinds.end(),
                         [&](std::string_view kind) { return line.substr(at).starts_with(kind); }))
            continue;
        std::size_t begin = at;
        while (begin > 0 && is_symbol(line[begin - 1])) --begin;
        if (begin < at && line[begin] == '$') ++begin;  // the $ marks a number and is no part of the name
        if (begin < at) uses.insert(std::string(line.substr(begin, at - begin)));
    }
}

/// Whether a thread-local variable belongs to the C++ library (std::call_once has some) and is no shared
/// array.
bool is_standard_library(std::string_view symbol) {
    return symbol.starts_with("_ZSt") || symbol.starts_with("_ZNSt") || symbol.starts_with("_ZN9__gnu_cxx");
}

int flags_of(std::string_view symbol) {
    if (symbol.find("attn_emu_anchor") != npos) return kAnchor;
    return symbol.starts_with("_ZGV") || symbol == "__tls_guard" ? kGuard : 0;
}

std::string demangled(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> whole(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return whole != nullptr ? whole.get() : name;
}

class AssemblyPass {
  public:
    void take(std::string_view line) {
        const std::string_view bare = trimmed(line), directive = directive_of(bare);
        if (in_object_ && !holds_data(directive)) close_object();
        if (begins_section(directive)) thread_local_ = is_thread_local(bare);
        if (directive == ".size") remember_size(bare);
        if (!directive.starts_with(".string") && !directive.starts_with(".ascii")) collect_uses(bare, uses_);
        if (const std::string_view name = label_of(bare); thread_local_ && !name.empty()) {
            defined_.emplace_back(name);
            in_object_ = true;
            // A kernel may read an array of float as float4.
            result_ += "\t.align\t" + std::to_string(kVectorAlignment) + '\n';
        }
        result_ += line;
        result_ += '\n';
    }

    std::string finish() {
        if (in_object_) close_object();
        refuse_too_much_shared();
        for (const std::string& name : defined_) uses_.erase(name);
        std::erase_if(uses_, is_standard_library);
        if (defined_.empty() && uses_.empty()) return std::move(result_);
        if (!uses_.empty()) add_dynamic_area();
        add_table();
        return std::move(result_);
    }

  private:
    void close_object() {
        result_ += "\t.zero\t" + std::to_string(kGuardZone) + '\n';
        in_object_ = false;
    }

    /// Reads the size from `.size NAME, 12`.
    void remember_size(std::string_view line) {
        std::size_t size = 0;
        const std::string_view text = trimmed(line.substr(std::min(line.find(',') + 1, line.size())));
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
        if (error == std::errc() && end == text.data() + text.size())
            sizes_[std::string(operand_of(line))] = size;
    }

    /// The shared arrays of a function are _ZZ, its name, E, and their own. nvcc refuses more of them.
    void refuse_too_much_shared() const {
        std::map<std::string, std::size_t> functions;
        for (const std::string& name : defined_) {
            const auto size = sizes_.find(name);
            if (!name.starts_with("_ZZ") || size == sizes_.end()) continue;
            const std::string whole = demangled(name);
            const std::string function = whole.substr(0, whole.rfind("::"));
            if ((functions[function] += size->second) > kMostStatic)
                throw std::runtime_error(
                    "error: " + function + " has " + std::to_string(functions[function]) +
                    " bytes of __shared__ arrays of fixed sizes, and at most " + std::to_string(kMostStatic) +
                    " are allowed; take smaller arrays, or `extern __shared__` and "
                    "cudaFuncSetAttribute");
        }
    }

    void add_dynamic_area() {
        result_ += "\t.section\t.tbss.attn_emu_dynamic,\"awT\",@nobits\n\t.align 256\n";
        for (const std::string& name : uses_)
            result_ += "\t.type\t" + name + ", @object\n\t.size\t" + name + ", " +
                       std::to_string(kDynamicShared) + '\n' + name + ":\n";
        result_ += "\t.zero\t" + std::to_string(kDynamicShared + kGuardZone) + '\n';
    }

    void add_table() {
        std::string names;
        result_ += "\t.section\tattn_emu_shared,\"aw\"\n\t.align 8\n";
        auto add = [&, number = 0](const std::string& name, std::size_t size, int flags) mutable {
            const std::string label = ".Lattn_emu_name" + std::to_string(number++);
            names += label + ":\n\t.string\t\"" + name + "\"\n";
            result_ += "\t.quad\t" + label + ", " + name + "@dtpoff, " + std::to_string(size) + ", " +
                       std::to_string(flags) + '\n';
        };
        for (const std::string& name : defined_) {
            const auto size = sizes_.find(name);
            if (size == sizes_.end())
                throw std::runtime_error("the assembly does not give the size of " + name);
            add(name, size->second, flags_of(name));
        }
        for (const std::string& name : uses_) add(name, kDynamicShared, kDynamic);
        for (const std::string& name : defined_) result_ += "\t.hidden\t" + name + '\n';
        result_ += "\t.section\t.rodata\n" + names;
    }

    std::string result_;
    bool thread_local_ = false, in_object_ = false;
    std::vector<std::string> defined_;
    std::map<std::string, std::size_t> sizes_;
    std::set<std::string, std::less<>> uses_;
};

}  // namespace

std::string place_shared_arrays(std::string_view assembly) {
    AssemblyPass pass;
    while (!assembly.empty()) {
        const std::size_t end = std::min(assembly.find('\n'), assembly.size());
        pass.take(assembly.substr(0, end));
        assembly.remove_prefix(std::min(end + 1, assembly.size()));
    }
    return pass.finish();
}

}  // namespace attn::emulator
