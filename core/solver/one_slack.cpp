#include "solver/one_slack.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "linalg/products.hpp"
#include "linalg/rounding.hpp"
#include "qp/sweeps.hpp"
#include "qp/working_set.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/inseparable.hpp"
#include "solver/marks.hpp"
#include "solver/plane_cache.hpp"
#include "solver/plane_rounding.hpp"
#include "solver/progress.hpp"
#include "solver/warm_start.hpp"

namespace sculpt::core {
namespace {

// Work bound of one QP, in scorings of the working set.
constexpr double sweeps_per_qp = 1e4;

// Cached planes are worth another QP while their joint plane promises this part of the gap that the
// last pass found, and a pass is worth more than so many of them.
constexpr double worth_of_cached = 0.1;
constexpr std::uint64_t most_from_cache = 100;

// Planes are named by their pass, those made of cached ones behind it by their number above so many
// bits, those of an earlier run from here on.
constexpr int names_of_pass = 48;
constexpr std::uint64_t earlier_names = std::uint64_t{1} << 63;

// The mean slack costs C of it; the mean half square does, whose tangents are the planes, too.
SlackTerm slack_term(const Formulation& formulation) {
  return formulation.hard_margin() ? SlackTerm::forbidden() : SlackTerm::linear(formulation.C);
}

class OneSlackRun {
 public:
  OneSlackRun(const OneSlackOptions& options, Separator& separator, Listener& listener,
              const StopRequest& stop, Checkpoints& checkpoints)
      : options_(options),
        separator_(separator),
        working_set_(1, separator.dimension(), slack_term(options.formulation),
                     separator.nonnegative()),
        sweeps_(working_set_, separator.workers()),
        progress_(options, separator, listener, stop, working_set_, sweeps_),
        marks_(checkpoints, progress_, sweeps_, working_set_) {
    // Who contradicts whom is told by the examples of a pass: planes of several tell it of none.
    if (options.cache > 0 && !options.formulation.hard_margin()) {
      cache_.emplace(separator.example_count(), static_cast<std::size_t>(options.cache),
                     separator.workers());
    }
    marks_.add_part([this](StateWriter& out) { save_part(out); },
                    [this](StateReader& in) { load_part(in); });
  }

  Marks& marks() { return marks_; }
  bool is_asked() { return marks_.resume() == Marks::Point::judge; }
  bool begin_with_planes(WorkingSet* earlier);
  bool ask();
  std::optional<StoppedBy> verdict() const;
  bool solve_qp();
  Result interrupted();
  Result finish(StoppedBy rule);
  WorkingSet take_working_set() { return std::move(working_set_); }

 private:
  JointWeight weight() const;
  bool ask_all();
  bool ask_and_keep(const Pass& pass);
  SlackBounds bound_example(std::size_t k) const;
  Terms joint_terms() const;
  SeenAgain cost_of(SeenAgain seen) const;
  void certify();
  double mean_cost(const JointSeparation& joint) const;
  void add_plane();
  void forget_dropped();
  bool add_from_cache(std::uint64_t number);
  void save_part(StateWriter& out) const;
  void load_part(StateReader& in);
  void load_violated(StateReader& in);
  double slack() const { return sweeps_.slack().front(); }  // xi of the working set at the place
  std::vector<double> carried() const;
  void refuse();

  const OneSlackOptions& options_;
  Separator& separator_;
  WorkingSet working_set_;
  Sweeps sweeps_;
  Progress progress_;
  Marks marks_;
  JointSeparation answer_;
  std::optional<PlaneCache> cache_;
  std::vector<Separation> answers_;  // asked last, where they are kept
  double largest_b_ = 0;             // of them all in the pass under way
  double rounding_ = 0;              // of the joint plane of the last pass, at its place
  std::map<std::uint64_t, std::vector<std::uint8_t>> violated_;  // hard margin: [n] by plane
};

// Solves the QP over the planes of another run, if there are any. False: interrupted. Whatever
// stops the run before it has judged its first pass, it goes on from here: the mark is that of the
// planes.
bool OneSlackRun::begin_with_planes(WorkingSet* earlier) {
  if (earlier != nullptr) {
    Block& planes = earlier->block(0);
    std::iota(planes.output.begin(), planes.output.end(), earlier_names);
    begin_with(working_set_, std::move(*earlier));
    marks_.ask(progress_.asks_by_limit());
  }
  if (!progress_.is_first_with_planes()) return true;
  return progress_.solve_first_qp(sweeps_per_qp) != QpEnd::interrupted;
}

bool OneSlackRun::ask() {
  if (!progress_.is_first_with_planes()) marks_.ask(progress_.asks_by_limit());
  if (!ask_all()) return false;
  certify();
  add_plane();
  marks_.judge();
  return true;
}

std::optional<StoppedBy> OneSlackRun::verdict() const {
  if (const auto rule = progress_.target()) return rule;
  if (progress_.exhausted()) return StoppedBy::oracle_exhausted;
  return progress_.limit_behind();
}

Result OneSlackRun::interrupted() {
  marks_.leave();
  return progress_.interrupted();
}

Result OneSlackRun::finish(StoppedBy rule) {
  if (progress_.is_stuck_before_margins(rule)) {
    const std::vector<std::int64_t> examples = examples_in_proof(carried());
    refuse_contradiction(separator_,
                         fresh_planes(progress_, separator_, working_set_.w(), examples));
  }
  marks_.leave();
  return progress_.finish(rule);
}

JointWeight OneSlackRun::weight() const {
  return options_.formulation.squares_slacks() ? JointWeight::slack : JointWeight::one;
}

bool OneSlackRun::ask_all() {
  // Whatever violates its margin is a part of the joint plane. Once that is not violated any more
  // all oracles are asked, and from then on: the cheaper ones would go back to what is known.
  const bool spares = progress_.passes() == 0 || progress_.found.spares;
  Pass pass = marks_.watched(progress_.begin_pass(true));
  if (spares) progress_.spare(pass, [](std::int64_t) { return 0.0; });
  const auto question = [&] {
    separator_.separate_jointly(progress_.place(), pass, weight(), answer_);
  };
  const auto ask = [&] {
    return cache_ ? ask_and_keep(pass) : progress_.ask(separator_.example_count(), question);
  };
  if (!marks_.guarded(ask)) return false;
  progress_.found.answers = answer_.counts;
  progress_.end_pass();
  return true;
}

// The same with every plane kept. The joint plane is that of the best of each example, an older one
// where the oracle has missed it.
bool OneSlackRun::ask_and_keep(const Pass& pass) {
  AnswerCounts counts;
  const std::int64_t n = separator_.example_count();
  answer_.high.assign(static_cast<std::size_t>(n), 0);
  answer_.rounding.assign(static_cast<std::size_t>(n), 0);
  answer_.size.assign(static_cast<std::size_t>(n), 0);
  largest_b_ = 0;
  cache_->discard();
  for (std::int64_t begin = 0; begin < n; begin += answers_at_a_time) {
    std::vector<std::int64_t> examples(
        static_cast<std::size_t>(std::min(answers_at_a_time, n - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    const auto question = [&] { separator_.separate(progress_.place(), examples, pass, answers_); };
    if (!progress_.ask(static_cast<std::int64_t>(examples.size()), question)) return false;
    const InPhase phase(progress_.clock(), &TimeSplit::reduction);
    cache_->hold(begin, answers_);
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const Separation& one = answers_[k];
      const auto example = static_cast<std::size_t>(examples[k]);
      answer_.high[example] = one.high;
      answer_.rounding[example] = one.rounding;
      answer_.size[example] = one.size;
      largest_b_ = std::max(largest_b_, std::abs(one.plane.b));
      counts.count(one);
    }
  }
  const InPhase phase(progress_.clock(), &TimeSplit::reduction);
  cache_->renew();
  cache_->join(progress_.place(), weight(), answer_);
  answer_.counts = counts;
  return true;
}

// Mean cost of what cached planes violate.
double OneSlackRun::mean_cost(const JointSeparation& joint) const {
  double sum = 0;
  for (const double low : joint.low) sum += progress_.cost(std::max(0.0, low));
  return sum / static_cast<double>(joint.low.size());
}

// Of one example, by its answer and its cached planes: an older one may exceed what the oracle
// claims to be the most.
SlackBounds OneSlackRun::bound_example(std::size_t k) const {
  double low = std::max(0.0, answer_.low[k]);
  const double high = answer_.high[k];
  if (cache_) {
    const SlackEvidence one{low, 0, high, largest_b_, answer_.rounding[k]};
    const auto again = [&] { return cache_->look_again(k, progress_.place()); };
    low = bound_slack(one, separator_, static_cast<std::int64_t>(k), again).low;
  }
  return {low, std::max(low, high)};
}

// Of the sum over the examples that makes the joint plane.
Terms OneSlackRun::joint_terms() const {
  const auto n = static_cast<double>(answer_.size.size());
  double size = 0;
  for (std::size_t k = 0; k < answer_.size.size(); ++k) {
    size += answer_.size[k] * (weight() == JointWeight::slack ? std::abs(answer_.low[k]) : 1);
  }
  return {size / n, n};
}

// Slacks as the mean cost has them: the cost itself, or under norm 2 what is left of it.
SeenAgain OneSlackRun::cost_of(SeenAgain seen) const {
  if (options_.formulation.squares_slacks()) return seen;
  return {progress_.cost(seen.slack, rounding_), progress_.cost(seen.sure, rounding_)};
}

void OneSlackRun::certify() {
  MeanSlack mean;
  for (std::size_t k = 0; k < answer_.low.size(); ++k) {
    progress_.add_cost(bound_example(k), answer_.rounding[k], mean);
  }
  const auto n = static_cast<double>(separator_.example_count());
  mean = mean.over(n);
  const bool squared = options_.formulation.squares_slacks();
  if (squared) answer_.b -= mean.low;
  rounding_ = mean.rounding + joint_terms().rounding();
  const double size_of_b = std::max(std::abs(answer_.b), working_set_.largest_b());
  const auto again = [&] { return cost_of(look_again(working_set_.block(0), progress_.place())); };
  double seen = squared ? slack() : progress_.cost(slack(), rounding_);
  // From products of planes, whose rounding is that of far larger terms: no bound of P by itself.
  if (seen > mean.low) seen = again().slack;
  const SlackBounds cost =
      bound_slack({seen, mean.low, mean.high, size_of_b, rounding_}, separator_, -1, again);
  const bool hard = options_.formulation.hard_margin();
  progress_.found.excess = cost.high - (hard ? 0 : seen);
  if (mean.slack > 0) progress_.found.shortfall = shortfall_of(mean.slack, answer_.b);
  progress_.certify({cost.low, cost.high, squared ? mean.slack : cost.low, mean.rounding});
}

// Algorithm 3: S grows by the joint plane when it is violated by more than xi + epsilon.
void OneSlackRun::add_plane() {
  const InPhase phase(progress_.clock(), &TimeSplit::reduction);
  const double low = answer_.b - dot(answer_.a, progress_.place());
  if (!progress_.stopping().violated(answer_.b, low, slack(), rounding_)) return;
  // Violated beyond every plane of the working set, so new: the pass may serve as its name.
  const auto name = static_cast<std::uint64_t>(progress_.passes());
  if (!working_set_.add(0, PlaneVector(answer_.a), answer_.b, name)) return;
  progress_.found.new_planes = 1;
  if (!options_.formulation.hard_margin()) return;
  working_set_.note_source(answer_.longest);
  forget_dropped();
  std::vector<std::uint8_t>& violated = violated_[name];
  for (const double example_low : answer_.low) violated.push_back(example_low > 0 ? 1 : 0);
}

// Right before a mark, as whatever it saves changes.
void OneSlackRun::forget_dropped() {
  const std::vector<std::uint64_t>& kept = working_set_.block(0).output;
  std::erase_if(violated_, [&kept](const auto& entry) {
    return std::find(kept.begin(), kept.end(), entry.first) == kept.end();
  });
}

// The joint plane of cached planes at the place of the last QP, if it is worth another one. Nothing
// of it outlives a mark: what follows from the cache is done anew.
bool OneSlackRun::add_from_cache(std::uint64_t number) {
  if (!cache_) return false;
  const InPhase phase(progress_.clock(), &TimeSplit::sweeps);
  JointSeparation& joint = answer_;
  const Vector place = sweeps_.place();
  cache_->join(place, weight(), joint);
  if (options_.formulation.squares_slacks()) joint.b -= mean_cost(joint);
  const double low = joint.b - dot(joint.a, place);
  const double promised = options_.formulation.C * (low - slack());
  if (promised <= worth_of_cached * progress_.found.gap) return false;
  if (!progress_.stopping().violated(joint.b, low, slack(), rounding_)) return false;
  const std::uint64_t name =
      (number << names_of_pass) + static_cast<std::uint64_t>(progress_.passes());
  if (!working_set_.add(0, PlaneVector(joint.a), joint.b, name)) return false;
  ++progress_.found.new_planes;
  return true;
}

void OneSlackRun::save_part(StateWriter& out) const {
  if (cache_) cache_->save(out);
  out.put(rounding_);
  out.put(working_set_.largest_source());
  out.put(static_cast<std::uint64_t>(violated_.size()));
  for (const auto& [name, violated] : violated_) {
    out.put(name);
    out.put_array(violated);
  }
}

void OneSlackRun::load_part(StateReader& in) {
  if (cache_) cache_->load(in, static_cast<std::size_t>(separator_.dimension()));
  rounding_ = in.get<double>();
  in.require(std::isfinite(rounding_) && rounding_ >= 0, "a rounding that is out of range");
  const auto longest = in.get<double>();
  in.require(std::isfinite(longest) && longest >= 0, "a length that is out of range");
  working_set_.note_source(longest);
  load_violated(in);
}

void OneSlackRun::load_violated(StateReader& in) {
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const auto name = in.get<std::uint64_t>();
    in.get_array(violated_[name]);
    in.require(violated_[name].size() == static_cast<std::size_t>(separator_.example_count()),
               "violated margins of another number of examples");
  }
  if (!options_.formulation.hard_margin()) return;
  const Block& block = working_set_.block(0);
  for (std::size_t p = 1; p < block.size(); ++p) {
    in.require(violated_.count(block.output[p]) == 1, "a plane without its examples");
  }
}

// [n] of each example, that of the planes that it had a part in.
std::vector<double> OneSlackRun::carried() const {
  std::vector<double> carried(static_cast<std::size_t>(separator_.example_count()), 0.0);
  const Block& block = working_set_.block(0);
  for (std::size_t p = 1; p < block.size(); ++p) {
    const std::vector<std::uint8_t>& violated = violated_.at(block.output[p]);
    for (std::size_t i = 0; i < carried.size(); ++i) carried[i] += violated[i] * block.alpha[p];
  }
  return carried;
}

void OneSlackRun::refuse() {
  refuse_inseparable(separator_, working_set_, options_.separation_floor, carried(),
                     [this](std::span<const std::int64_t> examples) {
                       return fresh_planes(progress_, separator_, working_set_.w(), examples);
                     });
}

bool OneSlackRun::solve_qp() {
  for (std::uint64_t number = 1;; ++number) {
    const QpEnd end = progress_.solve_qp(sweeps_per_qp, [this] { marks_.poll(); });
    if (end == QpEnd::inseparable) refuse();
    if (end == QpEnd::interrupted) return false;
    if (number > most_from_cache || !add_from_cache(number)) break;
    working_set_.age();  // by QPs, of which a pass may have many: planes shall go as soon
  }
  progress_.reduce();
  return true;
}

}  // namespace

Result OneSlack::solve(Separator& separator, Listener& listener, const StopRequest& stop,
                       Checkpoints& checkpoints) {
  OneSlackRun run(options(), separator, listener, stop, checkpoints);
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

std::optional<WorkingSet> OneSlack::recall(Separator& separator, StateReader& state) {
  return recall_by<OneSlackRun>(separator, state);
}

}  // namespace sculpt::core
