// expect: example weights need double example_weight(std::int64_t example) const
#include <sculpt/sculpt.hpp>

struct Rows {
  static constexpr sculpt::About about{"org.example.rows", "1.0.0", "its weights are not const"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
  double example_weight(std::int64_t) { return 1; }
};
SCULPT_PLUGIN("rows", "1.0.0", "Apache-2.0", sculpt::Dataset<Rows>)
