#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <boost/test/unit_test.hpp>

#include "grader/base/errors.h"
#include "grader/classes/downloads/download.h"
#include "grader/intake/archive_reader.h"
#include "grader/worker/interrupt.h"

using namespace attn;
using namespace attn::classes;

BOOST_AUTO_TEST_SUITE(hand_in_problem)

template <class Exception>
std::string problem_of(const Exception& thrown) {
    return problem_in([&] { throw thrown; });
}

std::error_code code_of(std::errc error) {
    return std::make_error_code(error);
}

BOOST_AUTO_TEST_CASE(an_exception_of_any_type_is_a_problem) {
    BOOST_TEST(problem_in([] {}) == "");
    BOOST_TEST(problem_of(UserError("a.zip: this is no archive")) == "a.zip: this is no archive");
    const std::filesystem::filesystem_error folder("cannot copy", "/secret/place",
                                                   code_of(std::errc::is_a_directory));
    BOOST_TEST(problem_of(folder).starts_with("It cannot be read (Is a directory)"));
    BOOST_TEST(problem_of(std::runtime_error("two\nlines")).find("two") != std::string::npos);
    BOOST_TEST(!problem_of(std::bad_alloc()).empty());
    BOOST_TEST(!problem_of(std::length_error("x")).empty());
    BOOST_TEST(!problem_of(std::system_error(code_of(std::errc::filename_too_long))).empty());
}

BOOST_AUTO_TEST_CASE(what_concerns_all_hand_ins_is_thrown_on) {
    BOOST_CHECK_THROW(problem_of(worker::Interrupted()), worker::Interrupted);
    BOOST_CHECK_THROW(problem_of(intake::ArchiveDamage("x")), intake::ArchiveDamage);
    for (const std::errc machine : {std::errc::no_space_on_device, std::errc::io_error,
                                    std::errc::read_only_file_system, std::errc::too_many_files_open})
        BOOST_CHECK_THROW(problem_of(std::filesystem::filesystem_error("x", code_of(machine))),
                          std::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
