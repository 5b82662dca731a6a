// Task<T>: one object behind several components, which work with no other.

#include <doctest/doctest.h>

#include "live.hpp"

namespace {

// A task without data of its own: its features own the object.
struct Sign {
  static constexpr sculpt::About about{"org.sculpt.test.sign", "1.0.0", "the sign of a number"};
  static constexpr const char* extensions[] = {"test.private/1"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels y, sculpt::Sum& sum) const { sum.add(0, y[0]); }
  double loss(sculpt::Labels a, sculpt::Labels b) const { return a == b ? 0 : 1; }
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.no_output(); }
  const void* extension(const char* id) const {
    return std::string_view(id) == "test.private/1" ? this : nullptr;
  }
};
struct Other : Sign {
  static constexpr sculpt::About about{"org.sculpt.test.other", "1.0.0", "as Sign"};
};
// The same with data: its dataset owns the object.
struct Reader : Sign {
  static constexpr sculpt::About about{"org.sculpt.test.reader", "1.0.0", "Sign with data"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
};

constexpr sculpt_ref nothing{nullptr, nullptr};

TEST_CASE("the parts of a task share the object of their own features") {
  Live features(sculpt::Task<Sign>::FeaturesPart::component);
  Live oracle(sculpt::Task<Sign>::OraclePart::component);
  CHECK(features.bind(nothing, nothing).status == SCULPT_OK);
  CHECK(oracle.bind(nothing, features.raw()).status == SCULPT_OK);
  CHECK(oracle.extension("test.private/1") == features.extension("test.private/1"));
}

TEST_CASE("a part of a task refuses features of another, and says which it needs") {
  Live features(sculpt::Task<Other>::FeaturesPart::component);
  Live loss(sculpt::Task<Sign>::LossPart::component);
  const Outcome outcome = loss.bind(nothing, features.raw());
  CHECK(outcome.status == SCULPT_E_UNSUPPORTED);
  CHECK(outcome.text == "works only with its own features; set features to org.sculpt.test.sign");
  CHECK(loss.bind(nothing, nothing).status == SCULPT_E_UNSUPPORTED);
}

TEST_CASE("a task that reads data refuses other datasets") {
  Live dataset(sculpt::Task<Reader>::DatasetPart::component);
  Live features(sculpt::Task<Reader>::FeaturesPart::component);
  CHECK(features.bind(dataset.raw(), nothing).status == SCULPT_OK);
  const Outcome outcome = features.bind(nothing, nothing);
  CHECK(outcome.status == SCULPT_E_UNSUPPORTED);
  CHECK(outcome.text ==
        "works only with its own dataset; set dataset.use to org.sculpt.test.reader");
}

TEST_CASE("a part that is not yet bound offers no extension of the class, and does not crash") {
  const Live oracle(sculpt::Task<Sign>::OraclePart::component);
  CHECK(oracle.extension("test.private/1") == nullptr);
  CHECK(oracle.extension(SCULPT_EXT_STATE) == nullptr);
}

TEST_CASE("the catalogue of a task lists its parts under one id") {
  using Plain = sculpt::detail::Catalogue<sculpt::Task<Sign>>;
  using Full = sculpt::detail::Catalogue<sculpt::Task<Reader>, sculpt::Loss<Other>>;
  CHECK(Plain::components.size() == 3);
  REQUIRE(Full::components.size() == 5);
  CHECK(Full::components[0]->kind == SCULPT_KIND_DATASET);
  CHECK(std::string(Full::components[3]->id) == "org.sculpt.test.reader");
  CHECK(std::string(Full::components[4]->id) == "org.sculpt.test.other");
}

}  // namespace
