#include "modules.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include "builtins.h"
#include "heap.h"
#include "program.h"
#include "shadow.h"

namespace attn::emulator {
namespace {

/// One entry of the table that the assembly pass writes: see shared_arrays.h.
struct Row {
    const char* name;
    std::uint64_t offset, size, flags;
};
constexpr std::uint64_t kDynamic = 1, kAnchor = 2, kGuard = 4;

// Modules must not move, nor be destroyed before the program ends.
std::vector<std::unique_ptr<Module>>& modules() {
    static auto* const instance = new std::vector<std::unique_ptr<Module>>;
    return *instance;
}

/// "tile" of "_ZZ4copyPfE4tile".
std::string short_name(const char* mangled) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> whole(
        abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
    std::string name = whole != nullptr ? whole.get() : mangled;
    const std::size_t colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// Fills in what the dynamic loader knows about the module that contains the address `inside`.
void find_image(Module& module, std::uintptr_t inside) {
    struct Search {
        Module* module;
        std::uintptr_t inside;
    } search{&module, inside};
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* argument) {
            auto& [found, address] = *static_cast<Search*>(argument);
            std::uintptr_t begin = UINTPTR_MAX, end = 0;
            const ElfW(Phdr)* tls = nullptr, *data = nullptr;
            for (int k = 0; k < info->dlpi_phnum; ++k) {
                const auto& part = info->dlpi_phdr[k];
                if (part.p_type == PT_TLS) tls = &part;
                if (part.p_type != PT_LOAD) continue;
                if ((part.p_flags & PF_W) != 0) data = &part;
                begin = std::min<std::uintptr_t>(begin, info->dlpi_addr + part.p_vaddr);
                end = std::max<std::uintptr_t>(end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
            }
            if (address < begin || address >= end) return 0;
            found->bias = info->dlpi_addr;
            found->begin = begin;
            found->end = end;
            if (data != nullptr) {
                found->data = (info->dlpi_addr + data->p_vaddr) & ~std::uintptr_t{3};
                found->data_size = info->dlpi_addr + data->p_vaddr + data->p_memsz - found->data;
            }
            if (tls != nullptr) {
                found->shared = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
                found->shared_size = tls->p_memsz;
            }
            return 1;
        },
        &search);
    Dl_info names{};
    if (dladdr(reinterpret_cast<void*>(inside), &names) != 0 && names.dli_fname != nullptr)
        module.file = names.dli_fname;
    // The loader gives a program's name as it was called. addr2line may run in another folder.
    if (module.file.find('/') == std::string::npos) module.file = "/proc/self/exe";
    const bool lasts = module.file.front() == '/' && module.file != "/proc/self/exe";
    const std::unique_ptr<char, void (*)(void*)> path(
        lasts ? nullptr : ::realpath(module.file.c_str(), nullptr), std::free);
    if (path != nullptr) module.file = path.get();
}

void read_table(Module& module, const Row* begin, const Row* end) {
    module.owners.assign(module.shared_size / 4 + 1, 0);
    std::vector<SharedArray> arrays;
    for (const Row* row = begin; row != end; ++row) {
        if (row->offset + row->size > module.shared_size) continue;
        if ((row->flags & kGuard) != 0)  // shared arrays must not be constructed: mark them as constructed
            *reinterpret_cast<char*>(module.shared + row->offset) = 1;
        if ((row->flags & (kGuard | kAnchor)) != 0) {
            for (std::size_t at = row->offset; at < row->offset + row->size; at += 4)
                module.owners[at / 4] = kNotShared;
            continue;
        }
        const bool dynamic = (row->flags & kDynamic) != 0;
        arrays.push_back(
            {dynamic ? "dynamic shared memory" : short_name(row->name), row->offset, row->size, dynamic});
    }
    std::sort(arrays.begin(), arrays.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
    for (const SharedArray& array : arrays) {
        module.arrays.push_back(array);
        for (std::size_t word = array.offset / 4;
             word <= (array.offset + array.size - 1) / 4 && array.size > 0; ++word)
            module.owners[word] = static_cast<std::uint16_t>(module.arrays.size());
    }
}

/// Allocates shadow memory for a checked module.
void add_cells(Module& module) {
    if (!module.checked || module.cells != nullptr) return;
    keep_cells();
    module.cells = new_cells(module.shared_size);
    module.data_cells = new_cells(module.data_size);
}

}  // namespace

void register_module(const void* table_begin, const void* table_end, const void* anchor, bool checked) {
    // The return address would not do: the call may be a tail call, which returns to the loader. The table is
    // never empty, because it contains the anchor.
    const auto inside = reinterpret_cast<std::uintptr_t>(table_begin);
    if (modules().empty()) begin_standalone();
    (void)*static_cast<const volatile char*>(anchor);  // makes its thread-local storage exist
    auto module = std::make_unique<Module>();
    find_image(*module, inside);
    module->checked = checked;
    for (auto& known : modules()) {
        if (module->end <= known->begin || known->end <= module->begin) continue;
        if (known->file == module->file && known->shared == module->shared) {
            // Another translation unit of the same module.
            known->checked = known->checked || checked;
            add_cells(*known);
            return;
        }
        known->begin = known->end = 0;  // that module was unloaded; earlier launches may still refer to it
    }
    read_table(*module, static_cast<const Row*>(table_begin), static_cast<const Row*>(table_end));
    add_cells(*module);
    modules().push_back(std::move(module));
}

const Module* module_of(std::uintptr_t address) {
    for (const auto& module : modules())
        if (address >= module->begin && address < module->end) return module.get();
    return nullptr;
}

const SharedArray* array_near(const Module& module, std::size_t offset) {
    const auto after =
        std::upper_bound(module.arrays.begin(), module.arrays.end(), offset,
                         [](std::size_t at, const SharedArray& array) { return at < array.offset; });
    return after == module.arrays.begin() ? nullptr : &*(after - 1);
}

void poison_shared(const Module& module, std::size_t dynamic) {
    for (const SharedArray& array : module.arrays)
        std::memset(reinterpret_cast<void*>(module.shared + array.offset), 0xff,
                    array.dynamic ? std::min(dynamic, array.size) : array.size);
}

}  // namespace attn::emulator
