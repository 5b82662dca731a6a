// Check lends every array to a map_solver with a fence behind it: frontiers, expectations, k best
// assignments and draws.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "check/small_graphs/frontier_brute_force.hpp"
#include "check/small_graphs/map_distribution_caller.hpp"
#include "core/problem/toy.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

// What the functions below saw behind their arrays, by array.
std::map<std::string, std::string> seen;
bool writes_to_theta = false;

template <class T>
void look_behind(const char* array, const T* data, std::int64_t size) {
  const auto fault = FencedPages::fault_at(data + size);
  seen[array] = fault ? fault->name : "no fence";
}
void look_at_query(const sculpt_map_query* query) {
  look_behind("theta", query->theta, query->graph->theta_size);
  if (writes_to_theta) const_cast<double*>(query->theta)[0] += 1;
}
sculpt_status write_labels(sculpt_label_buffer* out) {
  const sculpt_status status = sculpt_resize_labels(out, 2);
  if (status != SCULPT_OK) return status;
  look_behind("labels", out->data, out->capacity);
  std::fill_n(out->data, 2, 0);
  return SCULPT_OK;
}

constexpr sculpt_ext_map_expectation expectation = {
    [](void*, const sculpt_map_query* query, sculpt_log_z* log_z, double* mu,
       sculpt_error*) -> sculpt_status {
      look_at_query(query);
      look_behind("mu", mu, query->graph->theta_size);
      std::fill_n(mu, query->graph->theta_size, 0.25);
      *log_z = {1, SCULPT_LOG_Z_EXACT, 0};
      return SCULPT_OK;
    },
    [](void*, const sculpt_map_query* query, const double* direction, double* out,
       sculpt_error*) -> sculpt_status {
      look_at_query(query);
      look_behind("direction", direction, query->graph->theta_size);
      look_behind("product", out, query->graph->theta_size);
      std::copy_n(direction, query->graph->theta_size, out);
      return SCULPT_OK;
    }};
constexpr sculpt_ext_map_k_best k_best = {
    [](void*, const sculpt_map_query* query, sculpt_error*) -> sculpt_status {
      look_at_query(query);
      return SCULPT_OK;
    },
    [](void*, sculpt_answer* answer, sculpt_error*) { return write_labels(&answer->labels); }};
constexpr sculpt_ext_map_sample sample = {
    [](void*, const sculpt_map_query* query, double* log_z, sculpt_error*) -> sculpt_status {
      look_at_query(query);
      *log_z = 0;
      return SCULPT_OK;
    },
    [](void*, std::uint64_t, sculpt_label_buffer* out, sculpt_error*) {
      return write_labels(out);
    }};
// A frontier of one count with one value, 0.
constexpr sculpt_ext_frontier frontier = {
    [](void*, const sculpt_frontier_query* query, sculpt_frontier_shape* shape,
       sculpt_error*) -> sculpt_status {
      look_at_query(query->map);
      for (std::uint32_t k = 0; k < query->count_count; ++k) {
        look_behind("table", query->tables[k], query->map->graph->theta_size);
      }
      shape->size[0] = shape->size[1] = 1;
      return SCULPT_OK;
    },
    [](void*, std::int64_t, double* scores, sculpt_error*) -> sculpt_status {
      look_behind("slice", scores, 1);
      scores[0] = 0;
      return SCULPT_OK;
    },
    [](void*, const std::int64_t* counts, sculpt_label_buffer* out, sculpt_error*) {
      look_behind("counts", counts, SCULPT_MOST_COUNTS);
      return write_labels(out);
    }};

const void* all_extensions(const void*, const char* id) {
  const std::string_view name = id;
  if (name == SCULPT_EXT_MAP_EXPECTATION) return &expectation;
  if (name == SCULPT_EXT_MAP_K_BEST) return &k_best;
  if (name == SCULPT_EXT_MAP_SAMPLE) return &sample;
  return name == SCULPT_EXT_FRONTIER ? &frontier : nullptr;
}

struct LookingSolver {
  LookingSolver()
      : life(*toy_map_solver().life),
        description(toy_map_solver()),
        workers(1),
        services({}, workers, Services::Guard::fences) {
    seen.clear();
    life.extension = all_extensions;
    description.life = &life;
    component.emplace(description, std::span<const sculpt_value>(), services);
  }
  sculpt_life life;
  sculpt_component description;
  Workers workers;
  Services services;
  std::optional<Component> component;
};

// Two variables with two states, without pairs.
SmallGraph two_variables() {
  SmallGraph graph;
  graph.states = {2, 2};
  graph.tables = {{0, -1}, {0, -2}};
  return graph;
}

}  // namespace

TEST_CASE("expectations, k best assignments and draws of map_solvers end at fences") {
  const LookingSolver solver;
  MapDistributionCaller caller(*solver.component);
  const MapQueryData query(two_variables());
  CHECK(caller.mean(query)->mu == std::vector<double>(4, 0.25));
  CHECK(seen == std::map<std::string, std::string>{{"theta", "theta"}, {"mu", "mu"}});
  seen.clear();
  CHECK(*caller.covariance_times(query, {1, 2, 3, 4}) == std::vector<double>{1, 2, 3, 4});
  CHECK(seen == std::map<std::string, std::string>{{"theta", "theta"},
                                                   {"direction", "the direction"},
                                                   {"product", "the product"}});
  seen.clear();
  CHECK(caller.begin_k_best(query));
  CHECK(caller.next().labels == std::vector<std::int32_t>{0, 0});
  const std::map<std::string, std::string> series{{"theta", "theta"},
                                                  {"labels", "the labels of its output"}};
  CHECK(seen == series);
  seen.clear();
  CHECK(caller.begin_sample(query).has_value());
  CHECK(caller.draw(1) == std::vector<std::int32_t>{0, 0});
  CHECK(seen == series);
}

TEST_CASE("a frontier of a map_solver has fences behind its arrays") {
  const LookingSolver solver;
  MapSolverCaller caller(*solver.component);
  const CountedGraph counted{
      two_variables(), {{"errors", 3, 0, 0}}, {std::vector<std::int32_t>{0, 1, 0, 1}}};
  FrontierBruteForce(caller).fault(counted);
  CHECK(seen == std::map<std::string, std::string>{{"theta", "theta"},
                                                   {"table", "a table of counts"},
                                                   {"slice", "the scores of a slice"},
                                                   {"counts", "the counts"},
                                                   {"labels", "the labels of its output"}});
}

TEST_CASE("a map_solver that writes to theta in a series of calls is refused") {
  const LookingSolver solver;
  MapDistributionCaller caller(*solver.component);
  const MapQueryData query(two_variables());
  writes_to_theta = true;
  CHECK(caller.begin_k_best(query));
  const Refusal refusal = refusal_of([&] { caller.next(); });
  writes_to_theta = false;
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("writes to theta, which it may only read"));
}
