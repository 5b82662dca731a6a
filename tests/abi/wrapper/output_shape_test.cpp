// The shape of outputs (ext/output_shape.h) of classes, through C tables: features, datasets, and
// features on sites.

#include <doctest/doctest.h>

#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

#include "host_memory.hpp"
#include "live.hpp"

namespace {

struct Sequences {
  static constexpr sculpt::About about{"org.sculpt.test.sequences", "1.0.0", "sequences of labels"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
  sculpt::OutputShape output_shape(std::int64_t example) const {
    static constexpr std::int32_t states[] = {2, 3, 5};
    switch (example) {
      case 0:
        return sculpt::OutputShape::of_size(7, 3).complete().same_for_all();
      case 1:
        return sculpt::OutputShape::between(2, 4);
      case 2:
        return sculpt::OutputShape::of_states(states);
      case 3:
        return sculpt::OutputShape::free();
      default:
        throw sculpt::data_error("there is no such example; ask for less");
    }
  }
};

struct Shapeless {
  static constexpr sculpt::About about{"org.sculpt.test.shapeless", "1.0.0", "says no shape"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
};

// A dataset of sites: sequences of one site for each label.
struct Sites {
  static constexpr sculpt::About about{"org.sculpt.test.sites", "1.0.0", "two sites"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 1; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
  std::int64_t feature_count() const { return 4; }
  std::int32_t state_count() const { return 6; }
  sculpt_sites sites(std::int64_t) const {
    static constexpr std::int64_t rows[] = {0, 0, 0};
    return {sizeof(sculpt_sites), 0, 2, 0, rows, nullptr, nullptr, nullptr};
  }
};
// Three labels for each example.
struct FixedSites : Sites {
  std::int64_t variable_count() const { return 3; }
  // Not that of the sites: what a dataset says of itself.
  sculpt::OutputShape output_shape(std::int64_t) const {
    return sculpt::OutputShape::of_size(3, 6);
  }
};

const sculpt_ext_output_shape* table_of(const LiveComponent& component) {
  return static_cast<const sculpt_ext_output_shape*>(component.extension(SCULPT_EXT_OUTPUT_SHAPE));
}

sculpt_output_shape shape_of(const LiveComponent& component, std::int64_t example) {
  sculpt_output_shape shape = {};
  shape.struct_size = sizeof shape;
  const Outcome outcome = outcome_of([&](sculpt_error* error) {
    return table_of(component)->shape(component.self(), example, &shape, error);
  });
  REQUIRE(outcome.status == SCULPT_OK);
  return shape;
}

}  // namespace

TEST_CASE("a class with output_shape() offers the shape of its outputs") {
  const LiveComponent features(sculpt::Features<Sequences>::component);
  REQUIRE(table_of(features) != nullptr);
  const sculpt_output_shape fixed = shape_of(features, 0);
  CHECK(fixed.struct_size == sizeof fixed);
  CHECK(fixed.flags == (SCULPT_SHAPE_COMPLETE | SCULPT_SHAPE_SAME));
  CHECK(fixed.min_size == 7);
  CHECK(fixed.max_size == 7);
  CHECK(fixed.states == nullptr);
  CHECK(fixed.state_count == 3);
  CHECK(fixed.reserved == 0);
  const sculpt_output_shape range = shape_of(features, 1);
  CHECK(range.flags == 0);
  CHECK(range.min_size == 2);
  CHECK(range.max_size == 4);
  CHECK(range.state_count == 0);
  const sculpt_output_shape listed = shape_of(features, 2);
  CHECK(listed.min_size == 3);
  CHECK(listed.max_size == 3);
  REQUIRE(listed.states != nullptr);
  CHECK(std::vector<std::int32_t>(listed.states, listed.states + 3) ==
        std::vector<std::int32_t>{2, 3, 5});
  const sculpt_output_shape free = shape_of(features, 3);
  CHECK(free.min_size == 0);
  CHECK(free.max_size == INT64_MAX);
  CHECK(free.state_count == 0);
}

TEST_CASE("an error in output_shape() is reported, and an older host gets the fields it knows") {
  const LiveComponent features(sculpt::Features<Sequences>::component);
  sculpt_output_shape shape = {};
  shape.struct_size = offsetof(sculpt_output_shape, states);
  const Outcome outcome = outcome_of([&](sculpt_error* error) {
    return table_of(features)->shape(features.self(), 2, &shape, error);
  });
  CHECK(outcome.status == SCULPT_OK);
  CHECK(shape.struct_size == offsetof(sculpt_output_shape, states));
  CHECK(shape.max_size == 3);
  CHECK(shape.states == nullptr);
  const Outcome failed = outcome_of([&](sculpt_error* error) {
    return table_of(features)->shape(features.self(), 4, &shape, error);
  });
  CHECK(failed.status == SCULPT_E_DATA);
  CHECK(failed.text == "there is no such example; ask for less");
}

TEST_CASE("datasets may offer a shape, and features on sites take theirs from them") {
  const LiveComponent sites(sculpt::Dataset<Sites>::component);
  CHECK(table_of(sites) == nullptr);
  const sculpt::OutputShape by_site = sculpt::SiteInput(sites.ref()).output_shape(0);
  CHECK(by_site.min_size == 2);
  CHECK(by_site.max_size == 2);
  CHECK(by_site.state_count == 6);
  CHECK(by_site.flags == SCULPT_SHAPE_COMPLETE);
  const LiveComponent fixed(sculpt::Dataset<FixedSites>::component);
  CHECK(shape_of(fixed, 0).max_size == 3);
  const sculpt::OutputShape of_example = sculpt::SiteInput(fixed.ref()).output_shape(0);
  CHECK(of_example.max_size == 3);
  CHECK(of_example.flags == (SCULPT_SHAPE_COMPLETE | SCULPT_SHAPE_SAME));
}

TEST_CASE("a class without output_shape() offers none") {
  const LiveComponent features(sculpt::Features<Shapeless>::component);
  CHECK(table_of(features) == nullptr);
}
