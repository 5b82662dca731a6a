// resume.hpp - whether an earlier run may go on as this one.
//
// Called by train, for --resume and for warm_start, by sweep --resume, by describe, and by verify,
// which wants what it recomputes to be that run. The identity of a run is what its model and its
// checkpoints say of it:
//
//   sculpt      the host's version
//   config      the experiment as in the model: no threads, output, plugin_path, checkpoint_seconds
//               and places of data
//   components  [{"kind", "id", "version"}]
//   data        {split: hash}, {"groups": hash} of the file of hold_out
//   warm_start  the hash of the planes it began with, if there were any
//   examples, dimension, formulation, and in checkpoints `paths`, further files, and `libraries`,
//   which a plugin that was built anew changes
//
// Of these the limits solver.max_passes, max_oracle_calls and max_seconds may differ.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

// What to do about a difference when a run was to go on.
inline constexpr const char* resume_advice = "; --force starts afresh";

// Compares the keys that both hold. `place`: where `then` was found. Throws Failure, naming the
// first difference and ending with `advice`: Exit::config for the config, Exit::data for data and
// the host's version, Exit::plugin for components, and for what they made of the same data.
void require_same_run(const nlohmann::ordered_json& then, const nlohmann::ordered_json& now,
                      const std::string& place, const std::string& advice = resume_advice);

// The same for config.json of a run that has left nothing else.
void require_same_config(const nlohmann::ordered_json& then, const nlohmann::ordered_json& now,
                         const std::string& place, const std::string& advice = resume_advice);

// Whether a run that wrote `then` has planes that are planes of this run too: what may differ are
// the seed, the splits that are not learned from, and of the solver all but rescaling and
// slack_norm. Throws Failure likewise.
void require_same_planes(const nlohmann::ordered_json& then, const nlohmann::ordered_json& now,
                         const std::string& place);

// The header of a model or a checkpoint, of data that of the split "train" and its groups alone.
nlohmann::ordered_json trained_header(nlohmann::ordered_json header);

// Whether a key, "solver.max_passes", is a limit that may differ.
bool is_limit(const std::string& key);

// The exit code of a run that wrote this event "finished".
Exit exit_of(const nlohmann::ordered_json& finished);

// Whether a run that wrote this event "finished" may go on under the solver's keys of now: it was
// stopped by a signal, or by a limit that is higher or gone.
bool may_go_on(const nlohmann::ordered_json& finished, const nlohmann::ordered_json& solver_then,
               const nlohmann::ordered_json& solver_now);

}  // namespace sculpt::core
