#include "grader/proof/read_hostile_text.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "datasets/files/temporary_directory.h"
#include "grader/base/errors.h"
#include "grader/compile/barriers.h"
#include "grader/compile/source_facts.h"
#include "grader/emulator/compile.h"
#include "grader/emulator/places.h"
#include "grader/emulator/rewrite.h"
#include "grader/emulator/shared_arrays.h"
#include "grader/emulator/unwatched_code.h"
#include "grader/intake/intake_folder.h"
#include "grader/report/text.h"
#include "grader/rubric/toml_reader.h"

namespace attn::proof {
namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(what);
}

long lines_in(std::string_view text) {
    return std::count(text.begin(), text.end(), '\n');
}

/// One folder for all texts, because making folders takes longer than reading most texts.
const data::TemporaryDirectory& folder_of_texts() {
    static const data::TemporaryDirectory folder;
    return folder;
}

void read_includes(std::string_view text) {
    const auto leading = compile::leading_includes(text);
    const auto all = compile::all_includes(text);
    if (!all) return;
    // A header before all other code is one of all headers, unless a comment hides its line from one reader.
    for (const std::string& header : *all) require(header.size() >= 2, "an include without quotes");
    require(leading.size() <= text.size(), "more includes than text");
}

void read_facts(std::string_view text) {
    const compile::SourceFacts facts = compile::facts_of(text);
    const std::string printed = compile::printed_facts(facts);
    require(printed.size() <= 3 * text.size() + 2, "more facts than text");
    require(compile::printed_facts(compile::facts_from(printed)) == printed,
            "facts are lost when they are printed");
    for (const auto& names : {facts.void_functions, compile::mangled_names(text, "_ZN4attn")}) {
        require(names.size() <= compile::kMostNames, "too many names");
        for (const std::string& name : names)
            require(name.size() <= compile::kLongestName, "a name is too long");
    }
    const compile::Lines lines = compile::lines_at(text, {-1, 0, 1, 2, 1000, 1 << 30});
    require(lines.contains(1) == !text.empty() && !lines.contains(0), "the first line is lost");
    require(lines_in(compile::with_barriers(text, {{1, true}, {1000, false}})) == lines_in(text),
            "barriers changed the number of lines");
}

void read_kernels(std::string_view text) {
    try {
        const std::string rewritten = emulator::rewrite(text, "a.cu");
        require(lines_in(rewritten) == lines_in(text), "rewriting changed the number of lines");
    } catch (const emulator::Unsupported& refused) {
        require(refused.line >= 1 && refused.line <= lines_in(text) + 1, "a refusal at no line of the text");
    }
    const data::TemporaryDirectory& folder = folder_of_texts();
    folder.write("a.cu", text);
    try {
        emulator::rewrite_files(folder.path(), {"a.cu"}, folder.path());
    } catch (const emulator::Unsupported&) {
    }
}

void read_assembly(std::string_view text) {
    try {
        const std::string placed = emulator::place_shared_arrays(text);
        require(placed.size() + 1 >= text.size(), "the pass lost some of the assembly");
    } catch (const std::runtime_error& refused) {
        require(std::string(refused.what()).find("assembly") != std::string::npos,
                "a refusal without a reason");
    }
    // The text as assembly, and as the compiler's list of functions.
    for (const auto& functions : {std::optional<std::string_view>(), std::optional(text)}) {
        try {
            emulator::refuse_unwatched(text, functions);
            emulator::refuse_functions_of_the_host(text);
        } catch (const std::runtime_error& refused) {
            require(std::string(refused.what()).starts_with("error: "), "a refusal without a reason");
        }
    }
}

void read_messages(std::string_view text) {
    const emulator::OriginalLines originals = {{"a.cu", emulator::shown_lines(text)}};
    constexpr std::size_t kMostMessages = std::size_t{64} << 10;
    const std::string messages(text.substr(0, kMostMessages));
    const std::string shown = emulator::with_original_lines(messages, originals);
    constexpr std::size_t kMostGrowth = emulator::kMostShownLine + 100;
    require(shown.size() <= messages.size() + kMostGrowth * static_cast<std::size_t>(lines_in(messages) + 1),
            "messages grow without a bound");
    emulator::choose_frame(text);
    require(report::clean(report::clean(shown)) == report::clean(shown), "text is not clean after cleaning");
}

void read_archive(std::string_view text) {
    const data::TemporaryDirectory& folder = folder_of_texts();
    try {
        intake::take_in(folder.write("work", text));
    } catch (const UserError&) {
    }
}

void read_rubric(std::string_view text) {
    const data::TemporaryDirectory& folder = folder_of_texts();
    try {
        rubric::parse_toml(folder.write("rubric.toml", text));
    } catch (const UserError&) {
    }
}

}  // namespace

void read_hostile_text(int reader, std::string_view text) {
    using Reader = void (*)(std::string_view);
    constexpr Reader kAll[kReaders] = {read_includes, read_facts,   read_kernels, read_assembly,
                                       read_messages, read_archive, read_rubric};
    kAll[reader % kReaders](text);
}

}  // namespace attn::proof
