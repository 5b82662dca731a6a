// problem.hpp - creates, loads, binds and checks the dataset, features, loss and oracles.
//
// Made by the commands: by train and verify with Purpose::training, by predict, evaluate and
// similar with Purpose::prediction, by check with Purpose::checking. The constructor refuses
// everything that cannot work, with a message. This includes oversized frontiers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "objective/formulation.hpp"
#include "objective/objective.hpp"
#include "parallel/ranks/divided_work.hpp"
#include "problem/cache/cached_dataset.hpp"
#include "problem/components/dataset.hpp"
#include "problem/components/features.hpp"
#include "problem/components/loss.hpp"
#include "problem/components/output_shape.hpp"
#include "problem/hold_out.hpp"
#include "problem/kernel/explicit_dataset.hpp"
#include "problem/kernel/kernel_components.hpp"
#include "problem/kernel/kernel_spec.hpp"
#include "problem/kernel/problem_kernel.hpp"
#include "problem/map_oracle/output_counts.hpp"
#include "problem/oracle/oracle_list.hpp"
#include "problem/oracle/separation_strategy.hpp"
#include "problem/plugin/component_spec.hpp"
#include "problem/plugin/services.hpp"
#include "problem/truth_vectors.hpp"

namespace sculpt::core {

// One oracle, or several that act as one.
struct OracleSpec {
  std::vector<ComponentSpec> members;
  OracleRule rule = OracleRule::escalate;
};

struct ProblemSpec {
  ComponentSpec dataset;
  ComponentSpec features;
  std::optional<ComponentSpec> loss;   // required for training
  std::vector<ComponentSpec> oracles;  // one, or several that `rule` combines
  OracleRule rule = OracleRule::escalate;
  std::vector<SplitSource> sources;  // "train" first
  // The formulation of the planes that training asks for. Empty if the solver asks for no planes.
  // Then no separation strategy is chosen.
  std::optional<Formulation> formulation = Formulation();
  std::optional<HoldOut> hold_out = {};  // examples of the split "train" that training does not use
  // More oracles. train measures the trained weights with them as well.
  std::vector<OracleSpec> prediction_oracles = {};
  std::optional<OracleSpec> auditor = {};
  std::optional<KernelSpec> kernel = {};          // empty: w is dense
  std::optional<std::string> support_atoms = {};  // of the model, if it has a kernel
  // Where large arrays of the dataset lie in files. Empty: they are in memory.
  std::optional<std::filesystem::path> storage = {};
  // Where the arrays of the dataset are kept for later runs. It outlives the Problem. nullptr: the
  // dataset loads its sources.
  DataCache* cache = nullptr;
  // The memory that the run is allowed, in bytes.
  std::int64_t max_memory = std::numeric_limits<std::int64_t>::max();
  bool is_guarded = false;  // call components again and compare their results (slow)
};

// Returns the name of the state of oracle k in a model: "oracle", "oracle 1", "oracle 2", ...
std::string oracle_state_name(std::size_t k);

enum class Purpose {
  training,    // requires a labelled split "train", a loss, and no empty split
  prediction,  // accepts any splits, also without labels
  checking     // as prediction, but reads nonnegative(): check makes up its own w
};

// The oracle that finds the most violated planes, and how it is asked.
struct SeparationOracle {
  Oracle& oracle;
  SeparationStrategy strategy;
};

// Owns all components of a run and the threads that call them.
class Problem {
 public:
  // Runs the life cycle of the components as in sculpt/plugin.h. Creates all, then restores those
  // that have a state. The dataset loads its sources, binds and seals. Then features, loss and
  // oracles bind and seal, one after the other. Requires threads >= 1. Uses one thread if a
  // component is SERIAL. Throws Failure, Cancelled. [main]
  Problem(const ProblemSpec& spec, Purpose purpose, int threads, Callbacks callbacks);
  ~Problem();

  Dataset& dataset() { return *dataset_; }
  Features& features() { return *features_; }
  Loss* loss() { return loss_.get(); }  // nullptr: none was chosen
  OutputShapes& output_shapes() { return *output_shapes_; }
  Oracle& oracle() { return *oracle_; }
  // Oracle k of ProblemSpec::prediction_oracles.
  Oracle& prediction_oracle(std::size_t k) { return *prediction_oracles_[k]; }
  Workers& workers() { return *workers_; }
  Services& services() { return *services_; }
  // The processes that share the calls of this problem (Surroundings). nullptr: this one alone.
  Ranks* ranks() { return ranks_; }
  // The same, and where the shared work is measured, if made for training. [main]
  Division division() { return {ranks_, is_measured_ ? &divided_work_ : nullptr}; }
  // What was shared, or could be, since the problem was made for training. [main]
  const DividedWork& divided_work() const { return divided_work_; }

  std::int64_t dimension() const { return dimension_; }
  // The examples to learn from: the split "train" without the held-out examples.
  const ExampleList& training() const { return training_; }
  // [training().size()] the weight c_i of each training example in the objective; empty: all are 1.
  std::span<const double> example_weights() const { return example_weights_; }
  // The examples to choose settings by: those held out, else the split "validation". May be empty.
  ExampleList validation() const {
    return held_out_.size() > 0 ? held_out_ : ExampleList(dataset_->split("validation"));
  }

  // Returns psi of the truth of a training example, nullptr if it is not stored. Always nullptr
  // under --guard, so that plugins are called each time.
  const FeatureSum* truth_vector(std::int64_t example) const { return truths_.find(example); }
  // They take at most this part of ProblemSpec::max_memory.
  static constexpr std::int64_t part_of_memory_for_truths = 16;
  std::int64_t truth_bytes() const { return truths_.bytes(); }

  // Formulation and strategy of the planes. Valid if made for training and if the solver asks for
  // planes.
  bool has_planes() const { return formulation_.has_value(); }
  const Formulation& formulation() const { return formulation_.value(); }
  SeparationStrategy strategy() const { return strategy_; }
  SeparationOracle separation() { return {*oracle_, strategy_}; }
  // The counts of outputs, to compare them with the loss. nullptr: not known, or not needed.
  OutputCounts* output_counts() { return output_counts_.get(); }
  // The same with the auditor. Requires an auditor and planes.
  SeparationOracle audit() { return {*auditor_, audit_strategy_}; }
  // [dimension] 1 if the features demand w_j >= 0. Empty: no weight is bounded, or made for
  // prediction.
  std::span<const std::uint8_t> nonnegative() const { return nonnegative_; }
  // The number of bounded weights, and whether the oracle relaxes. Both change what is minimized.
  Domain domain() const;

  // The number of weights that training finds. With a kernel: over training atoms, not all atoms.
  std::int64_t trained_dimension() const {
    return kernel_ ? kernel_->layout().dimension() : dimension_;
  }
  // nullptr: there is no kernel, and w is dense.
  ProblemKernel* kernel() { return kernel_.get(); }
  const ProblemKernel* kernel() const { return kernel_.get(); }
  // True if features see other rows than those of the dataset. So no weight belongs to one of its
  // columns.
  bool replaces_rows() const { return kernel_components_ != nullptr; }
  // The components of the kernel, in the order of the experiment. Empty: there is none.
  std::vector<const Component*> kernel_components() const;
  // The weights of this problem for those that a model stores: the same without a kernel. With a
  // kernel they are the scores of all atoms.
  Vector weights_of_model(const Vector& stored);
  // [support atoms] what each adds to <w, psi>. `stored`: the weights of a model. Requires a
  // kernel.
  std::vector<double> support_shares(const Vector& stored, const SparseVector& psi);

  // The state of one component, to be saved in the model.
  struct State {
    std::string kind;  // "dataset", "features", "loss", or oracle_state_name()
    std::string bytes;
  };
  // The states of all components that offer one, except prediction oracles and auditor. [any]
  std::vector<State> states() const;

  // The file that the examples are in. nullptr: the dataset has loaded its sources.
  const CacheFile* cache_file() const { return cached_ ? &cached_->file() : nullptr; }

  // The warning about components of trait SERIAL, or "".
  std::string serial_warning() const { return serial_warning_; }

 private:
  using Components = std::vector<std::unique_ptr<Component>>;

  static const char* remedy(Purpose purpose);  // for values that are too large
  void find_cache(const ProblemSpec& spec, Purpose purpose);
  void create(const ProblemSpec& spec);
  void load_examples(const ProblemSpec& spec, Purpose purpose);
  void load(const ProblemSpec& spec, Purpose purpose);
  void apply_hold_out(const HoldOut& hold_out);
  void require_examples(const SplitSource& source) const;
  void require_whole_truth(std::int64_t example) const;
  void check_truth_shapes();
  // The ranks that divide these checks, so that none reads all rows of a cache. nullptr: without
  // one each rank has read all, and keeps all truth_vector().
  Ranks* ranks_of_checks() const { return cached_ != nullptr ? ranks_ : nullptr; }
  void bind_and_seal(Component& component, sculpt_bindings bindings);
  void bind_part(const ComponentSpec& spec, Component& component, const sculpt_bindings& bindings);
  void bind(const ProblemSpec& spec, Purpose purpose);
  sculpt_ref replace_rows(const KernelSpec& kernel, Purpose purpose);
  void make_kernel();
  void bind_oracle(const ProblemSpec& spec, sculpt_bindings bindings, Purpose purpose);
  // Binds the prediction oracles and the auditor.
  void bind_other_oracles(const ProblemSpec& spec, sculpt_bindings bindings);
  void require_auditor_fits();
  std::unique_ptr<Oracle> make_single_oracle(Component& component, sculpt_bindings bindings,
                                             Purpose purpose);
  std::unique_ptr<Oracle> make_oracle(const std::vector<ComponentSpec>& specs,
                                      const Components& members, OracleRule rule,
                                      sculpt_bindings bindings, Purpose purpose);
  Components make_members(const std::vector<ComponentSpec>& specs);
  void refuse_relaxed_slack_rescaling() const;
  void check_truths();
  void require_magnitudes(std::int64_t example, const SparseVector& psi) const;
  void check_truth(int worker, std::int64_t example, SparseAccumulator& scratch);
  void check_frontiers();
  void require_largest_examples_fit(const ProblemSpec& spec);

  Ranks* ranks_;
  const bool is_measured_;
  DividedWork divided_work_;
  std::unique_ptr<Workers> workers_;
  std::unique_ptr<Services> services_;
  std::unique_ptr<CachedDataset> cached_;         // nullptr: none
  std::unique_ptr<Component> dataset_component_;  // users of a component come after it
  std::unique_ptr<Component> features_component_;
  std::unique_ptr<Component> loss_component_;
  Components oracle_components_;
  std::vector<Components> prediction_oracle_components_;
  Components auditor_components_;
  std::unique_ptr<KernelComponents> kernel_components_;  // nullptr: no kernel
  std::unique_ptr<Dataset> dataset_;
  // In place of the rows of the dataset: one of them with a kernel, none without.
  std::unique_ptr<AtomDataset> atoms_;
  std::unique_ptr<ExplicitDataset> explicit_;
  std::unique_ptr<Features> features_;
  std::unique_ptr<Loss> loss_;
  std::unique_ptr<OutputShapes> output_shapes_;
  std::unique_ptr<OutputCounts> output_counts_;
  std::unique_ptr<Oracle> oracle_;
  std::vector<std::unique_ptr<Oracle>> prediction_oracles_;
  std::unique_ptr<Oracle> auditor_;        // nullptr: none
  std::unique_ptr<ProblemKernel> kernel_;  // nullptr: none
  std::int64_t dimension_ = 0;
  std::vector<std::uint8_t> nonnegative_;
  std::optional<Formulation> formulation_;
  SeparationStrategy strategy_ = SeparationStrategy::one_argmax;
  SeparationStrategy audit_strategy_ = SeparationStrategy::one_argmax;
  ExampleList training_;
  std::vector<double> example_weights_;  // [training_.size()] or empty
  std::int64_t max_memory_;
  TruthVectors truths_;
  ExampleList held_out_;
  std::string serial_warning_;
};

}  // namespace sculpt::core
