#include "datasets/dates.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "datasets/alphabet.h"

namespace attn::data {

BOOST_AUTO_TEST_SUITE(dates)

using std::chrono::year_month_day, std::chrono::year;

BOOST_AUTO_TEST_CASE(a_day_is_written_in_every_form) {
    constexpr year_month_day kDay = year{1987} / 3 / 12;
    BOOST_TEST(written_date(kDay, DateForm::day_first).written == "12 march 1987");
    BOOST_TEST(written_date(kDay, DateForm::month_first).written == "march 12, 1987");
    BOOST_TEST(written_date(kDay, DateForm::dotted).written == "12.3.1987");
    for (const DateForm form : {DateForm::day_first, DateForm::month_first, DateForm::dotted})
        BOOST_TEST(written_date(kDay, form).iso == "1987-03-12");
    BOOST_TEST(written_date(year{2004} / 2 / 29, DateForm::month_first).written == "february 29, 2004");
    BOOST_TEST(written_date(year{2004} / 12 / 1, DateForm::day_first).iso == "2004-12-01");
    BOOST_CHECK_THROW(written_date(year{2003} / 2 / 29, DateForm::dotted), std::invalid_argument);
}

const std::vector<DateForm> kAllForms = {DateForm::day_first, DateForm::month_first, DateForm::dotted};

BOOST_AUTO_TEST_CASE(held_out_days_are_in_no_form_among_the_others) {
    const Dates dates = dates_to_translate(1, kAllForms);
    BOOST_TEST(dates.training.size() == std::size_t{46482} * 3);
    BOOST_TEST(dates.held_out.size() == std::size_t{1000} * 3);
    std::set<std::string> training, held_out, written;
    for (const WrittenDate& date : dates.training) training.insert(date.iso);
    for (const WrittenDate& date : dates.held_out) held_out.insert(date.iso);
    for (const auto* part : {&dates.training, &dates.held_out})
        for (const WrittenDate& date : *part) written.insert(date.written);
    BOOST_TEST(training.size() == 46482U);
    BOOST_TEST(held_out.size() == 1000U);
    BOOST_TEST(written.size() == std::size_t{47482} * 3);
    for (const std::string& day : held_out)
        if (training.contains(day)) BOOST_ERROR(day << " is in both");
    BOOST_TEST(*training.begin() >= "1900-01-01");
    BOOST_TEST(*training.rbegin() <= "2029-12-31");
}

BOOST_AUTO_TEST_CASE(the_characters_are_exactly_those_that_occur) {
    const Dates dates = dates_to_translate(1, kAllForms);
    std::string written, iso;
    std::size_t longest = 0;
    for (const WrittenDate& date : dates.training) {
        written += date.written;
        iso += date.iso;
        longest = std::max(longest, date.written.size());
        if (date.iso.size() != 10) BOOST_ERROR(date.iso);
    }
    BOOST_TEST(Alphabet(written).characters() == kWrittenCharacters);
    BOOST_TEST(Alphabet(iso).characters() == kIsoCharacters);
    BOOST_TEST(longest == 18U);
}

BOOST_AUTO_TEST_CASE(a_seed_gives_the_same_order_and_no_seed_another_split) {
    const Dates one = dates_to_translate(1), again = dates_to_translate(1), other = dates_to_translate(2);
    const auto texts = [](const std::vector<WrittenDate>& dates) {
        std::vector<std::string> result;
        for (const WrittenDate& date : dates) result.push_back(date.written);
        return result;
    };
    BOOST_TEST(texts(one.training) == texts(again.training), boost::test_tools::per_element());
    BOOST_TEST((texts(one.training) != texts(other.training)));
    const std::vector<std::string> a = texts(one.held_out), b = texts(other.held_out);
    BOOST_TEST((a != b));
    BOOST_TEST((std::set(a.begin(), a.end()) == std::set(b.begin(), b.end())));
    // From a run of this code: the order does not change from platform to platform.
    BOOST_TEST(one.held_out.at(0).written == "november 17, 2008");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace attn::data
