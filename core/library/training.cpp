// training.cpp - sculpt_train(): the command train without a command line.

#include <sculpt/host/training.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "base/file/open_file.hpp"
#include "base/stopwatch.hpp"
#include "command/training/other_data_start.hpp"
#include "command/training/training.hpp"
#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "library/arguments.hpp"
#include "library/model.hpp"
#include "library/record.hpp"
#include "library/session.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* train_function = "sculpt_train";

// A folder for a run that leaves nothing. Its destructor removes it. Nobody waits for its files to
// reach the disk: that would take longer than a small training.
class ScratchRun {
 public:
  explicit ScratchRun(CallerSurroundings& caller) : caller_(caller) {
    std::string name = (fs::temp_directory_path() / "sculpt-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw system_failure(Exit::cannot_create, name + ": cannot be created", errno);
    }
    folder_ = name;
    caller_.set_wants_durable_files(false);
  }
  ~ScratchRun() {
    caller_.set_wants_durable_files(true);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  ScratchRun(const ScratchRun&) = delete;
  ScratchRun& operator=(const ScratchRun&) = delete;

  fs::path run() const { return folder_ / "run"; }

 private:
  CallerSurroundings& caller_;
  fs::path folder_;
};

JsonDocument document_of(const sculpt_training_options& options) {
  if (options.path != nullptr) return JsonDocument::read(options.path);
  require_pointer(options.json, train_function, "path and json");
  const fs::path folder =
      options.folder != nullptr ? fs::absolute(options.folder) : fs::current_path();
  return JsonDocument::parse(options.json, {"the experiment", folder.string()});
}

RunFolder::Existing existing_of(const sculpt_training_options& options) {
  switch (options.existing) {
    case SCULPT_RUN_REFUSE:
      return RunFolder::Existing::refuse;
    case SCULPT_RUN_REPLACE:
      return RunFolder::Existing::replace;
    case SCULPT_RUN_RESUME:
      return RunFolder::Existing::resume;
    default:
      throw Failure(Exit::usage, std::string(train_function) + ": existing is " +
                                     std::to_string(options.existing) +
                                     "; it must be one of SCULPT_RUN_*");
  }
}

double or_nan(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

sculpt_pass pass_of(const PassReport& report) {
  sculpt_pass pass = {};
  pass.struct_size = sizeof pass;
  pass.is_certified = report.certified ? 1 : 0;
  pass.pass = report.pass;
  pass.oracle_calls = report.oracle_calls;
  pass.primal = or_nan(report.best_primal);
  pass.dual = or_nan(report.dual);
  pass.gap = or_nan(report.gap);
  pass.relative_gap = or_nan(report.relative_gap);
  pass.seconds = report.elapsed_seconds;
  return pass;
}

Exit train(const sculpt_training_options& options, CallerSurroundings& caller,
           const fs::path& output) {
  const Stopwatch watch;
  const JsonDocument document = document_of(options);
  const std::vector<Override> overrides =
      parse_overrides(texts_of(options.set, options.set_count, train_function, "set"));
  Registry registry(registry_settings(document, overrides));
  Experiment experiment(document, overrides, declared_in(registry));
  experiment.lend(lent_of(train_function, options.lent, options.lent_count));
  Training::Settings settings;
  settings.output = output;
  settings.existing = existing_of(options);
  settings.threads = caller.threads();
  settings.is_guarded = options.is_guarded != 0;
  settings.is_quiet = caller.is_silent();
  if (options.pass_done != nullptr) {
    settings.pass_done = [&](const PassReport& report) {
      const sculpt_pass pass = pass_of(report);
      options.pass_done(options.user, &pass);
    };
  }
  settings.resume_command = options.output != nullptr
                                ? "the same call with SCULPT_RUN_RESUME"
                                : "a call with an output folder, which can be resumed";
  const std::optional<ModelFile> start = other_data_start(
      experiment, registry, output, settings.existing == RunFolder::Existing::resume);
  const Assembly assembly =
      start ? Assembly(experiment, *start, registry) : Assembly(experiment, registry);
  settings.start_model = start ? &*start : nullptr;
  return Training(assembly, settings, watch).run();
}

}  // namespace
}  // namespace sculpt::core

using namespace sculpt::core;

sculpt_exit sculpt_train(sculpt_session* session, const sculpt_training_options* given,
                         sculpt_model** model, sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    if (model != nullptr) *model = nullptr;
    const auto options = complete_record(given, train_function, "options");
    SessionCall call(session, train_function);
    if (options.output != nullptr) {
      const fs::path output = fs::absolute(options.output);
      const Exit exit = train(options, call.surroundings(), output);
      if (model != nullptr) *model = model_of_file(output).release();
      return exit;
    }
    require_pointer(model, train_function, "model and output");
    if (existing_of(options) != RunFolder::Existing::refuse) {
      throw Failure(Exit::usage, std::string(train_function) +
                                     ": a run is resumed or replaced in a folder; give `output`");
    }
    const ScratchRun scratch(call.surroundings());
    const Exit exit = train(options, call.surroundings(), scratch.run());
    *model = model_of_file(scratch.run()).release();
    return exit;
  });
}
