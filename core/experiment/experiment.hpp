// experiment.hpp - an experiment as the commands see it: typed, overridden, paths absolute.
//
// How the commands use it:
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

#include "experiment/json_document.hpp"
#include "experiment/overrides.hpp"
#include "problem/hold_out.hpp"

namespace sculpt::core {

// One component of an experiment, before anyone has looked for it.
struct Section {
  std::string kind;       // "dataset", "features", "loss", "oracle" or "solver"
  std::string use;        // "viterbi", "org.sculpt.viterbi", "file.so#viterbi" (with "/": absolute)
  Position use_position;  // for messages about `use`
  // Its own keys: an object without `use`, of a dataset without the splits too. The position of its
  // root is that of the section.
  JsonDocument keys;
};

// Where one split of the dataset is read from.
struct Split {
  std::string name;                 // "train", "validation" or "test"
  std::string path;                 // absolute; of inline data a name to use in messages
  std::optional<std::string> text;  // inline data
  Position position;
};

// What stands where an oracle is expected: one, several that escalate, the cheapest first, or
// several of which the best answer counts.
struct OracleUse {
  std::vector<Section> members;  // at least one
  bool combines = false;
  std::string text;  // as it was written, for tables: "lp", or JSON
};

struct Experiment {
  std::string name;                      // usable as the name of a folder; the file's stem if unset
  std::vector<std::string> plugin_path;  // absolute
  Section dataset;
  std::vector<Split> splits;  // train first; empty when it comes out of a model
  Section features;
  Section loss;
  OracleUse oracle;
  Section solver;
  std::int64_t threads = 0;  // 0: all cores
  std::int64_t seed = 0;
  std::string output;  // the run folder, absolute; "": not set
  double checkpoint_seconds = 30;
  std::optional<HoldOut> hold_out;
  // Those that nothing is trained with. A model knows nothing of them.
  std::vector<OracleUse> predict_with;
  std::optional<OracleUse> audit_with;
  std::vector<const OracleUse*> measured_with() const;  // all of them, in this order

  // Throws Failure(Exit::config). The overrides are applied in order.
  Experiment(JsonDocument document, const std::vector<Override>& overrides,
             const IsDeclared& is_declared);

  // The config inside a model. It has no splits, and paths of any kind are refused: a model never
  // makes the host open a file. `model` names the model in messages. Overrides, which are the
  // user's word, may change keys of the dataset and the oracle. Throws Failure.
  static Experiment from_json(const nlohmann::ordered_json& config, const std::string& model,
                              const std::vector<Override>& overrides = {},
                              const IsDeclared& is_declared = {});

  // The own keys of a section with all defaults filled in: CheckedParameters::resolved(). The
  // position counts dataset, features, loss, the members of oracle, the solver, and the members of
  // measured_with() from 0: two oracles may be of one name.
  using ResolveKeys = std::function<nlohmann::ordered_json(const Section&, std::size_t position)>;

  // config.json of the run folder: reading it again gives this experiment. Without `resolve_keys`
  // sections keep their keys as they were written.
  nlohmann::ordered_json resolved(const ResolveKeys& resolve_keys) const;
  // The same for a model: without threads, output, plugin_path, checkpoint_seconds, splits, groups
  // and the path in front of "#"; what from_json() reads. `resolve_keys` leaves out keys that are
  // paths.
  nlohmann::ordered_json resolved_for_model(const ResolveKeys& resolve_keys) const;

 private:
  enum class Origin { file, model, changed_model };
  Experiment(const JsonDocument& document, Origin origin);
};

// The key plugin_path alone, absolute, before anything else of the experiment is judged:
// is_declared needs the plugins, and where those are the experiment says.
std::vector<std::string> plugin_path_of(const JsonDocument& document,
                                        const std::vector<Override>& overrides);

}  // namespace sculpt::core
