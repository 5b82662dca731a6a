#include "check/outputs.hpp"

#include <sculpt/ext/enumerate.h>

#include <new>
#include <set>

#include "check/factor_graph_use.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_enumerate> {
  static constexpr const char* id = SCULPT_EXT_ENUMERATE;
  static constexpr std::size_t functions = 1;
};

namespace {

using LabelList = std::vector<std::vector<std::int32_t>>;

// The frames above this one are the plugin's: no exception may pass.
sculpt_status keep(void* context, sculpt_labels y) noexcept {
  try {
    static_cast<LabelList*>(context)->emplace_back(y.data, y.data + y.size);
    return SCULPT_OK;
  } catch (const std::bad_alloc&) {
    return SCULPT_E_MEMORY;
  }
}

std::string counted(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " output" : " outputs");
}

}  // namespace

Worth worth_of(const SparseVector& psi, const CancelledTerms& cancelled,
               std::span<const double> w) {
  Worth worth;
  for (std::size_t k = 0; k < psi.index.size(); ++k) {
    worth.score += w[static_cast<std::size_t>(psi.index[k])] * psi.value[k];
  }
  worth.terms = terms_of(psi, cancelled, w);
  return worth;
}

Worth worth_of(const Output& output, std::span<const double> w) {
  Worth worth = worth_of(output.psi, output.cancelled, w);
  worth.terms.count += static_cast<double>(output.labels.size());
  return worth;
}

OutputSet OutputSource::find(std::int64_t example, const LabelList& further) {
  Listing listing = list(example);
  const sculpt_labels raw = problem_.dataset().truth(example);
  const std::vector<std::int32_t> truth(raw.data, raw.data + raw.size);
  if (!listing.complete) {
    listing.labels = {truth};
    listing.labels.insert(listing.labels.end(), further.begin(), further.end());
  }
  OutputSet set;
  set.complete = listing.complete;
  std::set<std::vector<std::int32_t>> seen;
  for (const std::vector<std::int32_t>& labels : listing.labels) {
    if (!seen.insert(labels).second) continue;
    if (labels == truth) set.truth = set.outputs.size();
    set.outputs.push_back(appraised(example, labels));
  }
  set.origin = set.complete ? "all " + counted(set.outputs.size()) + ", by " + listing.by
                            : "a pool of " + counted(set.outputs.size());
  return set;
}

Output OutputSource::appraised(std::int64_t example, const std::vector<std::int32_t>& labels) {
  Output output;
  output.labels = labels;
  SparseAccumulator scratch(problem_.dimension());
  problem_.features().vector(0, example, output.raw(), Exit::plugin, scratch, output.psi);
  output.cancelled = scratch.cancelled(output.psi);
  if (problem_.loss() != nullptr) {
    output.loss = problem_.loss()->of(0, example, problem_.dataset().truth(example), output.raw());
  }
  return output;
}

// What the oracle maximises over is asked first: it may be less than what the features can take.
OutputSource::Listing OutputSource::list(std::int64_t example) {
  Listing listing;
  const Component& oracle = problem_.oracle().component();
  const bool own_set = oracle.has_trait(SCULPT_TRAIT_SEPARATION_SET);
  if (oracle.description().kind == SCULPT_KIND_ORACLE) {
    Sessions session(oracle, 1);
    if (enumerate(oracle, session.of(0), example, listing)) return listing;
  }
  if (own_set) return listing;
  Features& features = problem_.features();
  if (enumerate(features.component(), features.session(0), example, listing)) return listing;
  multiply(example, listing);
  return listing;
}

bool OutputSource::enumerate(const Component& component, void* session, std::int64_t example,
                             Listing& out) {
  const auto* const table = component.extension<sculpt_ext_enumerate>();
  if (table == nullptr) return false;
  std::int64_t count = -1;
  out.labels.clear();
  component.call("enumerate.enumerate", example, [&](sculpt_error* error) {
    return table->enumerate(session, example, limit_, keep, &out.labels, &count, error);
  });
  if (count > limit_) {
    if (!out.labels.empty()) {
      component.refuse(Exit::plugin, example, "enumerate visits outputs beyond the limit");
    }
    return false;
  }
  if (count != static_cast<std::int64_t>(out.labels.size())) {
    component.refuse(Exit::plugin, example,
                     "enumerate counts " + std::to_string(count) + " outputs, but visited " +
                         std::to_string(out.labels.size()));
  }
  out.complete = true;
  out.by = component.name() + "'s enumerate";
  return true;
}

bool OutputSource::multiply(std::int64_t example, Listing& out) {
  FactorGraphUse use(problem_.features());
  if (!use.offered()) return false;
  const sculpt_factor_graph& graph = use.graph(example);
  if (assignment_count(graph, limit_) > limit_) return false;
  out.labels.clear();
  each_assignment({graph.states, static_cast<std::size_t>(graph.variable_count)},
                  [&](const std::vector<std::int32_t>& y) { out.labels.push_back(y); });
  out.complete = true;
  out.by = "the factor graph of " + problem_.features().component().name();
  return true;
}

}  // namespace sculpt::core
