// The test of damaged states. A restored component checks every length, because the bytes of a
// model may be damaged. What it cannot notice must not make it crash.

#include <algorithm>
#include <array>

#include "base/text/message_text.hpp"
#include "check/answers/counter_example.hpp"
#include "check/system/memory_limit.hpp"
#include "check/tests/learned_width.hpp"
#include "check/tests/state_owner.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_damaged_predictions = 5;  // examples

// A damaged copy of a state.
struct Damage {
  std::size_t state;  // its position in the list
  std::string bytes;
  std::string what;  // "cut to 3 of 8 bytes"
  bool is_cut = false;
};

std::string size_text(std::size_t size) {
  return count_text(static_cast<std::int64_t>(size), "byte");
}

Damage cut_at(const std::vector<Problem::State>& states, std::size_t state, std::size_t size) {
  const std::string& bytes = states[state].bytes;
  return {state, bytes.substr(0, size),
          "cut to " + std::to_string(size) + " of " + size_text(bytes.size()), true};
}

class DamageTest {
 public:
  DamageTest(TestFixture& fixture, TestContext& context)
      : fixture_(fixture),
        context_(context),
        states_(fixture.problem().states()),
        random_(fixture.random("state.damage")),
        source_(fixture.factory().sources().front()) {
    source_.split = "predict";  // restored components must not learn
    if (fixture.problem().kernel() == nullptr) {
      w_.emplace(fixture.weights().draw(random_, 1));
      return;
    }
    ProblemChanges undamaged;  // has other atoms than the tested problem if that has several splits
    undamaged.states = states_for_prediction(fixture.problem());
    undamaged.sources = {{source_}};
    w_.emplace(weights_of(*fixture.factory().make(undamaged)).draw(random_, 1));
  }

  void run() {
    limit_memory(memory_for_damaged_bytes);
    const std::vector<Damage> damages = draw_damages();
    if (damages.empty()) context_.skip_not_offered("a state of any component");
    TimeBudget budget(fixture_.timer(), context_, std::ssize(damages), "damaged states");
    for (const Damage& damage : damages) {
      if (!budget.next()) return;
      context_.count();
      restore(damage);
    }
  }

 private:
  // The cuts come first. They take turns, so that each component has its share of the time.
  std::vector<Damage> draw_damages() {
    const auto cuts = fixture_.level().choose<std::size_t>(4, 24, 200);
    const int changes = fixture_.level().choose(4, 24, 200);
    std::vector<Damage> damages;
    for (std::size_t k = 0; k < cuts; ++k) {
      for (std::size_t state = 0; state < states_.size(); ++state) add_cut(state, k, cuts, damages);
    }
    for (int k = 0; k < changes; ++k) {
      for (std::size_t state = 0; state < states_.size(); ++state) {
        if (!states_[state].bytes.empty()) damages.push_back(change_byte(state));
      }
    }
    for (std::size_t state = 0; state < states_.size(); ++state) {
      damages.push_back({state, states_[state].bytes + '\0', "one byte longer", true});
    }
    return damages;
  }

  // Every size below that of the state if there are not too many, else some, with the largest.
  void add_cut(std::size_t state, std::size_t k, std::size_t cuts, std::vector<Damage>& damages) {
    const std::size_t size = states_[state].bytes.size();
    if (size <= cuts) {
      if (k < size) damages.push_back(cut_at(states_, state, k));
      return;
    }
    const std::size_t at = k == 0 ? size - 1 : k == 1 ? 0 : random_.next() % size;
    damages.push_back(cut_at(states_, state, at));
  }

  Damage change_byte(std::size_t state) {
    std::string bytes = states_[state].bytes;
    const std::size_t at = random_.next() % bytes.size();
    // Large bytes make large lengths, and change the sign of a number.
    constexpr std::array<unsigned char, 4> values = {0xff, 0x7f, 0x80, 0x01};
    const auto value = static_cast<unsigned char>(
        random_.next() % 2 == 0 ? values[random_.next() % values.size()] : random_.next() % 256);
    bytes[at] = static_cast<char>(value);
    return {state, std::move(bytes),
            "with byte " + std::to_string(at) + " set to " + std::to_string(value)};
  }

  void restore(const Damage& damage) {
    const std::string subject = "a state of " +
                                state_owner(fixture_.problem(), states_[damage.state].kind) +
                                " that is " + damage.what;
    context_.set_activity("restoring " + subject);
    ProblemChanges changes;
    changes.states = states_for_prediction(fixture_.problem());
    changes.states[damage.state].bytes = damage.bytes;
    changes.sources = {{source_}};
    try {
      const std::unique_ptr<Problem> problem = fixture_.factory().make(changes);
      if (damage.is_cut && problem->states().at(damage.state).bytes != damage.bytes) {
        context_.fail(
            "restores " + subject + ", and saves another one: it does not notice the damage; " +
            "check every length against the bytes that are left, and that none are left at the "
            "end");
      }
      context_.set_activity("predicting after it restored " + subject);
      predict(*problem);
    } catch (const std::bad_alloc&) {
      return;  // the host takes memory for what the state says, such as the number of weights
    } catch (const Failure& failure) {
      if (failure.exit_code() != Exit::memory) return;
      context_.fail("asks for more memory than there is, after it restored " + subject +
                    ": check lengths before memory is taken for them");
    }
  }

  // A model whose weights are of another dimension is refused before any query.
  void predict(Problem& problem) const {
    if (problem.dimension() != std::ssize(w_->values())) return;
    const std::int64_t count = std::min(problem.dataset().count(), max_damaged_predictions);
    SparseAccumulator scratch(problem.dimension());
    SparseVector psi;
    for (std::int64_t example = 0; example < count; ++example) {
      const OwnedAnswer answer =
          ask_oracle(problem, {example, &*w_, 0, /*has_truth=*/false, /*seed=*/1});
      if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) continue;
      const Output output{answer.labels, {}, 0, false, {}};
      problem.features().vector(0, example, output.raw(), Exit::plugin, scratch, psi);
      problem.dataset().format(example, output.raw());
    }
  }

  TestFixture& fixture_;
  TestContext& context_;
  std::vector<Problem::State> states_;
  Random random_;
  SplitSource source_;
  std::optional<Weights> w_;
};

void state_damage_test(TestFixture& fixture, TestContext& context) {
  DamageTest(fixture, context).run();
}

}  // namespace

std::span<const ExperimentTest> state_damage_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"state.damage", state_damage_test}}};
  return tests;
}

}  // namespace sculpt::core
