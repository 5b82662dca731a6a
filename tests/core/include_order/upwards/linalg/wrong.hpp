// Wrong on purpose: includes a later folder in the order of ../../include_order.cmake.
#pragma once

#include "solver/solver.hpp"
