// Several oracles as one: who is asked, what the answer says, and who is blamed.

#include <doctest/doctest.h>

#include <deque>

#include "core/problem/separation.hpp"
#include "core/problem/toy.hpp"
#include "problem/oracle/oracle_list.hpp"

namespace sculpt::core {
namespace {

// Gives the answers it was told, in the name of a component.
class Scripted : public Oracle {
 public:
  struct Line {
    double value = 0;
    double bound = 0;
    std::uint32_t flags = 0;
    bool fractional = false;
  };
  Scripted(const Component& component, Line line, bool relaxes = false)
      : component_(component), line_(line), relaxes_(relaxes) {}

  const Component& component() const override { return component_; }
  const std::string& obstacle_to_frontier() const override { return obstacle; }
  bool relaxes() const override { return relaxes_; }

  std::string obstacle = "none";  // to a frontier

 private:
  void ask(int, const sculpt_query& query, double, Answer& answer) override {
    say(answer);
    sculpt_resize_labels(&answer.raw()->labels, query.truth.size);
    std::fill_n(answer.raw()->labels.data, query.truth.size, 0);
  }
  void ask_relaxed(int, const sculpt_query&, double, SparseAccumulator&, SparseVector& psi,
                   Answer& answer) override {
    say(answer);
    answer.origin.fractional = line_.fractional;
    psi = {{0}, {0.5}};
  }
  sculpt_frontier_query frontier_query(int, const sculpt_query&) override { return {}; }
  void say(Answer& answer) const {
    answer.raw()->flags = line_.flags;
    answer.raw()->value = line_.value;
    answer.raw()->bound = line_.bound;
  }

  const Component& component_;
  Line line_;
  bool relaxes_;
};

constexpr std::uint32_t exact = SCULPT_ANSWER_EXACT;
constexpr std::uint32_t bound = SCULPT_ANSWER_BOUND;
constexpr std::uint32_t nothing = SCULPT_ANSWER_NO_OUTPUT;

// A list of oracles in the names of components that differ, as far as there are.
class ScriptedList {
 public:
  explicit ScriptedList(std::vector<Scripted::Line> lines, OracleRule rule = OracleRule::escalate,
                        bool last_relaxes = false)
      : problem_(plan(), Purpose::training, 1, {}) {
    const std::vector<const Component*> names = {&problem_.oracle().component(),
                                                 &problem_.features().component(),
                                                 &problem_.loss()->component()};
    std::vector<std::unique_ptr<Oracle>> members;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const bool relaxes = last_relaxes && k + 1 == lines.size();
      members.push_back(std::make_unique<Scripted>(*names[k], lines[k], relaxes));
    }
    list_.emplace(std::move(members), rule, problem_.features(), problem_.dimension(), 1);
  }

  const Answer& ask(double enough = infinity) {
    list_->argmax(0, query(), answer_, enough);
    return answer_;
  }
  const Answer& ask_relaxed(double enough = infinity) {
    SparseAccumulator scratch(1);
    list_->relaxed(0, query(), scratch, psi_, answer_, enough);
    return answer_;
  }
  void set_weights(double value) { w_.assign(w_.size(), value); }
  OracleList& list() { return *list_; }

 private:
  static ProblemSpec plan() {
    toy_plan() = random_toy(3, 1);
    return toy_choices(toy_oracle());
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
  Vector w_ = Vector(21, 0.0);
};

TEST_CASE("all are asked where nothing is enough, and the best output is the answer") {
  ScriptedList three({{1}, {3}, {2}});
  CHECK(three.ask().value() == 3);
  CHECK(three.ask().flags() == 0);
  CHECK(three.ask().origin.calls == 3);
  CHECK(three.ask().origin.escalated);
  CHECK(three.ask().origin.giver->name() == "counts");  // the second
}

TEST_CASE("the next is spared where a value exceeds what is enough, and is asked where none does") {
  ScriptedList list({{5}, {7, 0, exact}});
  CHECK(list.ask(4.9).value() == 5);
  CHECK(list.ask(4.9).flags() == 0);
  CHECK(list.ask(4.9).origin.calls == 1);
  CHECK_FALSE(list.ask(4.9).origin.escalated);
  CHECK(list.ask(5).value() == 7);
  CHECK(list.ask(5).has(exact));
}

TEST_CASE("the next is spared where no value can exceed what is enough") {
  ScriptedList list({{2, 4, bound}, {3, 0, exact}});
  CHECK(list.ask(4).value() == 2);
  CHECK(list.ask(4).has(bound));
  CHECK(list.ask(4).bound() == 4);
  CHECK_FALSE(list.ask(4).has(exact));
  CHECK(list.ask(3.9).value() == 3);
}

TEST_CASE("the least bound counts, and an output that attains it is exact") {
  ScriptedList list({{2, 5, bound}, {3, 3.5, bound}, {1, 3, bound}});
  const Answer& answer = list.ask();
  CHECK(answer.value() == 3);
  CHECK(answer.bound() == 3);
  CHECK(answer.has(exact));
}

TEST_CASE("nobody is asked behind an exact answer, in either rule") {
  for (const OracleRule rule : {OracleRule::escalate, OracleRule::combine}) {
    ScriptedList list({{3, 0, exact}, {1}}, rule);
    CHECK(list.ask().origin.calls == 1);
    CHECK(list.ask().has(exact));
  }
}

TEST_CASE("combine asks all whatever is enough") {
  ScriptedList list({{5}, {4}, {6}}, OracleRule::combine);
  CHECK(list.ask(1).value() == 6);
  CHECK(list.ask(1).origin.calls == 3);
  CHECK_FALSE(list.list().escalates());
}

TEST_CASE("a claim that another's output refutes is blamed on who made it") {
  ScriptedList list({{2, 2.5, bound}, {3}});
  const Refusal refusal = refusal_of([&] { list.ask(); });
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("claims that no value exceeds 2.5, but an output that counts found has 3"));
  CHECK(refusal.text.starts_with("all: example 0: "));
}

TEST_CASE("values that differ by rounding refute nothing") {
  ScriptedList list({{3 + 1e-9}, {3, 0, exact}});
  CHECK(list.ask().has(exact));
  CHECK(list.ask().value() == 3 + 1e-9);
  CHECK(list.ask().bound() == 3 + 1e-9);
}

TEST_CASE("values that differ by the rounding of their terms refute nothing, however small") {
  // by 1e-3 of the values, which are what is left of terms of 1e12
  ScriptedList list({{1e-6 + 1e-9}, {1e-6, 0, exact}});
  CHECK(refusal_of([&] { list.ask(); }).says("claims that no value exceeds"));
  list.set_weights(1e12);
  CHECK(list.ask().has(exact));
  CHECK(list.ask().value() == 1e-6 + 1e-9);
}

TEST_CASE("NO_OUTPUT counts where it comes first, and contradicts an output") {
  ScriptedList none({{0, 0, nothing}, {1}});
  CHECK(none.ask().has(nothing));
  CHECK(none.ask().origin.calls == 1);
  ScriptedList contradiction({{1}, {0, 0, nothing}});
  CHECK(refusal_of([&] { contradiction.ask(); }).says("says NO_OUTPUT where"));
}

TEST_CASE("bounds of outputs prove nothing of relaxed answers, which are the last one's alone") {
  ScriptedList list({{3, 0, exact}, {4.5, 4.5, exact | bound, true}}, OracleRule::escalate, true);
  CHECK(list.list().relaxes());
  CHECK(list.ask_relaxed().fractional());
  CHECK(list.ask_relaxed().value() == 4.5);
  CHECK(list.ask_relaxed().has(exact));
  // an output that is worth having spares the relaxed answer, and nothing is certified by it
  CHECK(list.ask_relaxed(2).value() == 3);
  CHECK(list.ask_relaxed(2).flags() == 0);
  CHECK_FALSE(list.ask_relaxed(2).fractional());
  // where outputs are asked for, as in prediction, the exact one ends it
  CHECK(list.ask().origin.calls == 1);
}

TEST_CASE("relaxed answers are searched for, though there is a frontier of outputs") {
  toy_plan() = random_toy(3, 1);
  Problem problem(toy_choices(toy_oracle()), Purpose::training, 1, {});
  Formulation norm_two;
  norm_two.slack_norm = 2;
  for (const bool relaxes : {false, true}) {
    Scripted oracle(problem.oracle().component(), {}, relaxes);
    oracle.obstacle = "";
    CHECK(choose_strategy(norm_two, oracle) ==
          (relaxes ? SeparationStrategy::search : SeparationStrategy::frontier));
  }
}

}  // namespace
}  // namespace sculpt::core
