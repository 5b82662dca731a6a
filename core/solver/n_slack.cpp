#include "solver/n_slack.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "qp/sweeps.hpp"
#include "qp/working_set.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/arrivals.hpp"
#include "solver/example_order.hpp"
#include "solver/inseparable.hpp"
#include "solver/marks.hpp"
#include "solver/plane_rounding.hpp"
#include "solver/progress.hpp"
#include "solver/slack_of_each.hpp"
#include "solver/warm_start.hpp"

namespace sculpt::core {
namespace {

// Work bounds of one QP, in scorings of the working set: past the first, a new pass helps more.
constexpr double sweeps_per_pass = 300;
constexpr double sweeps_when_exhausted = 5000;

// Planes that an answer may bring beside the one that is violated most: of 1 to 8, two to four took
// the least time on texts of 58 classes. Only where more than this part of the planes that are
// known carry alpha: on letter and scene a third does, and further ones would mostly lie idle.
constexpr std::int64_t most_further = 3;
constexpr double busy_part = 0.5;

// Batches stall where D rises by less than this part of itself and of the gap.
constexpr double stalled_rise = 0.01;

class NSlackRun {
 public:
  NSlackRun(const NSlackOptions& options, Separator& separator, Listener& listener,
            const StopRequest& stop, Checkpoints& checkpoints)
      : options_(options),
        separator_(separator),
        count_(separator.example_count()),
        working_set_(count_, separator.dimension(), slack_of_each(options.formulation, count_),
                     separator.nonnegative()),
        sweeps_(working_set_, separator.workers()),
        progress_(options, separator, listener, stop, working_set_, sweeps_),
        marks_(checkpoints, progress_, sweeps_, working_set_),
        arrivals_(progress_, working_set_, separator.workers()) {}

  Marks& marks() { return marks_; }
  bool is_asked();
  bool begin_with_planes(WorkingSet* earlier);
  bool ask();
  std::optional<StoppedBy> verdict() const;
  bool solve_qp();
  Result interrupted();
  Result finish(StoppedBy rule);
  WorkingSet take_working_set() { return std::move(working_set_); }

 private:
  bool next_pass_is_frozen() const;
  std::int64_t further_planes() const;
  bool ask_all();
  void certify();
  bool ask_in_batches();
  void order(ExampleOrder order);
  std::span<const std::int64_t> range(std::int64_t begin, std::int64_t end) const;
  bool ask_about(const Vector& w, const Pass& pass, std::span<const std::int64_t> examples);
  void judge(std::int64_t example, const Separation& answer, Arrival& arrival);
  double allowed_slack(std::int64_t example) const;
  void improve_batch(std::span<const std::int64_t> batch);
  void refuse() const;
  ProofPlanes planes_of(std::span<const std::int64_t> examples, double least_alpha) const;

  const NSlackOptions& options_;
  Separator& separator_;
  std::int64_t count_;  // n
  WorkingSet working_set_;
  Sweeps sweeps_;
  Progress progress_;
  Marks marks_;
  Arrivals arrivals_;
  std::vector<std::int64_t> order_;  // [n] of the examples in the pass under way
  std::vector<Separation> answers_;  // [examples asked last]
  MeanSlack mean_;                   // sums over the frozen pass under way
};

// Whether the run goes on from an earlier one behind a pass.
bool NSlackRun::is_asked() {
  return marks_.resume() == Marks::Point::judge;
}

// Solves the QP over the planes of another run, if there are any. False: interrupted. Whatever
// stops the run before it has judged its first pass, it goes on from here: the mark is that of the
// planes.
bool NSlackRun::begin_with_planes(WorkingSet* earlier) {
  if (earlier != nullptr) {
    begin_with(working_set_, std::move(*earlier));
    marks_.ask(progress_.asks_by_limit());
  }
  if (!progress_.is_first_with_planes()) return true;
  const QpEnd end = progress_.solve_first_qp(sweeps_per_pass);
  if (end == QpEnd::inseparable) refuse();
  return end != QpEnd::interrupted;
}

// One pass, in the way that suits what is known. False: interrupted. The last pass that a limit
// allows is frozen for its sake: with another limit it may be in batches.
bool NSlackRun::ask() {
  if (!progress_.is_first_with_planes()) marks_.ask(progress_.limit(true).has_value());
  if (next_pass_is_frozen()) {
    if (!ask_all()) return false;
    certify();
  } else if (!ask_in_batches()) {
    return false;
  }
  marks_.judge();
  return true;
}

// Why the run ends behind this pass, if it does; batches prove nothing.
std::optional<StoppedBy> NSlackRun::verdict() const {
  if (!progress_.found.at_one_w) return std::nullopt;
  if (const auto rule = progress_.target()) return rule;
  if (progress_.exhausted()) return StoppedBy::oracle_exhausted;
  return progress_.limit_behind();
}

Result NSlackRun::interrupted() {
  marks_.leave();
  return progress_.interrupted();
}

Result NSlackRun::finish(StoppedBy rule) {
  if (progress_.is_stuck_before_margins(rule)) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(count_));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    refuse_contradiction(separator_, planes_of(all, 0));
  }
  marks_.leave();
  return progress_.finish(rule);
}

// In batches the answers belong to different w and prove nothing: all are asked at one w when they
// say that the gap is small, when nothing new was found, when D hardly rose (where columns differ
// in size, steps in single blocks change w too much), and in the last pass that a limit allows; in
// the first pass when there are planes already, which are those of an earlier run.
bool NSlackRun::next_pass_is_frozen() const {
  if (options_.batch == 0 || options_.batch >= count_) return true;
  if (progress_.limit(true)) return true;
  if (progress_.passes() == 0) return progress_.is_first_with_planes();
  const Stopping& stopping = progress_.stopping();
  const PassFindings& found = progress_.found;
  const double small = std::max(options_.frozen_below, stopping.relative_gap());
  const double primal = working_set_.dual() + found.gap;
  const double rise = working_set_.dual() - found.dual_before;
  const bool stalls = rise < stalled_rise * std::min(found.gap, working_set_.dual());
  return stalls || found.new_planes == 0 || found.gap <= small * std::abs(primal) ||
         (stopping.epsilon() && found.excess <= *stopping.epsilon());
}

void NSlackRun::order(ExampleOrder order) {
  const auto pass = static_cast<std::uint64_t>(progress_.passes());
  order_examples(order, count_, separator_.seed(), pass, order_);
}

// Places [begin, end) of the order.
std::span<const std::int64_t> NSlackRun::range(std::int64_t begin, std::int64_t end) const {
  return std::span(order_).subspan(static_cast<std::size_t>(begin),
                                   static_cast<std::size_t>(end - begin));
}

// False: interrupted.
bool NSlackRun::ask_about(const Vector& w, const Pass& pass,
                          std::span<const std::int64_t> examples) {
  const auto question = [&] { separator_.separate(w, examples, pass, answers_); };
  const auto calls = static_cast<std::int64_t>(examples.size());
  if (!marks_.guarded([&] { return progress_.ask(calls, question); })) return false;
  progress_.note_answers(answers_);
  return true;
}

std::int64_t NSlackRun::further_planes() const {
  const auto known = static_cast<double>(working_set_.plane_count());
  const auto active = static_cast<double>(working_set_.active_count());
  return active > busy_part * known ? most_further : 0;
}

// All examples at one place, as many at a time as are worth the memory of their answers.
bool NSlackRun::ask_all() {
  Pass pass = marks_.watched(progress_.begin_pass(true));
  pass.further = further_planes();
  progress_.spare(pass, [this](std::int64_t i) { return allowed_slack(i); });
  mean_ = {};
  order(ExampleOrder::sequential);
  for (std::int64_t begin = 0; begin < count_; begin += answers_at_a_time) {
    const auto examples = range(begin, std::min(begin + answers_at_a_time, count_));
    if (!ask_about(progress_.place(), pass, examples)) return false;
    const InPhase phase(progress_.clock(), &TimeSplit::reduction);
    const auto look = [this](std::int64_t i, auto&) { return BlockGap{0, allowed_slack(i), 0}; };
    const std::span<Arrival> arrivals = arrivals_.receive(examples, answers_, look);
    for (std::size_t k = 0; k < arrivals.size(); ++k) judge(examples[k], answers_[k], arrivals[k]);
  }
  progress_.end_pass();
  return true;
}

// What an answer proves of its example, and its plane for the working set.
void NSlackRun::judge(std::int64_t example, const Separation& answer, Arrival& arrival) {
  if (answer.no_output) return;
  PassFindings& found = progress_.found;
  const double seen = sweeps_.slack()[static_cast<std::size_t>(example)];
  const double b = progress_.size_of_b(example, answer);
  const SlackBounds slack =
      bound_slack({seen, answer.low, answer.high, b, answer.rounding}, separator_, example,
                  [&] { return look_again(working_set_.block(example), progress_.place()); });
  progress_.add_cost(slack, answer.rounding, mean_);
  found.excess = std::max(found.excess, slack.high - arrival.seen.slack);
  if (slack.low > 0) found.shortfall = std::max(found.shortfall, shortfall_of(slack.low, b));
  for (auto& plane : arrival.planes)
    progress_.add(example, std::move(plane));  // Algorithm 1: S_i grows
}

void NSlackRun::certify() {
  progress_.certify(mean_.over(static_cast<double>(count_)));
}

// xi_i of the working set, where the answers belong to the place that it was evaluated at.
double NSlackRun::allowed_slack(std::int64_t example) const {
  if (options_.formulation.hard_margin()) return 0;
  return sweeps_.slack()[static_cast<std::size_t>(example)];
}

bool NSlackRun::ask_in_batches() {
  Pass pass = marks_.watched(progress_.begin_pass(false));
  pass.further = further_planes();
  progress_.spare(pass,
                  [this](std::int64_t i) { return working_set_.slack_of(i, working_set_.w()); });
  order(ExampleOrder::shuffled);  // files are often sorted: by class, by length
  for (std::int64_t begin = 0; begin < count_; begin += options_.batch) {
    const auto batch = range(begin, std::min(begin + options_.batch, count_));
    if (!ask_about(working_set_.w(), pass, batch)) return false;
    improve_batch(batch);
  }
  progress_.end_pass();
  return true;
}

// Adds what is violated of the batch, and moves w by its blocks.
void NSlackRun::improve_batch(std::span<const std::int64_t> batch) {
  const InPhase phase(progress_.clock(), &TimeSplit::reduction);
  PassFindings& found = progress_.found;
  const auto look = [this](std::int64_t i, auto& room) { return sweeps_.measure(i, room); };
  const std::span<Arrival> arrivals = arrivals_.receive(batch, answers_, look);
  for (std::size_t k = 0; k < arrivals.size(); ++k) {
    const Separation& answer = answers_[k];
    const BlockGap& seen = arrivals[k].seen;
    const double excess = answer.no_output ? 0 : likely_slack(answer) - seen.slack;
    const SlackTerm& term = working_set_.slack_term();
    const double gap = seen.gap + term.rise(seen.slack, std::max(0.0, excess));
    // Under hard margin the worst example alone says how much longer w must become.
    found.gap = term.is_forbidden() ? std::max(found.gap, gap) : found.gap + gap;
    found.excess = std::max(found.excess, excess);
    for (auto& plane : arrivals[k].planes) progress_.add(batch[k], std::move(plane));
  }
  const InPhase then(progress_.clock(), &TimeSplit::sweeps);
  for (std::size_t k = 0; k < batch.size(); ++k) {
    working_set_.prefetch_next(batch, k);
    sweeps_.improve(batch[k]);
  }
}

bool NSlackRun::solve_qp() {
  const PassFindings& found = progress_.found;
  const QpEnd end = progress_.solve_qp(
      found.new_planes == 0 ? sweeps_when_exhausted : sweeps_per_pass, [this] { marks_.poll(); });
  if (end == QpEnd::inseparable) refuse();
  // One that was interrupted is done anew from the last mark, with the planes of then.
  if (end != QpEnd::interrupted) progress_.reduce();
  if (!found.at_one_w) progress_.report_batches();
  return end != QpEnd::interrupted;
}

// By the alpha of their planes.
void NSlackRun::refuse() const {
  std::vector<double> carried;
  for (std::int64_t i = 0; i < count_; ++i) carried.push_back(working_set_.block(i).mass());
  refuse_inseparable(separator_, working_set_, options_.separation_floor, carried,
                     [this](std::span<const std::int64_t> examples) {
                       return planes_of(examples, std::numeric_limits<double>::min());
                     });
}

// Those that carry at least this alpha, and demand something.
ProofPlanes NSlackRun::planes_of(std::span<const std::int64_t> examples, double least_alpha) const {
  ProofPlanes planes;
  for (const std::int64_t example : examples) {
    const Block& block = working_set_.block(example);
    for (std::size_t p = 1; p < block.size(); ++p) {
      if (block.b[p] > 0 && block.alpha[p] >= least_alpha)
        planes.add(example, block.a[p], block.b[p]);
    }
  }
  return planes;
}

}  // namespace

Result NSlack::solve(Separator& separator, Listener& listener, const StopRequest& stop,
                     Checkpoints& checkpoints) {
  NSlackRun run(options(), separator, listener, stop, checkpoints);
  return run.marks().guarded_run([&]() -> Result {
    bool asked = run.is_asked();
    if (!run.begin_with_planes(checkpoints.planes())) return run.interrupted();
    for (;; asked = false) {
      if (!asked && !run.ask()) return run.interrupted();
      if (const auto rule = run.verdict()) return run.finish(*rule);
      if (!run.solve_qp()) return run.interrupted();
    }
  });
}

std::optional<WorkingSet> NSlack::recall(Separator& separator, StateReader& state) {
  return recall_by<NSlackRun>(separator, state);
}

}  // namespace sculpt::core
