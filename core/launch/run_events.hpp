// run_events.hpp - the lines of events.jsonl as JSON.
//
// Called by train, evaluate, describe, verify and sweep. Numbers that are not finite become null.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "objective/bound_kind.hpp"
#include "problem/prediction/predictor.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// The event "pass".
nlohmann::ordered_json pass_event(const PassReport& report);

// {"loss": .., metrics.., "loss_standard_error": .., "examples": ..} of one split.
nlohmann::ordered_json metrics_json(const Evaluation& evaluation);

// The certificate, for the model and the event "finished". Keys: objective ("standard", or
// "relaxed" for relaxed outputs), primal, primal_low, primal_high, dual, gap, relative_gap,
// certified, passes, oracle_calls, stopped_by. Some solvers add residual, hinge_primal and
// hinge_primal_low.
nlohmann::ordered_json certificate_json(const Result& result, bool relaxed);

// How to read "primal" of such a certificate. Throws Json::exception if it is no certificate.
BoundKind bound_kind_in(const nlohmann::ordered_json& certificate);

// A number, or null when it is not finite.
nlohmann::ordered_json number_json(double value);

}  // namespace sculpt::core
