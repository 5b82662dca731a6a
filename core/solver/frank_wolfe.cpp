#include "solver/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "qp/pairwise.hpp"
#include "qp/sweeps.hpp"
#include "qp/toward.hpp"
#include "qp/working_set.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/block_gaps.hpp"
#include "solver/example_draws.hpp"
#include "solver/marks.hpp"
#include "solver/plane_rounding.hpp"
#include "solver/progress.hpp"
#include "solver/slack_of_each.hpp"
#include "solver/warm_start.hpp"
#include "solver/weighted_mean.hpp"

namespace sculpt::core {
namespace {

// F and nu of Osokin et al. 2016.
constexpr double cache_share = 0.25;
constexpr double cache_floor = 0.01;

constexpr std::int64_t poll_every = 64;  // steps

// Work bound of a QP over all planes, in scorings of them.
constexpr double sweeps_at_most = 300;

// Steps stall where the gap of a pass at one w is more than this part of that of the one before.
constexpr double stalled_gap = 0.5;

class FrankWolfeRun {
 public:
  FrankWolfeRun(const FrankWolfeOptions& options, Separator& separator, Listener& listener,
                const StopRequest& stop, Checkpoints& checkpoints)
      : options_(options),
        separator_(separator),
        count_(separator.example_count()),
        working_set_(count_, separator.dimension(), slack_of_each(options.formulation, count_),
                     separator.nonnegative()),
        sweeps_(working_set_, separator.workers()),
        progress_(options, separator, listener, stop, working_set_, sweeps_),
        marks_(checkpoints, progress_, sweeps_, working_set_),
        known_(count_),
        mean_w_(options.averaging ? static_cast<std::size_t>(separator.dimension()) : 0),
        draws_(count_) {
    marks_.add_part([this](StateWriter& out) { out.write(own_.bytes()); },
                    [this](StateReader& in) { load_own(in); });
    note_own();
  }

  Marks& marks() { return marks_; }
  bool is_asked() { return marks_.resume() == Marks::Point::judge; }
  bool begin_with_planes(WorkingSet* earlier);
  bool ask();
  std::optional<StoppedBy> verdict() const;
  bool improve();
  Result interrupted();
  Result finish(StoppedBy rule);
  WorkingSet take_working_set() { return std::move(working_set_); }

 private:
  bool may_correct() const;
  bool stalls(bool was_corrected);
  bool correct();
  bool next_pass_is_frozen() const;
  bool target_in_sight() const;
  Pass begin_frozen_pass();
  bool ask_all();
  bool ask_in_batches();
  bool draw_batch();
  bool ask_about(const Vector& w, const Pass& pass);
  void judge(std::int64_t example, const Separation& answer, MeanSlack& mean);
  double seen_slack(std::int64_t example) const;
  void learn(std::int64_t example, const Separation& answer);
  bool step_without_call(std::int64_t example);
  BlockGap score(std::int64_t example);
  void step(std::int64_t example);
  void know(std::int64_t example, double gap);
  void note_own();
  void load_own(StateReader& in);

  const FrankWolfeOptions& options_;
  Separator& separator_;
  std::int64_t count_;  // n
  WorkingSet working_set_;
  Sweeps sweeps_;
  Progress progress_;
  Marks marks_;
  BlockGaps known_;
  WeightedMean mean_w_;
  bool at_mean_ = false;    // the pass at one w under way asks there
  bool corrected_ = false;  // behind the last pass
  double last_gap_ = std::numeric_limits<double>::infinity();  // of the last pass at one w
  StateBuffer own_;  // the five above, as they were at the last mark

  // The pass under way.
  ExampleDraws draws_;
  std::vector<std::int64_t> asked_;  // the batch
  std::vector<Separation> answers_;  // [asked_]
  std::vector<double> score_;        // [planes] of the block scored last
  std::vector<double> before_;       // its alpha before a step
};

// Optimizes alpha over the planes of another run, if there are any; the mean of all w begins where
// that ends. False: interrupted, and a run that goes on does it anew from the mark.
bool FrankWolfeRun::begin_with_planes(WorkingSet* earlier) {
  if (earlier != nullptr) {
    begin_with(working_set_, std::move(*earlier));
    marks_.ask(progress_.asks_by_limit());
  }
  return !progress_.is_first_with_planes() ||
         progress_.solve_first_qp(sweeps_at_most) != QpEnd::interrupted;
}

// One pass, in the way that suits what is known. False: interrupted.
bool FrankWolfeRun::ask() {
  if (!progress_.is_first_with_planes()) marks_.ask(progress_.limit(true).has_value());
  if (!(next_pass_is_frozen() ? ask_all() : ask_in_batches())) return false;
  note_own();
  marks_.judge();
  return true;
}

// Why the run ends behind this pass, if it does; batches prove nothing. Single steps may stand
// still where all blocks at once would not: only behind a correction is nothing left to gain.
std::optional<StoppedBy> FrankWolfeRun::verdict() const {
  if (!progress_.found.at_one_w) return std::nullopt;
  if (const auto rule = progress_.target()) return rule;
  const bool all_tried = corrected_ || !may_correct();
  if (!at_mean_ && all_tried && progress_.exhausted()) return StoppedBy::oracle_exhausted;
  return progress_.limit_behind();
}

// Steps from the answers of a pass at one w, and what the pass has come to. False: interrupted.
bool FrankWolfeRun::improve() {
  const InPhase phase(progress_.clock(), &TimeSplit::sweeps);
  const bool frozen = progress_.found.at_one_w;
  const bool was_corrected = std::exchange(corrected_, false);
  const bool corrects = frozen && stalls(was_corrected);
  if (corrects && !correct()) return false;
  for (std::int64_t i = 0; frozen && !corrects && i < count_; ++i) {
    if (i % poll_every == 0) {
      marks_.poll();
      if (progress_.stopping().interrupted()) return false;
    }
    know(i, score(i).gap);
    if (known_.of(i) > 0) step(i);
  }
  const bool goes_back = progress_.take_stock(options_.cache, corrected_);
  if (goes_back && options_.averaging) mean_w_.restart();
  if (!frozen) progress_.report_batches();
  note_own();
  return true;
}

// A mean of all w has no planes of its own, and what a limit has dropped or merged may be missed.
bool FrankWolfeRun::may_correct() const {
  return !options_.averaging && !options_.max_planes_megabytes;
}

// Whether the steps since the last pass at one w have gained too little, as told by the present
// one, or stand still. Where that came right behind a correction, planes were missing: steps find
// them sooner, unless the next pass is at one w anyway.
bool FrankWolfeRun::stalls(bool was_corrected) {
  const double gap = std::max(0.0, progress_.found.gap);
  const bool too_little = gap > stalled_gap * std::exchange(last_gap_, gap);
  if (!may_correct()) return false;
  const bool planes_missed = was_corrected && progress_.found.new_planes > 0;
  const bool goes_on = was_corrected && !planes_missed;  // single steps would undo it
  return progress_.qp_is_exact() || goes_on ||
         (too_little && (!planes_missed || target_in_sight()));
}

// The fully corrective step: all blocks at once, over the planes that are kept. The next pass tells
// what it was worth. False: interrupted.
bool FrankWolfeRun::correct() {
  const QpEnd end = progress_.solve_qp(sweeps_at_most, [this] { marks_.poll(); });
  if (end == QpEnd::interrupted) return false;
  for (std::int64_t i = 0; i < count_; ++i) know(i, score(i).gap);
  return corrected_ = true;
}

Result FrankWolfeRun::interrupted() {
  marks_.leave();
  return progress_.interrupted();
}

Result FrankWolfeRun::finish(StoppedBy rule) {
  marks_.leave();
  return progress_.finish(rule);
}

bool FrankWolfeRun::next_pass_is_frozen() const {
  if (progress_.limit(true) || corrected_) return true;
  if (progress_.passes() == 0) return progress_.is_first_with_planes();
  return progress_.passes() - known_.checked >= options_.gap_check || progress_.qp_is_exact() ||
         target_in_sight();
}

// As far as gaps of different w can tell.
bool FrankWolfeRun::target_in_sight() const {
  const Stopping& stopping = progress_.stopping();
  const double gap = known_.total();
  return gap <= stopping.relative_gap() * std::abs(working_set_.dual() + gap) ||
         (stopping.epsilon() && progress_.found.excess <= *stopping.epsilon());
}

Pass FrankWolfeRun::begin_frozen_pass() {
  at_mean_ = options_.averaging && !progress_.qp_is_exact() && !target_in_sight();
  if (!at_mean_) return marks_.watched(progress_.begin_pass(true));
  Vector mean = working_set_.v();
  mean_w_.make_mean(mean);
  working_set_.clip_to_bounds(mean);
  return marks_.watched(progress_.begin_pass_at(std::move(mean)));
}

// All examples at one place, as many at a time as are worth the memory of their answers.
bool FrankWolfeRun::ask_all() {
  Pass pass = begin_frozen_pass();
  progress_.spare(pass, [this](std::int64_t i) { return seen_slack(i); });
  MeanSlack mean;
  for (std::int64_t begin = 0; begin < count_; begin += answers_at_a_time) {
    asked_.resize(static_cast<std::size_t>(std::min(answers_at_a_time, count_ - begin)));
    std::iota(asked_.begin(), asked_.end(), begin);
    if (!ask_about(progress_.place(), pass)) return false;
    const InPhase phase(progress_.clock(), &TimeSplit::reduction);
    for (std::size_t k = 0; k < asked_.size(); ++k) judge(asked_[k], answers_[k], mean);
  }
  progress_.end_pass();
  progress_.certify(mean.over(static_cast<double>(count_)));
  known_.checked = progress_.passes();
  known_.proved = std::clamp(progress_.found.gap, 0.0, std::numeric_limits<double>::max());
  return true;
}

bool FrankWolfeRun::ask_in_batches() {
  Pass pass = marks_.watched(progress_.begin_pass(false));
  progress_.spare(pass,
                  [this](std::int64_t i) { return working_set_.slack_of(i, working_set_.w()); });
  const bool by_gaps = options_.samples_gaps && pass.number > 1;  // all of them are known then
  draws_.begin(by_gaps ? &known_.all() : nullptr, separator_.seed(), pass.number);
  while (draw_batch()) {
    if (!ask_about(working_set_.w(), pass)) return false;
    const InPhase phase(progress_.clock(), &TimeSplit::sweeps);
    for (std::size_t k = 0; k < asked_.size(); ++k) learn(asked_[k], answers_[k]);
  }
  progress_.found.gap = known_.total();
  progress_.end_pass();
  return true;
}

// Draws until the oracle has to be called for a batch of them. False: for none, the pass is over.
bool FrankWolfeRun::draw_batch() {
  const InPhase phase(progress_.clock(), &TimeSplit::sweeps);
  const std::int64_t batch = options_.batch == 0 ? count_ : options_.batch;
  asked_.clear();
  for (std::int64_t example = 0;
       static_cast<std::int64_t>(asked_.size()) < batch && draws_.next(example);) {
    if (!step_without_call(example)) asked_.push_back(example);
  }
  return !asked_.empty();
}

// Asks about the batch. False: interrupted.
bool FrankWolfeRun::ask_about(const Vector& w, const Pass& pass) {
  const auto question = [&] { separator_.separate(w, asked_, pass, answers_); };
  const auto calls = static_cast<std::int64_t>(asked_.size());
  if (!marks_.guarded([&] { return progress_.ask(calls, question); })) return false;
  progress_.note_answers(answers_);
  return true;
}

// What an answer at the place proves of its example, and its plane for the working set.
void FrankWolfeRun::judge(std::int64_t example, const Separation& answer, MeanSlack& mean) {
  if (answer.no_output) return;
  const double seen = seen_slack(example);
  const double b = progress_.size_of_b(example, answer);
  const SlackBounds slack =
      bound_slack({seen, answer.low, answer.high, b, answer.rounding}, separator_, example,
                  [&] { return look_again(working_set_.block(example), progress_.place()); });
  progress_.add_cost(slack, answer.rounding, mean);
  progress_.found.excess = std::max(progress_.found.excess, slack.high - seen);
  progress_.add_if_violated(example, answer, seen);
}

// xi_i of the working set at the place.
double FrankWolfeRun::seen_slack(std::int64_t example) const {
  if (!at_mean_) return sweeps_.slack()[static_cast<std::size_t>(example)];
  return working_set_.slack_of(example, progress_.place());
}

// The step of an answer; the gap is that of w as it is now, at most a batch further.
void FrankWolfeRun::learn(std::int64_t example, const Separation& answer) {
  const BlockGap seen = score(example);
  const double excess = answer.no_output ? 0 : std::max(0.0, likely_slack(answer) - seen.slack);
  know(example, seen.gap + working_set_.slack_term().rise(seen.slack, excess));
  progress_.found.excess = std::max(progress_.found.excess, excess);
  if (progress_.add_if_violated(example, answer, seen.slack)) score(example);
  step(example);
}

// The step of a plane that is known, if that promises enough.
bool FrankWolfeRun::step_without_call(std::int64_t example) {
  if (options_.cache == 0 || working_set_.block(example).size() == 1) return false;
  const double floor = cache_floor / static_cast<double>(count_) * known_.proved;
  const double gap = score(example).gap;
  if (gap <= 0 || gap < std::max(cache_share * known_.of(example), floor)) return false;
  know(example, gap);
  step(example);
  return true;
}

// The planes of one block at the present w.
BlockGap FrankWolfeRun::score(std::int64_t example) {
  working_set_.score(example, score_);
  return block_gap(working_set_.block(example), working_set_.slack_term(), score_);
}

// Requires that the block was scored last.
void FrankWolfeRun::step(std::int64_t example) {
  Block& block = working_set_.block(example);
  before_ = block.alpha;
  if (options_.step == FrankWolfeStep::toward) {
    step_toward(block, working_set_.slack_term(), score_);
  } else {
    improve_block(block, working_set_.slack_term(), score_, 0, 1);
  }
  working_set_.move_w(example, before_);
  if (!options_.averaging) return;
  mean_w_.begin_step();
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.alpha[p] != before_[p]) mean_w_.add(block.alpha[p] - before_[p], block.a[p]);
  }
}

void FrankWolfeRun::know(std::int64_t example, double gap) {
  known_.set(example, gap);
  draws_.set(example, gap);
}

void FrankWolfeRun::note_own() {
  own_.clear();
  known_.save(own_);
  mean_w_.save(own_);
  own_.put(at_mean_);
  own_.put(corrected_);
  own_.put(last_gap_);
}

void FrankWolfeRun::load_own(StateReader& in) {
  known_.load(in);
  mean_w_.load(in);
  at_mean_ = in.get_flag();
  corrected_ = in.get_flag();
  last_gap_ = in.get<double>();
  in.require(last_gap_ >= 0, "a gap that is negative or no number");
  note_own();
}

}  // namespace

Result FrankWolfe::solve(Separator& separator, Listener& listener, const StopRequest& stop,
                         Checkpoints& checkpoints) {
  FrankWolfeRun run(options(), separator, listener, stop, checkpoints);
  return run.marks().guarded_run([&]() -> Result {
    bool asked = run.is_asked();
    if (!run.begin_with_planes(checkpoints.planes())) return run.interrupted();
    for (;; asked = false) {
      if (!asked && !run.ask()) return run.interrupted();
      if (const auto rule = run.verdict()) return run.finish(*rule);
      if (!run.improve()) return run.interrupted();
    }
  });
}

std::optional<WorkingSet> FrankWolfe::recall(Separator& separator, StateReader& state) {
  return recall_by<FrankWolfeRun>(separator, state);
}

}  // namespace sculpt::core
