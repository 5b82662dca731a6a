// The lines of predict --marginals beside those of predict.

#include "command/reports/marginal_printer.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "core/problem/separation.hpp"

namespace sculpt::core {
namespace {

// What is printed for examples with these numbers of positions, of two labels each.
std::string printed(const std::vector<std::size_t>& positions) {
  Problem problem(toy_spec(toy_map_solver()), Purpose::training, 1, {});
  std::ostringstream out;
  MarginalPrinter printer(problem.dataset(), out);
  for (const std::size_t count : positions) {
    Marginals marginals{{0}, {}};
    for (std::size_t v = 0; v < count; ++v) {
      for (const double p : {0.25, 0.75}) marginals.p.push_back(p);
      marginals.row_from.push_back(marginals.p.size());
    }
    printer.print(0, marginals);
  }
  return out.str();
}

}  // namespace

TEST_CASE("sentences without an output have an empty line, also those before the first output") {
  toy_plan() = three_positions();
  toy_plan().writes_sentences = true;
  CHECK(printed({1, 0, 2}) == "# 0 1\n0.25 0.75\n\n\n0.25 0.75\n0.25 0.75\n\n");
  CHECK(printed({0, 0, 1}) == "# 0 1\n\n\n0.25 0.75\n\n");
  toy_plan() = {};
}

TEST_CASE("examples without an output have no line if predict prints none between the others") {
  toy_plan() = three_positions();
  CHECK(printed({0, 1, 0, 1}) == "# 0 1\n0.25 0.75\n0.25 0.75\n");
  toy_plan() = {};
}

}  // namespace sculpt::core
