#include "solver/one_slack.hpp"

#include <algorithm>

#include "linalg/products.hpp"
#include "qp/sweeps.hpp"
#include "qp/working_set.hpp"
#include "solver/progress.hpp"

namespace sculpt::core {
namespace {

// Work bound of one QP, in scorings of the working set.
constexpr double sweeps_per_pass = 1e4;

class Run {
 public:
  Run(const OneSlackOptions& options, Separator& separator, Listener& listener,
      const StopRequest& stop)
      : options_(options),
        separator_(separator),
        working_set_(1, separator.dimension(), options.formulation.C),
        sweeps_(working_set_),
        progress_(options, separator, listener, stop, working_set_, sweeps_) {}

  bool ask();
  void certify();
  void add_plane();
  bool solve_qp();

  Progress& progress() { return progress_; }

 private:
  double slack() const { return sweeps_.slack().front(); }  // xi of the working set at w

  const OneSlackOptions& options_;
  Separator& separator_;
  WorkingSet working_set_;
  Sweeps sweeps_;
  Progress progress_;
  JointSeparation answer_;
};

bool Run::ask() {
  const Pass pass = progress_.begin_pass(true);
  const auto question = [&] {
    separator_.separate_jointly(working_set_.w(), pass, JointWeight::one, answer_);
  };
  if (!progress_.ask(separator_.example_count(), question)) return false;
  progress_.found.no_output = answer_.no_output;
  progress_.found.truth_outside = answer_.truth_outside;
  progress_.end_pass();
  return true;
}

void Run::certify() {
  double low = 0;
  double high = 0;
  for (std::size_t k = 0; k < answer_.low.size(); ++k) {
    low += std::max(0.0, answer_.low[k]);
    high += std::max({0.0, answer_.low[k], answer_.high[k]});
  }
  const auto n = static_cast<double>(separator_.example_count());
  const std::vector<double>& b = working_set_.block(0).b;
  const double size_of_b = std::max(answer_.b, *std::max_element(b.begin(), b.end()));
  const SlackBounds mean = bound_slack(slack(), low / n, high / n, size_of_b, separator_, -1);
  progress_.found.excess = mean.high - slack();
  progress_.certify(
      bound_primal(working_set_.squared_norm(), options_.formulation.C, mean.low, mean.high));
}

// Algorithm 3: S grows by the joint plane when it is violated by more than xi + epsilon.
void Run::add_plane() {
  const Timed timed(progress_.qp_seconds());
  const double low = answer_.b - dot(answer_.a, working_set_.w());
  if (!progress_.stopping().violated(answer_.b, low, slack())) return;
  // Violated beyond every plane of the working set, so new: the pass may serve as its name.
  working_set_.add(0, PlaneVector(std::move(answer_.a)), answer_.b,
                   static_cast<std::uint64_t>(progress_.passes()));
  progress_.found.new_planes = 1;
}

bool Run::solve_qp() {
  const bool done = progress_.solve_qp(sweeps_per_pass);
  if (options_.drop_after > 0) {
    const Timed timed(progress_.qp_seconds());
    working_set_.drop_idle(static_cast<std::int32_t>(
        std::min<std::int64_t>(options_.drop_after, std::int64_t{1} << 30)));
  }
  return done;
}

}  // namespace

Result OneSlack::solve(Separator& separator, Listener& listener, const StopRequest& stop) {
  Run run(options_, separator, listener, stop);
  Progress& progress = run.progress();
  for (;;) {
    if (!run.ask()) return progress.interrupted();
    run.certify();
    if (const auto rule = progress.target()) return progress.finish(*rule);
    run.add_plane();
    if (progress.exhausted()) return progress.finish(StoppedBy::oracle_exhausted);
    if (const auto rule = progress.limit()) return progress.finish(*rule);
    if (!run.solve_qp()) return progress.interrupted();
  }
}

}  // namespace sculpt::core
