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
  double enough;
  Answer& best;
  const SparseVector* relaxed_psi = nullptr;  // psi of `best`, if it is fractional
  std::size_t calls = 0;
  bool truth_outside = false;
  double ceiling = unlimited;        // no output has a larger value
  const Component* whose = nullptr;  // the oracle that gives `ceiling`
  bool numerical = false;            // `ceiling` is a bound of a numerical method, not a value
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

void OracleList::ask(int worker, const sculpt_query& query, double enough, Answer& answer) {
  Answer& latest = *latest_[static_cast<std::size_t>(worker)];
  ListQuery list_query{worker, query, enough, answer};
  for (const auto& member : members_) {
    member->argmax(worker, query, latest);
    if (!add_answer(list_query, latest, true)) break;
  }
  write_flags_and_bound(list_query, members_.size());
}

void OracleList::ask_relaxed(int worker, const sculpt_query& query, double enough,
                             SparseAccumulator& scratch, SparseVector& psi, Answer& answer) {
  Answer& latest = *latest_[static_cast<std::size_t>(worker)];
  ListQuery list_query{worker, query, enough, answer};
  list_query.relaxed_psi = &psi;
  bool goes_on = true;
  for (std::size_t k = 0; goes_on && k + 1 < members_.size(); ++k) {
    members_[k]->argmax(worker, query, latest);
    goes_on = add_answer(list_query, latest, false);
  }
  if (goes_on) {
    members_.back()->relaxed(worker, query, scratch, psi, latest);
    add_answer(list_query, latest, true);
  }
  write_flags_and_bound(list_query, members_.size());
}

// Adds the answer of a member. `bounds`: its bound holds for everything that is asked for. Returns
// false if no other member need be asked.
bool OracleList::add_answer(ListQuery& list_query, Answer& latest, bool bounds) const {
  Answer& best = list_query.best;
  const bool first = list_query.calls++ == 0;
  list_query.truth_outside |= latest.has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  if (latest.has(SCULPT_ANSWER_NO_OUTPUT)) {
    if (!first) {
      latest.origin.giver->refuse(
          Exit::plugin, list_query.query.example,
          "says NO_OUTPUT where " + best.origin.giver->name() + " gave an output");
    }
    best.swap(latest);
    return false;
  }
  const double ceiling = bounds ? latest.ceiling() : unlimited;
  if (ceiling < list_query.ceiling) {
    list_query.ceiling = ceiling;
    list_query.whose = latest.origin.giver;
    list_query.numerical = latest.has(SCULPT_ANSWER_BOUND);
  }
  if (first || latest.value() > best.value()) best.swap(latest);
  const double above = best.value() - list_query.ceiling;
  if (above > value_tolerance * (std::abs(best.value()) + std::abs(list_query.ceiling)) &&
      above > rounding(list_query)) {
    list_query.whose->refuse(Exit::plugin, list_query.query.example,
                             "claims that no value exceeds " + number_text(list_query.ceiling, 10) +
                                 ", but an output that " + best.origin.giver->name() +
                                 " found has " + number_text(best.value(), 10) +
                                 "; it may not say EXACT or BOUND");
  }
  if (above >= 0) return false;
  if (rule_ == OracleRule::combine || list_query.enough == unlimited) return true;
  return best.value() <= list_query.enough && list_query.ceiling > list_query.enough;
}

// Bound of the rounding error of the best value and of the ceiling together. Both are sums like the
// best value. Computed only if the two contradict each other.
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
  return 2 * terms.rounding() + (list_query.numerical ? numerical_part * terms.size : 0);
}

void OracleList::write_flags_and_bound(ListQuery& list_query, std::size_t members) {
  sculpt_answer& answer = *list_query.best.raw();
  list_query.best.origin.calls = static_cast<int>(list_query.calls);
  list_query.best.origin.escalated = list_query.calls == members;
  if (list_query.best.has(SCULPT_ANSWER_NO_OUTPUT)) return;
  answer.flags = list_query.truth_outside ? std::uint32_t{SCULPT_ANSWER_TRUTH_OUTSIDE} : 0;
  if (!std::isfinite(list_query.ceiling)) return;
  answer.bound = std::max(list_query.ceiling, answer.value);
  answer.flags |= SCULPT_ANSWER_BOUND;
  if (answer.value >= list_query.ceiling) answer.flags |= SCULPT_ANSWER_EXACT;
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
  throw Failure(Exit::internal, "a frontier was asked of several oracles at once");
}

}  // namespace sculpt::core
