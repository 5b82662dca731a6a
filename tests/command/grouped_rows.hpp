// grouped_rows.hpp - rows whose loss falls step by step as C grows.
//
// Used by tests of sweeps and of --tune.
#pragma once

#include <cmath>
#include <sstream>
#include <string>

namespace sculpt::test {

// Rows of two classes, for svmlight without scaling: groups of nine. Each group has a column of its
// own, in which the sign tells the class. The columns become smaller by a factor of 5 in |x|^2. Two
// thirds of the rows are of class 2, so the bias decides until the weight of the column is large
// enough. Hence a factor of 5 in C makes about one more group right.
inline std::string rows_in_groups(int groups) {
  std::ostringstream text;
  for (int group = 0; group < groups; ++group) {
    for (int k = 0; k < 9; ++k) {
      const bool is_first = k % 3 == 0;
      text << (is_first ? "1 " : "2 ") << group + 1 << (is_first ? ":" : ":-")
           << std::pow(5, -0.5 * group) << "\n";
    }
  }
  return text.str();
}

}  // namespace sculpt::test
