#include "core/qp/ipopt_reference.hpp"

#include <IpStdCInterface.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sculpt::core::test {
namespace {

constexpr double no_bound = 1e20;  // Ipopt treats this as infinite

// The variables are z_j = w_j / unit_j, followed by the slacks unless these are forbidden.
struct Program {
  std::vector<double> unit;       // [dimension] 1 / the largest |a_j|, at most 1
  std::vector<double> curvature;  // [variables] of the objective
  std::vector<double> linear;     // [variables] its linear part
  std::vector<int> row, column;   // [entries] of the constraints
  std::vector<double> value;      // [entries]
  std::vector<double> b;          // [constraints]
};

Program program_of(const WorkingSet& working_set) {
  const SlackTerm& term = working_set.slack_term();
  const std::size_t dimension = working_set.w().dense().size();
  std::vector<double> largest(dimension, 0.0);
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    for (std::size_t p = 1; p < block.size(); ++p) {
      Vector a(dimension, 0.0);
      block.a[p].add_to(1, a);
      for (std::size_t j = 0; j < dimension; ++j) largest[j] = std::max(largest[j], std::abs(a[j]));
    }
  }
  Program program;
  for (const double size : largest) {
    program.unit.push_back(1 / std::max(1.0, size));
    program.curvature.push_back(program.unit.back() * program.unit.back());
    program.linear.push_back(0);
  }
  for (std::int64_t i = 0; i < working_set.block_count() && !term.is_forbidden(); ++i) {
    program.curvature.push_back(term.is_linear() ? 0 : 1 / term.ridge);
    program.linear.push_back(term.is_linear() ? term.cap : 0);
  }
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    const Block& block = working_set.block(i);
    for (std::size_t p = 1; p < block.size(); ++p) {
      const auto add = [&](std::size_t variable, double value) {
        program.row.push_back(static_cast<int>(program.b.size()));
        program.column.push_back(static_cast<int>(variable));
        program.value.push_back(value);
      };
      Vector a(dimension, 0.0);
      block.a[p].add_to(1, a);
      for (std::size_t j = 0; j < dimension; ++j) {
        if (a[j] != 0) add(j, a[j] * program.unit[j]);
      }
      if (!term.is_forbidden()) add(dimension + static_cast<std::size_t>(i), 1);
      program.b.push_back(block.b[p]);
    }
  }
  return program;
}

Bool objective(Index n, Number* x, Bool, Number* result, UserDataPtr data) {
  const auto& program = *static_cast<const Program*>(data);
  *result = 0;
  for (Index k = 0; k < n; ++k) {
    const auto v = static_cast<std::size_t>(k);
    *result += x[k] * (program.linear[v] + 0.5 * program.curvature[v] * x[k]);
  }
  return TRUE;
}

Bool gradient(Index n, Number* x, Bool, Number* result, UserDataPtr data) {
  const auto& program = *static_cast<const Program*>(data);
  for (Index k = 0; k < n; ++k) {
    const auto v = static_cast<std::size_t>(k);
    result[k] = program.linear[v] + program.curvature[v] * x[k];
  }
  return TRUE;
}

Bool constraints(Index, Number* x, Bool, Index m, Number* result, UserDataPtr data) {
  const auto& program = *static_cast<const Program*>(data);
  std::fill(result, result + m, 0.0);
  for (std::size_t e = 0; e < program.value.size(); ++e) {
    result[program.row[e]] += program.value[e] * x[program.column[e]];
  }
  return TRUE;
}

Bool jacobian(Index, Number*, Bool, Index, Index, Index* rows, Index* columns, Number* values,
              UserDataPtr data) {
  const auto& program = *static_cast<const Program*>(data);
  if (values != nullptr) {
    std::copy(program.value.begin(), program.value.end(), values);
  } else {
    std::copy(program.row.begin(), program.row.end(), rows);
    std::copy(program.column.begin(), program.column.end(), columns);
  }
  return TRUE;
}

Bool hessian(Index n, Number*, Bool, Number factor, Index, Number*, Bool, Index, Index* rows,
             Index* columns, Number* values, UserDataPtr data) {
  const auto& program = *static_cast<const Program*>(data);
  for (Index k = 0; k < n; ++k) {
    if (values != nullptr) {
      values[k] = factor * program.curvature[static_cast<std::size_t>(k)];
    } else {
      rows[k] = columns[k] = k;
    }
  }
  return TRUE;
}

using Ipopt = std::unique_ptr<std::remove_pointer_t<IpoptProblem>, decltype(&FreeIpoptProblem)>;

void set(const Ipopt& ipopt, const char* option, double value) {
  AddIpoptNumOption(ipopt.get(), const_cast<char*>(option), value);
}

void set(const Ipopt& ipopt, const char* option, const char* value) {
  AddIpoptStrOption(ipopt.get(), const_cast<char*>(option), const_cast<char*>(value));
}

Ipopt make_ipopt(const Program& program, std::span<const std::uint8_t> nonnegative) {
  const std::size_t variables = program.curvature.size();
  std::vector<double> lower(variables, 0.0);
  for (std::size_t j = 0; j < program.unit.size(); ++j) {
    if (nonnegative.empty() || nonnegative[j] == 0) lower[j] = -no_bound;
  }
  std::vector<double> upper(variables, no_bound);
  std::vector<double> b = program.b;
  std::vector<double> unlimited(b.size(), no_bound);
  Ipopt ipopt(
      CreateIpoptProblem(static_cast<Index>(variables), lower.data(), upper.data(),
                         static_cast<Index>(b.size()), b.data(), unlimited.data(),
                         static_cast<Index>(program.value.size()), static_cast<Index>(variables), 0,
                         objective, constraints, gradient, jacobian, hessian),
      FreeIpoptProblem);
  for (const char* option : {"tol", "constr_viol_tol", "dual_inf_tol", "compl_inf_tol"}) {
    set(ipopt, option, 1e-11);
  }
  AddIpoptIntOption(ipopt.get(), const_cast<char*>("acceptable_iter"), 0);
  AddIpoptIntOption(ipopt.get(), const_cast<char*>("print_level"), 0);
  set(ipopt, "bound_relax_factor", 0.0);
  set(ipopt, "sb", "yes");  // no banner
  set(ipopt, "hessian_constant", "yes");
  set(ipopt, "jac_c_constant", "yes");
  set(ipopt, "jac_d_constant", "yes");
  set(ipopt, "mehrotra_algorithm", "yes");  // for convex quadratic programs
  return ipopt;
}

}  // namespace

IpoptOptimum solve_by_ipopt(const WorkingSet& working_set,
                            std::span<const std::uint8_t> nonnegative) {
  Program program = program_of(working_set);
  const Ipopt ipopt = make_ipopt(program, nonnegative);
  std::vector<double> x(program.curvature.size(), 1.0);
  std::vector<double> multiplier(program.b.size(), 0.0);
  const auto end = IpoptSolve(ipopt.get(), x.data(), nullptr, nullptr, multiplier.data(), nullptr,
                              nullptr, &program);
  if (end != Solve_Succeeded) {
    throw std::runtime_error("Ipopt ended with " + std::to_string(static_cast<int>(end)));
  }
  IpoptOptimum optimum;
  for (std::size_t j = 0; j < program.unit.size(); ++j) {
    optimum.w.push_back(x[j] * program.unit[j]);
  }
  std::size_t next = 0;
  for (std::int64_t i = 0; i < working_set.block_count(); ++i) {
    std::vector<double> alpha(1, 0.0);
    double mass = 0;
    for (std::size_t p = 1; p < working_set.block(i).size(); ++p) {
      alpha.push_back(std::max(0.0, -multiplier[next++]));  // Ipopt's multiplier of g >= b is <= 0
      mass += alpha.back();
    }
    const double cap = working_set.slack_term().cap;
    if (mass > cap) {
      for (double& value : alpha) value *= cap / mass;
    }
    optimum.alpha.push_back(std::move(alpha));
  }
  return optimum;
}

}  // namespace sculpt::core::test
