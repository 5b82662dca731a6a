// Under --guard every frontier query is repeated. A result that changes is refused, and the error
// names what differs.

#include "problem/oracle/frontier_repeat_check.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "core/problem/separation.hpp"

using namespace sculpt::core;

namespace {

// Two examples of three positions. The oracle has a frontier over their errors, which are too few
// for the host to call argmax first.
void plan_two() {
  toy_plan() = three_positions();
  toy_plan().counts = {{"errors", 3, 0, 0}};
  toy_plan().training.push_back({{2, 1, 0}, {1, 1, 0}});
}

struct QueryCount {
  std::int64_t example = -1;
  int times = 0;  // number of frontier queries about it so far
};

// Separates both under guard and returns the refusal. `change` is called when a frontier query
// begins.
Refusal guarded_refusal(const std::function<void(const QueryCount& query)>& change) {
  ProblemSpec spec = toy_spec(toy_oracle(), slack_rescaling);
  spec.is_guarded = true;
  Problem problem(spec, Purpose::training, 1, {});
  ProblemPlanes source(problem, 5);
  std::map<std::int64_t, int> begun;
  toy_plan().inject_error = [&](const std::string& function, std::int64_t example) {
    if (function == "oracle.begin_frontier") change({example, ++begun[example]});
    return SCULPT_OK;
  };
  std::vector<Separation> all;
  return refusal_of([&] { source.separate(zero_weights(), first(2), 1, all); });
}

}  // namespace

TEST_CASE("a frontier that stays the same is queried again and changes no result") {
  plan_two();
  const std::vector<Separation> expected =
      separate_all(toy_oracle(), 1, random_weights(3), slack_rescaling);
  ProblemSpec spec = toy_spec(toy_oracle(), slack_rescaling);
  spec.is_guarded = true;
  Problem problem(spec, Purpose::training, 1, {});
  ProblemPlanes source(problem, 5);
  std::vector<Separation> found;
  source.separate(random_weights(3), first(2), 1, found);
  CHECK(same(found, expected));
  std::map<std::int64_t, int> begun;
  const auto count = [&](const QueryCount& query) { begun[query.example] = query.times; };
  CHECK(guarded_refusal(count).exit == Exit::reached);
  CHECK(begun[0] == 3);  // the query, its repeat, and a repeat after the query of example 1
  CHECK(begun[1] == 2);
  toy_plan() = {};
}

TEST_CASE("a frontier that changes is refused with the difference and the query before it") {
  const auto refusal_of_change = [](std::int64_t example,
                                    const std::function<void(bool now)>& change) {
    plan_two();
    const Refusal refusal = guarded_refusal(
        [&](const QueryCount& query) { change(query.example == example && query.times > 1); });
    toy_plan() = {};
    CAPTURE(refusal.text);
    CHECK(refusal.exit == Exit::plugin);
    return refusal;
  };
  bool is_changed = false;
  const auto scores = [&is_changed](bool now) {
    is_changed = now;
    toy_plan().change_slice = [&is_changed](std::int64_t number, double* score) {
      if (is_changed && number == 3) *score += 1e-3;
    };
  };
  const Refusal by_itself = refusal_of_change(0, scores);
  CHECK(
      by_itself.says("all: example 0: the same frontier query after one about example 0 has a "
                     "different result; the difference is in its scores of 3 errors. "));
  CHECK(refusal_of_change(1, scores).says(
      "all: example 1: the same frontier query after one about example 0 has "));
  const auto output = [&is_changed](bool now) {
    is_changed = now;
    toy_plan().change_output = [&is_changed](sculpt_label_buffer& y) {
      if (is_changed) y.data[0] = 2;
    };
  };
  CHECK(refusal_of_change(0, output).says("the difference is in its output of 3 errors"));
}
