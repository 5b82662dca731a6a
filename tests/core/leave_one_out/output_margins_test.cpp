// How far w may move before another output is best, with products from floats and without.

#include "leave_one_out/output_margins.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "core/problem/toy.hpp"

using namespace sculpt::core;

namespace {

// The product of the entries, in place of one that a kernel gives from floats.
class EntryProduct : public InnerProduct {
 public:
  double work_per_entry() const override { return 1; }
  void use_columns_of(const PlaneVector&) override {}
  void add_product(const SparseVector& change, Columns, Vector& w) override { axpy(1, change, w); }
  std::unique_ptr<ChunkProduct> make_chunk() override { return nullptr; }
  void save_columns(StateWriter&) const override {}
  void load_columns(StateReader&) override {}
  void multiply_exactly(const Vector& v, Vector& w) override { w = v; }
  void scatter(std::int64_t, const PlaneVector& a, Vector& zeros) const override {
    a.scatter(zeros);
  }
  void unscatter(std::int64_t, const PlaneVector& a, Vector& scattered) const override {
    a.unscatter(scattered);
  }
};

// The radius if the output 0 leads the output 1, of score `score`, by `lead`.
double radius_at(double score, double lead, const InnerProduct* inner_product) {
  toy_plan() = ToyPlan();
  toy_plan().training = {{{0}, {0}}};
  toy_plan().prediction = {{{0}, {0}}};
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
  Vector zeros = zero_weights();
  SparseSum sum(problem.dimension());
  const std::optional<OutputMargins> margins =
      OutputMargins::of(problem, 0, ExampleProduct(0, inner_product, zeros, sum));
  REQUIRE(margins);
  REQUIRE(margins->count() == 3);
  const SparseVector difference = margins->difference(0, 1);
  Vector w = zero_weights();
  for (std::size_t k = 0; k < difference.index.size(); ++k) {
    w[static_cast<std::size_t>(difference.index[k])] =
        difference.value[k] > 0 ? score + lead : score;
  }
  const OutputMargins::Best best = margins->best_at(w);
  CHECK(best.output == 0);
  CHECK(zeros == zero_weights());
  return best.radius;
}

}  // namespace

TEST_CASE("the radius of the best output is its lead over the length of the difference") {
  CHECK(radius_at(1, 0.5, nullptr) == doctest::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-5));
  CHECK(radius_at(1, 1e-8, nullptr) == doctest::Approx(1e-8 / std::sqrt(2.0)).epsilon(1e-4));
}

// The scores of a kernel have a relative error of 2^-24.
TEST_CASE("a lead that the rounding of floats explains proves nothing with an inner product") {
  const EntryProduct product;
  CHECK(radius_at(1, 1e-8, &product) == 0);
  CHECK(radius_at(1000, 1e-5, &product) == 0);
  const double lost = radius_at(1000, 0.5, nullptr) - radius_at(1000, 0.5, &product);
  CHECK(lost == doctest::Approx(2000.5 * std::pow(2.0, -24) / std::sqrt(2.0)).epsilon(1e-3));
}
