#include "problem/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <new>
#include <utility>

#include "base/current_activity.hpp"
#include "base/text/message_text.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/dimension.hpp"
#include "problem/map_oracle/map_oracle.hpp"
#include "problem/plugin/oracle_seed.hpp"

namespace sculpt::core {

namespace {

// Returns every chosen component, in the order in which components are created.
std::vector<const ComponentSpec*> all_of(const ProblemSpec& choices) {
  std::vector<const ComponentSpec*> all = {&choices.dataset, &choices.features};
  if (choices.loss) all.push_back(&*choices.loss);
  for (const ComponentSpec& oracle : choices.oracles) all.push_back(&oracle);
  for (const OracleSpec& predictor : choices.predictors) {
    for (const ComponentSpec& member : predictor.members) all.push_back(&member);
  }
  if (choices.auditor) {
    for (const ComponentSpec& member : choices.auditor->members) all.push_back(&member);
  }
  return all;
}

// Returns the names of the components that must be called from one thread: "letters, viterbi".
std::string serial_names(const ProblemSpec& choices) {
  std::vector<std::string> names;
  for (const ComponentSpec* choice : all_of(choices)) {
    const bool serial = (choice->description->traits & SCULPT_TRAIT_SERIAL) != 0;
    if (serial) names.push_back(short_name(*choice->description));
  }
  return joined(names, ", ");
}

void check_choices(const ProblemSpec& choices, Purpose purpose) {
  if (choices.oracles.empty()) {
    throw Failure(Exit::config, "an oracle or a map_solver is needed under \"oracle\"");
  }
  if (purpose == Purpose::training && !choices.loss) {
    throw Failure(Exit::config, "training needs a loss");
  }
}

// Calls function(). If it refuses the experiment (Exit::config), adds the place of the component or
// of the wrong key to the message.
template <class Function>
decltype(auto) placed(const ComponentSpec& choice, Function&& function) {
  try {
    return function();
  } catch (const Failure& failure) {
    if (failure.exit() != Exit::config || choice.place.empty()) throw;
    const std::string named = place_of_named(choice.keys, failure.what());
    throw Failure(failure.exit(), (named.empty() ? choice.place : named) + ": " + failure.what(),
                  failure.advice());
  }
}

std::unique_ptr<Component> make(const ComponentSpec& choice, Services& services) {
  return placed(choice, [&] {
    return std::make_unique<Component>(*choice.description, choice.parameters, services);
  });
}

// w = 0. Few oracles read it, and calloc uses no memory for zeros that nobody reads.
class ZeroWeights {
 public:
  explicit ZeroWeights(std::int64_t dimension)
      : zeros_(
            static_cast<double*>(std::calloc(static_cast<std::size_t>(dimension), sizeof(double)))),
        lent_{zeros_.get(), dimension, next_stamp()} {
    if (!zeros_) throw std::bad_alloc();
  }
  const sculpt_weights& lent() const { return lent_; }

 private:
  struct Free {
    void operator()(double* zeros) const { std::free(zeros); }
  };
  std::unique_ptr<double[], Free> zeros_;
  sculpt_weights lent_;
};

}  // namespace

Problem::Problem(const ProblemSpec& choices, Purpose purpose, int threads, Callbacks callbacks)
    : formulation_(choices.formulation) {
  check_choices(choices, purpose);
  const std::string serial = serial_names(choices);
  if (!serial.empty() && threads > 1) {
    serial_note_ = "one thread is used: " + serial + " can be called from one thread only";
    threads = 1;
  }
  workers_ = std::make_unique<Workers>(threads);
  services_ = std::make_unique<Services>(std::move(callbacks), *workers_, choices.guard);
  current_activity = {"reading the data"};
  create(choices);
  load(choices, purpose);
  current_activity = {"binding the components"};
  bind(choices, purpose);
  current_activity = {"summing the features of the truths"};
  if (purpose == Purpose::training) check_truths();
  if (strategy_ == SeparationStrategy::frontier) check_frontiers();
  if (purpose == Purpose::training) check_sizes(choices);
  current_activity = {};
}

Problem::~Problem() = default;

void Problem::create(const ProblemSpec& choices) {
  const int threads = workers_->threads();
  dataset_component_ = make(choices.dataset, *services_);
  features_component_ = make(choices.features, *services_);
  if (choices.loss) loss_component_ = make(*choices.loss, *services_);
  oracle_components_ = make_members(choices.oracles);
  for (const OracleSpec& predictor : choices.predictors) {
    predictor_components_.push_back(make_members(predictor.members));
  }
  if (choices.auditor) auditor_components_ = make_members(choices.auditor->members);
  const auto restore = [](const ComponentSpec& choice, Component& component) {
    if (choice.state) component.restore(*choice.state);
  };
  restore(choices.dataset, *dataset_component_);
  restore(choices.features, *features_component_);
  if (choices.loss) restore(*choices.loss, *loss_component_);
  for (std::size_t k = 0; k < choices.oracles.size(); ++k) {
    restore(choices.oracles[k], *oracle_components_[k]);
  }
  dataset_ = std::make_unique<Dataset>(*dataset_component_, threads);
  features_ = std::make_unique<Features>(*features_component_, threads);
  if (choices.loss) loss_ = std::make_unique<Loss>(*loss_component_, threads);
}

Problem::Components Problem::make_members(const std::vector<ComponentSpec>& choices) {
  Components members;
  for (const ComponentSpec& choice : choices) members.push_back(make(choice, *services_));
  return members;
}

void Problem::load(const ProblemSpec& choices, Purpose purpose) {
  const std::vector<SplitSource>& sources = choices.sources;
  for (const SplitSource& source : sources) {
    services_->throw_if_cancelled();
    dataset_->load(source);
  }
  bind_and_seal(*dataset_component_, {});
  require_sizes_of_rows(*dataset_, *workers_, *services_,
                        purpose == Purpose::prediction ? remedy_of_model : remedy_in_training);
  training_ = ExampleList(dataset_->split("train"));
  if (purpose != Purpose::training) return;
  if (training_.size() == 0 && sources.empty()) require_examples({"train", "", std::nullopt});
  for (const SplitSource& source : sources) require_examples(source);
  for (std::int64_t k = 0; k < training_.size(); ++k) require_whole_truth(training_[k]);
  if (choices.hold_out) apply_hold_out(*choices.hold_out);
}

void Problem::apply_hold_out(const HoldOut& hold_out) {
  HoldOutSplit dealt = split_examples(hold_out, *dataset_);
  training_ = std::move(dealt.training);
  held_out_ = std::move(dealt.held_out);
}

// A split that the experiment names must not be empty: the path or the file is wrong.
void Problem::require_examples(const SplitSource& source) const {
  const bool is_train = source.split == "train";
  if ((is_train ? training_.size() : dataset_->split(source.split).size()) > 0) return;
  const std::string where = source.path.empty() ? "" : source.path + ": ";
  dataset_component_->refuse(Exit::data, -1,
                             where + "the split \"" + source.split + "\" holds no examples");
}

// Called before features and loss use labels as indices. In other splits, losses skip a -1.
void Problem::require_whole_truth(std::int64_t example) const {
  const sculpt_labels truth = dataset_->truth(example);
  if (truth.data == nullptr) {
    dataset_->refuse(Exit::data, example,
                     "unlabelled; every example of the split \"train\" needs its true output: "
                     "write it, or take the example out");
  }
  const std::int32_t* const unknown = std::find(truth.data, truth.data + truth.size, -1);
  if (unknown == truth.data + truth.size) return;
  dataset_->refuse(Exit::data, example,
                   "label " + std::to_string(unknown - truth.data + 1) +
                       " of its truth is unknown (-1); partial labels need an oracle "
                       "that completes them, so leave the example out of the split "
                       "\"train\"");
}

// A component is sealed before the next one binds, because the next one may then call it.
void Problem::bind_and_seal(Component& component, sculpt_bindings bindings) {
  services_->throw_if_cancelled();
  bindings.struct_size = sizeof bindings;
  component.bind(bindings);
  component.seal();
}

void Problem::bind(const ProblemSpec& choices, Purpose purpose) {
  sculpt_bindings bindings = {};
  bindings.dataset = dataset_component_->ref();
  placed(choices.features, [&] { bind_and_seal(*features_component_, bindings); });
  dimension_ =
      dimension_of(*features_, *dataset_, choices.sources.empty() ? "" : choices.sources[0].path);
  // Prediction does not need them. So no memory is allocated for a dimension that only the model
  // claims.
  if (purpose != Purpose::prediction) nonnegative_ = features_->nonnegative(dimension_);
  bindings.features = features_component_->ref();
  if (loss_component_) {
    placed(*choices.loss, [&] { bind_and_seal(*loss_component_, bindings); });
    bindings.loss = loss_component_->ref();
  }
  bind_oracle(choices, bindings, purpose);
  if (purpose == Purpose::training) bind_measuring(choices, bindings);
}

// The certificate depends on the last of several oracles. So errors about all of them name its
// place.
void Problem::bind_oracle(const ProblemSpec& choices, sculpt_bindings bindings, Purpose purpose) {
  oracle_ = make_oracle(choices.oracles, oracle_components_, choices.rule, bindings, purpose);
  if (purpose != Purpose::training || !has_planes()) return;
  placed(choices.oracles.back(), [&] {
    refuse_relaxed_slack_rescaling();
    strategy_ = choose_strategy(formulation(), *oracle_);
  });
}

void Problem::bind_measuring(const ProblemSpec& choices, sculpt_bindings bindings) {
  for (std::size_t k = 0; k < predictor_components_.size(); ++k) {
    predictors_.push_back(make_oracle(choices.predictors[k].members, predictor_components_[k],
                                      choices.predictors[k].rule, bindings, Purpose::prediction));
  }
  if (!choices.auditor) return;
  auditor_ = make_oracle(choices.auditor->members, auditor_components_, choices.auditor->rule,
                         bindings, Purpose::training);
  placed(choices.auditor->members.back(), [&] { require_audit(); });
}

void Problem::require_audit() {
  if (auditor_->relaxes()) {
    throw Failure(Exit::config,
                  "audit_with: " + auditor_->component().name() +
                      " gives relaxed answers, and what is audited is the primal of outputs; take "
                      "an exact oracle, or have it answer with outputs alone");
  }
  if (has_planes()) audit_strategy_ = choose_strategy(formulation(), *auditor_);
}

std::unique_ptr<Oracle> Problem::make_oracle(const std::vector<ComponentSpec>& choices,
                                             const Components& members, OracleRule rule,
                                             sculpt_bindings bindings, Purpose purpose) {
  std::vector<std::unique_ptr<Oracle>> oracles;
  for (std::size_t k = 0; k < members.size(); ++k) {
    placed(choices[k], [&] { oracles.push_back(make_one(*members[k], bindings, purpose)); });
  }
  if (oracles.size() == 1) return std::move(oracles.front());
  if (rule == OracleRule::combine) {  // all are asked; the one that offers most comes last
    const auto can_less = [](const std::unique_ptr<Oracle>& one) {
      return !one->obstacle_to_frontier().empty();
    };
    const auto answers_with_outputs = [](const std::unique_ptr<Oracle>& one) {
      return !one->relaxes();
    };
    std::stable_partition(oracles.begin(), oracles.end(), can_less);
    std::stable_partition(oracles.begin(), oracles.end(), answers_with_outputs);
  }
  return std::make_unique<OracleList>(std::move(oracles), rule, *features_, dimension_,
                                      workers_->threads());
}

std::unique_ptr<Oracle> Problem::make_one(Component& component, sculpt_bindings bindings,
                                          Purpose purpose) {
  const int threads = workers_->threads();
  if (component.description().kind != SCULPT_KIND_MAP_SOLVER) {
    bind_and_seal(component, bindings);
    return std::make_unique<ComponentOracle>(component, loss_.get(), threads);
  }
  bind_and_seal(component, {});  // a map_solver does not see examples
  const bool repeats =
      purpose == Purpose::training && has_planes() && !formulation().needs_one_argmax();
  return std::make_unique<MapOracle>(component, *features_, loss_.get(), repeats, threads);
}

// Delta (1 - <w, dpsi>) of a relaxed answer is a product of two sums over it. No argmax finds its
// maximum.
void Problem::refuse_relaxed_slack_rescaling() const {
  if (!oracle_->relaxes() || formulation().rescaling != Rescaling::slack) return;
  throw Failure(
      Exit::config,
      oracle_->component().name() +
          " gives relaxed answers, which need \"rescaling\": \"margin\"; take that, or "
          "have it answer with outputs alone if it can (describe NAME lists its parameters)");
}

std::string oracle_state_name(std::size_t k) {
  return k == 0 ? "oracle" : "oracle " + std::to_string(k);
}

void Problem::check_truths() {
  if (!services_->guards()) truths_ = TruthVectors(dataset_->count());
  std::deque<SparseAccumulator> scratch;  // per worker; a deque keeps addresses
  for (int worker = 0; worker < workers_->threads(); ++worker) scratch.emplace_back(dimension_);
  workers_->run_blocks(training_.size(), Workers::block_size(training_.size()),
                       [&](std::int64_t begin, std::int64_t end, int worker) {
                         services_->throw_if_cancelled();
                         for (std::int64_t k = begin; k < end; ++k) {
                           check_truth(worker, training_[k],
                                       scratch[static_cast<std::size_t>(worker)]);
                         }
                       });
}

// Before training, an error in psi(x, y) of a truth is reported as an error of the data
// (Exit::data). The input is the most likely cause.
void Problem::check_truth(int worker, std::int64_t example, SparseAccumulator& scratch) {
  const sculpt_labels truth = dataset_->truth(example);
  FeatureSum vector;
  features_->vector(worker, example, truth, Exit::data, scratch, vector.psi);
  require_sizes(example, vector.psi);
  vector.cancelled = scratch.cancelled(vector.psi);
  truths_.keep(example, vector);
  const double loss = loss_->of(worker, example, truth, truth);
  if (loss != 0) {
    loss_component_->refuse(
        Exit::plugin, example,
        "the loss of the truth against itself is " + number_text(loss) + "; it must be 0");
  }
}

// Checks the values that the features compute. The rows of the data were checked before.
void Problem::require_sizes(std::int64_t example, const SparseVector& psi) const {
  for (std::size_t k = 0; k < psi.value.size(); ++k) {
    const double size = std::abs(psi.value[k]);
    if (size <= largest_feature) continue;
    std::string name = features_->weight_name(psi.index[k]);
    if (name.empty()) name = std::to_string(psi.index[k]);
    refuse_size(*dataset_, example, size, "the weight " + name, remedy_in_training);
  }
}

// Refuses frontiers that are too large now, not after hours of training. Begins a frontier query
// for every example, but reads no slice.
void Problem::check_frontiers() {
  const ZeroWeights zero(dimension_);
  const std::int64_t block_size = Workers::block_size(training_.size());
  workers_->run_blocks(training_.size(), block_size,
                       [&](std::int64_t begin, std::int64_t end, int worker) {
                         services_->throw_if_cancelled();
                         for (std::int64_t k = begin; k < end; ++k) {
                           sculpt_query query = {};
                           query.struct_size = sizeof query;
                           query.example = training_[k];
                           query.truth = dataset_->truth(query.example);
                           query.weights = zero.lent();
                           oracle_->require_frontier_fits(worker, query);
                         }
                       });
}

// Refuses examples of any split that are too large for a map_solver. Otherwise the run might fail
// after hours of training.
void Problem::check_sizes(const ProblemSpec& choices) {
  const auto check = [&](const std::vector<ComponentSpec>& members, Oracle& oracle) {
    placed(members.back(), [&] { oracle.require_largest_fits(dataset_->count()); });
  };
  check(choices.oracles, *oracle_);
  for (std::size_t k = 0; k < predictors_.size(); ++k) {
    check(choices.predictors[k].members, *predictors_[k]);
  }
  if (auditor_) check(choices.auditor->members, *auditor_);
}

std::vector<Problem::State> Problem::states() const {
  std::vector<State> states;
  const auto add = [&](const std::string& kind, const std::unique_ptr<Component>& component) {
    if (component && component->offers_state()) states.push_back({kind, component->save()});
  };
  add("dataset", dataset_component_);
  add("features", features_component_);
  add("loss", loss_component_);
  for (std::size_t k = 0; k < oracle_components_.size(); ++k) {
    add(oracle_state_name(k), oracle_components_[k]);
  }
  return states;
}

Domain Problem::domain() const {
  return {std::count(nonnegative_.begin(), nonnegative_.end(), 1), oracle_->relaxes()};
}

}  // namespace sculpt::core
