#include "sweep/plan/sweep_points.hpp"

#include <cmath>
#include <map>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "launch/assembly.hpp"
#include "launch/audit_check.hpp"
#include "launch/component_search.hpp"
#include "launch/run_identity.hpp"
#include "objective/objective.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

void require_free_keys(const Grid& grid, const HoldOutOptions& hold_out_options) {
  for (const GridKey& key : grid.keys()) {
    if (key.is_in("output")) {
      throw Failure(Exit::usage, "--set " + key.text() +
                                     ": the runs of a sweep are in its own folder; choose that "
                                     "folder with --output DIR");
    }
    if (key.is_in("hold_out") && hold_out_options.is_set()) {
      throw Failure(Exit::usage, "--set " + key.text() + ": " + hold_out_options.text() +
                                     " sets what is held out; leave one of the two out");
    }
  }
}

// The hashes of data. Reads each file once, even if several points use it.
class DataHashes {
 public:
  const Json& hashes_of(const Assembly& assembly) {
    const Experiment& experiment = assembly.experiment();
    std::string sources = experiment.hold_out ? experiment.hold_out->groups : "";
    sources += dataset_files(assembly).dump();
    for (const Split& split : experiment.splits) {
      sources += '\n' + split.name + '\n' + split.text.value_or(split.arrays.value_or(split.path));
    }
    const auto [found, is_new] = known_.emplace(sources, Json());
    if (is_new) found->second = data_hashes(assembly);
    return found->second;
  }

 private:
  std::map<std::string, Json> known_;
};

// Refuses two points that train the same. 1 and 1.0 are equal values.
class DistinctPoints {
 public:
  explicit DistinctPoints(const Grid& grid) : grid_(grid) {}

  void add(std::size_t point, Json config) {
    config.erase("threads");  // the sweep sets the threads of a cell
    const auto [found, is_new] = known_.emplace(config.dump(), point);
    if (is_new) return;
    throw Failure(Exit::usage, "--set: " + joined(grid_.settings(found->second), ", ") + " and " +
                                   joined(grid_.settings(point), ", ") +
                                   " are the same experiment; leave one of them out");
  }

 private:
  const Grid& grid_;
  std::map<std::string, std::size_t> known_;
};

// Cells run in processes of the program.
void require_libraries(const Assembly& assembly) {
  const sculpt_component* const lent = assembly.lent_component();
  if (lent == nullptr) return;
  throw Failure(Exit::plugin, "a sweep trains in processes of the program, which do not have " +
                                  std::string(lent->id) +
                                  ": it belongs to a catalogue of this session; put it in a "
                                  "library on the search path");
}

// With samples in place of all examples, the planes of one_slack bound nothing, so no later cell
// may use them.
bool samples_cuts(const ChosenSolver& solver) {
  return solver.parameters.resolved().value("cut_sample", 0.0) > 0;
}

// SweepPoints::identities of a point.
Json identity_of(const RunIdentity& identity, const Assembly& assembly, DataHashes& data,
                 HashesData hashes_data) {
  if (hashes_data == HashesData::no) {
    Json json = identity.model_header(Json::object());
    json.erase("data");
    return json;
  }
  const Json& hashes = data.hashes_of(assembly);
  Json json = identity.model_header(hashes);
  json["paths"] = identity.path_hashes(hashes);
  return json;
}

}  // namespace

SweepPoints check_points(const std::string& config, const Grid& grid,
                         const HoldOutOptions& hold_out_options, bool is_cold,
                         HashesData hashes_data) {
  require_free_keys(grid, hold_out_options);
  const JsonDocument document = JsonDocument::read(config);
  Registry registry(registry_settings(document, parse_overrides(grid.settings(0))));
  DataHashes data;
  DistinctPoints distinct_points(grid);
  SweepPoints points;
  for (std::size_t point = 0; point < grid.size(); ++point) {
    std::vector<std::string> settings = grid.settings(point);
    if (hold_out_options.is_set()) settings.push_back(hold_out_options.setting(0));
    const Experiment experiment(document, parse_overrides(settings), declared_in(registry));
    const Assembly assembly(experiment, registry);
    require_libraries(assembly);
    const ChosenSolver solver(experiment.solver);
    for (const std::string& warning : solver.parameters.warnings()) registry.warn(warning);
    const RunIdentity identity(assembly, solver);
    distinct_points.add(point, identity.config());
    const auto made = solver.descriptor.create(solver.parameters.values());
    require_audit_of_hinge(experiment, *made->objective({}));
    const auto formulation = made->formulation();
    const double C = formulation ? formulation->C : 0;
    // Planes under hard margin may differ (load_warm_start_planes() refuses some). Without planes
    // every cell begins from nothing.
    const bool can_start_with_planes = !is_cold && formulation && solver.declares_warm_start() &&
                                       std::isfinite(C) && !samples_cuts(solver);
    points.traits.push_back({C, can_start_with_planes});
    points.identities.push_back(identity_of(identity, assembly, data, hashes_data));
    points.name = experiment.name;
    points.threads = experiment.threads;
  }
  return points;
}

}  // namespace sculpt::core
