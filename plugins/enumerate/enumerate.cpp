// enumerate.cpp - the best assignment of any factor graph, exact, by looking at every one.
//
// The assignments run like an odometer, variable 0 fastest. A factor belongs to its first variable,
//
//   rest_v = sum of the factors that belong to variables v, v + 1, ...,      rest_0 = score(y)
//
// and a step that turns variables 0 .. v computes rest_v, ..., rest_0 anew: on average a little
// more than the factors of variable 0. Each is a fresh sum, so rounding does not build up over the
// run.
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Enumerate {
 public:
  static constexpr sculpt::About about{"org.sculpt.enumerate", "1.0.0",
                                       "exact argmax of any small factor graph, one by one"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("max_states", "1000000", 1, 1e15,
                      "refuses graphs with more assignments than this", "assignments")};
  static constexpr const char* experiments[] = {R"({
    "name": "enumerate_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": "enumerate",
    "solver": {"use": "one_slack", "C": 1}})"};

  Enumerate(const sculpt::Parameters& given, sculpt::Host host)
      : limit_(given.integer("max_states")), host_(host) {}

  class Session {
   public:
    explicit Session(const Enumerate& owner) : owner_(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      const sculpt_factor_graph& graph = query.graph;
      if (!sculpt::has_assignments(graph)) return answer.no_output();
      owner_.check_size(graph);
      assign_owners(graph);
      const auto best = answer.labels().resize(graph.variable_count);
      search(graph, query.theta.data(), best);
      answer.exact(sculpt::assignment_score(graph, query.theta.data(), best.data()));
    }

   private:
    // owned_[v]: the factors whose smallest variable is v. A factor over no variable is a constant.
    void assign_owners(const sculpt_factor_graph& graph) {
      owned_.resize(static_cast<std::size_t>(graph.variable_count));
      for (auto& factors : owned_) factors.clear();
      for (std::int64_t f = 0; f < graph.factor_count; ++f) {
        const auto scope = sculpt::scope_of(graph, f);
        if (scope.empty()) continue;
        owned_[static_cast<std::size_t>(*std::min_element(scope.begin(), scope.end()))].push_back(
            f);
      }
    }

    // Ties: the assignment seen first, which has the smallest label of the last variable, then of
    // the one before it, and so on.
    void search(const sculpt_factor_graph& graph, const double* theta,
                std::span<std::int32_t> best) {
      y_.assign(best.size(), 0);
      rest_.assign(best.size() + 1, 0);
      add_up(graph, theta, best.size());
      double maximum = rest_[0];
      std::copy(y_.begin(), y_.end(), best.begin());
      std::int64_t seen = 1;
      for (std::size_t turned = turn(graph); turned > 0; turned = turn(graph)) {
        add_up(graph, theta, turned);
        if (rest_[0] > maximum) {
          maximum = rest_[0];
          std::copy(y_.begin(), y_.end(), best.begin());
        }
        if (++seen % 65536 == 0) owner_.host_.throw_if_cancelled();
      }
    }

    // The next assignment; says how many variables changed, 0 behind the last one.
    std::size_t turn(const sculpt_factor_graph& graph) {
      for (std::size_t v = 0; v < y_.size(); ++v) {
        if (++y_[v] < graph.states[v]) return v + 1;
        y_[v] = 0;
      }
      return 0;
    }

    // rest_ of the first `turned` variables.
    void add_up(const sculpt_factor_graph& graph, const double* theta, std::size_t turned) {
      for (std::size_t v = turned; v-- > 0;) {
        double rest = rest_[v + 1];
        for (const std::int64_t f : owned_[v]) {
          rest += theta[sculpt::factor_cell(graph, f, y_.data())];
        }
        rest_[v] = rest;
      }
    }

    const Enumerate& owner_;
    std::vector<std::vector<std::int64_t>> owned_;  // [variables]
    std::vector<std::int32_t> y_;                   // [variables]
    std::vector<double> rest_;                      // [variables + 1]
  };

 private:
  // Refuses what would take too long. The product is a double: it may be astronomical.
  void check_size(const sculpt_factor_graph& graph) const {
    double assignments = 1;
    for (std::int64_t v = 0; v < graph.variable_count; ++v) assignments *= graph.states[v];
    if (assignments <= static_cast<double>(limit_)) return;
    char number[32];
    std::snprintf(number, sizeof number, "%.15g", assignments);
    throw sculpt::unsupported_error(
        "this graph has " + std::string(number) + " assignments, more than max_states = " +
        std::to_string(limit_) + "; take another map_solver, or raise max_states and wait");
  }

  const std::int64_t limit_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("enumerate", "1.0.0", "Apache-2.0", sculpt::MapSolver<Enumerate>)
