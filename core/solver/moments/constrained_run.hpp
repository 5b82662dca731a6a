// constrained_run.hpp - one run of constrained_z_score.
//
//   b, then x = A^-1 b
//   repeat: w = A^-1 z from the QP over the known planes (constraint_model.hpp)
//           ask: A w, and the worst output of every example at w, which give P, D and a plane a
//           x = A^-1 a, and the QP again
//
// Every product A v is a pass over the examples. The directions of the systems before shorten the
// next one (known_directions.hpp). If the residual of w is most of the gap, w is corrected first: w
// += A^-1 (z - A w).
//
// The state between two passes is all that is saved. At the end one more pass computes P of the
// hinges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/infinity.hpp"
#include "objective/certificate.hpp"
#include "solver/checkpoints.hpp"
#include "solver/moments/conjugate_gradients.hpp"
#include "solver/moments/constrained_z_score.hpp"
#include "solver/moments/constraint_model.hpp"
#include "solver/moments/moment_passes.hpp"

namespace sculpt::core {

// The directions of its linear systems take at most this many bytes, also in checkpoints.
inline constexpr std::size_t known_bytes_of_steps = std::size_t{128} << 20;

class ConstrainedRun : private MomentPasses {
 public:
  // All arguments must outlive it.
  ConstrainedRun(const ConstrainedZScoreOptions& options, const Ports& ports, Listener& listener,
                 const StopRequest& stop, Checkpoints& checkpoints);

  Result solve();
  // The w and z of the best dual, in a state that was saved. Empty: there is none yet.
  std::vector<Vector> load_dual_vectors(StateReader& in);

 private:
  // What the next pass does: computes b, makes a product for A x = c, or asks at w.
  enum class Phase : std::uint8_t { b, solving, asking };
  // What c is: b, the plane that was found last, or z - A w.
  enum class RightSide : std::uint8_t { b, plane, residual };
  // The smallest P so far, its w, and how much rounding may change it.
  struct BestPoint {
    Vector w;
    double low = infinity;
    double high = infinity;
    double rounding = 0;

    double value() const { return high < infinity ? high : low; }
  };

  bool make_pass();
  bool compute_right_side();
  bool ask_at_w();
  bool sum_plane(MeanSlack& mean);
  void update_bounds(const ConstrainedPoint& point, const MeanSlack& mean);
  void choose_next(const ConstrainedPoint& point, const MeanSlack& mean);
  double residual() const;
  void begin_solving(RightSide kind, const Vector& c, double target);
  void use_solution();
  std::optional<StoppedBy> stop_rule() const;
  bool is_bounded() const { return best_.high < infinity; }
  bool zero_is_best() const;
  double gap() const;
  double relative_gap() const;
  void report();
  Result finish(StoppedBy rule);

  void start();
  void load(StateReader& in);
  void write_checkpoint();

  const ConstrainedZScoreOptions& options_;
  Listener& listener_;
  Checkpoints& checkpoints_;
  ConjugateGradients steps_;
  ConstraintModel model_;

  Phase phase_ = Phase::b;
  RightSide right_side_ = RightSide::b;
  double target_ = 0;  // of the steps: ||c - A x|| / ||c||
  Vector w_;           // where the next question is asked
  Vector z_;           // A w_, if the QP and the steps were exact
  Vector product_;     // A w_
  Vector plane_;       // the joint plane at w_
  BestPoint best_;
  double dual_ = -infinity;  // the best
  Vector dual_w_;            // its w and z
  Vector dual_z_;
  std::int64_t stalled_count_ = 0;  // questions in a row that raised no dual beyond rounding
  std::int64_t corrections_ = 0;    // of w in a row
};

}  // namespace sculpt::core
