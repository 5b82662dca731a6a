// resume.hpp - checks if an earlier run can be resumed as this one.
//
// Called by train for --resume and warm_start, by sweep --resume, and by describe. Also called by
// verify, because what it recomputes must belong to that run. The identity of a run is in its model
// and in its checkpoints:
//
//   sculpt      the host's version
//   config      the experiment as in the model: without threads, output, plugin_path,
//               checkpoint_seconds, memory and the paths of data
//   components  [{"kind", "id", "version"}]
//   data        {split: hash}, {"groups": hash} of the file of hold_out, {"dataset.weights": hash}
//               and the like of other files that the dataset reads
//   warm_start  the hash of the planes or weights it started with, if there were any
//   examples, dimension, formulation; in checkpoints also `paths`, hashes of further files, and
//               `libraries`, which change if a plugin is rebuilt
//
// The limits solver.max_passes, max_oracle_calls and max_seconds may differ.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

// The advice after a difference that prevents a resume.
inline constexpr const char* resume_advice =
    "; give --force instead of --resume to replace that run, or another folder with --output";

// Compares the keys that both have. `earlier_path`: where `earlier` was found, for messages. Throws
// Failure with the first difference, followed by `advice`. Exit::config: the config. Exit::data:
// data and the version of the host. Exit::plugin: components, and what they made of the same data.
void require_same_run(const nlohmann::ordered_json& earlier, const nlohmann::ordered_json& current,
                      const std::string& earlier_path, const std::string& advice = resume_advice);

// The same for config.json, if the run left nothing else.
void require_same_config(const nlohmann::ordered_json& earlier,
                         const nlohmann::ordered_json& current, const std::string& earlier_path,
                         const std::string& advice = resume_advice);

// Throws unless the planes of a run that wrote `earlier` are planes of this run too. These may
// differ: the seed, the splits that are not trained on, and all keys of the solver but rescaling
// and slack_norm. Throws Failure as above.
void require_same_planes(const nlohmann::ordered_json& earlier,
                         const nlohmann::ordered_json& current, const std::string& earlier_path);

// Throws unless the weights of a model with the header `earlier` mean the same in this run: those
// of the same training data and features. All else may differ. Throws Failure as above.
void require_same_weights(const nlohmann::ordered_json& earlier,
                          const nlohmann::ordered_json& current, const std::string& earlier_path);

// True if both runs learn from the same examples: the split "train" and what is held out of it.
bool has_same_examples(const nlohmann::ordered_json& earlier,
                       const nlohmann::ordered_json& current);
// Throws unless weights and dictionaries of a model with the header `earlier` mean the same in this
// run on other data. Components must have the same versions, and all but the dataset the same keys.
// Throws Failure as above.
void require_same_names(const nlohmann::ordered_json& earlier,
                        const nlohmann::ordered_json& current, const std::string& earlier_path);

// The header of a model or a checkpoint; its data without the splits other than "train".
nlohmann::ordered_json training_header(nlohmann::ordered_json header);

// True if a key such as "solver.max_passes" is a limit that may differ.
bool is_limit(const std::string& key);

// The exit code of a run that wrote this event "finished".
Exit exit_of(const nlohmann::ordered_json& finished);

// True if a run that wrote this event "finished" can be resumed with the current keys of the
// solver. It was stopped by a signal, or by a limit that is now higher or unset.
bool can_resume(const nlohmann::ordered_json& finished,
                const nlohmann::ordered_json& earlier_solver,
                const nlohmann::ordered_json& current_solver);

}  // namespace sculpt::core
