// expect: a frontier needs begin_frontier(const FrontierQuery&, FrontierShape&)
#include <sculpt/sculpt.hpp>

struct Incomplete {
  static constexpr sculpt::About about{"org.example.flat", "1.0.0", "has only begin_frontier"};
  struct Session {
    explicit Session(const Incomplete&) {}
    void argmax(const sculpt::Query&, sculpt::Answer& answer) { answer.exact(0); }
    void begin_frontier(const sculpt::FrontierQuery&, sculpt::FrontierShape& shape) {
      shape.resize(1);
    }
  };
};
SCULPT_PLUGIN("flat", "1.0.0", "Apache-2.0", sculpt::Oracle<Incomplete>)
