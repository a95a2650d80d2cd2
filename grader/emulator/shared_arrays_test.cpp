// The table of shared arrays locates them in real output of g++, in both modes, in a loaded library and in a
// program. Each array has its guard zone. All dynamic arrays are one area.

#include "grader/emulator/shared_arrays.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <dlfcn.h>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/testing/emulator_tools.h"

namespace attn::emulator {
namespace {

// Arrays of every kind. at(k) returns the address of each; begin() and end() bound the table.
constexpr std::string_view kArrays = R"(
#define __shared__ thread_local
struct Half { unsigned short bits; Half() {} };
struct Made { int value; Made() : value(3) {} ~Made() { value = 0; } };
static thread_local char attn_emu_anchor __attribute__((used));
static __shared__ float whole_file[16];
namespace { __shared__ int hidden[3]; }
thread_local int with_value[2] = {5, 6};
namespace attn::cuda { namespace { void* dynamic() { extern __shared__ float dyn[]; return dyn; } } }
template <class T> void* dynamic_of() { extern __shared__ unsigned char raw[]; return raw; }
template <int N> void* of_template() { __shared__ float a[N]; a[N / 2] = 1; return a; }
void* first() { __shared__ int a[7]; a[1] = 2; return a; }
void* second() { static __shared__ int a[5][33]; a[1][0] = 2; return a; }
void* halves() { __shared__ Half a[64]; a[1].bits = 1; return a; }
void* made() { __shared__ Made a[4]; return a; }
struct Entry { const char* name; unsigned long offset, size, flags; };
extern "C" {
extern const Entry __start_attn_emu_shared[] __attribute__((weak, visibility("hidden")));
extern const Entry __stop_attn_emu_shared[] __attribute__((weak, visibility("hidden")));
void* at(int k) {
    switch (k) {
        case 0: return whole_file;
        case 1: return hidden;
        case 2: return with_value;
        case 3: return attn::cuda::dynamic();
        case 4: return dynamic_of<float>();
        case 5: return dynamic_of<double>();
        case 6: return of_template<8>();
        case 7: return of_template<300>();
        case 8: return first();
        case 9: return second();
        case 10: return halves();
        case 11: return made();
        default: return nullptr;
    }
}
const Entry* begin() { return __start_attn_emu_shared; }
const Entry* end() { return __stop_attn_emu_shared; }
void* anchor() { return &attn_emu_anchor; }
}
)";

// The callbacks of the check build, and a main that returns 7 if the table is right.
constexpr std::string_view kAround = R"(
#define NOTHING(name) void name() {}
extern "C" {
NOTHING(__tsan_init) NOTHING(__tsan_func_entry) NOTHING(__tsan_func_exit) NOTHING(__tsan_read1) NOTHING(__tsan_read2)
NOTHING(__tsan_read4) NOTHING(__tsan_read8) NOTHING(__tsan_write1) NOTHING(__tsan_write2) NOTHING(__tsan_write4)
NOTHING(__tsan_write8) NOTHING(__ubsan_handle_out_of_bounds) NOTHING(__ubsan_handle_type_mismatch_v1)
NOTHING(__tsan_read_range) NOTHING(__tsan_write_range)
struct Entry { const char* name; unsigned long offset, size, flags; };
void* at(int k); const Entry* begin(); const Entry* end(); void* anchor();
const char* base() {
    for (const Entry* e = begin(); e != end(); ++e)
        if (e->flags == 2) return static_cast<char*>(anchor()) - e->offset;
    return nullptr;
}
long size_at(int k) {
    for (const Entry* e = begin(); e != end(); ++e)
        if (base() + e->offset == at(k)) return static_cast<long>(e->size);
    return -1;
}
}
int main() { return size_at(0) == 64 && size_at(3) == 232448 && size_at(8) == 28 && size_at(9) == 660 ? 7 : 1; }
)";

struct Entry {
    const char* name;
    std::uint64_t offset, size, flags;
};

const std::vector<std::string> kFast = {"-O2", "-g1"};
const std::vector<std::string> kCheck = {"-O1", "-g", "-fsanitize=thread,bounds,alignment"};

/// Compiles both texts to a library or a program.
std::filesystem::path build(const data::TemporaryDirectory& folder, bool check, bool library) {
    folder.write("arrays.cpp", kArrays);
    folder.write("around.cpp", kAround);
    std::vector<std::string> flags = check ? kCheck : kFast;
    for (const char* flag :
         {"-std=c++20", "-fPIC", "-fno-extern-tls-init", "-S", "arrays.cpp", "-o", "plain.s"})
        flags.emplace_back(flag);
    run_gxx(folder.path(), flags);
    folder.write("arrays.s", place_shared_arrays(data::read_file(folder / "plain.s")));
    run_gxx(folder.path(), {"-fPIC", "-w", "-fno-builtin", library ? "-shared" : "-pie", "arrays.s",
                            "around.cpp", "-o", library ? "arrays.so" : "program"});
    return folder / (library ? "arrays.so" : "program");
}

struct Close {
    void operator()(void* library) const { dlclose(library); }
};

template <class F>
F* function(void* library, const char* name) {
    void* found = dlsym(library, name);
    BOOST_REQUIRE(found != nullptr);
    return reinterpret_cast<F*>(found);
}

BOOST_AUTO_TEST_SUITE(shared_arrays, *boost::unit_test::precondition(has_emulator))

BOOST_DATA_TEST_CASE(in_a_loaded_library_each_array_is_where_the_table_says,
                     boost::unit_test::data::make({false, true}), check) {
    const data::TemporaryDirectory folder;
    const auto file = build(folder, check, true);
    const std::unique_ptr<void, Close> library(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
    BOOST_REQUIRE_MESSAGE(library != nullptr, dlerror());
    auto* at = function<const char*(int)>(library.get(), "at");
    auto* size_at = function<long(int)>(library.get(), "size_at");
    constexpr long kDynamicSize = kDynamicShared;
    const std::array<long, 12> sizes = {64, 12,   8,  kDynamicSize, kDynamicSize, kDynamicSize,
                                        32, 1200, 28, 660,          128,          16};
    for (int k = 0; k < 12; ++k) {
        BOOST_TEST(size_at(k) == sizes[static_cast<std::size_t>(k)], "array " << k);
        BOOST_TEST(reinterpret_cast<std::uintptr_t>(at(k)) % 16 == 0, "a float4 in array " << k);
    }
    BOOST_TEST(static_cast<const void*>(at(3)) == at(4));
    BOOST_TEST(static_cast<const void*>(at(4)) == at(5));
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(at(3)) % 256 == 0);
    BOOST_TEST(*reinterpret_cast<const int*>(at(2)) == 5);
    BOOST_TEST(*reinterpret_cast<const int*>(at(11)) == 3);

    // There is a guard zone between every two arrays. The dynamic arrays have one in common.
    const auto *begin = function<const Entry*()>(library.get(), "begin")(),
               *end = function<const Entry*()>(library.get(), "end")();
    int guards = 0, anchors = 0, dynamic = 0;
    for (const Entry* one = begin; one != end; ++one) {
        guards += one->flags == kGuard ? 1 : 0;
        anchors += one->flags == kAnchor ? 1 : 0;
        dynamic += one->flags == kDynamic ? 1 : 0;
        for (const Entry* other = begin; other != end; ++other)
            if (other->offset > one->offset)
                BOOST_TEST(other->offset >= one->offset + one->size + kGuardZone, one->name);
    }
    BOOST_TEST(anchors == 1);
    BOOST_TEST(dynamic == 2);
    BOOST_TEST(guards == 2);  // of Half and of Made
}

BOOST_DATA_TEST_CASE(in_a_program_each_array_is_where_the_table_says,
                     boost::unit_test::data::make({false, true}), check) {
    const data::TemporaryDirectory folder;
    BOOST_TEST(run_program(build(folder, check, false)).ending.exit_code == 7);
}

BOOST_AUTO_TEST_CASE(thread_locals_of_the_cpp_library_are_no_shared_arrays) {
    const std::string text = "\t.text\nf:\n\tmovq\t_ZSt15__once_callable@gottpoff(%rip), %rax\n\tret\n";
    BOOST_TEST(place_shared_arrays(text) == text);
}

BOOST_AUTO_TEST_CASE(a_text_without_thread_locals_stays) {
    for (const char* text :
         {"", "\t.data\nx:\n\t.long\t5\n", "\t.section\t.rodata\ny:\n\t.string\t\"x@tlsgd\\n\"\n"})
        BOOST_TEST(place_shared_arrays(text) == text);
}

BOOST_AUTO_TEST_CASE(an_object_without_a_size_is_refused) {
    BOOST_CHECK_THROW(place_shared_arrays("\t.section\t.tbss,\"awT\",@nobits\nx:\n\t.zero\t4\n"),
                      std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::emulator
