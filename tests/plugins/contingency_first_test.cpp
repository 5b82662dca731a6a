// contingency: precision and recall among the rows that come first.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "random_sets.hpp"

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

TEST_CASE("contingency: precision and recall among the first 10 and 100 rows, with ties") {
  Random random(807);
  for (const int rows : {9, 10, 23, 99, 130}) {
    const RandomSet set = draw_set(random, rows);
    Outputs y(set.truth.size());
    for (std::int32_t& number : y) number = static_cast<std::int32_t>(draw(random, 0, rows / 3));
    const BoundSet bound(set, "contingency#error_rate", json::object(), json::object());
    const json measured = metrics(bound.loss, {{set.truth, y}});
    for (const int k : {10, 100}) {
      double found = 0;  // a row is among the first k with this chance
      for (std::size_t i = 0; i < y.size(); ++i) {
        const auto before = std::count_if(y.begin(), y.end(), [&](auto n) { return n > y[i]; });
        const auto tied = std::count(y.begin(), y.end(), y[i]);
        found += set.truth[i] *
                 std::clamp(static_cast<double>(k - before) / static_cast<double>(tied), 0.0, 1.0);
      }
      const std::string at = "@" + std::to_string(k);
      CAPTURE(rows);
      CAPTURE(k);
      if (rows < k) {
        CHECK(std::isnan(measured["precision" + at].get<double>()));
        CHECK(std::isnan(measured["recall" + at].get<double>()));
      } else {
        CHECK(measured["precision" + at] == Approx(found / k));
        CHECK(measured["recall" + at] == Approx(found / static_cast<double>(set.positive())));
      }
    }
  }
}
