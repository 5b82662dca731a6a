// sequence.cpp - features of label sequences. A parameter makes weights nonnegative
// (ext/weight_bounds.h).
//
//   psi(x, y) = (sum_t e_{y_t} (x) x_t,  number of each pair (y_t, y_{t+1}))    dimension L F + L L
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Sequence {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.sequence", "1.0.0",
                                       "points in the blocks of their labels, and transitions"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("nonnegative", "false", "transitions must not have negative weights")};

  explicit Sequence(const sculpt::Parameters& values)
      : nonnegative_(values.boolean("nonnegative")) {}
  void bind(const sculpt::Bindings& to) { input_ = sculpt::SiteInput(to.dataset); }

  std::int64_t labels() const { return input_.state_count(); }
  std::int64_t dimension() const { return first_transition() + labels() * labels(); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const sculpt_sites x = input_.sites(example);
    for (std::int64_t t = 0; t < x.site_count; ++t) {
      for (std::int64_t k = x.row_from[t]; k < x.row_from[t + 1]; ++k) {
        sum.add(at(y, t) * input_.feature_count() + x.index[k], x.value[k]);
      }
    }
    for (std::int64_t t = 0; t + 1 < y.count(); ++t) {
      sum.add(first_transition() + at(y, t) * labels() + at(y, t + 1), 1);
    }
  }

  // The extension weight_bounds.
  bool bounds_weights() const { return nonnegative_; }
  void weight_bounds(std::span<std::uint8_t> nonnegative) const {
    const auto transitions = nonnegative.begin() + first_transition();
    std::fill(nonnegative.begin(), transitions, std::uint8_t{0});
    std::fill(transitions, nonnegative.end(), std::uint8_t{1});
  }

 private:
  static std::int64_t at(sculpt::Labels y, std::int64_t t) {
    return y[static_cast<std::size_t>(t)];
  }
  std::int64_t first_transition() const { return labels() * input_.feature_count(); }

  bool nonnegative_;
  sculpt::SiteInput input_;
};

}  // namespace

SCULPT_PLUGIN("stub_sequence", "1.0.0", "Apache-2.0", sculpt::Features<Sequence>)
