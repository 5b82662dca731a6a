#include "solver/one_slack.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "linalg/products.hpp"
#include "qp/sweeps.hpp"
#include "qp/working_set.hpp"
#include "solver/inseparable.hpp"
#include "solver/marks.hpp"
#include "solver/progress.hpp"
#include "solver/warm_start.hpp"

namespace sculpt::core {
namespace {

// Work bound of one QP, in scorings of the working set.
constexpr double sweeps_per_pass = 1e4;

// Planes are named by their pass, those of an earlier run from here on.
constexpr std::uint64_t earlier_names = std::uint64_t{1} << 63;

// The mean slack costs C of it; the mean half square does, whose tangents are the planes, too.
SlackTerm slack_term(const Formulation& formulation) {
  return formulation.hard_margin() ? SlackTerm::forbidden() : SlackTerm::linear(formulation.C);
}

class Run {
 public:
  Run(const OneSlackOptions& options, Separator& separator, Listener& listener,
      const StopRequest& stop, Checkpoints& checkpoints)
      : options_(options),
        separator_(separator),
        working_set_(1, separator.dimension(), slack_term(options.formulation),
                     separator.nonnegative()),
        sweeps_(working_set_, separator.workers()),
        progress_(options, separator, listener, stop, working_set_, sweeps_),
        marks_(checkpoints, progress_, sweeps_, working_set_) {
    marks_.add_part([this](StateWriter& out) { save_violated(out); },
                    [this](StateReader& in) { load_violated(in); });
  }

  bool is_asked() { return marks_.resume() == Marks::Point::judge; }
  bool begin_with_planes(WorkingSet* earlier);
  bool ask();
  std::optional<StoppedBy> verdict() const;
  bool solve_qp();
  Result interrupted();
  Result finish(StoppedBy rule);
  WorkingSet take_working_set() { return std::move(working_set_); }

 private:
  bool is_first_with_planes() const;
  bool ask_all();
  void certify();
  void add_plane();
  void save_violated(StateWriter& out) const;
  void load_violated(StateReader& in);
  double slack() const { return sweeps_.slack().front(); }  // xi of the working set at the place
  void refuse() const;

  const OneSlackOptions& options_;
  Separator& separator_;
  WorkingSet working_set_;
  Sweeps sweeps_;
  Progress progress_;
  Marks marks_;
  JointSeparation answer_;
  std::map<std::uint64_t, std::vector<std::uint8_t>> violated_;  // hard margin: [n] by plane
};

// Whether the next pass is the first, and there are planes of another run.
bool Run::is_first_with_planes() const {
  return progress_.passes() == 0 && working_set_.plane_count() > 0;
}

// Solves the QP over the planes of another run, if there are any. False: interrupted. Whatever
// stops the run before it has judged its first pass, it goes on from here: the mark is that of the
// planes.
bool Run::begin_with_planes(WorkingSet* earlier) {
  if (earlier != nullptr) {
    Block& planes = earlier->block(0);
    std::iota(planes.output.begin(), planes.output.end(), earlier_names);
    begin_with(working_set_, std::move(*earlier));
    marks_.ask(false);
  }
  if (!is_first_with_planes()) return true;
  return progress_.solve_first_qp(sweeps_per_pass) != QpEnd::interrupted;
}

bool Run::ask() {
  if (!is_first_with_planes()) marks_.ask(false);
  if (!ask_all()) return false;
  certify();
  add_plane();
  marks_.judge();
  return true;
}

std::optional<StoppedBy> Run::verdict() const {
  if (const auto rule = progress_.target()) return rule;
  if (progress_.exhausted()) return StoppedBy::oracle_exhausted;
  return progress_.limit();
}

Result Run::interrupted() {
  marks_.leave();
  return progress_.interrupted();
}

Result Run::finish(StoppedBy rule) {
  marks_.leave();
  return progress_.finish(rule);
}

bool Run::ask_all() {
  const Pass pass = marks_.watched(progress_.begin_pass(true));
  const JointWeight weight =
      options_.formulation.squares_slacks() ? JointWeight::slack : JointWeight::one;
  const auto question = [&] {
    separator_.separate_jointly(progress_.place(), pass, weight, answer_);
  };
  const auto ask = [&] { return progress_.ask(separator_.example_count(), question); };
  if (!marks_.guarded(ask)) return false;
  progress_.found.no_output = answer_.no_output;
  progress_.found.truth_outside = answer_.truth_outside;
  progress_.end_pass();
  return true;
}

void Run::certify() {
  MeanSlack mean;
  for (std::size_t k = 0; k < answer_.low.size(); ++k) {
    const double low = std::max(0.0, answer_.low[k]);
    mean.low += progress_.cost(low);
    mean.high += progress_.cost(std::max(low, answer_.high[k]));
    mean.slack += low;
  }
  const auto n = static_cast<double>(separator_.example_count());
  mean = {mean.low / n, mean.high / n, mean.slack / n};
  const bool squared = options_.formulation.squares_slacks();
  if (squared) answer_.b -= mean.low;
  const double size_of_b = std::max(std::abs(answer_.b), working_set_.largest_b());
  const double seen = squared ? slack() : progress_.cost(slack());
  const SlackBounds cost = bound_slack(seen, mean.low, mean.high, size_of_b, separator_, -1);
  const bool hard = options_.formulation.hard_margin();
  progress_.found.excess = cost.high - (hard ? 0 : seen);
  if (mean.slack > 0) progress_.found.shortfall = shortfall_of(mean.slack, answer_.b);
  progress_.certify({cost.low, cost.high, squared ? mean.slack : cost.low});
}

// Algorithm 3: S grows by the joint plane when it is violated by more than xi + epsilon.
void Run::add_plane() {
  const InPhase phase(progress_.clock(), &TimeSplit::reduction);
  const double low = answer_.b - dot(answer_.a, progress_.place());
  if (!progress_.stopping().violated(answer_.b, low, slack())) return;
  // Violated beyond every plane of the working set, so new: the pass may serve as its name.
  const auto name = static_cast<std::uint64_t>(progress_.passes());
  working_set_.add(0, PlaneVector(answer_.a), answer_.b, name);
  progress_.found.new_planes = 1;
  if (!options_.formulation.hard_margin()) return;
  std::vector<std::uint8_t>& violated = violated_[name];
  for (const double example_low : answer_.low) violated.push_back(example_low > 0 ? 1 : 0);
}

void Run::save_violated(StateWriter& out) const {
  out.put(static_cast<std::uint64_t>(violated_.size()));
  for (const auto& [name, violated] : violated_) {
    out.put(name);
    out.put_array(violated);
  }
}

void Run::load_violated(StateReader& in) {
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const auto name = in.get<std::uint64_t>();
    in.get_array(violated_[name]);
    in.require(violated_[name].size() == static_cast<std::size_t>(separator_.example_count()),
               "violated margins of another number of examples");
  }
  if (!options_.formulation.hard_margin()) return;
  const Block& block = working_set_.block(0);
  for (std::size_t p = 1; p < block.size(); ++p) {
    in.require(violated_.count(block.output[p]) == 1, "a plane that nobody knows the origin of");
  }
}

// By the alpha of the planes that they had a part in.
void Run::refuse() const {
  std::vector<double> carried(static_cast<std::size_t>(separator_.example_count()), 0.0);
  const Block& block = working_set_.block(0);
  for (std::size_t p = 1; p < block.size(); ++p) {
    const std::vector<std::uint8_t>& violated = violated_.at(block.output[p]);
    for (std::size_t i = 0; i < carried.size(); ++i) carried[i] += violated[i] * block.alpha[p];
  }
  refuse_inseparable(separator_, working_set_, options_.separation_floor, carried);
}

bool Run::solve_qp() {
  const QpEnd end = progress_.solve_qp(sweeps_per_pass, [this] { marks_.poll(); });
  if (end == QpEnd::inseparable) refuse();
  return end != QpEnd::interrupted;
}

}  // namespace

Result OneSlack::solve(Separator& separator, Listener& listener, const StopRequest& stop,
                       Checkpoints& checkpoints) {
  Run run(options_, separator, listener, stop, checkpoints);
  bool asked = run.is_asked();
  if (!run.begin_with_planes(checkpoints.planes())) return run.interrupted();
  for (;; asked = false) {
    if (!asked && !run.ask()) return run.interrupted();
    if (const auto rule = run.verdict()) return run.finish(*rule);
    if (!run.solve_qp()) return run.interrupted();
  }
}

std::optional<WorkingSet> OneSlack::recall(Separator& separator, StateReader& state) {
  EarlierState earlier(state);
  Listener unheard;
  Run run(options_, separator, unheard, {}, earlier);
  run.is_asked();
  return run.take_working_set();
}

}  // namespace sculpt::core
