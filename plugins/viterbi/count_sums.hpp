// count_sums.hpp - sums of vectors of counts. Used by chain_frontier.cpp and forest_frontier.cpp.
#pragma once

#include <sculpt/cpp/counts.hpp>

inline sculpt::CountVector operator+(const sculpt::CountVector& a, const sculpt::CountVector& b) {
  return {a[0] + b[0], a[1] + b[1]};
}
