#include "problem/kernel/kernel_rows.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <string>

namespace sculpt::core {
namespace {

// Rows that are kept whatever the memory. So the memory does not decide which sums are rounded
// together.
constexpr std::int64_t min_slots = 256;
// Rows that one task computes. Kernels read each other atom once for all of them.
constexpr std::size_t rows_per_new_task = 4;

[[noreturn]] void refuse_row(std::size_t atoms) {
  throw Failure(Exit::memory, "there is no memory for the rows of the kernel: one row has " +
                                  std::to_string(atoms * sizeof(float)) +
                                  " bytes; use fewer examples");
}

}  // namespace

void round_values(std::span<const double> values, float* to) {
  for (const double value : values) {
    *to = static_cast<float>(value);
    if (!std::isfinite(*to)) {
      throw Failure(Exit::data,
                    "a value of the kernel exceeds 3.4e38, the largest number of single precision",
                    "; scale the columns, or choose a smaller gamma, coef0 or degree");
    }
    ++to;
  }
}

KernelRows::KernelRows(Kernel& kernel, Workers& workers, Range atoms, std::int64_t max_bytes)
    : kernel_(kernel),
      workers_(workers),
      others_(static_cast<std::size_t>(atoms.size())),
      slot_of_row_(others_.size(), -1) {
  std::iota(others_.begin(), others_.end(), atoms.begin);
  const std::int64_t row_bytes =
      std::max<std::int64_t>(1, atoms.size()) * std::int64_t{sizeof(float)};
  max_slots_ = static_cast<std::size_t>(std::min(std::max(max_bytes / row_bytes, min_slots),
                                                 std::max<std::int64_t>(1, atoms.size())));
}

void KernelRows::load(std::span<const std::int32_t> atoms) {
  ++calls_;
  asked_ += std::ssize(atoms);
  std::vector<std::int32_t> missing;
  for (const std::int32_t atom : atoms) {
    const std::int32_t slot = slot_of_row_[static_cast<std::size_t>(atom)];
    if (slot < 0) {
      missing.push_back(atom);
    } else {
      used_at_[static_cast<std::size_t>(slot)] = calls_;
    }
  }
  if (missing.empty()) return;
  computed_ += std::ssize(missing);
  for (const std::int32_t atom : missing) {
    const std::size_t slot = take_slot();
    row_of_slot_[slot] = atom;
    used_at_[slot] = calls_;
    slot_of_row_[static_cast<std::size_t>(atom)] = static_cast<std::int32_t>(slot);
  }
  const auto forget = [&] {
    for (const std::int32_t atom : missing) {
      row_of_slot_[static_cast<std::size_t>(slot_of_row_[static_cast<std::size_t>(atom)])] = -1;
      slot_of_row_[static_cast<std::size_t>(atom)] = -1;
    }
  };
  try {
    compute(missing);
  } catch (const std::bad_alloc&) {  // of the values before they are rounded
    forget();
    refuse_row(others_.size());
  } catch (...) {
    forget();
    throw;
  }
}

// Returns a slot that no row of the current call uses: a new one, or that of a row that was not
// asked for since the hand last passed it.
std::size_t KernelRows::take_slot() {
  if (slots_.size() < max_slots_) {
    try {
      slots_.push_back(std::make_unique_for_overwrite<float[]>(others_.size()));
      row_of_slot_.push_back(-1);
      used_at_.push_back(0);
      return slots_.size() - 1;
    } catch (const std::bad_alloc&) {
      if (slots_.size() < static_cast<std::size_t>(min_slots)) refuse_row(others_.size());
      max_slots_ = slots_.size();
    }
  }
  const std::int64_t oldest = *std::min_element(used_at_.begin(), used_at_.end());
  while (used_at_[hand_] > oldest + (calls_ - oldest) / 2) hand_ = (hand_ + 1) % slots_.size();
  const std::size_t slot = hand_;
  hand_ = (hand_ + 1) % slots_.size();
  if (row_of_slot_[slot] >= 0) slot_of_row_[static_cast<std::size_t>(row_of_slot_[slot])] = -1;
  return slot;
}

void KernelRows::compute(std::span<const std::int32_t> atoms) {
  const std::size_t task_count = (atoms.size() + rows_per_new_task - 1) / rows_per_new_task;
  std::vector<std::vector<double>> buffers(static_cast<std::size_t>(workers_.threads()));
  workers_.run(static_cast<std::int64_t>(task_count), [&](std::int64_t task, int worker) {
    const auto begin = static_cast<std::size_t>(task) * rows_per_new_task;
    const auto part = atoms.subspan(begin, std::min(rows_per_new_task, atoms.size() - begin));
    std::vector<std::int64_t> numbers;
    for (const std::int32_t atom : part) {
      numbers.push_back(others_[static_cast<std::size_t>(atom)]);
    }
    std::vector<double>& values = buffers[static_cast<std::size_t>(worker)];
    values.resize(numbers.size() * others_.size());
    kernel_.rows(worker, numbers, others_, values);
    for (std::size_t k = 0; k < part.size(); ++k) {
      float* const to =
          slots_[static_cast<std::size_t>(slot_of_row_[static_cast<std::size_t>(part[k])])].get();
      const double* const from = values.data() + k * others_.size();
      round_values({from, others_.size()}, to);
    }
  });
}

}  // namespace sculpt::core
