#pragma once
/// The tables of the functions of the contracts. The build writes one for each module from its contract
/// (grader/contract/). All are in one small library, which the worker loads after the student's. A function
/// that the student's library lacks is null in its table; the others still work.

#include "assignments/call.h"

namespace attn::worker {

/// One function of the contract. `function` is null if the student's files do not define it.
struct Export {
    const char* name;
    void (*function)();
    void (*invoke)(void (*function)(), const Argument* arguments, int count);
};

template <class... P>
Export export_function(const char* name, void (*f)(P...)) {
    return {name, reinterpret_cast<void (*)()>(f),
            [](void (*erased)(), const Argument* arguments, int count) {
                call(reinterpret_cast<void (*)(P...)>(erased), arguments, count);
            }};
}

using ExportTable = const Export* (*)();  // ends with a null name
/// The function of the library that returns its tables. A null ends them.
using ExportTables = const ExportTable* (*)();
inline constexpr const char* kExportSymbol = "attention_lab_exports";

}  // namespace attn::worker

/// Declares a contract function as one that may be absent: its address is then null instead of a link error.
#define ATTN_MAY_BE_MISSING(function)              \
    namespace attn {                               \
    using function##_type = decltype(function);    \
    [[gnu::weak]] extern function##_type function; \
    }

/// The same for a function that runs on a GPU.
#define ATTN_KERNELS_MAY_BE_MISSING(function)      \
    namespace attn::cuda {                         \
    using function##_type = decltype(function);    \
    [[gnu::weak]] extern function##_type function; \
    }
