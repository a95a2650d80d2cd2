// The exponential functions and sigma of every vector unit against those of double, over floats of every size.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "reference/fast/kernels.h"
#include "reference/fast/layer_kernels.h"
#include "reference/fast/scoped_unit.h"

using namespace attn::fast;

BOOST_AUTO_TEST_SUITE(exponential)

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Every 499th float, of both signs and every exponent.
std::vector<float> many_floats() {
    std::vector<float> all;
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 499) {
        const auto word = static_cast<std::uint32_t>(bits);
        float x = 0;
        std::memcpy(&x, &word, sizeof x);
        if (std::isfinite(x)) all.push_back(x);
    }
    return all;
}

/// How far `got` is from the truth, in units of the last place of the truth. Below 2^-126 only 0 and what
/// lies beside it is right, above the largest float only infinity.
double ulps(float got, double truth) {
    if (truth < std::ldexp(1, -126)) return got >= 0 && got <= std::ldexp(1, -126) ? 0 : HUGE_VAL;
    const double ulp = std::ldexp(1, std::ilogb(truth) - 23);
    if (truth >= std::ldexp(1, 128) - ulp / 2) return got > 0x1.fffff0p127F ? 0 : HUGE_VAL;
    const double error = std::abs(got - truth) / ulp;
    return error >= 0 ? error : HUGE_VAL;
}

double worst_ulps(void (*f)(float*, const float*, std::ptrdiff_t), double (*truth)(double),
                  const std::vector<float>& x) {
    std::vector<float> y(x.size(), std::nanf(""));
    f(y.data(), x.data(), static_cast<std::ptrdiff_t>(x.size()));
    double worst = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double error = ulps(y[k], truth(x[k]));
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

float one(void (*f)(float*, const float*, std::ptrdiff_t), float x) {
    float y = std::nanf("");
    f(&y, &x, 1);
    return y;
}

}  // namespace

BOOST_AUTO_TEST_CASE(exp_is_within_1_25_ulp_and_exp2_within_3_25) {
    const std::vector<float> all = many_floats();
    std::vector<float> for_exp2;
    for (const float x : all)
        if (x <= 127) for_exp2.push_back(x);
    BOOST_REQUIRE_GT(for_exp2.size(), 4'000'000U);
    for (const VectorUnit unit : vector_units()) {
        const ScopedUnit scope(unit);
        const double exp_ulps = worst_ulps(
            kernels().exp, [](double x) { return std::exp(x); }, all);
        const double exp2_ulps = worst_ulps(
            kernels().exp2, [](double x) { return std::exp2(x); }, for_exp2);
        BOOST_TEST_MESSAGE(name_of(unit) << ": exp " << exp_ulps << " ulp, exp2 " << exp2_ulps << " ulp");
        BOOST_TEST(exp_ulps <= 1.25, name_of(unit) << " exp: " << exp_ulps);
        BOOST_TEST(exp2_ulps <= 3.25, name_of(unit) << " exp2: " << exp2_ulps);
    }
}

BOOST_AUTO_TEST_CASE(sigma_is_as_good_as_its_argument) {
    const auto sigma = [](double x) { return 1 / (1 + std::exp(-x)); };
    std::vector<float> positive, small, negative;
    for (const float x : many_floats()) {
        if (x >= 0) positive.push_back(x);
        if (x < 0 && x >= -1) small.push_back(x);
        if (x < -1) negative.push_back(x);
    }
    for (const VectorUnit unit : vector_units()) {
        const ScopedUnit scope(unit);
        const auto worst = [&](const std::vector<float>& x) {
            const double ulps = worst_ulps(layer_kernels().sigma, sigma, x);
            BOOST_TEST_MESSAGE(name_of(unit) << ": sigma " << ulps << " ulp");
            return ulps;
        };
        BOOST_TEST(worst(positive) <= 4);
        BOOST_TEST(worst(small) <= 4);
        // An argument of -87 that is off by its last place changes sigma by 64 ulp.
        BOOST_TEST(worst(negative) <= 64);
        BOOST_TEST(one(layer_kernels().sigma, 0) == 0.5F);
        BOOST_TEST(one(layer_kernels().sigma, kInfinity) == 1);
        BOOST_TEST(one(layer_kernels().sigma, -kInfinity) == 0);
        BOOST_TEST(std::isnan(one(layer_kernels().sigma, std::nanf(""))));
    }
}

BOOST_AUTO_TEST_CASE(the_edges_are_exact) {
    for (const VectorUnit unit : vector_units()) {
        const ScopedUnit scope(unit);
        for (auto* const f : {kernels().exp, kernels().exp2}) {
            BOOST_TEST(one(f, 0) == 1);
            BOOST_TEST(one(f, -0.0F) == 1);
            BOOST_TEST(one(f, -kInfinity) == 0);
            BOOST_TEST(one(f, -1e30F) == 0);
            BOOST_TEST(one(f, -151) == 0);
            BOOST_TEST(std::isnan(one(f, std::nanf(""))));
        }
        BOOST_TEST(one(kernels().exp, kInfinity) == kInfinity);
        BOOST_TEST(one(kernels().exp, 88.73F) == kInfinity);
        BOOST_TEST(one(kernels().exp2, -126) == std::ldexp(1.0F, -126));
        for (const float x : {127.0F, 127.5F, 128.0F, 200.0F, 1e30F, kInfinity})
            BOOST_TEST(one(kernels().exp2, x) >= 0x1p127F, name_of(unit) << " exp2 of " << x);
    }
}

BOOST_AUTO_TEST_CASE(a_number_has_the_same_exp_at_every_place_and_nothing_beyond_is_written) {
    for (const VectorUnit unit : vector_units()) {
        const ScopedUnit scope(unit);
        for (int count = 0; count < 40; ++count) {
            const auto size = static_cast<std::size_t>(count);
            std::vector<float> x(size, 0.7F), y(size + 1, -5);
            kernels().exp(y.data(), x.data(), count);
            BOOST_TEST(y[size] == -5);
            for (std::size_t k = 0; k < size; ++k) BOOST_TEST(y[k] == one(kernels().exp, 0.7F));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
