#pragma once
/// Reads the call that a rubric asks for: inputs, sizes, options, outputs. Refuses whatever the function does
/// not have.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "grader/ask/call_spec.h"
#include "grader/rubric/toml_reader.h"

namespace attn::rubric {

/// The names of the items: "ragged, tall".
template <class T>
std::string names(const std::vector<T>& items) {
    std::vector<std::string> all;
    for (const T& item : items) all.push_back(item.name);
    return fmt::format("{}", fmt::join(all, ", "));
}

/// Requires a length for each letter of the function, and no others, and arrays that are not too large.
/// Otherwise refuses the value of `key`.
void check_sizes(const TableReader& reader, const char* key, const ask::Function& function,
                 const ask::Sizes& sizes);

/// Does the same, and requires the lengths that the recipe prescribes.
void check_sizes_of(const TableReader& reader, const char* key, const ask::Function& function,
                    const ask::Recipe& recipe, const ask::Sizes& sizes);

/// Requires sizes that the function accepts.
void check_accepted(const TableReader& reader, const char* key, const ask::Function& function,
                    const ask::Sizes& sizes);

/// Reads `key_options` = { norm = "pre", eps = 1e-3 } and `key_absent` = ["mask"].
ask::Setting read_setting(TableReader& reader, const ask::Function& function, const char* key_options,
                          const char* key_absent);

/// Reads the keys inputs, sizes, options, absent and outputs. Does not check the sizes: which sizes fit
/// depends on the kind of check, so the caller checks them.
ask::CallSpec read_call(TableReader& reader, const ask::Module& module, const ask::Function& function);

}  // namespace attn::rubric
