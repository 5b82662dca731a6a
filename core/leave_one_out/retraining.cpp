#include "leave_one_out/retraining.hpp"

#include <cmath>

#include "base/cancelled.hpp"
#include "base/file/memory_state_reader.hpp"
#include "leave_one_out/exact_gaps.hpp"
#include "leave_one_out/planes_without_example.hpp"
#include "linalg/products.hpp"

namespace sculpt::core {
namespace {

// With a kernel the scores of a pass are summed from floats, and so are P and D. What a pass seems
// to prove is therefore computed again. These allowances let that rarely fail. The first is a part
// of |w| for the radius of the ball. The second is a part of the terms of D for the gap, before the
// root: at a small gap its root moves the radius much farther.
constexpr double rounding_of_scores = 1e-6;
constexpr double rounding_of_gap = 0x1p-24;

// Planes and alpha of all blocks but one. import_planes() computes the products of planes again.
WorkingSet planes_without(const WorkingSet& planes, std::int64_t example) {
  WorkingSet out(planes.block_count(), static_cast<std::int64_t>(planes.w().dense().size()),
                 planes.slack_term(), planes.nonnegative(), planes.inner_product());
  for (std::int64_t i = 0; i < planes.block_count(); ++i) {
    if (i == example) continue;
    const Block& from = planes.block(i);
    Block& to = out.block(i);
    to.a = from.a;
    to.b = from.b;
    to.alpha = from.alpha;
    to.key = from.key;
  }
  return out;
}

// The planes that the solver begins with. Keeps its last checkpoint in memory.
class WarmStart : public Checkpoints {
 public:
  explicit WarmStart(WorkingSet planes) : planes_(std::move(planes)) {}
  WorkingSet* warm_start_planes() override { return &planes_; }
  void write(std::int64_t, const std::function<void(StateWriter&)>& save) override {
    StateBuffer buffer;
    save(buffer);
    last = std::string(buffer.bytes());
  }

  std::string last;  // empty: the solver ended where it began

 private:
  WorkingSet planes_;
};

// Watches the solver: decides after each pass at one w if the output is certain.
class CertaintyWatch : public Listener {
 public:
  // `margins`: nullptr, nothing is certain. `planes`: of the run. |w| and the terms of D are about
  // as large as its own.
  CertaintyWatch(const OutputMargins* margins, const WorkingSet& planes) : margins_(margins) {
    if (planes.inner_product() == nullptr) return;
    gap_rounding_ = rounding_of_gap * planes.dual_magnitude();
    radius_rounding_ = rounding_of_scores * std::sqrt(planes.squared_norm());
  }

  void query(WeightView w, double scale) {
    if (margins_ == nullptr || certain_) return;
    best_ = margins_->best_at(w);
    best_.radius *= scale;
  }

  void pass_done(const PassReport& report) override {
    if (margins_ == nullptr || certain_ || !std::isfinite(report.primal_high)) return;
    const double gap = std::max(0.0, report.primal_high - report.dual) + gap_rounding_;
    if (best_.radius > std::sqrt(2 * gap) + radius_rounding_) certain_ = best_.output;
  }

  const std::optional<std::size_t>& certain() const { return certain_; }

 private:
  const OutputMargins* margins_;
  double gap_rounding_ = 0;     // 0 without a kernel
  double radius_rounding_ = 0;  // likewise
  OutputMargins::Best best_;
  std::optional<std::size_t> certain_;
};

}  // namespace

Prediction predict_one(Problem& problem, const Vector& v, std::int64_t example,
                       std::uint64_t seed) {
  ProblemKernel* const kernel = problem.kernel();
  const Vector scores = kernel == nullptr ? Vector() : kernel->weights_of(v);
  Predictor predictor(problem, kernel == nullptr ? v : scores, seed);
  Prediction out;
  predictor.run(ExampleList(std::vector<std::int64_t>{problem.training()[example]}),
                [&](std::int64_t, const Prediction& prediction) { out = prediction; });
  return out;
}

// True if the planes prove this output, without the rounding of floats.
bool Retraining::proves(WorkingSet planes, PlaneSource& source, const OutputMargins& margins,
                        std::size_t output, const StopRequest& stop) const {
  const ExactGaps exact = exact_gaps(problem_, source, planes, stop);
  const OutputMargins::Best best = margins.best_at(planes.complete_w());
  return best.output == output && best.radius > std::sqrt(2 * exact.gaps.gap);
}

Retrained Retraining::run(std::int64_t example, const OutputMargins* margins,
                          const StopRequest& stop) {
  CertaintyWatch watch(margins, planes_);
  PlanesWithoutExample source(source_, planes_.inner_product(), example,
                              [&](WeightView w, double scale) { watch.query(w, scale); });
  WarmStart warm_start(planes_without(planes_, example));
  Solver& solver = margins == nullptr ? solvers_.run : solvers_.tight;
  const Result result = solver.solve(
      Ports(source), watch, [&] { return watch.certain() || stop(); }, warm_start);
  Retrained out;
  out.passes = result.passes;
  out.oracle_calls = result.oracle_calls;
  if (watch.certain() && planes_.inner_product() != nullptr) {
    MemoryStateReader state(warm_start.last);
    WorkingSet last = warm_start.last.empty() ? planes_without(planes_, example)
                                              : solver.load_working_set(source, state).value();
    if (!proves(std::move(last), source, *margins, *watch.certain(), stop)) {
      Retrained again = run(example, nullptr, stop);
      again.passes += out.passes;
      again.oracle_calls += out.oracle_calls;
      return again;
    }
  }
  out.is_certain = watch.certain().has_value();
  out.has_reached = out.is_certain || result.reached ||
                    (result.certified && result.relative_gap <= solvers_.target);
  if (watch.certain()) {
    out.prediction = margins->prediction(*watch.certain());
    return out;
  }
  if (stop()) throw Cancelled();
  out.prediction = predict_one(problem_, result.w, example, solvers_.seed);
  return out;
}

}  // namespace sculpt::core
