// Several oracles as one: which are asked, what the answer is, and which one an error names.

#include <doctest/doctest.h>

#include <deque>

#include "core/problem/separation.hpp"
#include "core/problem/toy.hpp"
#include "problem/oracle/oracle_list.hpp"

namespace sculpt::core {
namespace {

// An oracle with a fixed answer, in the name of a component.
class FixedOracle : public Oracle {
 public:
  struct FixedAnswer {
    double value = 0;
    double bound = 0;
    std::uint32_t flags = 0;
    bool fractional = false;
  };
  FixedOracle(const Component& component, FixedAnswer answer, bool relaxes = false)
      : component_(component), fixed_answer_(answer), relaxes_(relaxes) {}

  const Component& component() const override { return component_; }
  const std::string& obstacle_to_frontier() const override { return obstacle; }
  bool relaxes() const override { return relaxes_; }

  std::string obstacle = "none";  // to a frontier

 private:
  void compute_argmax(int, const sculpt_query& query, double, Answer& answer) override {
    write_answer(answer);
    sculpt_resize_labels(&answer.raw()->labels, query.truth.size);
    std::fill_n(answer.raw()->labels.data, query.truth.size, 0);
  }
  void compute_relaxed(int, const sculpt_query&, double, SparseAccumulator&, SparseVector& psi,
                       Answer& answer) override {
    write_answer(answer);
    answer.info.fractional = fixed_answer_.fractional;
    psi = {{0}, {0.5}};
  }
  sculpt_frontier_query frontier_query(int, const sculpt_query&) override { return {}; }
  void check_labels(int, std::int64_t, const Answer&) const override {}
  void write_answer(Answer& answer) const {
    answer.raw()->flags = fixed_answer_.flags;
    answer.raw()->value = fixed_answer_.value;
    answer.raw()->bound = fixed_answer_.bound;
  }

  const Component& component_;
  FixedAnswer fixed_answer_;
  bool relaxes_;
};

constexpr std::uint32_t exact = SCULPT_ANSWER_EXACT;
constexpr std::uint32_t bound = SCULPT_ANSWER_BOUND;
constexpr std::uint32_t no_output = SCULPT_ANSWER_NO_OUTPUT;

// A list of fixed oracles. The first three have the names of different components.
class FixedOracleList {
 public:
  explicit FixedOracleList(std::vector<FixedOracle::FixedAnswer> answers,
                           OracleRule rule = OracleRule::escalate, bool last_relaxes = false)
      : problem_(plan(), Purpose::training, 1, {}) {
    const std::vector<const Component*> names = {&problem_.oracle().component(),
                                                 &problem_.features().component(),
                                                 &problem_.loss()->component()};
    std::vector<std::unique_ptr<Oracle>> members;
    for (std::size_t k = 0; k < answers.size(); ++k) {
      const bool relaxes = last_relaxes && k + 1 == answers.size();
      members.push_back(std::make_unique<FixedOracle>(*names[k], answers[k], relaxes));
    }
    list_.emplace(std::move(members), rule, problem_.features(), problem_.dimension(), 1);
  }

  const Answer& ask(double stop_escalating_above = infinity) {
    list_->argmax(0, query(), answer_, stop_escalating_above);
    return answer_;
  }
  const Answer& ask_relaxed(double stop_escalating_above = infinity) {
    SparseAccumulator scratch(1);
    list_->relaxed(0, query(), scratch, psi_, answer_, stop_escalating_above);
    return answer_;
  }
  void set_weights(double value) { w_.assign(w_.size(), value); }
  OracleList& list() { return *list_; }

 private:
  static ProblemSpec plan() {
    toy_plan() = random_toy(3, 1);
    return toy_spec(toy_oracle());
  }
  sculpt_query query() {
    const auto dimension = static_cast<std::int64_t>(w_.size());
    return {sizeof(sculpt_query),        0, 0, 0, {w_.data(), dimension, 1},
            problem_.dataset().truth(0), 0};
  }

  Problem problem_;
  std::optional<OracleList> list_;
  Answer answer_;
  SparseVector psi_;
  Vector w_ = zero_weights();
};

TEST_CASE("all oracles are asked if no answer is enough, and the best output is the answer") {
  FixedOracleList three({{1}, {3}, {2}});
  CHECK(three.ask().value() == 3);
  CHECK(three.ask().flags() == 0);
  CHECK(three.ask().info.calls == 3);
  CHECK(three.ask().info.escalated);
  CHECK(three.ask().info.oracle->name() == "counts");  // the second
}

TEST_CASE("the next oracle is asked unless a value exceeds stop_escalating_above") {
  FixedOracleList list({{5}, {7, 0, exact}});
  CHECK(list.ask(4.9).value() == 5);
  CHECK(list.ask(4.9).flags() == 0);
  CHECK(list.ask(4.9).info.calls == 1);
  CHECK_FALSE(list.ask(4.9).info.escalated);
  CHECK(list.ask(5).value() == 7);
  CHECK(list.ask(5).has_flag(exact));
}

TEST_CASE("the next oracle is not asked if no value can exceed stop_escalating_above") {
  FixedOracleList list({{2, 4, bound}, {3, 0, exact}});
  CHECK(list.ask(4).value() == 2);
  CHECK(list.ask(4).has_flag(bound));
  CHECK(list.ask(4).bound() == 4);
  CHECK_FALSE(list.ask(4).has_flag(exact));
  CHECK(list.ask(3.9).value() == 3);
}

TEST_CASE("the answer has the smallest bound, and an output that attains it is exact") {
  FixedOracleList list({{2, 5, bound}, {3, 3.5, bound}, {1, 3, bound}});
  const Answer& answer = list.ask();
  CHECK(answer.value() == 3);
  CHECK(answer.bound() == 3);
  CHECK(answer.has_flag(exact));
}

TEST_CASE("no oracle is asked after an exact answer under either rule") {
  for (const OracleRule rule : {OracleRule::escalate, OracleRule::combine}) {
    FixedOracleList list({{3, 0, exact}, {1}}, rule);
    CHECK(list.ask().info.calls == 1);
    CHECK(list.ask().has_flag(exact));
  }
}

TEST_CASE("combine asks all oracles, whatever stop_escalating_above is") {
  FixedOracleList list({{5}, {4}, {6}}, OracleRule::combine);
  CHECK(list.ask(1).value() == 6);
  CHECK(list.ask(1).info.calls == 3);
  CHECK_FALSE(list.list().escalates());
}

TEST_CASE("a bound that the output of another oracle refutes is an error of its own oracle") {
  FixedOracleList list({{2, 2.5, bound}, {3}});
  const Refusal refusal = refusal_of([&] { list.ask(); });
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("claims that no value exceeds 2.5, but an output of counts has 3"));
  CHECK(refusal.text.starts_with("all: example 0: "));
}

TEST_CASE("values that differ by rounding refute no bound") {
  FixedOracleList list({{3 + 1e-9}, {3, 0, exact}});
  CHECK(list.ask().has_flag(exact));
  CHECK(list.ask().value() == 3 + 1e-9);
  CHECK(list.ask().bound() == 3 + 1e-9);
}

TEST_CASE(
    "values that differ by the rounding of their terms refute no bound, however small they are") {
  // The values differ by a thousandth. With terms of 1e12 this is rounding.
  FixedOracleList list({{1e-6 + 1e-9}, {1e-6, 0, exact}});
  CHECK(refusal_of([&] { list.ask(); }).says("claims that no value exceeds"));
  list.set_weights(1e12);
  CHECK(list.ask().has_flag(exact));
  CHECK(list.ask().value() == 1e-6 + 1e-9);
}

TEST_CASE("NO_OUTPUT from the first oracle is the answer, after an output it is refused") {
  FixedOracleList none({{0, 0, no_output}, {1}});
  CHECK(none.ask().has_flag(no_output));
  CHECK(none.ask().info.calls == 1);
  FixedOracleList contradiction({{1}, {0, 0, no_output}});
  CHECK(refusal_of([&] { contradiction.ask(); }).says("sets NO_OUTPUT, but"));
}

TEST_CASE("bounds of outputs are no bounds of relaxed answers, which only the last oracle gives") {
  FixedOracleList list({{3, 0, exact}, {4.5, 4.5, exact | bound, true}}, OracleRule::escalate,
                       true);
  CHECK(list.list().relaxes());
  CHECK(list.ask_relaxed().fractional());
  CHECK(list.ask_relaxed().value() == 4.5);
  CHECK(list.ask_relaxed().has_flag(exact));
  // An output above the limit skips the relaxed answer, and certifies nothing.
  CHECK(list.ask_relaxed(2).value() == 3);
  CHECK(list.ask_relaxed(2).flags() == 0);
  CHECK_FALSE(list.ask_relaxed(2).fractional());
  // In a query for outputs, as in prediction, the exact answer ends the list.
  CHECK(list.ask().info.calls == 1);
}

TEST_CASE(
    "relaxed answers use the search over loss_weights even if there is a frontier of outputs") {
  toy_plan() = random_toy(3, 1);
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
  Formulation norm_two;
  norm_two.slack_norm = 2;
  for (const bool relaxes : {false, true}) {
    FixedOracle oracle(problem.oracle().component(), {}, relaxes);
    oracle.obstacle = "";
    CHECK(choose_strategy(norm_two, oracle) ==
          (relaxes ? SeparationStrategy::loss_weight_search : SeparationStrategy::frontier));
  }
}

}  // namespace
}  // namespace sculpt::core
