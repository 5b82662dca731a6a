#include "command/training/training.hpp"

#include <map>
#include <new>
#include <utility>

#include "base/cancelled.hpp"
#include "base/memory/free_memory.hpp"
#include "base/memory/out_of_memory.hpp"
#include "base/text/message_text.hpp"
#include "command/data/column_scales.hpp"
#include "command/data/memory_plan.hpp"
#include "command/data/stored_names.hpp"
#include "command/training/model_metrics.hpp"
#include "command/training/other_data_start.hpp"
#include "command/training/rank_summary.hpp"
#include "command/training/validated_run.hpp"
#include "command/training/warm_start_planes.hpp"
#include "command/training/warm_start_weights.hpp"
#include "launch/audit_check.hpp"
#include "launch/chosen_cache.hpp"
#include "launch/crash_report.hpp"
#include "launch/example_weights.hpp"
#include "launch/rank_agreement.hpp"
#include "launch/resume.hpp"
#include "launch/run_events.hpp"
#include "launch/split_sources.hpp"
#include "launch/stop_signal.hpp"
#include "model/model_file.hpp"
#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

Training::Training(const Assembly& assembly, const Settings& settings, const Stopwatch& watch)
    : assembly_(assembly),
      experiment_(assembly.experiment()),
      solver_(experiment_.solver),
      identity_(assembly_, solver_),
      settings_(settings),
      ranks_(surroundings().ranks()),
      folder_(settings.output, settings.existing, ranks_ == nullptr || ranks_->is_first()),
      watch_(watch),
      console_(Console::prints_if(settings.is_quiet)) {}

Exit Training::run() {
  for (const std::string& warning : solver_.parameters.warnings()) console_.warn(warning);
  ProblemSpec spec = assembly_.problem_spec(sources_of(experiment_));
  const std::unique_ptr<DataCache> cache =
      chosen_cache(assembly_, spec.dataset, settings_.output,
                   [this](const std::string& text) { console_.warn(text); });
  if (settings_.existing == RunFolder::Existing::resume) {
    data_hashes_ = data_hashes(assembly_, cache.get());
    if (const auto exit = exit_of_finished_run()) return *exit;
    open_resume_checkpoint();
  }
  const std::unique_ptr<Solver> solver = solver_.descriptor.create(solver_.parameters.values());
  require_use_of_ranks(ranks_, solver->traits(), solver_.descriptor.name,
                       solver_.parameters.resolved());
  spec.cache = cache.get();
  spec.formulation = solver->formulation();
  spec.is_guarded = settings_.is_guarded;
  Problem problem(spec, Purpose::training, settings_.threads, callbacks_to(console_));
  if (!problem.serial_warning().empty()) console_.warn(problem.serial_warning());
  // Of the data that was read, not of the files after training.
  data_hashes_ = data_hashes(assembly_, cache.get());
  file_hashes_ = identity_.file_hashes(data_hashes_);
  column_advice_ = problem.replaces_rows() ? kernel_column_advice()
                                           : column_advice(problem.dataset().component().name(),
                                                           assembly_.parameters(0).resolved());
  ProblemPorts problem_ports(problem, static_cast<std::uint64_t>(experiment_.seed));
  solver->require_ports(problem_ports.ports(), solver_.descriptor.name);
  objective_ = solver->objective(problem.domain());
  require_read_back(*objective_, solver_.descriptor.name);
  // Before anything is asked about examples, which the ranks divide.
  if (ranks_ != nullptr) require_one_run(*ranks_, identity_for_ranks(problem));
  require_audit_of_hinge(experiment_, *objective_);
  validation_rule_ = validation_rule_of(solver_, experiment_.solver);
  if (validation_rule_) require_validation(problem);
  ProblemPlanes* const planes = problem_ports.planes();
  if (planes != nullptr) planes->advise_on_columns(column_advice_.instruction);
  if (settings_.start_model != nullptr) {
    start_from_other_data(problem);
  } else if (resume_checkpoint_ == nullptr && solver_.warm_start() != nullptr) {
    if (planes != nullptr) {
      // With a kernel, not of the problem itself: planes have the inner product of the kernel.
      load_warm_start_planes(problem, *solver, *problem_ports.ports().planes);
    } else {
      load_warm_start_weights(problem);
    }
  }
  const DataColumns columns = columns_of_data(problem);
  data_sizes_ = sizes_text(problem);
  if (!data_sizes_.empty()) {
    data_sizes_ = count_text(columns.rows, "position") + ", " + data_sizes_;
  }
  plan_memory(problem, *solver, columns);
  warn_of_columns(problem, columns);
  const bool has_start = warm_start_planes_ || warm_start_weights_;
  if (ranks_ != nullptr && has_start) require_one_run(*ranks_, identity_for_ranks(problem));
  open_folder(problem);
  set_crash_advice(settings_.crash_advice);
  if (folder_.writes()) log_crashes_to(folder_.path() / "events.jsonl");
  try {
    return train(problem, *solver, problem_ports.ports());
  } catch (const Failure& failure) {
    // Failures with advice have other causes, such as too many open files.
    const bool is_memory = failure.exit_code() == Exit::memory && failure.advice().empty();
    if (is_memory) end_out_of_memory(failure.what());
    folder_.append_failure(static_cast<int>(failure.exit_code()), failure.what());
    if (!failure.faulty_example()) throw;
    throw with_advice(failure, settings_.crash_advice);
  } catch (const std::bad_alloc&) {
    end_out_of_memory("out of memory");
  } catch (const std::exception& error) {
    folder_.append_failure(static_cast<int>(Exit::internal), error.what());
    throw;
  }
}

// What all ranks must have in common, with the checkpoint that they resume from.
Json Training::identity_for_ranks(const Problem& problem) const {
  Json identity = identity_.model_header(data_hashes_, problem, *objective_);
  identity.update(file_hashes_);
  if (resume_checkpoint_ != nullptr) identity["checkpoint"] = resume_checkpoint_->header();
  return common_identity(std::move(identity), problem);
}

// Refuses a run that cannot be validated: without examples, truths or such a metric. The values at
// w = 0 do not matter.
void Training::require_validation(Problem& problem) {
  require_validation_examples(*validation_rule_, problem);
  Result zero;
  zero.w.assign(static_cast<std::size_t>(problem.trained_dimension()), 0.0);
  measure_validation(problem, experiment_, *objective_, zero, *validation_rule_);
}

// Adds the warnings about columns.
void Training::warn_of_columns(Problem& problem, const DataColumns& columns) {
  if (problem.replaces_rows()) return;  // no weight belongs to a column
  const std::string width = width_warning(problem, columns);
  if (!width.empty()) warnings_.push_back(width);
  const std::string scales =
      column_scale_warning(problem, columns, column_advice_, assembly_.parameters(1).resolved());
  columns_differ_ = !scales.empty();
  if (columns_differ_) warnings_.push_back(scales);
}

// Estimates the memory, refuses a run that cannot fit, and starts the warnings.
void Training::plan_memory(Problem& problem, const Solver& solver, const DataColumns& columns) {
  const ProblemStatistics statistics = statistics_of(problem, columns);
  const std::int64_t available = free_memory_for_this_process();
  double expected = solver.expected_bytes(statistics);
  if (experiment_.memory) {
    const MemoryPlan plan = memory_plan(problem, statistics, solver, *experiment_.memory);
    require_plan_fits(plan, statistics, solver_.descriptor, solver);
    memory_.plan = memory_plan_lines(plan);
    expected = plan.kept_bytes();
    if (plan.maps_planes) problem.services().map_planes();
  }
  require_memory(problem, statistics, solver_.descriptor, solver, expected, available);
  memory_.expected = estimated_peak(expected);
  warnings_ = memory_warnings(statistics, solver_.descriptor, solver, expected, available);
}

// Here the memory of the solver is free again, and the last checkpoint is complete.
void Training::end_out_of_memory(const std::string& message) {
  const std::string folder = folder_.checkpoints().string();
  const std::string advice =
      has_checkpoint(folder_.checkpoints())
          ? "\n  the last checkpoint is in " + folder +
                "; with more memory, continue with: " + settings_.resume_command
          : "\n  there is no checkpoint in " + folder +
                " yet; a smaller \"checkpoint_seconds\" writes one sooner";
  const Failure failure = out_of_memory(message, advice);
  folder_.append_failure(static_cast<int>(failure.exit_code()), failure.what());
  throw Failure(failure);
}

void Training::load_warm_start_planes(Problem& problem, const Solver& solver, PlaneSource& source) {
  Json identity = identity_.model_header(data_hashes_, problem, *objective_);
  identity.update(file_hashes_);
  WarmStartPlanes loaded =
      core::load_warm_start_planes(experiment_, solver_, solver, identity, source, console_);
  console_.print_line("starting with " + count_text(loaded.working_set.plane_count(), "plane") +
                      " of " + solver_.warm_start());
  identity_.set_warm_start_hash(std::move(loaded.hash));
  warm_start_planes_ = std::move(loaded.working_set);
}

void Training::load_warm_start_weights(Problem& problem) {
  WarmStartWeights loaded =
      core::load_warm_start_weights(experiment_, solver_.warm_start(),
                                    identity_.model_header(data_hashes_, problem, *objective_));
  console_.print_line(std::string("starting with the weights of ") + solver_.warm_start());
  identity_.set_warm_start_hash(std::move(loaded.hash));
  warm_start_weights_ = std::move(loaded.weights);
}

void Training::start_from_other_data(const Problem& problem) {
  const ModelFile& model = *settings_.start_model;
  warm_start_weights_ = weights_of_other_data(model, experiment_, problem);
  if (resume_checkpoint_ != nullptr) return;
  identity_.set_warm_start_hash(hash_of_weights(model.weights()));
  console_.print_line(std::string("starting with the weights and dictionaries of ") +
                      solver_.warm_start() +
                      ": it learned from other data, so its planes are left out, and names that "
                      "it does not know are not learned");
}

// Makes the run folder, or resumes the run in it.
void Training::open_folder(Problem& problem) {
  times_.reading = earlier_progress_.reading_seconds + watch_.seconds();
  const ScopedTimer timed(times_.writing);
  if (resume_checkpoint_ == nullptr) {
    folder_.create(identity_.config());
    if (settings_.start_model != nullptr && folder_.writes()) {
      keep_start_model(*settings_.start_model, folder_.checkpoints());
    }
    folder_.append_event(started_event(problem));
    return;
  }
  require_same_run(resume_checkpoint_->header(),
                   identity_.model_header(data_hashes_, problem, *objective_),
                   resume_checkpoint_->path().string());
  folder_.reopen(identity_.config(), earlier_progress_.pass,
                 last_validated_pass(*resume_checkpoint_));
  folder_.append_event({{"event", "resumed"},
                        {"pass", earlier_progress_.pass},
                        {"seconds", earlier_progress_.seconds}});
  console_.print_line("resuming after pass " + std::to_string(earlier_progress_.pass));
}

Json Training::started_event(Problem& problem) const {
  Json event = {{"event", "started"},
                {"sculpt", SCULPT_VERSION},
                {"name", experiment_.name},
                {"components", assembly_.components()},
                {"solver", solver_.descriptor.name},
                {"examples", problem.training().size()},
                {"validation_examples", problem.validation().size()},
                {"dimension", problem.trained_dimension()},
                {"formulation", objective_->json()},
                {"reading_seconds", times_.reading},
                {"memory_estimate_bytes", memory_.expected}};
  if (!warnings_.empty()) event["warnings"] = warnings_;
  if (!problem.example_weights().empty()) {
    event["example_weights"] = example_weights_json(problem.example_weights());
  }
  if (warm_start_planes_) event["warm_start"] = {{"planes", warm_start_planes_->plane_count()}};
  if (warm_start_weights_) event["warm_start"] = {{"weights", warm_start_weights_->size()}};
  return event;
}

RunProgress Training::progress() const {
  return {0, earlier_progress_.seconds + watch_.seconds(), times_.reading};
}

// Writes the model. The replaced one is removed unless a signal stopped this run.
void Training::save_model(Problem& problem, const Result& result) {
  if (!folder_.writes()) return;
  const ScopedTimer timed(times_.writing);
  Json header = identity_.model_header(data_hashes_, problem, *objective_);
  header["certificate"] = certificate_json(result, problem.oracle().relaxes());
  add_weight_names(problem, header);
  if (!validated_.is_null()) header["validated"] = validated_;
  std::map<std::string, std::string> states;
  for (Problem::State& state : problem.states()) states[state.kind] = std::move(state.bytes);
  if (problem.kernel() == nullptr) {
    write_model(folder_.model_path(), {header, result.w, states});
  } else {
    ProblemKernel::Stored stored = problem.kernel()->stored(result.w);
    states[support_atoms_name] = std::move(stored.atoms);
    write_model(folder_.model_path(), {header, stored.weights, states});
  }
  if (result.stopped_by != StoppedBy::signal) folder_.remove_replaced();
}

}  // namespace sculpt::core
