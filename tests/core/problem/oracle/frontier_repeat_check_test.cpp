// Under --guard every conversation about a frontier is held again: what changes is refused by name.

#include "problem/oracle/frontier_repeat_check.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "core/problem/separation.hpp"

using namespace sculpt::core;

namespace {

// Two examples of three positions, the oracle with a frontier over their errors: too few for the
// host to ask for an argmax first.
void plan_two() {
  toy_plan() = three_positions();
  toy_plan().counts = {{"errors", 3}};
  toy_plan().training.push_back({{2, 1, 0}, {1, 1, 0}});
}

struct Talk {
  std::int64_t example = -1;
  int times = 0;  // that a conversation about it has begun
};

// Separates both under guard; `spoil` hears of the conversation under way.
Refusal guarded(const std::function<void(const Talk& now)>& spoil) {
  ProblemSpec choices = toy_choices(toy_oracle(), slack_rescaling);
  choices.guard = true;
  Problem problem(choices, Purpose::training, 1, {});
  ProblemPlanes source(problem, 5);
  std::map<std::int64_t, int> begun;
  toy_plan().trouble = [&](const std::string& function, std::int64_t example) {
    if (function == "oracle.begin_frontier") spoil({example, ++begun[example]});
    return SCULPT_OK;
  };
  std::vector<Separation> all;
  return refusal_of([&] { source.separate(Vector(21, 0.0), first(2), 1, all); });
}

}  // namespace

TEST_CASE("a frontier that stays the same is held again and changes nothing") {
  plan_two();
  const std::vector<Separation> expected =
      separate_all(toy_oracle(), 1, random_weights(3), slack_rescaling);
  ProblemSpec choices = toy_choices(toy_oracle(), slack_rescaling);
  choices.guard = true;
  Problem problem(choices, Purpose::training, 1, {});
  ProblemPlanes source(problem, 5);
  std::vector<Separation> found;
  source.separate(random_weights(3), first(2), 1, found);
  CHECK(same(found, expected));
  std::map<std::int64_t, int> begun;
  CHECK(guarded([&](const Talk& now) { begun[now.example] = now.times; }).exit == Exit::reached);
  CHECK(begun[0] == 3);  // once, once again, and again behind the other's
  CHECK(begun[1] == 2);
  toy_plan() = {};
}

TEST_CASE("a frontier that changes is refused with what differs, and behind which other") {
  const auto bent = [](std::int64_t example, const std::function<void(bool now)>& bend) {
    plan_two();
    const Refusal refusal =
        guarded([&](const Talk& now) { bend(now.example == example && now.times > 1); });
    toy_plan() = {};
    CAPTURE(refusal.text);
    CHECK(refusal.exit == Exit::plugin);
    return refusal;
  };
  bool spoilt = false;
  const auto scores = [&spoilt](bool now) {
    spoilt = now;
    toy_plan().bend_slice = [&spoilt](std::int64_t number, double* score) {
      if (spoilt && number == 3) *score += 1e-3;
    };
  };
  const Refusal by_itself = bent(0, scores);
  CHECK(
      by_itself.says("all: example 0: the same frontier after one about example 0 is another; "
                     "what differs is its scores of 3 errors. "));
  CHECK(bent(1, scores).says("all: example 1: the same frontier after one about example 0 is "));
  const auto output = [&spoilt](bool now) {
    spoilt = now;
    toy_plan().bend_output = [&spoilt](sculpt_label_buffer& y) {
      if (spoilt) y.data[0] = 2;
    };
  };
  CHECK(bent(0, output).says("what differs is its output of 3 errors"));
}
