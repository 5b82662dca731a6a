// distance.cpp - a wrong label costs its distance from the true one: for grades such as 1 to 5.
//
//   Delta(truth, guess) = sum over v of |truth_v - guess_v|
#include <cstdlib>
#include <sculpt/sculpt.hpp>

class Distance {
 public:
  static constexpr sculpt::About about{"org.example.distance", "1.0.0", "distance of labels"};

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double sum = 0;
    for (std::size_t v = 0; v < truth.size(); ++v) sum += cost(truth[v], guess[v]);
    return sum;
  }
  // The same for each label of each variable, so that every map_solver can add it to the scores.
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    for (std::int64_t v = 0; v < graph.variable_count; ++v) {
      for (std::int32_t k = 0; k < graph.states[v]; ++k) {
        theta[graph.table[v] + k] += scale * cost(truth[static_cast<std::size_t>(v)], k);
      }
    }
  }

 private:
  static int cost(std::int32_t truth, std::int32_t guess) {
    return truth < 0 ? 0 : std::abs(truth - guess);  // -1: the true label is unknown
  }
};

SCULPT_PLUGIN("distance", "1.0.0", "MIT", sculpt::Loss<Distance>)
