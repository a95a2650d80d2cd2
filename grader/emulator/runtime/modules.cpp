#include "modules.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "builtins.h"
#include "heap.h"
#include "reset.h"
#include "shadow.h"

namespace attn::emulator {
namespace {

/// One line of the table that the assembly pass writes.
struct Row {
    const char* name;
    std::uint64_t offset, size, flags;
};
constexpr std::uint64_t kDynamic = 1, kAnchor = 2, kGuard = 4;

// A deque would do; but nothing here may move or be destroyed before the program ends.
std::vector<std::unique_ptr<Module>>& modules() {
    static auto* const kept = new std::vector<std::unique_ptr<Module>>;
    return *kept;
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

/// Fills in what the dynamic loader knows of the module that holds `inside`.
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
    // A program is known by the name it was called by, which addr2line need not find.
    char path[4096];
    if (const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path - 1);
        length > 0 && module.file.find('/') == std::string::npos)
        module.file.assign(path, static_cast<std::size_t>(length));
}

void read_table(Module& module, const Row* begin, const Row* end) {
    module.owners.assign(module.shared_size / 4 + 1, 0);
    std::vector<SharedArray> arrays;
    for (const Row* row = begin; row != end; ++row) {
        if (row->offset + row->size > module.shared_size) continue;
        if ((row->flags & kGuard) != 0)  // a shared array is never constructed: say it was
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

/// Shadow memory for what a checked module owns.
void give_cells(Module& module) {
    if (!module.checked || module.cells != nullptr) return;
    keep_cells();
    module.cells = new_cells(module.shared_size);
    module.data_cells = new_cells(module.data_size);
}

}  // namespace

void register_module(const void* table_begin, const void* table_end, const void* anchor, bool checked) {
    // Not the return address: the call may be a jump, and where it returns to then the loader. The table is
    // never empty: it has the anchor.
    const auto inside = reinterpret_cast<std::uintptr_t>(table_begin);
    if (modules().empty()) begin_alone();
    (void)*static_cast<const volatile char*>(anchor);  // now its thread-local storage exists
    auto module = std::make_unique<Module>();
    find_image(*module, inside);
    module->checked = checked;
    for (auto& known : modules()) {
        if (module->end <= known->begin || known->end <= module->begin) continue;
        if (known->file == module->file && known->shared == module->shared) {
            // Another translation unit of the same module.
            known->checked = known->checked || checked;
            give_cells(*known);
            return;
        }
        known->begin = known->end = 0;  // that one was unloaded; launches that it left may still name it
    }
    read_table(*module, static_cast<const Row*>(table_begin), static_cast<const Row*>(table_end));
    give_cells(*module);
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
