// expect: a component class needs static constexpr sculpt::About about{...}
#include <sculpt/sculpt.hpp>

struct Wrong {
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
};
SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Loss<Wrong>)
