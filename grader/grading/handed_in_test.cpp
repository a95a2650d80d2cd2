// What is handed in under another name, or is no text, is graded or named, and never worth zero.

#include "grader/grading/handed_in.h"

#include <boost/test/unit_test.hpp>

#include "datasets/files/file_error.h"
#include "grader/base/errors.h"
#include "grader/rubric/course.h"
#include "grader/testing/built.h"

namespace attn {
namespace {

BOOST_AUTO_TEST_SUITE(handed_in)

using namespace std::string_literals;
using Files = std::map<std::string, std::string>;

const std::string kSoftmax = "void softmax(int) {}\n";

struct TakenSources {
    std::string graded;  ///< what stands in self_attention.cpp
    std::string notes, refused;
};

/// What becomes of a submission for assignment 2, or for all assignments.
TakenSources taken(const Files& files, bool all_assignments = false) {
    static const std::vector<rubric::Rubric> kRubrics = rubric::read_rubrics(testing::built().assignments);
    std::vector<const rubric::Rubric*> graded;
    for (const rubric::Rubric& each : kRubrics)
        if (all_assignments || each.number == 2) graded.push_back(&each);
    const data::TemporaryDirectory place;
    for (const auto& [name, text] : files) place.write(name, text);
    TakenSources result;
    try {
        HandedIn handed_in = take_in_sources(place.path(), kRubrics, graded);
        require_some_source(place.path(), handed_in, graded);
        const auto file = handed_in.intake.folder / "self_attention.cpp";
        if (std::filesystem::exists(file)) result.graded = data::read_file(file);
        for (const std::string& note : handed_in.intake.notes) result.notes += note + "\n";
    } catch (const UserError& error) {
        result.refused = error.what();
    }
    return result;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

BOOST_AUTO_TEST_CASE(a_source_of_another_name_is_graded_if_only_one_can_be_meant) {
    for (const char* name : {"self_attention (1).cpp", "Self_Attention.cpp", "self_attention_final_v2.cpp",
                             "SELF_ATTENTION.CPP", "selfAttention.cc", "hw2-self-attention.cxx",
                             "Kopie von self_attention.cpp", "self_attention.cpp.txt"})
        for (const bool all : {false, true}) {
            const TakenSources got = taken({{name, kSoftmax}, {"notes.txt", "softmax"}}, all);
            BOOST_TEST(got.graded == kSoftmax, name << ": " << got.refused);
            BOOST_TEST(got.notes ==
                       "\""s + name + "\" is graded as \"self_attention.cpp\"; hand it in under this name\n");
        }
    // The only one with a function of the assignment, if one assignment is graded.
    for (const char* name : {"_final_v2.cpp", "solution.cpp", "main.CPP"}) {
        const Files files{{name, kSoftmax}, {"helper.cpp", "int help() { return 1; }"}};
        BOOST_TEST(taken(files).graded == kSoftmax, name);
        BOOST_TEST(has(taken(files, true).refused, "there is only"), name);
    }
}

BOOST_AUTO_TEST_CASE(it_is_asked_which_of_several_is_meant) {
    for (const Files& files :
         {Files{{"self_attention (1).cpp", kSoftmax}, {"self_attention (2).cpp", kSoftmax}},
          Files{{"Self_Attention.cpp", kSoftmax}, {"self_attention_v2.cpp", kSoftmax}},
          Files{{"a.cpp", kSoftmax}, {"b.cpp", kSoftmax}},
          Files{{"self_attention_final.cpp", kSoftmax}, {"self_attention_final2.cpp", ""}}}) {
        const TakenSources got = taken(files);
        BOOST_TEST(has(got.refused, "may be meant for \"self_attention.cpp\", and it cannot be told which"),
                   got.refused << got.notes);
        for (const auto& [name, text] : files) BOOST_TEST(has(got.refused, "\"" + name + "\""), got.refused);
    }
    // The right name counts, and the other is mentioned.
    const TakenSources both =
        taken({{"self_attention.cpp", "int softmax;"}, {"self_attention (1).cpp", kSoftmax}});
    BOOST_TEST(both.graded == "int softmax;");
    BOOST_TEST(has(both.notes, "\"self_attention.cpp\" is graded, and \"self_attention (1).cpp\" is not"));
}

BOOST_AUTO_TEST_CASE(what_is_meant_for_another_assignment_is_not_taken) {
    for (const Files& files :
         {Files{{"multi_head.cpp", kSoftmax}}, Files{{"essay.cpp", "I could not do it."}},
          Files{{"self_attention_notes.cpp", "// my notes on softmaxes"}},
          Files{{"self_attention.txt", kSoftmax}}, Files{{"self_attention.h", kSoftmax}}}) {
        const TakenSources got = taken(files);
        BOOST_TEST(has(got.refused, "there is only \"" + files.begin()->first + "\""),
                   got.refused << got.notes);
    }
}

BOOST_AUTO_TEST_CASE(a_source_that_has_all_functions_of_another_assignment_is_graded_for_both) {
    const std::string whole =
        kSoftmax + "void scaled_dot_product_attention(int) {}\nvoid self_attention(int) {}\n";
    for (const bool all : {false, true}) {
        const TakenSources got = taken({{"masking.cpp", whole}}, all);
        BOOST_TEST(got.graded == whole, got.refused);
        BOOST_TEST(has(got.notes, "\"masking.cpp\" is graded as \"self_attention.cpp\", too"), got.notes);
        BOOST_TEST(taken({{"masking.cpp", whole}, {"self_attention.cpp", kSoftmax}}, all).graded == kSoftmax);
        BOOST_TEST(taken({{"masking.cpp", whole}, {"multi_head.cpp", whole}}, all).graded.empty());
    }
}

// "backward" stands in both names.
BOOST_AUTO_TEST_CASE(a_name_that_contains_the_name_of_another_source_is_understood) {
    const std::string scores = "void additive_scores_backward(int) {}\n",
                      softmax = "void softmax_backward(int) {}\n";
    const TakenSources got =
        taken({{"backward (1).cpp", softmax}, {"recurrent_backward (1).cpp", scores}}, true);
    BOOST_TEST(has(got.notes, "\"backward (1).cpp\" is graded as \"backward.cpp\""), got.notes);
    BOOST_TEST(has(got.notes, "\"recurrent_backward (1).cpp\" is graded as \"recurrent_backward.cpp\""),
               got.notes);
}

BOOST_AUTO_TEST_CASE(what_is_no_text_is_a_sentence) {
    const std::string utf16 = "\xff\xfev\0o\0i\0d\0"s;
    for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
             {utf16, "is UTF-16 text"},
             {"\xfe\xff\0v\0o\0i\0d"s, "is UTF-16 text"},
             {"v\0o\0i\0d\0"s, "is UTF-16 text"},
             {"", "is empty"},
             {" \r\n\t\n", "is empty"},
             {"\xef\xbb\xbf\n", "is empty"},
             {"\x7f"
              "ELF\2\1",
              "is a program, no text of C++"},
             {"PK\3\4 docx", "is a zip archive or an office document"},
             {"%PDF-1.7\n", "is a PDF document"},
             {"<!DOCTYPE html>\n<html>", "is a web page"},
             {"void softmax() {}\0\0\0"s, "is a binary file"}}) {
        const std::string said = taken({{"self_attention.cpp", text}}).refused;
        BOOST_TEST(has(said, "\"self_attention.cpp\" " + why), said);
        BOOST_TEST(has(taken({{"Self_Attention.cpp", text}}).refused, why));
        // Of several assignments the others are graded.
        const TakenSources several = taken({{"self_attention.cpp", text}, {"masking.cpp", "int x;"}}, true);
        BOOST_TEST(has(several.notes, "\"self_attention.cpp\" " + why), several.refused);
    }
    for (const char* text : {"int x;", "// \xe4\n", "\xef\xbb\xbfint x;", "#include <PK>\n"})
        BOOST_TEST(taken({{"self_attention.cpp", text}}).graded == text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn
