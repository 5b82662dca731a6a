#include "check/small_graphs/map_solver_caller.hpp"

#include <cmath>
#include <limits>

#include "base/text/message_text.hpp"
#include "check/fixture/factor_graph_reader.hpp"
#include "problem/plugin/cut_struct.hpp"

namespace sculpt::core {

OwnedAnswer MapSolverCaller::solve(const SmallGraph& graph, const FactorGraphData& lent,
                                   std::uint64_t seed, int worker) {
  const std::vector<double> theta = graph.theta();
  sculpt_map_query query = {};
  query.struct_size = sizeof query;
  query.graph = &lent.raw();
  query.theta = theta.data();
  query.seed = seed;
  Answer answer;
  component_.call("solve", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_map_solver_api>().solve(sessions_.of(worker), &query, answer.raw(),
                                                         error);
  });
  return checked(graph, lent, answer);
}

OwnedAnswer MapSolverCaller::relaxed(const SmallGraph& graph, const FactorGraphData& lent) {
  const std::vector<double> theta = graph.theta();
  sculpt_map_query query = {};
  query.struct_size = sizeof query;
  query.graph = &lent.raw();
  query.theta = theta.data();
  query.seed = 1;
  std::vector<double> mu(theta.size(), std::numeric_limits<double>::quiet_NaN());
  Answer answer;
  {
    CutStruct cut(answer);
    component_.call("cut", -1, [&](sculpt_error* error) {
      return map_cut_->cut(sessions_.of(0), &query, mu.data(), cut.raw(), error);
    });
    cut.take();
  }
  if (answer.fractional() && answer.labels().size != 0) {
    component_.refuse(Exit::plugin, -1, "calls its relaxed answer FRACTIONAL and gives labels");
  }
  OwnedAnswer reply = checked(graph, lent, answer);
  if (!reply.has(SCULPT_ANSWER_NO_OUTPUT)) reply.mu = std::move(mu);
  return reply;
}

OwnedAnswer MapSolverCaller::checked(const SmallGraph& graph, const FactorGraphData& lent,
                                     const Answer& answer) const {
  if (!answer.has(SCULPT_ANSWER_NO_OUTPUT) && !answer.sound()) {
    component_.refuse(Exit::plugin, -1, "left an output with an impossible size");
  }
  OwnedAnswer reply(answer);
  if (reply.has(SCULPT_ANSWER_NO_OUTPUT)) return reply;
  if (!reply.fractional() && !fits(lent.raw(), reply.labels)) {
    component_.refuse(Exit::plugin, -1,
                      "answers " + labels_text(reply.labels) + ", which is no assignment of " +
                          joined(graph.lines(), "; "));
  }
  if (!std::isfinite(reply.value) || !std::isfinite(reply.bound)) {
    component_.refuse(Exit::plugin, -1, "the value or bound of its answer is not finite");
  }
  return reply;
}

std::optional<BestAssignment> best_assignment(const SmallGraph& graph) {
  std::optional<BestAssignment> best;
  each_assignment(graph.states, [&](const std::vector<std::int32_t>& y) {
    const double value = graph.score(y);
    if (!best || value > best->value) best = BestAssignment{y, value};
  });
  return best;
}

}  // namespace sculpt::core
