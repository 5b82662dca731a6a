// atom_selection.hpp - approximates a w over many support atoms by one over few of them.
//
//   w' = the projection of w to span{phi(s) : s kept}, block by block
//
// Called by ProblemKernel. Atoms are kept one after the other: the next is the one that lowers
// ||w - w'||^2 most, after the others are chosen and refitted (orthogonal least squares). With the
// residuals r_b = w_b - w'_b and the residual phi~(s) of an atom, that is the largest
//
//   sum over blocks b of <r_b, phi(s)>^2 / ||phi~(s)||^2
//
// Source: Chen, Cowan and Grant, "Orthogonal least squares learning algorithm for radial basis
// function networks", IEEE Transactions on Neural Networks 2, 1991.
//
// Of n support atoms m are kept. That takes n m^2 - 2/3 m^3 operations in products of whole blocks
// (pivoted_factor.hpp), n m for each block, and n m - m^2 / 2 numbers. All sums have a fixed order,
// so the result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/workers.hpp"
#include "problem/kernel/kernel.hpp"
#include "problem/kernel/kernel_scores.hpp"

namespace sculpt::core {

struct SelectedAtoms {
  SupportAtoms support;  // those that are kept, with new coefficients
  double distance = 0;   // an upper bound of ||w - w'||, with the rounding of its own sum
};

// Keeps as few atoms as reach ||w - w'|| <= max_distance. All atoms are kept, with their
// coefficients, if rounding allows no fewer. Requires a kernel that is positive semidefinite.
// `poll`: called on the calling thread after each atom, and between parts of longer sums; it may
// throw to end the work.
SelectedAtoms select_atoms(
    Kernel& kernel, Workers& workers, const SupportAtoms& support, std::int64_t blocks,
    double max_distance, const std::function<void()>& poll = [] {});

}  // namespace sculpt::core
