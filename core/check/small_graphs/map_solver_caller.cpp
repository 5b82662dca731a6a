#include "check/small_graphs/map_solver_caller.hpp"

#include <cmath>
#include <limits>

#include "base/text/message_text.hpp"
#include "check/fixture/known_extensions.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/plugin/relaxed_answer_struct.hpp"

namespace sculpt::core {
namespace {

sculpt_map_query query_of(const FactorGraphData& data, const std::vector<double>& theta,
                          std::uint64_t seed) {
  sculpt_map_query query = {};
  query.struct_size = sizeof query;
  query.graph = &data.raw();
  query.theta = theta.data();
  query.seed = seed;
  return query;
}

}  // namespace

OwnedAnswer MapSolverCaller::solve(const SmallGraph& graph, const FactorGraphData& data,
                                   std::uint64_t seed, int worker) {
  const std::vector<double> theta = graph.theta();
  const sculpt_map_query query = query_of(data, theta, seed);
  Answer buffer;
  const LentMapQuery lent(component_, query);
  FilledLabels labels(component_, buffer.raw()->labels);
  component_.call("solve", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_map_solver_api>().solve(sessions_.for_worker(worker), lent.raw(),
                                                         buffer.raw(), error);
  });
  labels.take();
  lent.require_unchanged(-1);
  return checked_answer(graph, data, buffer);
}

OwnedAnswer MapSolverCaller::relaxed(const SmallGraph& graph, const FactorGraphData& data) {
  const std::vector<double> theta = graph.theta();
  const sculpt_map_query query = query_of(data, theta, /*seed=*/1);
  std::vector<double> mu(theta.size(), std::numeric_limits<double>::quiet_NaN());
  Answer buffer;
  {
    const LentMapQuery lent(component_, query);
    const FilledArray<double> cells(component_, "mu", mu);
    RelaxedAnswerStruct answer_struct(buffer);
    FilledLabels labels(component_, answer_struct.raw()->labels);
    component_.call("cut", -1, [&](sculpt_error* error) {
      return map_relaxed_table_->cut(sessions_.for_worker(0), lent.raw(), cells.data(),
                                     answer_struct.raw(), error);
    });
    labels.take();
    cells.take();
    lent.require_unchanged(-1);
    answer_struct.copy_to_answer();
  }
  if (buffer.fractional() && buffer.labels().size != 0) {
    component_.refuse(Exit::plugin, -1, "marks its relaxed answer FRACTIONAL, but gives labels");
  }
  OwnedAnswer answer = checked_answer(graph, data, buffer);
  if (!answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) answer.mu = std::move(mu);
  return answer;
}

OwnedAnswer MapSolverCaller::prove(const SmallGraph& graph, const FactorGraphData& data,
                                   Witness& witness) {
  const std::vector<double> theta = graph.theta();
  const sculpt_map_query query = query_of(data, theta, /*seed=*/1);
  Answer buffer;
  const LentMapQuery lent(component_, query);
  FilledLabels labels(component_, buffer.raw()->labels);
  const auto* const table = answered<sculpt_ext_map_witness>(component_, SCULPT_EXT_MAP_WITNESS);
  component_.call("witness.prove", -1, [&](sculpt_error* error) {
    return table->prove(sessions_.for_worker(0), lent.raw(), buffer.raw(), witness.raw(), error);
  });
  labels.take();
  lent.require_unchanged(-1);
  return checked_answer(graph, data, buffer);
}

OwnedAnswer MapSolverCaller::checked_answer(const SmallGraph& graph, const FactorGraphData& data,
                                            const Answer& buffer) const {
  if (!buffer.has_flag(SCULPT_ANSWER_NO_OUTPUT) && !buffer.has_valid_size()) {
    component_.refuse(
        Exit::plugin, -1,
        "gives an output of the impossible size " + std::to_string(buffer.labels().size));
  }
  OwnedAnswer answer(buffer);
  if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return answer;
  if (!answer.fractional() && !is_assignment(data.raw(), answer.labels)) {
    component_.refuse(Exit::plugin, -1,
                      "answers " + labels_text(answer.labels) + ", which is no assignment of " +
                          joined(graph.lines(), "; "));
  }
  if (!std::isfinite(answer.value) || !std::isfinite(answer.bound)) {
    component_.refuse(Exit::plugin, -1, "the value or bound of its answer is not finite");
  }
  return answer;
}

}  // namespace sculpt::core
