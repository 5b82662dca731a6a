// Wrong on purpose: see ../../include_order.cmake.
#pragma once

#include "solver/solver.hpp"
