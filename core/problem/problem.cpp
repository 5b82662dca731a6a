#include "problem/problem.hpp"

#include <algorithm>
#include <utility>

#include "base/current_activity.hpp"
#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "base/text/parameter_text.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/dimension.hpp"
#include "problem/map_oracle/map_oracle.hpp"
#include "problem/plugin/mismatch.hpp"
#include "problem/plugin/with_position.hpp"

namespace sculpt::core {

namespace {

void add_components(const KernelSpec& kernel, std::vector<const ComponentSpec*>& all) {
  if (kernel.component) all.push_back(&*kernel.component);
  for (const KernelSpec& member : kernel.members) add_components(member, all);
}

// Returns every chosen component, in the order in which components are created.
std::vector<const ComponentSpec*> all_components(const ProblemSpec& spec) {
  std::vector<const ComponentSpec*> all = {&spec.dataset, &spec.features};
  if (spec.loss) all.push_back(&*spec.loss);
  for (const ComponentSpec& oracle : spec.oracles) all.push_back(&oracle);
  for (const OracleSpec& oracle : spec.prediction_oracles) {
    for (const ComponentSpec& member : oracle.members) all.push_back(&member);
  }
  if (spec.auditor) {
    for (const ComponentSpec& member : spec.auditor->members) all.push_back(&member);
  }
  if (spec.kernel) add_components(*spec.kernel, all);
  return all;
}

// Returns the names of the components that must be called from one thread, each once: "letters,
// viterbi".
std::string serial_names(const ProblemSpec& spec) {
  std::vector<std::string> names;
  for (const ComponentSpec* component : all_components(spec)) {
    if ((component->description->traits & SCULPT_TRAIT_SERIAL) == 0) continue;
    const std::string name = short_name(*component->description);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return joined(names, ", ");
}

// ", or set ..." if an oracle that relaxes has a parameter for rounded answers, else "".
std::string rounding_advice(const Component& oracle) {
  constexpr const char* rounded = "rounded";
  const sculpt_component& description = oracle.description();
  for (std::int64_t k = 0; k < description.parameter_count; ++k) {
    const sculpt_parameter& parameter = description.parameters[k];
    const std::vector<std::string> choices = choices_of(parameter);
    if (std::find(choices.begin(), choices.end(), rounded) == choices.end()) continue;
    return std::string(", or set its \"") + parameter.name + "\": \"" + rounded + "\"";
  }
  return "";
}

void check_spec(const ProblemSpec& spec, Purpose purpose) {
  if (spec.oracles.empty()) {
    throw Failure(Exit::config, "an oracle or a map_solver is needed under \"oracle\"");
  }
  if (purpose == Purpose::training && !spec.loss) {
    throw Failure(Exit::config, "training needs a loss");
  }
}

std::unique_ptr<Component> make_component(const ComponentSpec& spec, Services& services) {
  return with_position(spec, [&] {
    return std::make_unique<Component>(*spec.description, spec.parameters, services);
  });
}

}  // namespace

Problem::Problem(const ProblemSpec& spec, Purpose purpose, int threads, Callbacks callbacks)
    : ranks_(surroundings().ranks()),
      is_measured_(purpose == Purpose::training),
      formulation_(spec.formulation),
      max_memory_(spec.max_memory) {
  check_spec(spec, purpose);
  const std::string serial = serial_names(spec);
  if (!serial.empty() && threads > 1) {
    serial_warning_ = "one thread is used: " + serial + " can be called from one thread only";
    threads = 1;
  }
  workers_ = std::make_unique<Workers>(threads);
  services_ = std::make_unique<Services>(std::move(callbacks), *workers_,
                                         spec.is_guarded                ? Services::Guard::calls
                                         : purpose == Purpose::checking ? Services::Guard::fences
                                                                        : Services::Guard::none);
  if (spec.storage) services_->store_in(*spec.storage);
  current_activity = {"reading the data"};
  if (spec.cache != nullptr) find_cache(spec, purpose);
  create(spec);
  load(spec, purpose);
  current_activity = {"binding the components"};
  bind(spec, purpose);
  current_activity = {"summing the features of the truths"};
  if (purpose == Purpose::training) check_truths();
  if (strategy_ == SeparationStrategy::frontier) check_frontiers();
  if (purpose == Purpose::training) require_largest_examples_fit(spec);
  current_activity = {};
}

Problem::~Problem() = default;

void Problem::create(const ProblemSpec& spec) {
  const int threads = workers_->threads();
  dataset_component_ = make_component(spec.dataset, *services_);
  features_component_ = make_component(spec.features, *services_);
  if (spec.loss) loss_component_ = make_component(*spec.loss, *services_);
  oracle_components_ = make_members(spec.oracles);
  for (const OracleSpec& oracle : spec.prediction_oracles) {
    prediction_oracle_components_.push_back(make_members(oracle.members));
  }
  if (spec.auditor) auditor_components_ = make_members(spec.auditor->members);
  if (spec.kernel) {
    kernel_components_ = std::make_unique<KernelComponents>(*spec.kernel, *services_);
    if (spec.support_atoms) kernel_components_->keep(*spec.support_atoms);
  }
  const auto restore = [](const ComponentSpec& component_spec, Component& component) {
    component.restore(component_spec.state, component_spec.state_file);
  };
  if (cached_) {
    dataset_component_->restore(cached_->state(), "");
  } else {
    restore(spec.dataset, *dataset_component_);
  }
  restore(spec.features, *features_component_);
  if (spec.loss) restore(*spec.loss, *loss_component_);
  for (std::size_t k = 0; k < spec.oracles.size(); ++k) {
    restore(spec.oracles[k], *oracle_components_[k]);
  }
  dataset_ = std::make_unique<Dataset>(*dataset_component_, threads);
  features_ = std::make_unique<Features>(*features_component_, threads);
  if (spec.loss) loss_ = std::make_unique<Loss>(*loss_component_, threads);
}

Problem::Components Problem::make_members(const std::vector<ComponentSpec>& specs) {
  Components members;
  for (const ComponentSpec& spec : specs) members.push_back(make_component(spec, *services_));
  return members;
}

// A component is sealed before the next one binds, because the next one may then call it.
void Problem::bind_and_seal(Component& component, sculpt_bindings bindings) {
  services_->throw_if_cancelled();
  bindings.struct_size = sizeof bindings;
  component.bind(bindings);
  component.seal();
}

// The same, with its position and its alternatives in messages.
void Problem::bind_part(const ComponentSpec& spec, Component& component,
                        const sculpt_bindings& bindings) {
  with_position(spec,
                [&] { with_alternatives(spec, [&] { bind_and_seal(component, bindings); }); });
}

void Problem::bind(const ProblemSpec& spec, Purpose purpose) {
  sculpt_bindings bindings = {};
  bindings.dataset = dataset_component_->ref();
  if (kernel_components_) bindings.dataset = replace_rows(*spec.kernel, purpose);
  bind_part(spec.features, *features_component_, bindings);
  output_shapes_ = std::make_unique<OutputShapes>(*features_, *dataset_, workers_->threads());
  check_truth_shapes();
  // With a kernel, weights belong to the rows of the data. Data to predict may have none.
  const bool may_have_none = purpose == Purpose::prediction && atoms_ && atoms_->atom_count() == 0;
  dimension_ = dimension_of(*features_, *dataset_, spec.sources.empty() ? "" : spec.sources[0].path,
                            may_have_none ? 0 : 1);
  // Prediction does not need them. So no memory is allocated for a dimension that only the model
  // claims.
  if (purpose != Purpose::prediction) nonnegative_ = features_->nonnegative(dimension_);
  if (atoms_) with_position(spec.features, [&] { make_kernel(); });
  bindings.features = features_component_->ref();
  if (loss_component_) {
    bind_part(*spec.loss, *loss_component_, bindings);
    bindings.loss = loss_component_->ref();
  }
  bind_oracle(spec, bindings, purpose);
  if (purpose == Purpose::training) bind_other_oracles(spec, bindings);
}

// Returns the dataset that features, loss and oracle are bound to.
sculpt_ref Problem::replace_rows(const KernelSpec& kernel, Purpose purpose) {
  kernel_components_->bind(dataset_component_->ref());
  if (kernel.rule != KernelRule::explicit_rows) {
    atoms_ = std::make_unique<AtomDataset>(*dataset_);
    return atoms_->ref();
  }
  explicit_ = std::make_unique<ExplicitDataset>(
      *dataset_,
      make_explicit_map(kernel.members.front(), kernel_components_->components(),
                        workers_->threads()),
      *workers_, *services_, remedy(purpose));
  return explicit_->ref();
}

void Problem::make_kernel() {
  if (!nonnegative_.empty()) {
    features_->component().refuse(Exit::config, -1,
                                  "demands weights >= 0, but a kernel has no single weights; leave "
                                  "out the bounds, or \"kernel\"");
  }
  kernel_ = std::make_unique<ProblemKernel>(kernel_components_->make_kernel(workers_->threads()),
                                            *atoms_, *features_, dimension_, training_, *workers_);
}

Vector Problem::weights_of_model(const Vector& stored) {
  return kernel_ ? kernel_->weights_of_model(stored, kernel_components_->kept_count()) : stored;
}

std::vector<double> Problem::support_shares(const Vector& stored, const SparseVector& psi) {
  return kernel_->support_shares(stored, kernel_components_->kept_count(), psi);
}

// The certificate depends on the last of several oracles. So errors about all of them name its
// position.
void Problem::bind_oracle(const ProblemSpec& spec, sculpt_bindings bindings, Purpose purpose) {
  oracle_ = make_oracle(spec.oracles, oracle_components_, spec.rule, bindings, purpose);
  if (purpose != Purpose::training || !has_planes()) return;
  with_position(spec.oracles.back(), [&] {
    refuse_relaxed_slack_rescaling();
    strategy_ = choose_strategy(formulation(), *oracle_);
  });
  if (strategy_ != SeparationStrategy::frontier && !services_->is_guarded()) return;
  output_counts_ = OutputCounts::if_possible(*features_, *loss_, workers_->threads());
}

void Problem::bind_other_oracles(const ProblemSpec& spec, sculpt_bindings bindings) {
  for (std::size_t k = 0; k < prediction_oracle_components_.size(); ++k) {
    const OracleSpec& oracle = spec.prediction_oracles[k];
    prediction_oracles_.push_back(make_oracle(oracle.members, prediction_oracle_components_[k],
                                              oracle.rule, bindings, Purpose::prediction));
  }
  if (!spec.auditor) return;
  auditor_ = make_oracle(spec.auditor->members, auditor_components_, spec.auditor->rule, bindings,
                         Purpose::training);
  with_position(spec.auditor->members.back(), [&] { require_auditor_fits(); });
}

void Problem::require_auditor_fits() {
  if (auditor_->relaxes()) {
    throw Failure(Exit::config,
                  "audit_with: " + auditor_->component().name() +
                      " gives relaxed answers, but an audit measures the primal over outputs; use "
                      "an exact oracle" +
                      rounding_advice(auditor_->component()));
  }
  if (has_planes()) audit_strategy_ = choose_strategy(formulation(), *auditor_);
}

std::unique_ptr<Oracle> Problem::make_oracle(const std::vector<ComponentSpec>& specs,
                                             const Components& members, OracleRule rule,
                                             sculpt_bindings bindings, Purpose purpose) {
  std::vector<std::unique_ptr<Oracle>> oracles;
  for (std::size_t k = 0; k < members.size(); ++k) {
    with_position(specs[k], [&] {
      with_alternatives(
          specs[k], [&] { oracles.push_back(make_single_oracle(*members[k], bindings, purpose)); });
    });
  }
  if (oracles.size() == 1) return std::move(oracles.front());
  if (rule == OracleRule::combine) {  // all are asked; the one that offers most comes last
    const auto has_no_frontier = [](const std::unique_ptr<Oracle>& oracle) {
      return !oracle->obstacle_to_frontier().empty();
    };
    const auto is_not_relaxing = [](const std::unique_ptr<Oracle>& oracle) {
      return !oracle->relaxes();
    };
    std::stable_partition(oracles.begin(), oracles.end(), has_no_frontier);
    std::stable_partition(oracles.begin(), oracles.end(), is_not_relaxing);
  }
  return std::make_unique<OracleList>(std::move(oracles), rule, *features_, dimension_,
                                      workers_->threads());
}

std::unique_ptr<Oracle> Problem::make_single_oracle(Component& component, sculpt_bindings bindings,
                                                    Purpose purpose) {
  const int threads = workers_->threads();
  if (component.description().kind != SCULPT_KIND_MAP_SOLVER) {
    bind_and_seal(component, bindings);
    return std::make_unique<ComponentOracle>(component, loss_.get(), *output_shapes_, threads);
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
          " gives relaxed answers, which need \"rescaling\": \"margin\"; set that, or use another "
          "oracle" +
          rounding_advice(oracle_->component()));
}

std::string oracle_state_name(std::size_t k) {
  return k == 0 ? "oracle" : "oracle " + std::to_string(k);
}

// Refuses examples of any split that are too large for a map_solver. Otherwise the run might fail
// after hours of training.
void Problem::require_largest_examples_fit(const ProblemSpec& spec) {
  const auto check = [&](const std::vector<ComponentSpec>& members, Oracle& oracle) {
    with_position(members.back(), [&] { oracle.require_largest_fits(dataset_->count()); });
  };
  check(spec.oracles, *oracle_);
  for (std::size_t k = 0; k < prediction_oracles_.size(); ++k) {
    check(spec.prediction_oracles[k].members, *prediction_oracles_[k]);
  }
  if (auditor_) check(spec.auditor->members, *auditor_);
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
  for (std::size_t k = 0; kernel_components_ && k < kernel_components_->components().size(); ++k) {
    add(kernel_state_name(k), kernel_components_->components()[k]);
  }
  return states;
}

std::vector<const Component*> Problem::kernel_components() const {
  std::vector<const Component*> components;
  if (!kernel_components_) return components;
  for (const auto& component : kernel_components_->components()) {
    components.push_back(component.get());
  }
  return components;
}

Domain Problem::domain() const {
  return {std::count(nonnegative_.begin(), nonnegative_.end(), 1), oracle_->relaxes(),
          !example_weights_.empty()};
}

}  // namespace sculpt::core
