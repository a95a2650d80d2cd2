#include "grader/sandbox/layers.h"

#include <set>
#include <stdexcept>

#include <boost/test/unit_test.hpp>

namespace attn::worker {
namespace {

BOOST_AUTO_TEST_SUITE(layers)

BOOST_AUTO_TEST_CASE(every_layer_has_a_unique_name_and_a_description) {
    std::set<std::string> names;
    for (const LayerState& state : layers_here()) {
        BOOST_TEST((layer_named(name_of(state.layer)) == state.layer));
        BOOST_TEST(!state.does.empty());
        BOOST_TEST(state.active == !state.state.starts_with("not here"), state.state);
        names.insert(name_of(state.layer));
    }
    BOOST_TEST(names.size() == kLayers);
    BOOST_CHECK_THROW(layer_named("walls"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(without_removes_only_the_named_layers) {
    const Layers fewer = Layers().without(Layer::files).without(Layer::trace);
    for (const LayerState& state : layers_here())
        BOOST_TEST(fewer.has(state.layer) == (state.layer != Layer::files && state.layer != Layer::trace));
}

BOOST_AUTO_TEST_CASE(an_unused_layer_is_reported_as_missing) {
    const std::size_t missing_here = missing_layers({}).size();
    BOOST_TEST(missing_layers(Layers().without(Layer::poison)).size() == missing_here + 1);
    BOOST_TEST(missing_layers(Layers().without(Layer::cgroup)).size() == missing_here);  // not required
    const std::string text = describe_isolation(Layers().without(Layer::poison));
    BOOST_TEST(text.find("of 12 layers; missing: ") != std::string::npos, text);
    BOOST_TEST(text.find("poison") != std::string::npos, text);
    BOOST_TEST(describe_isolation({}).find("poison") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace attn::worker
