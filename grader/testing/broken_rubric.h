#pragma once
/// For tests of rubric.toml: edits that make a shipped rubric invalid.

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "datasets/files/temporary_directory.h"
#include "grader/proof/harness.h"
#include "grader/rubric/rubric.h"
#include "grader/testing/built.h"

namespace attn::rubric {

/// An invalid rubric, and the expected message.
struct Broken {
    std::string what;
    std::vector<proof::Edit> edits;
    std::string at;  ///< starts on the line that the message has to name; occurs once in the edited text
    std::string found, expected;
    std::string folder = "02_self_attention";

    friend std::ostream& operator<<(std::ostream& out, const Broken& broken) { return out << broken.what; }
};

inline const std::filesystem::path kAssignments = testing::built().assignments;

inline std::string shipped_text(const std::string& name = "02_self_attention") {
    return data::read_file(kAssignments / name / "rubric.toml");
}

/// Creates an assignment's folder `name` with this rubric.
inline std::filesystem::path make_assignment(const data::TemporaryDirectory& folder, const std::string& name,
                                             const std::string& rubric) {
    std::filesystem::create_directory(folder / name);
    folder.write(name + "/rubric.toml", rubric);
    return folder / name;
}

/// The number of the line on which `mark` starts. `mark` has to occur exactly once in `text`.
inline std::string line_of(const std::string& text, const std::string& mark) {
    proof::edited(text, {{mark, ""}});  // throws unless it does
    return std::to_string(1 + std::count(text.data(), text.data() + text.find(mark), '\n'));
}

/// Checks that reading the rubric fails with a message that names the line, what was found and what was
/// expected.
inline void check_refused(const Broken& broken) {
    const data::TemporaryDirectory folder;
    const std::string text = proof::edited(shipped_text(broken.folder), broken.edits);
    const auto path = make_assignment(folder, broken.folder, text);
    const std::string place = (path / "rubric.toml").string() + ":" + line_of(text, broken.at) + ": ";
    std::string complaint;
    try {
        read_rubric(path);
    } catch (const UserError& error) {
        complaint = error.what();
    }
    BOOST_TEST(complaint.substr(0, place.size()) == place);
    BOOST_TEST_CONTEXT("it says: " << complaint) {
        BOOST_TEST(complaint.size() > place.size());
        BOOST_TEST((complaint.find(broken.found, place.size()) != std::string::npos));
        BOOST_TEST((complaint.find(broken.expected, place.size()) != std::string::npos));
    }
}

// Texts of the shipped rubric that several tests edit.
namespace shipped {
inline const std::string kNumber = "number  = 2", kTitle = "title   = \"Self-attention\"",
                         kSources = "[\"self_attention.cpp\"]", kTime = "time_s     = 5",
                         kPart = "[[part]]\nfunction   = \"softmax\"", kNumeric = "numeric    = 12 ",
                         kStep = "step       = 1 ", kCases = "# of the handout\ncases = [",
                         kTall = "{ N = 65, D = 11 }", kCheckSizes = "check_sizes = { N = 5, D = 13 }",
                         kCheck =
                             "check = [\"rows_sum_to_one\", \"shift_invariant\", \"columns_permute\", "
                             "\"rows_do_not_mix\"]",
                         kOutputs = ", outputs = [\"Y\"]";
}  // namespace shipped

}  // namespace attn::rubric
