// Tests of kernels (ext/kernel.h): the values between atoms of the dataset. Values are compared to
// the last bit, as the interface promises. Atoms that a model keeps: kept_atom_tests.cpp.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/text/message_text.hpp"
#include "check/fixture/asking_time.hpp"
#include "check/fixture/proper_refusal.hpp"
#include "check/tests/kernel_leaf_test.hpp"

namespace sculpt::core {
namespace {

// The matrix of all sampled atoms.
KernelMatrix whole_matrix(KernelLeafTest& test, ComponentKernel& kernel) {
  test.context.set_activity("computing the values between " +
                            count_text(std::ssize(test.sample.atoms), "atom"));
  return rows_of(kernel, test.sample.atoms, test.sample.atoms);
}

// Draws positions in the sample, some of them twice.
std::vector<std::size_t> draw_positions(Random& random, std::size_t count, std::size_t size) {
  std::vector<std::size_t> positions(count);
  for (std::size_t& position : positions) position = random.next() % size;
  return positions;
}

// Each value of a call for some atoms is that of the call for all of them.
void values_test(KernelLeafTest& test) {
  SecondKernel second(test.fixture, test.leaf, {});
  const KernelMatrix whole = whole_matrix(test, second.kernel());
  const std::size_t size = test.sample.atoms.size();
  Random random = test.fixture.random("kernel.values");
  const int calls = test.fixture.level().choose(20, 200, 2000);
  TimeBudget budget(test.fixture.timer(), test.context, calls, "calls");
  for (int call = 0; call < calls && budget.next(); ++call) {
    // The first calls are those of one pair, the smallest example of a fault.
    const std::size_t most = call < calls / 2 ? 1 : 2 * size;
    const auto rows = draw_positions(random, 1 + random.next() % most, size);
    const auto columns = draw_positions(random, 1 + random.next() % most, size);
    test.context.set_activity("computing " + std::to_string(rows.size()) + " x " +
                              std::to_string(columns.size()) + " values");
    test.context.count();
    const KernelMatrix part = rows_of(second.kernel(), test.atoms_at(rows), test.atoms_at(columns));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const double expected = whole.at(rows[i], columns[j]);
        if (part.at(i, j) == expected) continue;
        test.fail("k(" + test.atom_text(rows[i]) + ", " + test.atom_text(columns[j]) + ") is " +
                  exact_number_text(part.at(i, j)) + " in a call for " +
                  std::to_string(rows.size()) + " x " + std::to_string(columns.size()) +
                  " values, but " + exact_number_text(expected) + " in one for " +
                  std::to_string(size) + " x " + std::to_string(size) +
                  "; a value depends on its two atoms alone, to the last bit");
      }
    }
  }
}

void symmetric_test(KernelLeafTest& test) {
  SecondKernel second(test.fixture, test.leaf, {});
  const KernelMatrix whole = whole_matrix(test, second.kernel());
  for (std::size_t i = 0; i < test.sample.atoms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      test.context.count();
      if (whole.at(i, j) == whole.at(j, i)) continue;
      test.fail("k(a, b) is " + exact_number_text(whole.at(i, j)) + ", but k(b, a) is " +
                exact_number_text(whole.at(j, i)) + " for a = " + test.atom_text(i) +
                ", b = " + test.atom_text(j) + "; both are the same number, to the last bit");
    }
  }
}

void diagonal_test(KernelLeafTest& test) {
  SecondKernel second(test.fixture, test.leaf, {});
  const KernelMatrix whole = whole_matrix(test, second.kernel());
  test.context.set_activity("computing the diagonal");
  std::vector<double> diagonal(test.sample.atoms.size(), std::nan(""));
  second.kernel().diagonal(0, test.sample.atoms, diagonal);
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    test.context.count();
    if (diagonal[i] == whole.at(i, i)) continue;
    test.fail("the diagonal has " + exact_number_text(diagonal[i]) + " for " + test.atom_text(i) +
              ", but its row has " + exact_number_text(whole.at(i, i)));
  }
}

// A matrix of values of a positive semidefinite kernel has no negative eigenvalue.
void positive_test(KernelLeafTest& test) {
  SecondKernel second(test.fixture, test.leaf, {});
  test.context.count();
  if (!second.kernel().is_positive()) {
    return test.context.remark(second.component().name() +
                               ": does not claim to be positive semidefinite");
  }
  const KernelMatrix whole = whole_matrix(test, second.kernel());
  const auto size = static_cast<Eigen::Index>(test.sample.atoms.size());
  const Eigen::Map<const Eigen::MatrixXd> matrix(whole.values.data(), size, size);
  const Eigen::VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  // Rounding of values and of the eigenvalues is far below this.
  constexpr double tolerance = 1e-7;
  const double smallest = eigenvalues.minCoeff();
  if (smallest >= -tolerance * eigenvalues.cwiseAbs().maxCoeff()) return;
  test.fail("claims SCULPT_KERNEL_POSITIVE, but the matrix of " +
            count_text(std::ssize(test.sample.atoms), "atom") + " has the eigenvalue " +
            number_text(smallest) + "; the largest is " + number_text(eigenvalues.maxCoeff()) +
            ". Return 0 from claims for these parameters");
}

// The kernel with another value of a parameter. nullptr: it refuses the value properly.
std::unique_ptr<SecondKernel> kernel_with(KernelLeafTest& test, const sculpt_parameter& parameter,
                                          double value) {
  const ExperimentPart part = kernel_parts(test.fixture.factory()).at(test.leaf);
  const std::span<const sculpt_parameter> table(
      part.description->parameters, static_cast<std::size_t>(part.description->parameter_count));
  nlohmann::ordered_json keys = part.parameters->resolved();
  keys[parameter.name] = value;
  try {
    const CheckedParameters parameters(table, JsonDocument(keys, Position()),
                                       short_name(*part.description));
    SecondKernel::Changes changes;
    changes.parameters = &parameters;
    return std::make_unique<SecondKernel>(test.fixture, test.leaf, changes);
  } catch (const Failure& failure) {
    if (!is_proper_refusal(failure)) throw;
    return nullptr;
  }
}

// The ends of the ranges of parameters are refused, or give finite values.
void ends_test(KernelLeafTest& test) {
  constexpr double largest_end = 1e6;
  const sculpt_component& kernel = *kernel_parts(test.fixture.factory()).at(test.leaf).description;
  for (std::int64_t k = 0; k < kernel.parameter_count; ++k) {
    const sculpt_parameter& parameter = kernel.parameters[k];
    const bool is_number =
        parameter.type == SCULPT_PARAMETER_REAL || parameter.type == SCULPT_PARAMETER_INT;
    for (const double end : {parameter.lower, parameter.upper}) {
      if (!is_number || !(std::abs(end) <= largest_end)) continue;
      const std::string with = std::string(parameter.name) + " = " + number_text(end);
      test.context.set_activity("making the kernel with " + with);
      test.context.count();
      const std::unique_ptr<SecondKernel> second = kernel_with(test, parameter, end);
      if (second == nullptr) continue;
      try {
        whole_matrix(test, second->kernel());
      } catch (const Failure& failure) {
        if (failure.ends_process()) throw;
        test.fail("accepts " + with + ", but then " + failure.what() +
                  "; refuse it in the constructor, or give it another range");
      }
    }
  }
}

// One of two threads. Computes values again and again, and compares them with those of one thread.
class ValueThread {
 public:
  ValueThread(KernelLeafTest& test, ComponentKernel& kernel, const KernelMatrix& expected,
              int worker)
      : test_(test), kernel_(kernel), expected_(expected), worker_(worker) {}

  void run(const AskingTime& time, CallOverlaps& overlaps) {
    const auto own_index = static_cast<std::size_t>(worker_);
    overlaps.enter(own_index);
    try {
      const Stopwatch watch;
      for (int round = 0; error_.empty() && (round < 5 || !time.is_over(watch, overlaps));
           ++round) {
        overlaps.run_overlapping(own_index, [&] { compare(); });
        if (test_.fixture.timer().is_query_time_over(query_time_fraction)) break;
      }
    } catch (const std::exception& exception) {
      error_ = exception.what();
    }
    overlaps.leave(own_index);
  }
  const std::string& error() const { return error_; }

 private:
  // The threads begin at different atoms, so they compute different rows at the same time.
  void compare() {
    const std::vector<std::int64_t>& all = test_.sample.atoms;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::size_t row = worker_ == 0 ? k : all.size() - 1 - k;
      const KernelMatrix values = rows_of(kernel_, {all[row]}, all, worker_);
      for (std::size_t j = 0; j < all.size(); ++j) {
        if (values.at(0, j) == expected_.at(row, j)) continue;
        error_ = "k(" + test_.atom_text(row) + ", " + test_.atom_text(j) + ") is " +
                 exact_number_text(values.at(0, j)) + "; one thread gives " +
                 exact_number_text(expected_.at(row, j));
        return;
      }
    }
  }

  KernelLeafTest& test_;
  ComponentKernel& kernel_;
  const KernelMatrix& expected_;
  int worker_;
  std::string error_;
};

void threads_test(KernelLeafTest& test) {
  SecondKernel::Changes changes;
  changes.threads = 2;
  SecondKernel second(test.fixture, test.leaf, changes);
  if ((second.component().description().traits & SCULPT_TRAIT_SERIAL) != 0) {
    test.context.skip(second.component().name() + " can be called from one thread only");
  }
  const KernelMatrix expected = whole_matrix(test, second.kernel());
  test.context.set_activity("computing values with two threads");
  test.context.count();
  std::array<ValueThread, 2> threads{ValueThread(test, second.kernel(), expected, 0),
                                     ValueThread(test, second.kernel(), expected, 1)};
  const AskingTime time = asking_time(test.fixture);
  {
    CallOverlaps overlaps;
    std::thread other([&] { threads[1].run(time, overlaps); });
    threads[0].run(time, overlaps);
    other.join();
  }
  for (const ValueThread& thread : threads) {
    if (thread.error().empty()) continue;
    test.fail("two threads with their own sessions get other values than one thread: they write " +
              std::string("to memory that both use; ") + thread.error());
  }
}

}  // namespace

std::span<const ExperimentTest> kernel_tests() {
  static constexpr std::array<ExperimentTest, 6> tests{
      {{"kernel.values", for_each_kernel<values_test>},
       {"kernel.symmetric", for_each_kernel<symmetric_test>},
       {"kernel.diagonal", for_each_kernel<diagonal_test>},
       {"kernel.positive", for_each_kernel<positive_test>},
       {"kernel.ends", for_each_kernel<ends_test>},
       {"kernel.threads", for_each_kernel<threads_test>}}};
  return tests;
}

}  // namespace sculpt::core
