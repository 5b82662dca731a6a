// constraint_model.hpp - the planes of constrained_z_score, and their QP in the metric of A.
//
// With the joint planes a_t = 1/n sum of c_i dpsi_i over the violated examples, the slacks cost at
// least price max(0, max_t -<w, a_t>) at any w. The dual over the known planes is
//
//   D(alpha) = -1/2 <z, A^-1 z>,   z = b + sum of alpha_t a_t,   0 <= alpha, sum alpha <= price
//
// and w = A^-1 z. The products <a_s, A^-1 a_t> are those of a single block of qp/, with -<a_t, A^-1
// b> for the b of its planes. Each plane needs x_t = A^-1 a_t, which the caller computes.
//
// D is a lower bound of min P for any such z. So w and z prove it (ConstrainedPoint).
//
// Source: Ricci, De Bie & Cristianini, JMLR 9 (2008), Algorithm 3; one slack for all examples:
// Joachims, Finley & Yu, Machine Learning 77 (2009). Vectors are [dimension].
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

class ConstraintModel {
 public:
  // workers == nullptr: this thread alone.
  ConstraintModel(double price, Workers* workers) : price_(price), workers_(workers) {}

  // Begins without planes. x = A^-1 b. Requires it once, before all else.
  void begin(Vector b, Vector x);
  void add(Vector a, Vector x);
  // Solves the QP until its gap is at most this fraction of |D|. Then drops planes that have had
  // alpha = 0 for long.
  void optimize(double fraction);

  // w = A^-1 z and z at the current alpha.
  void find_point(Vector& w, Vector& z) const;
  // max(0, max_t -<w, a_t>) at that w.
  double slack() const { return slack_; }

  bool has_begun() const { return !b_.empty(); }
  const Vector& b() const { return b_; }
  // P(0) - D without planes.
  double gap_without_planes() const { return 0.5 * product_of_b_; }
  // How much rounding may change D: z may be far shorter than its terms.
  double rounding() const;
  std::int64_t plane_count() const;   // without the zero plane
  std::int64_t active_count() const;  // with alpha > 0

  void save(StateWriter& out) const;
  void load(StateReader& in, std::size_t dimension);

 private:
  struct SolvedPlane {
    Vector a;
    Vector x;
  };

  void find_scores(std::vector<double>& score) const;
  void drop_unused();

  double price_;
  Workers* workers_;
  Vector b_;
  Vector x_of_b_;
  double product_of_b_ = 0;          // <b, A^-1 b>
  std::vector<SolvedPlane> planes_;  // [plane_count()]
  Block block_;  // [plane_count() + 1] products, b, alpha and age alone; plane 0 is zero
  double slack_ = 0;
};

// What w, A w and z say of the objective, with r = z - A w:
//
//   Q(w) = 1/2 <w, A w> - <b, w>
//   D    = -1/2 <w, z + r> - ||r||^2 / (2 lambda)  <=  -1/2 <z, A^-1 z>
struct ConstrainedPoint {
  double q = 0;
  double dual = 0;
  double residual_cost = 0;  // ||r||^2 / (2 lambda)
  double magnitude = 0;      // of the terms of Q and D
};
ConstrainedPoint constrained_point(Workers* workers, const Vector& w, const Vector& product,
                                   const Vector& z, const Vector& b, double lambda);

}  // namespace sculpt::core
