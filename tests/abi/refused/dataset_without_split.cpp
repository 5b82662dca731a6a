// expect: a dataset class needs load(std::string_view split, const Source&), count() const, split(
#include <sculpt/sculpt.hpp>

struct Wrong {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "has no splits"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
};
SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Dataset<Wrong>)
