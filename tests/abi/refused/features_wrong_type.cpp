// expect: a features class needs dimension() const and features(std::int64_t example, Labels, Sum&)
#include <sculpt/sculpt.hpp>
#include <vector>

struct Wrong {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "returns psi as a vector"};
  std::int64_t dimension() const { return 1; }
  std::vector<double> features(std::int64_t, sculpt::Labels) const { return {}; }
};
SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Features<Wrong>)
