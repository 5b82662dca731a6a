#include "order_psi.hpp"

#include "set_output.hpp"

namespace contingency {

std::vector<double> order_coefficients(std::span<const std::int32_t> truth,
                                       std::span<const std::int32_t> y) {
  std::vector<double> c(y.size(), 0.0);
  const auto positive = [&](std::int64_t i) { return truth[static_cast<std::size_t>(i)] == 1; };
  const auto number = [&](std::int64_t i) { return y[static_cast<std::size_t>(i)]; };
  const std::vector<std::int64_t> order = sculpt::by_number(y);
  std::int64_t totals[2] = {0, 0};
  for (const std::int64_t row : order) ++totals[positive(row) ? 1 : 0];
  if (totals[0] == 0 || totals[1] == 0) return c;
  const double factor = 1 / (2 * static_cast<double>(totals[0]) * static_cast<double>(totals[1]));
  std::int64_t after[2] = {0, 0};
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    std::int64_t tied[2] = {0, 0};
    while (end < order.size() && number(order[end]) == number(order[first])) {
      ++tied[positive(order[end++]) ? 1 : 0];
    }
    for (std::size_t k = first; k < end; ++k) {
      const std::size_t other = positive(order[k]) ? 0 : 1;
      const std::int64_t ahead = totals[other] - after[other] - tied[other];
      c[static_cast<std::size_t>(order[k])] =
          factor * (static_cast<double>(after[other]) - static_cast<double>(ahead));
    }
    after[0] += tied[0];
    after[1] += tied[1];
    first = end;
  }
  return c;
}

}  // namespace contingency
