// parts_loss.cpp - a loss that splits over the labels, but offers no counts, so that oracles have
// no frontier for it. For tests of the search for the worst output.
//
//   Delta(y, y') = sum over t with y_t != y'_t of 1 + uneven * y_t
//
// With `uneven` 0 it is the Hamming loss.
#include <sculpt/sculpt.hpp>

namespace {

class PartsLoss {
 public:
  static constexpr sculpt::About about{"org.test.parts_loss", "1.0.0",
                                       "a Hamming loss without counts, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("uneven", "0", 0, 10, "how much more labels with larger numbers cost")};

  explicit PartsLoss(const sculpt::Parameters& given) : uneven_(given.real("uneven")) {}

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double sum = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) {
      if (truth[t] != guess[t]) sum += cost(truth[t]);
    }
    return sum;
  }
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    for (std::int64_t v = 0; v < graph.variable_count; ++v) {
      const std::int32_t label = truth[static_cast<std::size_t>(v)];
      for (std::int32_t k = 0; k < graph.states[v]; ++k) {
        if (k != label) theta[graph.table[v] + k] += scale * cost(label);
      }
    }
  }

 private:
  double cost(std::int32_t label) const { return 1 + uneven_ * label; }

  const double uneven_;
};

}  // namespace

SCULPT_PLUGIN("parts_loss", "1.0.0", "Apache-2.0", sculpt::Loss<PartsLoss>)
