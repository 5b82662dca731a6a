// The oracles and the map_solver of the toy: they try all labellings.

#include <sculpt/ext/host.h>

#include <algorithm>
#include <string_view>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core {

using namespace toy;

namespace {

sculpt_status answer_with(const Labels& y, double value, sculpt_answer* answer) {
  const auto size = static_cast<std::int64_t>(y.size());
  const sculpt_status status = sculpt_resize_labels(&answer->labels, size);
  if (status != SCULPT_OK) return status;
  std::copy(y.begin(), y.end(), answer->labels.data);
  answer->value = value;
  answer->flags = SCULPT_ANSWER_EXACT;
  return SCULPT_OK;
}

sculpt_status oracle_bind(void* self, const sculpt_bindings* bindings, sculpt_error* error) {
  static_cast<ToyOracle*>(self)->dataset = static_cast<ToyDataset*>(bindings->dataset.self);
  return begin_call("oracle.bind", -1, error);
}
double value_of(const Labels& observations, const sculpt_query& query, const Labels& y) {
  double value = 0;
  for_each_feature(observations, y.data(),
                   [&](std::int32_t index) { value += query.weights.data[index]; });
  if (query.truth.data == nullptr) return value;
  const Labels truth(query.truth.data, query.truth.data + query.truth.size);
  return value + query.loss_weight * toy_loss_of(toy_counts(truth, y));
}

struct Best {
  std::int64_t number = -1;
  double value = 0;
  void offer(std::int64_t other, double its_value) {
    if (number < 0 || its_value > value) *this = {other, its_value};
  }
};

sculpt_status oracle_argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                            sculpt_error* error) {
  sculpt_status status = begin_call("oracle.argmax", query->example, error);
  if (status != SCULPT_OK) return status;
  static_cast<ToySession*>(session)->drawn_example = -1;
  const ToyExample& one =
      self_of<ToyOracle>(session).dataset->examples[static_cast<std::size_t>(query->example)];
  const std::size_t size = one.observations.size();
  Best best;
  const bool truth_is_output = !toy_plan().leaves_out_truth;
  for (std::int64_t number = 0; number < labelling_count(size); ++number) {
    const Labels y = labelling(number, size);
    if (truth_is_output || y != one.truth)
      best.offer(number, value_of(one.observations, *query, y));
  }
  if (best.number < 0) {
    answer->flags = SCULPT_ANSWER_NO_OUTPUT;
    return SCULPT_OK;
  }
  status = answer_with(labelling(best.number, size), best.value, answer);
  if (!truth_is_output) answer->flags |= SCULPT_ANSWER_TRUTH_OUTSIDE;
  if (toy_plan().change_answer) toy_plan().change_answer(*query, *answer);
  return status;
}

// Each task of the host's threads tries four labellings.
sculpt_status parallel_argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                              sculpt_error* error) {
  struct Work {
    const ToyExample& example;
    const sculpt_query& query;
    std::vector<Best> best;
  };
  const ToyOracle& self = self_of<ToyOracle>(session);
  const ToyExample& one = self.dataset->examples[static_cast<std::size_t>(query->example)];
  const std::size_t size = one.observations.size();
  const std::int64_t blocks = (labelling_count(size) + 3) / 4;
  Work work{one, *query, std::vector<Best>(static_cast<std::size_t>(blocks))};
  const auto task = [](void* context, std::int64_t block, sculpt_error* text) -> sculpt_status {
    auto& shared = *static_cast<Work*>(context);
    const std::size_t positions = shared.example.observations.size();
    const std::int64_t end = std::min(labelling_count(positions), 4 * block + 4);
    for (std::int64_t number = 4 * block; number < end; ++number) {
      const Labels y = labelling(number, positions);
      shared.best[static_cast<std::size_t>(block)].offer(
          number, value_of(shared.example.observations, shared.query, y));
    }
    return begin_call("oracle.task", block, text);
  };
  const auto* parallel = static_cast<const sculpt_host_parallel*>(
      self.host->extension(self.host, SCULPT_HOST_PARALLEL));
  const sculpt_status status = parallel->run(self.host, blocks, task, &work, error);
  if (status != SCULPT_OK) return status;
  Best best;
  for (const Best& block : work.best) best.offer(block.number, block.value);
  return answer_with(labelling(best.number, size), best.value, answer);
}

sculpt_status solver_demands(const void*, const std::uint32_t** out, std::int64_t* count,
                             sculpt_error* error) {
  *out = toy_plan().solver_demands.data();
  *count = static_cast<std::int64_t>(toy_plan().solver_demands.size());
  if (toy_plan().change_demands) toy_plan().change_demands(*count);
  return begin_call("map_solver.demands", -1, error);
}
sculpt_status solver_frontier_demands(const void*, std::uint32_t* out, sculpt_error* error) {
  *out = toy_plan().frontier_demands;
  return begin_call("map_solver.frontier_demands", -1, error);
}
sculpt_status solver_solve(void*, const sculpt_map_query* query, sculpt_answer* answer,
                           sculpt_error* error) {
  sculpt_status status = begin_call("map_solver.solve", -1, error);
  if (status != SCULPT_OK) return status;
  const sculpt_factor_graph& graph = *query->graph;
  const auto size = static_cast<std::size_t>(graph.variable_count);
  Best best;
  for (std::int64_t number = 0; number < labelling_count(size); ++number) {
    best.offer(number, table_sum(graph, query->theta, labelling(number, size)));
  }
  status = answer_with(labelling(best.number, size), best.value, answer);
  if (toy_plan().change_answer) toy_plan().change_answer(sculpt_query{}, *answer);
  return status;
}

using ExtensionFunction = const void* (*)(const void*, const char*);
constexpr sculpt_life life_with(ExtensionFunction extension) {
  return {[](const sculpt_host* host, const sculpt_value*, void** self, sculpt_error* error) {
            const sculpt_status status = create<ToyOracle>("oracle.create", self, error);
            if (status == SCULPT_OK) static_cast<ToyOracle*>(*self)->host = host;
            return status;
          },
          destroy<ToyOracle>,
          oracle_bind,
          [](void*, sculpt_error* error) { return begin_call("oracle.seal", -1, error); },
          open_session,
          close_session,
          extension};
}
template <class Expectation>
const void* if_offered(std::string_view id, const sculpt_ext_frontier& frontier,
                       std::string_view expectation_id, const Expectation& expectation) {
  const ToyPlan& plan = toy_plan();
  if (id == SCULPT_EXT_FRONTIER && plan.offers_frontier) return &frontier;
  if (id == expectation_id && plan.offers_expectations) return &expectation;
  return nullptr;
}
constexpr sculpt_life oracle_life = life_with([](const void*, const char* id) -> const void* {
  if (std::string_view(id) == SCULPT_EXT_SAMPLE && toy_plan().offers_samples) {
    return &oracle_samples();
  }
  return if_offered(id, oracle_frontier(), SCULPT_EXT_EXPECTATION, oracle_expectation());
});
constexpr sculpt_life solver_life = life_with([](const void*, const char* id) -> const void* {
  return if_offered(id, solver_frontier(), SCULPT_EXT_MAP_EXPECTATION, solver_expectation());
});
constexpr sculpt_life parallel_life =
    life_with([](const void*, const char*) -> const void* { return nullptr; });

constexpr sculpt_oracle_api oracle_api = {oracle_argmax};
constexpr sculpt_oracle_api parallel_api = {parallel_argmax};
constexpr sculpt_map_solver_api solver_api = {solver_demands, solver_solve,
                                              solver_frontier_demands};

}  // namespace

const sculpt_component& toy_oracle() {
  static const sculpt_component component =
      describe(SCULPT_KIND_ORACLE, "org.toy.all", oracle_life, &oracle_api);
  return component;
}
const sculpt_component& toy_parallel_oracle() {
  static const sculpt_component component =
      describe(SCULPT_KIND_ORACLE, "org.toy.together", parallel_life, &parallel_api);
  return component;
}
const sculpt_component& toy_map_solver() {
  static const sculpt_component component =
      describe(SCULPT_KIND_MAP_SOLVER, "org.toy.search", solver_life, &solver_api);
  return component;
}

}  // namespace sculpt::core
