// expect: the shape of outputs needs sculpt::OutputShape output_shape(std::int64_t example) const
#include <sculpt/sculpt.hpp>

struct Shaped {
  static constexpr sculpt::About about{"org.example.shaped", "1.0.0", "asks for no example"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum& sum) const { sum.add(0, 1); }
  sculpt::OutputShape output_shape() const { return sculpt::OutputShape::of_size(1); }
};
SCULPT_PLUGIN("shaped", "1.0.0", "Apache-2.0", sculpt::Features<Shaped>)
