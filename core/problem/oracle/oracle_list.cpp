#include "problem/oracle/oracle_list.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text/message_text.hpp"

namespace sculpt::core {

namespace {

// Values of two oracles may differ by this fraction and by rounding, as in answer_check.hpp.
constexpr double value_tolerance = 1e-6;

}  // namespace

struct OracleList::ListQuery {
  int worker;
  const sculpt_query& query;
  double stop_escalating_above;
  Answer& best;
  const SparseVector* relaxed_psi = nullptr;  // psi of `best`, if it is fractional
  std::size_t calls = 0;
  bool truth_outside = false;
  double upper_bound = unlimited;              // no output has a larger value
  const Component* bounding_oracle = nullptr;  // the oracle that gives `upper_bound`
  bool is_numerical = false;  // `upper_bound` is a bound of a numerical method, not a value
};

OracleList::OracleList(std::vector<std::unique_ptr<Oracle>> members, OracleRule rule,
                       Features& features, std::int64_t dimension, int threads)
    : members_(std::move(members)), rule_(rule), features_(features), dimension_(dimension) {
  for (const auto& member : members_) {
    if (obstacle_to_loss_.empty()) obstacle_to_loss_ = member->obstacle_to_loss();
  }
  for (int worker = 0; worker < threads; ++worker) latest_.push_back(std::make_unique<Answer>());
}

void OracleList::require_largest_fits(std::int64_t count) {
  for (const auto& member : members_) member->require_largest_fits(count);
}

bool OracleList::answers_batches() const {
  const auto members = always_asked();
  return std::any_of(members.begin(), members.end(),
                     [](const auto& member) { return member->answers_batches(); });
}

// Without values: most answers of several oracles are not used.
void OracleList::announce(int worker, std::span<const sculpt_query> queries, BatchValues*) {
  for (const auto& member : always_asked()) member->announce(worker, queries, nullptr);
}

void OracleList::compute_argmax(int worker, const sculpt_query& query, double stop_escalating_above,
                                Answer& answer) {
  Answer& latest = *latest_[static_cast<std::size_t>(worker)];
  ListQuery list_query{worker, query, stop_escalating_above, answer};
  for (const auto& member : members_) {
    member->argmax(worker, query, latest);
    if (!add_answer(list_query, latest, true)) break;
  }
  write_flags_and_bound(list_query, members_.size());
}

void OracleList::compute_relaxed(int worker, const sculpt_query& query,
                                 double stop_escalating_above, SparseAccumulator& scratch,
                                 SparseVector& psi, Answer& answer) {
  Answer& latest = *latest_[static_cast<std::size_t>(worker)];
  ListQuery list_query{worker, query, stop_escalating_above, answer};
  list_query.relaxed_psi = &psi;
  bool continues = true;
  for (std::size_t k = 0; continues && k + 1 < members_.size(); ++k) {
    members_[k]->argmax(worker, query, latest);
    continues = add_answer(list_query, latest, false);
  }
  if (continues) {
    members_.back()->relaxed(worker, query, scratch, psi, latest);
    add_answer(list_query, latest, true);
  }
  write_flags_and_bound(list_query, members_.size());
}

// Adds the answer of a member. `is_bound_valid`: its bound holds for all outputs of the query,
// relaxed ones included. Returns false if no other member need be asked.
bool OracleList::add_answer(ListQuery& list_query, Answer& latest, bool is_bound_valid) const {
  Answer& best = list_query.best;
  const bool is_first = list_query.calls++ == 0;
  list_query.truth_outside |= latest.has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (latest.has_flag(SCULPT_ANSWER_NO_OUTPUT)) {
    if (!is_first) {
      latest.info.oracle->refuse(
          Exit::plugin, list_query.query.example,
          "sets NO_OUTPUT, but " + best.info.oracle->name() + " gave an output");
    }
    best.swap(latest);
    return false;
  }
  const double upper_bound = is_bound_valid ? latest.upper_bound() : unlimited;
  if (upper_bound < list_query.upper_bound) {
    list_query.upper_bound = upper_bound;
    list_query.bounding_oracle = latest.info.oracle;
    list_query.is_numerical = latest.has_flag(SCULPT_ANSWER_BOUND);
  }
  if (is_first || latest.value() > best.value()) best.swap(latest);
  const double excess = best.value() - list_query.upper_bound;
  if (excess > value_tolerance * (std::abs(best.value()) + std::abs(list_query.upper_bound)) &&
      excess > rounding(list_query)) {
    list_query.bounding_oracle->refuse(
        Exit::plugin, list_query.query.example,
        "claims that no value exceeds " + number_text(list_query.upper_bound, 10) +
            ", but an output of " + best.info.oracle->name() + " has " +
            number_text(best.value(), 10) + "; it must not set EXACT or BOUND");
  }
  if (excess >= 0) return false;
  if (rule_ == OracleRule::combine || list_query.stop_escalating_above == unlimited) return true;
  return best.value() <= list_query.stop_escalating_above &&
         list_query.upper_bound > list_query.stop_escalating_above;
}

// Bound of the rounding error of the best value and of the upper bound together. Both are sums like
// the best value. Computed only if the two contradict each other.
double OracleList::rounding(const ListQuery& list_query) const {
  SparseAccumulator sum(dimension_);
  SparseVector psi;
  Terms terms;
  const std::span<const double> w(list_query.query.weights.data,
                                  static_cast<std::size_t>(dimension_));
  if (list_query.best.fractional()) {
    psi = *list_query.relaxed_psi;
    terms = terms_of(psi, {{}, static_cast<double>(psi.index.size())}, w);
  } else {
    const sculpt_labels labels = list_query.best.labels();
    features_.vector(list_query.worker, list_query.query.example, labels, Exit::plugin, sum, psi);
    terms = sum.terms(w);
  }
  const double loss = std::max(list_query.query.loss_weight, std::abs(list_query.best.value()));
  terms += {loss, static_cast<double>(std::max<std::int64_t>(list_query.query.truth.size, 0)) + 1};
  return 2 * terms.rounding() +
         (list_query.is_numerical ? numerical_tolerance * terms.magnitude : 0);
}

void OracleList::write_flags_and_bound(ListQuery& list_query, std::size_t members) {
  sculpt_answer& answer = *list_query.best.raw();
  list_query.best.info.calls = static_cast<int>(list_query.calls);
  list_query.best.info.escalated = list_query.calls == members;
  if (list_query.best.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
  answer.flags = list_query.truth_outside ? std::uint32_t{SCULPT_ANSWER_TRUTH_OUTSIDE} : 0;
  if (!std::isfinite(list_query.upper_bound)) return;
  answer.bound = std::max(list_query.upper_bound, answer.value);
  answer.flags |= SCULPT_ANSWER_BOUND;
  if (answer.value >= list_query.upper_bound) answer.flags |= SCULPT_ANSWER_EXACT;
}

const Frontier::Shape& OracleList::begin_frontier(int worker, const sculpt_query& query) {
  return members_.back()->begin_frontier(worker, query);
}

void OracleList::frontier_slice(int worker, std::int64_t first, std::vector<double>& score) {
  members_.back()->frontier_slice(worker, first, score);
}

void OracleList::frontier_output(int worker, std::int64_t example, const Counts& counts,
                                 Answer& answer) {
  members_.back()->frontier_output(worker, example, counts, answer);
}

void OracleList::end_frontier(int worker) {
  members_.back()->end_frontier(worker);
}

void OracleList::require_frontier_fits(int worker, const sculpt_query& query) {
  members_.back()->require_frontier_fits(worker, query);
}

// Never called: frontier queries go to the last member.
sculpt_frontier_query OracleList::frontier_query(int, const sculpt_query&) {
  throw Failure(Exit::internal,
                "a list of oracles got a frontier query; only its last oracle answers these");
}

}  // namespace sculpt::core
