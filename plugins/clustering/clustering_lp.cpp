#include "clustering_lp.hpp"

#include "partition.hpp"
#include "partition_search.hpp"

namespace clustering {

void ClusteringLp::bind(const sculpt::Bindings& bindings) {
  task_.bind(bindings);
  task_.check_items(
      max_items_,
      "its program has a variable for each pair of items; raise max_items, which takes longer, or "
      "use the oracle agglomerative");
  if (!task_.has_loss() || task_.loss_is_rand_error()) return;
  throw sculpt::unsupported_error("needs a loss that is a sum over pairs, but " +
                                  bindings.loss.id() +
                                  " is not; use the loss rand_error, or the oracle agglomerative");
}

void ClusteringLp::Session::solve(const sculpt::Query& query) {
  owner_.task_.fill_objective(query, objective_);
  program_.solve(objective_.scores, owner_.limits_, owner_.host_);
  round();
  value_ = objective_.value(y_);
  bound_ = std::max(value_, objective_.constant + program_.bound());
}

// The two partitions: agglomeration from single items, and agglomeration from
// the pairs with x > 1/2.
void ClusteringLp::Session::round() {
  y_.resize(objective_.scores.items());
  agglomerate(objective_, true, owner_.host_, y_);
  std::vector<std::int32_t> agglomerated = y_;
  Objective program_objective;
  program_objective.scores.reset(static_cast<std::int64_t>(y_.size()));
  for (std::size_t i = 0; i < y_.size(); ++i) {
    for (std::size_t j = i + 1; j < y_.size(); ++j) {
      program_objective.scores.set(i, j, program_.link_values().at(i, j) - 0.5);
    }
  }
  agglomerate(program_objective, false, owner_.host_, y_);
  improve(objective_, true, owner_.host_, y_);
  if (!(objective_.value(y_) > objective_.value(agglomerated))) y_ = std::move(agglomerated);
}

double ClusteringLp::Session::tolerance() const {
  return 1e-10 * objective_.magnitude;
}

void ClusteringLp::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  solve(query);
  answer.labels().assign(y_);
  if (is_attained()) {
    answer.exact(value_);
  } else {
    answer.found(value_);
  }
  answer.bound(bound_);
}

void ClusteringLp::Session::cut(const sculpt::Query& query, sculpt::Sum& psi, sculpt::Cut& out) {
  solve(query);
  if (!is_attained() && program_.is_solved()) {
    out.fractional();
    const double value = write_answer(
        query, [this](std::size_t i, std::size_t j) { return program_.link_values().at(i, j); },
        psi, out);
    if (bound_ - value <= tolerance()) {
      out.exact(value);
    } else {
      out.found(value);
    }
    return out.bound(std::max(bound_, value));
  }
  out.labels().assign(y_);
  write_answer(
      query, [this](std::size_t i, std::size_t j) { return y_[i] == y_[j] ? 1.0 : 0.0; }, psi, out);
  if (is_attained()) {
    out.exact(value_);
  } else {
    out.found(value_);
  }
  out.bound(bound_);
}

template <class Share>
double ClusteringLp::Session::write_answer(const sculpt::Query& query, Share share,
                                           sculpt::Sum& psi, sculpt::Cut& out) const {
  owner_.task_.features().add_shares(query.example, share, psi);
  double value = objective_.constant;
  double wrong = 0;
  const std::size_t items = y_.size();
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t j = i + 1; j < items; ++j) {
      const double link_value = share(i, j);
      value += link_value * objective_.scores.at(i, j);
      if (!query.truth.known()) continue;
      wrong += query.truth[i] == query.truth[j] ? 1 - link_value : link_value;
    }
  }
  const std::int64_t pairs = pairs_of(static_cast<std::int64_t>(items));
  if (pairs > 0) out.loss(wrong / static_cast<double>(pairs));
  return value;
}

}  // namespace clustering
