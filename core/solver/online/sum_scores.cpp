#include "solver/online/sum_scores.hpp"

#include "linalg/compressed_vector.hpp"
#include "linalg/products.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

void SumScores::add(double factor, const SparseVector& a) {
  if (inner_product_ == nullptr) return;
  change_ = a;
  for (double& value : change_.value) value *= factor;
  inner_product_->add_product(change_, InnerProduct::Columns::all, w_);
}

double SumScores::squared_norm(std::int64_t example, const SparseVector& a) {
  if (inner_product_ == nullptr) return core::squared_norm(a);
  zeros_.resize(w_.size(), 0.0);
  const PlaneVector plane(a);
  inner_product_->scatter(example, plane, zeros_);
  const double square = plane.dot(zeros_);
  inner_product_->unscatter(example, plane, zeros_);
  return square;
}

double SumScores::multiply_exactly(const Vector& v, Vector& w) const {
  if (inner_product_ == nullptr) {
    w = v;
    return core::squared_norm(v);
  }
  w.assign(v.size(), 0.0);
  inner_product_->multiply_exactly(v, w);
  return dot(v, w);
}

void SumScores::save(StateWriter& out) const {
  if (inner_product_ == nullptr) return;
  CompressedVector compressed(w_.size());
  compressed.store(w_);
  compressed.save(out);
}

void SumScores::load(StateReader& in) {
  if (inner_product_ == nullptr) return;
  CompressedVector compressed(w_.size());
  compressed.load(in);
  compressed.restore(w_);
}

}  // namespace sculpt::core
