// lp_methods - solves the linear programs of a trained model with the methods of lp and with
// COIN-OR CLP. If they are minimum cuts, it also uses the maximum flow of Boost.Graph.
//
//   lp_methods MODEL DATA [MOST [LOSS]]
//   lp_methods --square SIDE STATES [MOST]
//
// There is one program for each of the first MOST (100) examples of DATA, at the weights of MODEL.
// LOSS (0) is added to the score of each wrong label, as in training. The features must offer a
// factor graph.
//
// --square makes MOST grids of SIDE x SIDE variables with scores from a normal distribution. Almost
// none of these programs has an output as its solution.
//
// Binary pairs are solved by roof duality, Boost and CLP. Other programs are solved by dual ascent,
// by the interior point method if the ascent does not reach an output, and by CLP.
//
// Prints the median time of a call of each method, and how many times faster it is than CLP. Prints
// the largest difference of the optima, relative to the size of the scores.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <sculpt/cpp/factor_graph_builder.hpp>

#include "boost_roof_duality.hpp"
#include "clp_solver.hpp"
#include "command/inputs/loaded_model.hpp"
#include "dual_ascent.hpp"
#include "interior_point.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "relaxation.hpp"
#include "roof_duality.hpp"

namespace {

using namespace sculpt::core;

constexpr std::int64_t max_cells = 30'000'000;
constexpr double tolerance = 1e-10;

struct Program {
  const sculpt_factor_graph& graph;
  const std::vector<double>& theta;
};

// A method, and its times for each program.
struct Method {
  std::string name;
  std::function<double(const Program&)> solve;  // returns the maximum; NaN: not counted
  std::vector<double> microseconds = {};
  std::vector<double> ratios = {};  // time of CLP / time of the method
  double difference = 0;            // largest relative difference to the maximum of CLP
};

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
  return values[values.size() / 2];
}

struct Measurement {
  double maximum;
  double microseconds;  // of the fastest of three calls
};
Measurement measure(const Method& method, const Program& program) {
  Measurement best{0, std::numeric_limits<double>::infinity()};
  for (int round = 0; round < 3; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    best.maximum = method.solve(program);
    const std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - begin;
    best.microseconds = std::min(best.microseconds, elapsed.count());
  }
  return best;
}

void compare(std::vector<Method>& methods, const Program& program, double size) {
  const Measurement clp = measure(methods.back(), program);
  for (Method& method : methods) {
    const Measurement found = &method == &methods.back() ? clp : measure(method, program);
    if (std::isnan(found.maximum)) continue;
    method.microseconds.push_back(found.microseconds);
    method.ratios.push_back(clp.microseconds / found.microseconds);
    method.difference =
        std::max(method.difference, std::abs(found.maximum - clp.maximum) / (size > 0 ? size : 1));
  }
}

// All of lp, and its parts.
class Methods {
 public:
  explicit Methods(bool are_minimum_cuts) {
    list.push_back({"own: all of lp", [this](const Program& program) {
                      sculpt_map_query query = query_of(program);
                      relaxation_.solve(sculpt::MapQuery(query),
                                        {Relaxation::Method::dual, {tolerance, max_cells}}, host_);
                      return relaxation_.bound();
                    }});
    if (are_minimum_cuts) {
      list.push_back({"own: only roof duality", [this](const Program& program) {
                        return roof_.solve(program.graph, program.theta.data(), {}, [] {});
                      }});
      list.push_back({"Boost: boykov_kolmogorov", [](const Program& program) {
                        return sculpt::bench::boost_roof_bound(program.graph, program.theta.data());
                      }});
    } else {
      list.push_back({"own: ascent, if it solves",
                      [this](const Program& program) { return ascend(program); }});
      list.push_back({"own: interior point, else", [this](const Program& program) {
                        return ascended_ ? std::nan("") : interior(program);
                      }});
    }
    list.push_back({"CLP", [this](const Program& program) {
                      polytope_.build(program.graph, program.theta.data(), max_cells);
                      clp_.solve(polytope_, max_cells, host_, beliefs_, messages_);
                      return polytope_.bound(messages_);
                    }});
  }
  Methods(const Methods&) = delete;

  double size_of(const Program& program) {
    polytope_.build(program.graph, program.theta.data(), max_cells);
    return polytope_.magnitude();
  }

  std::vector<Method> list;

 private:
  static sculpt_map_query query_of(const Program& program) {
    sculpt_map_query query = {};
    query.struct_size = sizeof query;
    query.graph = &program.graph;
    query.theta = program.theta.data();
    query.seed = 1;
    return query;
  }

  double interior(const Program& program) {
    polytope_.build(program.graph, program.theta.data(), max_cells);
    interior_.solve(polytope_, {tolerance, max_cells}, beliefs_, messages_, [] {});
    return polytope_.bound(messages_);
  }

  // Returns NaN if the ascent does not reach an output within 20 sweeps, the limit in lp.
  double ascend(const Program& program) {
    polytope_.build(program.graph, program.theta.data(), max_cells);
    const std::vector<double> unaries(
        polytope_.scores().begin(),
        polytope_.scores().begin() + static_cast<std::ptrdiff_t>(polytope_.unary_cells()));
    messages_.assign(polytope_.message_count(), 0.0);
    ascent_.begin(polytope_, unaries, messages_);
    std::vector<std::int32_t> y(polytope_.variable_count());
    for (int sweep = 0; sweep < 20; ++sweep) {
      const double bound = ascent_.sweep();
      ascent_.decode(y);
      const double value = sculpt::assignment_score(program.graph, program.theta.data(), y.data());
      ascended_ = bound - value <= 1e-10 * polytope_.magnitude();
      if (ascended_) return bound;
    }
    return std::nan("");
  }

  const sculpt::Host host_{nullptr};  // without requests to stop
  Relaxation relaxation_;
  RoofDuality roof_;
  LocalPolytope polytope_;
  DualAscent ascent_;
  InteriorPoint interior_;
  ClpSolver clp_;
  std::vector<double> beliefs_;
  std::vector<double> messages_;
  bool ascended_ = false;
};

void add_loss(const sculpt_factor_graph& graph, const sculpt_labels& truth, double loss,
              std::vector<double>& theta) {
  if (loss == 0 || truth.data == nullptr) return;
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const auto scope = sculpt::scope_of(graph, f);
    if (scope.size() != 1) continue;
    const std::int32_t v = scope[0];
    for (std::int32_t k = 0; k < graph.states[v]; ++k) {
      if (k != truth.data[v]) theta[static_cast<std::size_t>(graph.table[f] + k)] += loss;
    }
  }
}

void report(const std::vector<Method>& methods) {
  std::printf("%-28s %9s %12s %12s %10s\n", "", "programs", "median us", "times faster",
              "difference");
  for (const Method& method : methods) {
    std::printf("%-28s %9zu %12.1f %12.2f %10.1e\n", method.name.c_str(),
                method.microseconds.size(), median(method.microseconds), median(method.ratios),
                method.difference);
  }
}

void compare_squares(std::int32_t side, std::int32_t states, std::int64_t count) {
  sculpt::FactorGraphBuilder builder;
  for (std::int32_t v = 0; v < side * side; ++v) builder.add_variable(states);
  for (std::int32_t v = 0; v < side * side; ++v) {
    if ((v + 1) % side != 0) builder.add_factor({v, v + 1}, builder.add_table(states * states));
    if (v + side < side * side) {
      builder.add_factor({v, v + side}, builder.add_table(states * states));
    }
  }
  const sculpt_factor_graph& graph =
      builder.graph(SCULPT_GRAPH_PAIRWISE | (states == 2 ? SCULPT_GRAPH_BINARY : 0), 0);
  Methods methods(RoofDuality::can_solve(graph));
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> theta(static_cast<std::size_t>(graph.theta_size));
  for (std::int64_t k = 0; k < count; ++k) {
    for (double& score : theta) score = normal(random);
    const Program program{graph, theta};
    compare(methods.list, program, methods.size_of(program));
  }
  report(methods.list);
}

void compare_all(const std::string& model_path, const std::string& data, std::int64_t count,
                 double loss) {
  LoadedModel model(model_path, data, 1);
  FactorGraphReader use(model.problem().features());
  const Range examples = model.examples();
  const Vector& w = model.weights();
  const std::int64_t last = std::min(examples.end, examples.begin + count);
  std::unique_ptr<Methods> methods;
  for (std::int64_t example = examples.begin; example < last; ++example) {
    const sculpt_factor_graph& graph = use.graph(example);
    std::vector<double> theta =
        use.potentials(example, graph, {w.data(), static_cast<std::int64_t>(w.size()), 1});
    add_loss(graph, model.problem().dataset().truth(example), loss, theta);
    if (!methods) methods = std::make_unique<Methods>(RoofDuality::can_solve(graph));
    const Program program{graph, theta};
    compare(methods->list, program, methods->size_of(program));
  }
  if (methods) report(methods->list);
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> word(arguments, arguments + count);
  const bool square = count > 1 && word[1] == "--square";
  if (count < 3 + square || count > 5) {
    std::fputs(
        "usage: lp_methods MODEL DATA [MOST [LOSS]]\n"
        "       lp_methods --square SIDE STATES [MOST]\n",
        stderr);
    return 64;
  }
  try {
    if (square) {
      compare_squares(std::stoi(word[2]), std::stoi(word[3]),
                      count > 4 ? std::stoll(word[4]) : 100);
    } else {
      compare_all(word[1], word[2], count > 3 ? std::stoll(word[3]) : 100,
                  count > 4 ? std::stod(word[4]) : 0);
    }
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "lp_methods: %s\n", problem.what());
    return 1;
  }
  return 0;
}
