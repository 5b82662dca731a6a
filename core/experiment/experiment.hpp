// experiment.hpp - an experiment for the commands: typed, overridden, with absolute paths.
//
// Called by command and launch. How the commands use it:
//   JsonDocument document = JsonDocument::read(path);
//   std::vector<Override> overrides = parse_overrides(sets);
//   Registry registry(plugin_path_of(document, overrides), ...);
//   Experiment experiment(document, overrides, is_declared);    // is_declared asks the registry
//   const Section& section = experiment.features;
//   CheckedParameters values(table_of_component, section.keys, section.use);
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiment/cache_use.hpp"
#include "experiment/json_document.hpp"
#include "experiment/kernel_use.hpp"
#include "experiment/lent_splits.hpp"
#include "experiment/overrides.hpp"
#include "experiment/section.hpp"
#include "problem/hold_out.hpp"

namespace sculpt::core {

// Where one split of the dataset is read from.
struct Split {
  std::string name;                 // "train", "validation" or "test"
  std::string path;                 // absolute; for inline data and arrays a name for messages
  std::optional<std::string> text;  // inline data
  Position position;
  std::optional<std::string> memory = {};       // the name of arrays that a program lends
  std::optional<std::string> arrays = {};       // inline arrays, as JSON
  std::shared_ptr<const MemoryRows> rows = {};  // the arrays: inline, or after Experiment::lend()

  // Throws Failure(Exit::config) if its arrays are not lent.
  void require_data() const;
};

// The value of "oracle" or of a similar key. One oracle, several that escalate with the cheapest
// first, or several that are all asked, where the best answer counts.
struct OracleUse {
  std::vector<Section> members;  // at least one
  bool combines = false;
  std::string text;  // as in the file, for tables: "lp", or JSON
};

struct Experiment {
  std::string name;                      // can be a folder name; the stem of the file name if unset
  std::vector<std::string> plugin_path;  // absolute
  Section dataset;
  std::vector<Split> splits;  // train first; empty if the experiment comes from a model
  Section features;
  Section loss;
  OracleUse oracle;
  std::optional<KernelUse> kernel;
  Section solver;
  std::int64_t threads = 0;  // 0: all cores
  std::int64_t seed = 0;
  std::string output;  // the run folder, absolute; "": not set
  double checkpoint_seconds = 30;
  std::optional<std::int64_t> memory;  // bytes that training may use; none: no limit
  CacheUse cache;
  std::optional<HoldOut> hold_out;
  // Oracles for the evaluation only. A model does not contain them.
  std::vector<OracleUse> predict_with;
  std::optional<OracleUse> audit_with;
  // Gives the splits {"memory": NAME} their arrays. Throws Failure(Exit::config) for a name that is
  // not lent.
  void lend(const LentSplits& lent);

  // all of predict_with and audit_with, in this order
  std::vector<const OracleUse*> measured_with() const;

  // Throws Failure(Exit::config). Applies the overrides in order.
  Experiment(JsonDocument document, const std::vector<Override>& overrides,
             const IsDeclared& is_declared);

  // The config of a model. It has no splits and all paths are refused: a model never makes the host
  // open a file. `model`: its name in messages. Overrides come from the user, so they may change
  // keys of the dataset and the oracle. Throws Failure.
  static Experiment from_json(const nlohmann::ordered_json& config, const std::string& model,
                              const std::vector<Override>& overrides = {},
                              const IsDeclared& is_declared = {});

  // Returns the keys of a section with all defaults: CheckedParameters::resolved(). `position`
  // counts from 0: dataset, features, loss, the members of oracle, the leaves of kernel, the
  // solver, the members of measured_with(). The position is needed because two oracles may have one
  // name.
  using ResolveKeys = std::function<nlohmann::ordered_json(const Section&, std::size_t position)>;

  // config.json of the run folder. Reading it again gives this experiment. Without `resolve_keys`
  // the sections keep their keys as they were written.
  nlohmann::ordered_json resolved(const ResolveKeys& resolve_keys) const;
  // The config for a model, as from_json() reads it. It has no threads, output, plugin_path,
  // checkpoint_seconds, splits, groups, and no path before "#". `resolve_keys` must leave out keys
  // that are paths.
  nlohmann::ordered_json resolved_for_model(const ResolveKeys& resolve_keys) const;

 private:
  enum class Origin { file, model, changed_model };
  Experiment(const JsonDocument& document, Origin origin);
};

// The key plugin_path alone, as absolute paths. It is read before the rest of the experiment,
// because is_declared needs the plugins.
std::vector<std::string> plugin_path_of(const JsonDocument& document,
                                        const std::vector<Override>& overrides);

}  // namespace sculpt::core
