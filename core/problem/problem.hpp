// problem.hpp - dataset, features, loss and oracle, created, loaded, bound and checked.
//
// Made by the commands: by train and verify with Purpose::training, by predict, evaluate and the
// like with Purpose::prediction, by check with Purpose::checking. The constructor refuses
// everything that cannot work, with a message. This includes oversized frontiers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "objective/formulation.hpp"
#include "objective/objective.hpp"
#include "problem/components/dataset.hpp"
#include "problem/components/features.hpp"
#include "problem/components/loss.hpp"
#include "problem/hold_out.hpp"
#include "problem/key_places.hpp"
#include "problem/oracle/oracle_list.hpp"
#include "problem/oracle/separation_strategy.hpp"
#include "problem/plugin/services.hpp"
#include "problem/truth_vectors.hpp"

namespace sculpt::core {

// A component chosen by an experiment or a model.
struct ComponentSpec {
  const sculpt_component* description = nullptr;  // as Registry::find gives it
  std::span<const sculpt_value> parameters;       // checked; live until Problem is constructed
  std::optional<std::string> state;               // bytes out of a model
  std::string place = {};  // where an experiment names it, for what is refused; "": nowhere
  std::vector<KeyPlace> keys = {};  // of its own keys, likewise
};

// Several oracles as one, or one.
struct OracleSpec {
  std::vector<ComponentSpec> members;
  OracleRule rule = OracleRule::escalate;
};

struct ProblemSpec {
  ComponentSpec dataset;
  ComponentSpec features;
  std::optional<ComponentSpec> loss;   // required for training
  std::vector<ComponentSpec> oracles;  // one, or several under this rule
  OracleRule rule = OracleRule::escalate;
  std::vector<SplitSource> sources;  // "train" first
  // Of the planes that training asks for; nothing: it asks for none, and how their outputs would be
  // found is nobody's concern.
  std::optional<Formulation> formulation = Formulation();
  std::optional<HoldOut> hold_out = {};  // examples of the split "train" to keep from training
  // Those that the trained weights are measured with, besides.
  std::vector<OracleSpec> predictors = {};
  std::optional<OracleSpec> auditor = {};
  bool guard = false;  // doubt every answer of a component, at some cost
};

// Under which name a model holds the state of oracle k: "oracle", "oracle 1", "oracle 2", ...
std::string oracle_state_name(std::size_t k);

enum class Purpose {
  training,    // there must be a labelled split "train" and a loss, and no split may be empty
  prediction,  // whatever the splits, none need be labelled
  checking     // as prediction, but w is made up, so it has to be known what may not be negative
};

// Whom to ask for the planes of most violation, and how.
struct SeparationOracle {
  Oracle& oracle;
  SeparationStrategy strategy;
};

class Problem {
 public:
  // Runs the life of the components as sculpt/plugin.h has it: create all; restore those with a
  // state; the dataset loads its sources, binds and seals; then features, loss and oracle bind and
  // seal one after the other. Requires threads >= 1; one is used when a component is SERIAL.
  // Throws Failure, Cancelled. [main]
  Problem(const ProblemSpec& choices, Purpose purpose, int threads, Callbacks callbacks);
  ~Problem();

  Dataset& dataset() { return *dataset_; }
  Features& features() { return *features_; }
  Loss* loss() { return loss_.get(); }  // nullptr when none was chosen
  Oracle& oracle() { return *oracle_; }
  Oracle& predictor(std::size_t k) { return *predictors_[k]; }  // of ProblemSpec::predictors
  Workers& workers() { return *workers_; }
  Services& services() { return *services_; }

  std::int64_t dimension() const { return dimension_; }
  // What the weights are learned from: the split "train", without what is held out.
  const ExampleList& training() const { return training_; }
  // What to choose settings by: what is held out, or the split "validation"; may be empty.
  ExampleList validation() const {
    return held_out_.size() > 0 ? held_out_ : ExampleList(dataset_->split("validation"));
  }

  // psi of a training example's truth where it is kept, else nullptr. Never under --guard, whose
  // plugins shall be asked.
  const FeatureSum* truth_vector(std::int64_t example) const { return truths_.find(example); }

  // What planes are made under and how, when made for training; requires that it asks for planes.
  bool has_planes() const { return formulation_.has_value(); }
  const Formulation& formulation() const { return formulation_.value(); }
  SeparationStrategy strategy() const { return strategy_; }
  SeparationOracle separation() { return {*oracle_, strategy_}; }
  // With the auditor in the oracle's place; requires that there is one, and planes.
  SeparationOracle audit() { return {*auditor_, audit_strategy_}; }
  // [dimension] 1 where the features demand w_j >= 0; empty: nowhere, or made for prediction.
  std::span<const std::uint8_t> nonnegative() const { return nonnegative_; }
  // The bounds of the features and the outputs of the oracle, as they enter what is minimized.
  Domain domain() const;

  // A component that has something to save, for the model.
  struct State {
    std::string kind;  // "dataset", "features", "loss", or oracle_state_name()
    std::string bytes;
  };
  std::vector<State> states() const;

  // The warning a component of trait SERIAL deserves, or "".
  std::string serial_note() const { return serial_note_; }

 private:
  using Components = std::vector<std::unique_ptr<Component>>;

  void create(const ProblemSpec& choices);
  void load(const ProblemSpec& choices, Purpose purpose);
  void apply_hold_out(const HoldOut& hold_out);
  void require_examples(const SplitSource& source) const;
  void require_whole_truth(std::int64_t example) const;
  void bind_and_seal(Component& component, sculpt_bindings bindings);
  void bind(const ProblemSpec& choices, Purpose purpose);
  void bind_oracle(const ProblemSpec& choices, sculpt_bindings bindings, Purpose purpose);
  void bind_measuring(const ProblemSpec& choices, sculpt_bindings bindings);
  void require_audit();
  std::unique_ptr<Oracle> make_one(Component& component, sculpt_bindings bindings, Purpose purpose);
  std::unique_ptr<Oracle> make_oracle(const std::vector<ComponentSpec>& choices,
                                      const Components& members, OracleRule rule,
                                      sculpt_bindings bindings, Purpose purpose);
  Components make_members(const std::vector<ComponentSpec>& choices);
  void refuse_relaxed_slack_rescaling() const;
  void check_truths();
  void require_sizes(std::int64_t example, const SparseVector& psi) const;
  void check_truth(int worker, std::int64_t example, SparseAccumulator& scratch);
  void check_frontiers();
  void check_sizes(const ProblemSpec& choices);

  std::unique_ptr<Workers> workers_;
  std::unique_ptr<Services> services_;
  std::unique_ptr<Component> dataset_component_;  // borrowers come after those they borrow from
  std::unique_ptr<Component> features_component_;
  std::unique_ptr<Component> loss_component_;
  Components oracle_components_;
  std::vector<Components> predictor_components_;
  Components auditor_components_;
  std::unique_ptr<Dataset> dataset_;
  std::unique_ptr<Features> features_;
  std::unique_ptr<Loss> loss_;
  std::unique_ptr<Oracle> oracle_;
  std::vector<std::unique_ptr<Oracle>> predictors_;
  std::unique_ptr<Oracle> auditor_;  // nullptr: there is none
  std::int64_t dimension_ = 0;
  std::vector<std::uint8_t> nonnegative_;
  std::optional<Formulation> formulation_;
  SeparationStrategy strategy_ = SeparationStrategy::plain;
  SeparationStrategy audit_strategy_ = SeparationStrategy::plain;
  ExampleList training_;
  TruthVectors truths_;
  ExampleList held_out_;
  std::string serial_note_;
};

}  // namespace sculpt::core
