// An exception in a plugin does not cross the C interface. It becomes a status and a text.

#include <doctest/doctest.h>
#include <sculpt/c_plugin.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "host_memory.hpp"

namespace {

struct Thrower {
  static constexpr sculpt::About about{"org.sculpt.test.thrower", "1.0.0", "throws"};
  double loss(sculpt::Labels, sculpt::Labels guess) const {
    switch (guess[0]) {
      case 0:
        throw sculpt::data_error("the truth has 3 labels, the guess 2");
      case 1:
        throw std::bad_alloc();
      case 2:
        throw std::runtime_error("oops");
      case 3:
        throw 17;
      case 4:
        throw sculpt::Error(SCULPT_E_CANCELLED, "stopped");
      default:
        return 0.5;
    }
  }
};

Outcome loss_of(std::int32_t guess, double& value) {
  const sculpt_component& component = sculpt::Loss<Thrower>::component;
  void* self = nullptr;
  REQUIRE(component.life->create(nullptr, nullptr, &self, nullptr) == SCULPT_OK);
  const Outcome outcome = outcome_of([&](sculpt_error* error) {
    const sculpt_labels y{&guess, 1};
    return static_cast<const sculpt_loss_api*>(component.api)->loss(self, 0, y, y, &value, error);
  });
  component.life->destroy(self);
  return outcome;
}

TEST_CASE("each type of exception becomes a status and a text") {
  double value = 0;
  Outcome outcome = loss_of(0, value);
  CHECK(outcome.status == SCULPT_E_DATA);
  CHECK(outcome.text == "the truth has 3 labels, the guess 2");
  outcome = loss_of(1, value);
  CHECK(outcome.status == SCULPT_E_MEMORY);
  CHECK(outcome.text == "out of memory");
  outcome = loss_of(2, value);
  CHECK(outcome.status == SCULPT_E_INTERNAL);
  CHECK(outcome.text == "loss threw: oops");
  outcome = loss_of(3, value);
  CHECK(outcome.status == SCULPT_E_INTERNAL);
  CHECK(outcome.text == "loss threw: something that is not a std::exception");
  outcome = loss_of(4, value);
  CHECK(outcome.status == SCULPT_E_CANCELLED);
  outcome = loss_of(5, value);
  CHECK(outcome.status == SCULPT_OK);
  CHECK(value == 0.5);
}

// Throws in every method that describes the component.
struct ThrowingDescription {
  static constexpr sculpt::About about{"org.sculpt.test.throwing_description", "1.0.0", "throws"};
  [[noreturn]] static void refuse() { throw std::runtime_error("oops"); }

  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { refuse(); }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
  std::int64_t feature_count() const { return 1; }
  std::int32_t state_count() const { return 1; }
  std::int64_t variable_count() const { refuse(); }
  sculpt_sites sites(std::int64_t) const { return {}; }

  std::int64_t dimension() const { refuse(); }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
  std::uint32_t factor_classes() const { refuse(); }
  const sculpt_factor_graph& factor_graph(std::int64_t) const { refuse(); }
  void potentials(std::int64_t, sculpt::Weights, double*) const {}
  void pullback(std::int64_t, const double*, sculpt::Sum&) const {}

  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
  std::uint32_t factor_demands() const { refuse(); }
  void add_factor_loss(std::int64_t, const sculpt_factor_graph&, sculpt::Labels, double, double*,
                       double&) const {}
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("accuracy", "share of right answers")};
  static constexpr std::int64_t sum_count = 1;
  void add_metrics(std::int64_t, sculpt::Labels, sculpt::Labels, std::span<double>) const {}
  void finish_metrics(std::span<const double>, std::span<double>) const { refuse(); }

  std::span<const std::uint32_t> demands() const { refuse(); }
  void solve(const sculpt::MapQuery&, sculpt::Answer&) const {}
  static constexpr const char* extensions[] = {"test.own/1"};
  const void* extension(const char*) const { refuse(); }
};

// Calls function(self, sculpt_error*) on a component of ThrowingDescription. Returns the error
// text.
template <class Function>
std::string text_of(const sculpt_component& component, Function&& function) {
  void* self = nullptr;
  REQUIRE(component.life->create(nullptr, nullptr, &self, nullptr) == SCULPT_OK);
  const Outcome outcome = outcome_of([&](sculpt_error* error) { return function(self, error); });
  CHECK(outcome.status == SCULPT_E_INTERNAL);
  CHECK(component.life->extension(self, "test.own/1") == nullptr);
  component.life->destroy(self);
  return outcome.text;
}
template <class Table>
const Table& table_of(const sculpt_component& component, void* self) {
  return *static_cast<const Table*>(
      component.life->extension(self, sculpt::detail::extension_id<Table>));
}

TEST_CASE("no method that describes a component lets an exception through") {
  const sculpt_component& dataset = sculpt::Dataset<ThrowingDescription>::component;
  const sculpt_component& features = sculpt::Features<ThrowingDescription>::component;
  const sculpt_component& loss = sculpt::Loss<ThrowingDescription>::component;
  const sculpt_component& solver = sculpt::MapSolver<ThrowingDescription>::component;
  std::int64_t number = 0;
  std::uint32_t bits = 0;
  double real = 0;
  CHECK(text_of(dataset, [&](void* self, sculpt_error* error) {
          return static_cast<const sculpt_dataset_api*>(dataset.api)->count(self, &number, error);
        }) == "count threw: oops");
  CHECK(text_of(dataset, [&](void* self, sculpt_error* error) {
          sculpt_sites_shape shape{};
          shape.struct_size = sizeof shape;
          return table_of<sculpt_ext_sites>(dataset, self).shape(self, &shape, error);
        }) == "the shape of the sites threw: oops");
  CHECK(text_of(features, [&](void* self, sculpt_error* error) {
          return static_cast<const sculpt_features_api*>(features.api)
              ->dimension(self, &number, error);
        }) == "dimension threw: oops");
  CHECK(text_of(features, [&](void* self, sculpt_error* error) {
          return table_of<sculpt_ext_factor_graph>(features, self).classes(self, &bits, error);
        }) == "factor_classes threw: oops");
  CHECK(text_of(loss, [&](void* self, sculpt_error* error) {
          return table_of<sculpt_ext_factor_loss>(loss, self).demands(self, &bits, error);
        }) == "factor_demands threw: oops");
  CHECK(text_of(loss, [&](void* self, sculpt_error* error) {
          return table_of<sculpt_ext_metrics>(loss, self).finish(self, &real, &real, error);
        }) == "finish_metrics threw: oops");
  CHECK(text_of(solver, [&](void* self, sculpt_error* error) {
          const std::uint32_t* sets = nullptr;
          return static_cast<const sculpt_map_solver_api*>(solver.api)
              ->demands(self, &sets, &number, error);
        }) == "demands threw: oops");
}

TEST_CASE("error texts are cut between characters, and the buffer may be missing") {
  auto text_in_buffer = [](std::int64_t capacity, const char* text) {
    std::string buffer(16, '#');
    sculpt_error error{buffer.data(), capacity, nullptr};
    sculpt::detail::write_error(&error, text);
    const std::string written = buffer.c_str();
    buffer.assign(16, '#');
    sculpt_fail(&error, SCULPT_E_DATA, "%s", text);
    CHECK(std::string(buffer.c_str()) == written);
    return written;
  };
  CHECK(text_in_buffer(16, "short") == "short");
  CHECK(text_in_buffer(4, "longer") == "lon");
  CHECK(text_in_buffer(1, "longer").empty());
  CHECK(text_in_buffer(4, "a\xE2\x82\xAC!") == "a");  // the euro sign has three bytes
  CHECK(text_in_buffer(5, "a\xE2\x82\xAC!") == "a\xE2\x82\xAC");

  sculpt_error none{nullptr, 0, nullptr};
  sculpt::detail::write_error(&none, "text");
  sculpt::detail::write_error(nullptr, "text");
}

TEST_CASE("a long error text grows its buffer, and a failed growth cuts it") {
  struct Growing {
    sculpt_error raw;
    std::string memory;
  };
  const std::string text(5000, 'x');
  Growing growing{{nullptr, 0, nullptr}, "12345678"};
  growing.raw = {growing.memory.data(), 9, [](sculpt_error* raw, std::int64_t min_capacity) {
                   auto* self = reinterpret_cast<Growing*>(raw);
                   self->memory.resize(static_cast<std::size_t>(min_capacity));
                   *raw = {self->memory.data(), min_capacity, raw->grow};
                   return sculpt_status{SCULPT_OK};
                 }};
  sculpt::detail::write_error(&growing.raw, "short");
  CHECK(growing.raw.capacity == 9);
  sculpt::detail::write_error(&growing.raw, text);
  CHECK(growing.raw.text == text);

  std::string memory(8, '#');
  sculpt_error full{memory.data(), 8,
                    [](sculpt_error*, std::int64_t) { return sculpt_status{SCULPT_E_MEMORY}; }};
  sculpt::detail::write_error(&full, text);
  CHECK(std::string(full.text) == "xxxxxxx");
}

TEST_CASE("sculpt_fail may quote the text of the error, which moves when it grows") {
  for (const std::size_t size : {10U, 700U}) {
    CAPTURE(size);
    struct Growing {
      sculpt_error raw;
      std::string memory;
    };
    Growing growing{{nullptr, 0,
                     [](sculpt_error* raw, std::int64_t capacity) -> sculpt_status {
                       auto& self = *reinterpret_cast<Growing*>(raw);
                       std::fill(self.memory.begin(), self.memory.end(), '#');
                       self.memory = std::string(static_cast<std::size_t>(capacity), '#');
                       raw->text = self.memory.data();
                       raw->capacity = capacity;
                       return SCULPT_OK;
                     }},
                    std::string(size, 'y') + std::string(1, '\0')};
    growing.raw.text = growing.memory.data();
    growing.raw.capacity = static_cast<std::int64_t>(growing.memory.size());
    CHECK(sculpt_fail(&growing.raw, SCULPT_E_DATA, "file:3: %s", growing.raw.text) ==
          SCULPT_E_DATA);
    CHECK(growing.raw.text == "file:3: " + std::string(size, 'y'));
  }
  char small[8] = "";
  sculpt_error full{small, sizeof small, nullptr};
  CHECK(sculpt_fail(&full, SCULPT_E_DATA, "%d letters", 123456) == SCULPT_E_DATA);
  CHECK(std::string(small) == "123456 ");
}

TEST_CASE("a failed call into another component keeps its status and text") {
  const Outcome outcome = outcome_of([](sculpt_error* error) {
    return sculpt::detail::guarded(error, "argmax", [] {
      const std::int32_t label = 0;
      sculpt::LossSession session{
          sculpt::Ref(sculpt_ref{&sculpt::Loss<Thrower>::component, [] {
                                   static sculpt::detail::Instance<Thrower> holder{
                                       std::make_unique<Thrower>(), nullptr, nullptr, {}};
                                   holder.object = holder.owned.get();
                                   return &holder;
                                 }()})};
      session.loss(0, {&label, 1}, {&label, 1});
    });
  });
  CHECK(outcome.status == SCULPT_E_DATA);
  CHECK(outcome.text == "the truth has 3 labels, the guess 2");
}

TEST_CASE("a session of an absent loss can be opened, but its loss cannot be called") {
  const sculpt::LossSession session{sculpt::Ref()};
  const Outcome outcome = outcome_of([&](sculpt_error* error) {
    return sculpt::detail::guarded(error, "argmax",
                                   [&] { session.loss(0, sculpt::Labels(), sculpt::Labels()); });
  });
  CHECK(outcome.status == SCULPT_E_INVALID);
  CHECK(outcome.text == "needs a loss, but none is bound");
}

}  // namespace
