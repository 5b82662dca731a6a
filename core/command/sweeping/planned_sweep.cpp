#include "command/sweeping/planned_sweep.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "sweep/plan/preflight_check.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

// The points, after all checks that a sweep makes before it writes anything.
SweepPoints checked_points(const SweepRequest& request, Console& console) {
  SweepPoints points =
      check_points(request.config, request.grid, request.hold_out_options, request.is_cold);
  (void)request.threads_of(points.threads);
  check_before_training(request.config, request.grid, request.hold_out_options, request.criterion,
                        console);
  return points;
}

PlanRecord record_of(const SweepRequest& request, SweepPoints& points) {
  return {request.grid, request.hold_out_options, request.is_cold, std::move(points.identities)};
}

fs::path folder_of(const SweepRequest& request, const SweepPoints& points) {
  return request.output.empty() ? fs::absolute(fs::path("sweeps") / points.name) : request.output;
}

}  // namespace

PlannedSweep::PlannedSweep(const SweepRequest& request, bool is_shared, Console& console)
    : request_(request),
      points_(checked_points(request, console)),
      threads_(request.threads_of(points_.threads)),
      record_(record_of(request, points_)),
      folder_(folder_of(request, points_), request.existing, record_, is_shared),
      plan_(plan_of(request.grid, request.hold_out_options, points_.traits, record_.names())) {}

PlannedSweep::PlannedSweep(const SweepRequest& request)
    : request_(request),
      points_(check_points(request.config, request.grid, request.hold_out_options, request.is_cold,
                           HashesData::no)),
      threads_(request.threads_of(points_.threads)),
      record_(record_of(request, points_)),
      folder_(folder_of(request, points_), record_),
      plan_(plan_of(request.grid, request.hold_out_options, points_.traits, record_.names())) {}

CheckModel PlannedSweep::check_model() const {
  return [this](const Cell& cell, const nlohmann::ordered_json& header) {
    record_.require_same_data(cell.point, header, cell.name);
  };
}

CellFolder PlannedSweep::cells() const {
  return {plan_, folder_.cells(), request_.config, check_model()};
}

}  // namespace sculpt::core
