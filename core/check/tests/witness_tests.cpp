// Tests of witnesses (ext/draft/witness.h): the answer is that of argmax or solve, and the messages
// of a factor graph prove the bound that it claims.

#include <sculpt/ext/draft/witness.h>

#include <array>
#include <map>

#include "base/text/message_text.hpp"
#include "check/answers/counter_example.hpp"
#include "check/answers/witness.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/small_graphs/random_graph_test.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

// Counts the witnesses that the host cannot verify, by kind.
class UnverifiedWitnesses {
 public:
  void add(const std::string& kind) { ++counts_[kind]; }
  void remark(TestContext& context) const {
    for (const auto& [kind, count] : counts_) {
      context.remark("not verified: " + count_text(count, "witness") + " of the kind \"" +
                     printable(kind) + "\"" +
                     (kind == SCULPT_WITNESS_NONE
                          ? ", which have no numbers"
                          : "; only messages of a factor graph are verified here"));
    }
  }

 private:
  std::map<std::string, std::int64_t> counts_;
};

// Returns what is wrong with the witness of a query about a factor graph, or "". `constant`: of the
// value, beside theta.
std::string fault_of_messages(const sculpt_factor_graph& graph, std::span<const double> theta,
                              double constant, const Witness& witness, const OwnedAnswer& answer) {
  const std::optional<WitnessBound> bound = bound_of_messages(graph, theta, witness.numbers());
  if (bound) return fault_of_bound(*bound, constant, answer);
  return "gives " + count_text(std::ssize(witness.numbers()), "number") +
         " as messages, which is not one for each state of each variable of each factor";
}

// Without an output there is nothing to prove.
void test_graph_without_output(MapSolverCaller& solver, TestContext& context) {
  for (const std::uint32_t classes : solver_demands(solver.component()).alternatives) {
    if ((classes & SCULPT_GRAPH_BINARY) != 0) continue;
    SmallGraph graph;
    graph.classes = classes;
    graph.states = {0};
    graph.tables = {{}};
    context.set_activity("a graph with a variable that has no state");
    context.count();
    Witness witness;
    const OwnedAnswer answer = solver.prove(graph, FactorGraphData(graph, 0), witness);
    const std::string fault = fault_of_witness(witness, answer);
    if (!fault.empty()) context.fail(solver.component().name() + " " + fault);
  }
}

void map_witness_test(TestFixture& fixture, TestContext& context) {
  const Component& map_solver = map_solver_of(fixture, context);
  if (map_solver.answered_table(SCULPT_EXT_MAP_WITNESS) == nullptr) {
    context.skip_not_offered("witnesses (" SCULPT_EXT_MAP_WITNESS ") of " + map_solver.name());
  }
  MapSolverCaller solver(map_solver);
  test_graph_without_output(solver, context);
  UnverifiedWitnesses unverified;
  each_graph(fixture, context, {"map_witness.bound"}, solver, [&](const SmallGraph& graph) {
    const FactorGraphData data(graph, 0);
    Witness witness;
    const OwnedAnswer answer = solver.prove(graph, data, witness);
    const OwnedAnswer other = solver.solve(graph, data);
    const auto lines = [&](const std::string& what) {
      return what.empty() ? std::vector<std::string>()
                          : std::vector<std::string>{map_solver.name() + " " + what,
                                                     "  answer  " + answer.text()};
    };
    if (!(answer == other))
      return lines("proves another answer than that of solve, " + other.text());
    const std::string fault = fault_of_witness(witness, answer);
    if (!fault.empty()) return lines(fault);
    if (witness.kind() != SCULPT_WITNESS_MESSAGES) {
      unverified.add(witness.kind());
      return lines("");
    }
    return lines(fault_of_messages(data.raw(), graph.theta(), 0, witness, answer));
  });
  unverified.remark(context);
}

// The scores of the factor graph of a query: <w, psi> and, if the query has a truth, the loss.
class GraphScores {
 public:
  explicit GraphScores(TestFixture& fixture)
      : fixture_(fixture), reader_(fixture.problem().features()) {
    Loss* const loss = fixture.problem().loss();
    if (loss != nullptr) parts_ = loss->component().extension<sculpt_ext_factor_loss>();
  }

  // Computes graph(), theta() and constant(). False if they are not known: there is no factor
  // graph, or the loss does not split over it.
  bool compute(const OracleQuery& query) {
    if (!reader_.is_offered()) return false;
    graph_ = &reader_.graph(query.example);
    theta_ = reader_.potentials(query.example, *graph_, query.w->raw());
    constant_ = 0;
    if (query.loss_weight == 0) return true;
    if (parts_ == nullptr) return false;
    Loss& loss = *fixture_.problem().loss();
    const Component& component = loss.component();
    std::uint32_t demands = 0;
    component.call("factor-loss.demands", -1, [&](sculpt_error* error) {
      return parts_->demands(component.self(), &demands, error);
    });
    if ((demands & ~graph_->classes) != 0) return false;
    const LentLabels truth(component, "the labels of the truth", fixture_.truth(query.example));
    const FilledArray<double> sums(component, "theta", theta_);
    component.call("factor-loss.add", query.example, [&](sculpt_error* error) {
      return parts_->add(loss.session(0), query.example, graph_, truth.raw(), query.loss_weight,
                         sums.data(), &constant_, error);
    });
    sums.take();
    return true;
  }
  const sculpt_factor_graph& graph() const { return *graph_; }
  std::span<const double> theta() const { return theta_; }
  double constant() const { return constant_; }

 private:
  TestFixture& fixture_;
  FactorGraphReader reader_;
  const sculpt_ext_factor_loss* parts_ = nullptr;
  const sculpt_factor_graph* graph_ = nullptr;
  std::vector<double> theta_;
  double constant_ = 0;
};

void witness_test(TestFixture& fixture, TestContext& context) {
  const Component& oracle = fixture.oracle();
  const bool is_map_solver = oracle.description().kind == SCULPT_KIND_MAP_SOLVER;
  const auto* const table = answered<sculpt_ext_witness>(oracle, SCULPT_EXT_WITNESS);
  if (is_map_solver || table == nullptr) {
    context.skip_not_offered("witnesses (" SCULPT_EXT_WITNESS ") of " + fixture.oracle_name());
  }
  Sessions sessions(oracle, 1);
  GraphScores scores(fixture);
  UnverifiedWitnesses unverified;
  fixture.each_query(context, "witness.bound", [&](const OracleQuery& query) {
    context.set_activity(query.text());
    context.count();
    Witness witness;
    Answer buffer;
    const LentQuery lent(oracle, raw_query_of(fixture.problem(), query));
    oracle.call("witness.prove", query.example, [&](sculpt_error* error) {
      return table->prove(sessions.for_worker(0), lent.raw(), buffer.raw(), witness.raw(), error);
    });
    lent.require_unchanged();
    if (!buffer.has_valid_size()) {
      oracle.refuse(Exit::plugin, query.example, "gives an output of an impossible size");
    }
    const OwnedAnswer answer(buffer);
    const OwnedAnswer other = ask_oracle(fixture.problem(), query);
    const auto refuse_if = [&](const std::string& what) {
      if (what.empty()) return;
      context.fail({fixture.oracle_name() + " " + what,
                    example_text(fixture, query.example) + "; " + query.text(),
                    "  answer  " + answer.text()});
    };
    if (!(answer == other)) refuse_if("proves another answer than that of argmax, " + other.text());
    refuse_if(fault_of_witness(witness, answer));
    if (witness.kind() != SCULPT_WITNESS_MESSAGES || !scores.compute(query)) {
      return unverified.add(witness.kind());
    }
    refuse_if(
        fault_of_messages(scores.graph(), scores.theta(), scores.constant(), witness, answer));
  });
  unverified.remark(context);
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

}  // namespace

std::span<const ExperimentTest> witness_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"witness.bound", witness_test}, {"map_witness.bound", map_witness_test}}};
  return tests;
}

}  // namespace sculpt::core
