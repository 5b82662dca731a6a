// What a plugin throws ends at the boundary, as a status and a text.

#include <doctest/doctest.h>

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

TEST_CASE("each exception becomes its status, and the text says what was thrown") {
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

TEST_CASE("texts are cut to fit, between characters, and a host may pass no buffer") {
  auto written = [](std::int64_t capacity, const char* text) {
    std::string buffer(16, '#');
    sculpt_error error{buffer.data(), capacity};
    sculpt::detail::write_error(&error, text);
    return std::string(buffer.c_str());
  };
  CHECK(written(16, "short") == "short");
  CHECK(written(4, "longer") == "lon");
  CHECK(written(1, "longer").empty());
  CHECK(written(4, "a\xE2\x82\xAC!") == "a");  // the euro sign has three bytes
  CHECK(written(5, "a\xE2\x82\xAC!") == "a\xE2\x82\xAC");

  sculpt_error none{nullptr, 0};
  sculpt::detail::write_error(&none, "text");
  sculpt::detail::write_error(nullptr, "text");
}

TEST_CASE("a failed call into another component keeps its status and text") {
  const Outcome outcome = outcome_of([](sculpt_error* error) {
    return sculpt::detail::guarded(error, "argmax", [] {
      const std::int32_t label = 0;
      sculpt::LossSession session{sculpt::Ref(sculpt_ref{
          &sculpt::Loss<Thrower>::component, [] {
            static sculpt::detail::Holder<Thrower> holder{std::make_unique<Thrower>(), nullptr};
            holder.object = holder.owned.get();
            return &holder;
          }()})};
      session.loss(0, {&label, 1}, {&label, 1});
    });
  });
  CHECK(outcome.status == SCULPT_E_DATA);
  CHECK(outcome.text == "the truth has 3 labels, the guess 2");
}

TEST_CASE("an absent loss can have a session but cannot be asked") {
  const sculpt::LossSession session{sculpt::Ref()};
  const Outcome outcome = outcome_of([&](sculpt_error* error) {
    return sculpt::detail::guarded(error, "argmax",
                                   [&] { session.loss(0, sculpt::Labels(), sculpt::Labels()); });
  });
  CHECK(outcome.status == SCULPT_E_INVALID);
  CHECK(outcome.text == "asks for a loss, but none is bound");
}

}  // namespace
