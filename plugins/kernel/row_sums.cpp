#include "row_sums.hpp"

#include <algorithm>
#include <numeric>

namespace kernel {

namespace {

// A panel costs about as much as the visits of its entries at this share of values that are not 0.
constexpr double dense_share = 0.25;
// Atoms that are packed together: about half of a second-level cache.
constexpr std::size_t packed_bytes = std::size_t{1} << 18;
// Below this share of the rows, each is compared by itself.
constexpr std::size_t few_rows = 16;

double combined(Combine combine, double a, double b) {
  if (combine == Combine::product) return a * b;
  return a < b ? a : b;
}

}  // namespace

OtherRows::OtherRows(std::span<const std::int64_t> list) : numbers(list) {
  const auto [smallest, largest] = std::minmax_element(list.begin(), list.end());
  range = {*smallest, *largest + 1};
  const auto is_gap = [](std::int64_t a, std::int64_t b) { return b != a + 1; };
  is_run = std::adjacent_find(list.begin(), list.end(), is_gap) == list.end();
}

double sum_of(Combine combine, const SiteRow& a, const SiteRow& b) {
  double sum = 0;
  std::size_t k = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    while (k < b.size() && b.index[k] < a.index[j]) ++k;
    if (k == b.size()) break;
    if (b.index[k] == a.index[j]) sum += combined(combine, a.value[j], b.value[k]);
  }
  return sum;
}

RowSums::RowSums(Combine combine, std::span<const SiteRow> rows, std::int64_t feature_count)
    : combine_(combine), rows_(rows), features_(static_cast<std::size_t>(feature_count)) {
  std::size_t entries = 0;
  for (const SiteRow& row : rows) entries += row.size();
  const double cells = static_cast<double>(rows.size()) * static_cast<double>(features_);
  has_bits_ = BitRows::is_faster(rows, feature_count);
  is_dense_ = !has_bits_ && cells > 0 && static_cast<double>(entries) >= dense_share * cells;
  if (has_bits_) {
    bits_ = BitRows(rows, feature_count);
  } else if (is_dense_) {
    fill_panels();
  } else {
    fill_columns();
  }
}

void RowSums::fill_panels() {
  const std::size_t count = (rows_.size() + panel_width - 1) / panel_width;
  panels_.assign(count * panel_width * features_, 0.0);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    double* const column =
        panels_.data() + r / panel_width * panel_width * features_ + r % panel_width;
    for (std::size_t k = 0; k < rows_[r].size(); ++k) {
      column[static_cast<std::size_t>(rows_[r].index[k]) * panel_width] = rows_[r].value[k];
    }
  }
}

// Sorts by the feature; the rows of a feature stay in their order.
void RowSums::fill_columns() {
  for (const SiteRow& row : rows_) {
    column_feature_.insert(column_feature_.end(), row.index.begin(), row.index.end());
  }
  std::sort(column_feature_.begin(), column_feature_.end());
  column_feature_.erase(std::unique(column_feature_.begin(), column_feature_.end()),
                        column_feature_.end());
  const auto column_of = [&](std::int32_t feature) {
    const auto found = std::lower_bound(column_feature_.begin(), column_feature_.end(), feature);
    return static_cast<std::size_t>(found - column_feature_.begin());
  };
  column_from_.assign(column_feature_.size() + 1, 0);
  for (const SiteRow& row : rows_) {
    for (const std::int32_t feature : row.index) ++column_from_[column_of(feature) + 1];
  }
  std::partial_sum(column_from_.begin(), column_from_.end(), column_from_.begin());
  entry_row_.resize(column_from_.back());
  entry_value_.resize(column_from_.back());
  std::vector<std::size_t> next(column_from_.begin(), column_from_.end() - 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t k = 0; k < rows_[r].size(); ++k) {
      const std::size_t entry = next[column_of(rows_[r].index[k])]++;
      entry_row_[entry] = static_cast<std::int32_t>(r);
      entry_value_[entry] = rows_[r].value[k];
    }
  }
}

void RowSums::add_up(std::span<const SiteRow> atoms, std::span<const std::int64_t> others,
                     std::span<double> out, SumScratch& scratch) const {
  if (others.empty()) return;
  if (is_dense_) {
    add_up_dense(atoms, others, out, scratch);
    return;
  }
  const OtherRows listed(others);
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    add_up_range(atoms[a], listed, out.data() + a * others.size(), scratch);
  }
}

void RowSums::pack(const SiteRow& atom, std::size_t step, double* packed) const {
  for (std::size_t j = 0; j < features_; ++j) packed[step * j] = 0;
  for (std::size_t k = 0; k < atom.size(); ++k) {
    const auto feature = static_cast<std::size_t>(atom.index[k]);
    if (feature < features_) packed[step * feature] = atom.value[k];  // else the rows have 0 there
  }
}

namespace {

// Divides a sorted list into runs.
void find_runs(std::span<const std::int64_t> sorted, std::vector<PanelRun>& runs) {
  runs.clear();
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const std::size_t panel = static_cast<std::size_t>(sorted[k]) / panel_width;
    if (runs.empty() || runs.back().panel != panel) runs.push_back({panel, k, k, true});
    PanelRun& run = runs.back();
    run.is_whole =
        run.is_whole && static_cast<std::size_t>(sorted[k]) % panel_width == k - run.begin;
    run.end = k + 1;
  }
  for (PanelRun& run : runs) {
    run.is_whole = run.is_whole && run.end - run.begin == panel_width;
  }
}

// The others, sorted, and where the value of each belongs.
struct SortedOthers {
  std::span<const std::int64_t> atom;
  const std::size_t* place;  // nullptr: in the order of `atom`

  // Writes the wanted ones of the eight sums of a panel.
  void take(const PanelRun& run, const double* sums, double* row) const {
    if (run.is_whole && place == nullptr) {
      std::copy_n(sums, panel_width, row + run.begin);
      return;
    }
    for (std::size_t k = run.begin; k < run.end; ++k) {
      row[place == nullptr ? k : place[k]] = sums[static_cast<std::size_t>(atom[k]) % panel_width];
    }
  }
};

SortedOthers sorted_others(std::span<const std::int64_t> others, SumScratch& scratch) {
  if (std::is_sorted(others.begin(), others.end())) return {others, nullptr};
  scratch.order.resize(others.size());
  std::iota(scratch.order.begin(), scratch.order.end(), std::size_t{0});
  std::sort(scratch.order.begin(), scratch.order.end(),
            [&](std::size_t a, std::size_t b) { return others[a] < others[b]; });
  scratch.sorted.clear();
  for (const std::size_t k : scratch.order) scratch.sorted.push_back(others[k]);
  return {scratch.sorted, scratch.order.data()};
}

}  // namespace

// Visits the panels in order, each once for a block of atoms, and takes the sums that are wanted.
void RowSums::add_up_dense(std::span<const SiteRow> atoms, std::span<const std::int64_t> others,
                           std::span<double> out, SumScratch& scratch) const {
  const SortedOthers sorted = sorted_others(others, scratch);
  const std::vector<PanelRun>& runs = scratch.runs;
  find_runs(sorted.atom, scratch.runs);
  const std::size_t fits = packed_bytes / (sizeof(double) * std::max<std::size_t>(features_, 1));
  const std::size_t block = std::max<std::size_t>(4, fits / 4 * 4);
  scratch.packed.resize(std::min(block, (atoms.size() + 3) / 4 * 4) * features_);
  double* const packed = scratch.packed.data();
  double sums[4 * panel_width];
  for (std::size_t begin = 0; begin < atoms.size(); begin += block) {
    const std::size_t end = std::min(begin + block, atoms.size());
    if (end - begin == 1) {  // A single atom takes four panels at a time.
      pack(atoms[begin], 1, packed);
      for (std::size_t r = 0; r < runs.size(); r += 4) {
        const double* panels[4];
        for (std::size_t p = 0; p < 4; ++p) {
          panels[p] = panel(runs[std::min(r + p, runs.size() - 1)].panel);
        }
        sums_of_four_panels(combine_, packed, panels, features_, sums);
        for (std::size_t p = 0; p < 4 && r + p < runs.size(); ++p) {
          sorted.take(runs[r + p], sums + p * panel_width, out.data() + begin * others.size());
        }
      }
      continue;
    }
    for (std::size_t a = begin; a < begin + (end - begin + 3) / 4 * 4; ++a) {
      const SiteRow none;
      pack(a < end ? atoms[a] : none, 4, packed + (a - begin) / 4 * 4 * features_ + a % 4);
    }
    for (const PanelRun& run : runs) {
      for (std::size_t a = begin; a < end; a += 4) {
        sums_of_four_atoms(combine_, packed + (a - begin) * features_, panel(run.panel), features_,
                           sums);
        for (std::size_t k = a; k < std::min(a + 4, end); ++k) {
          sorted.take(run, sums + (k - a) * panel_width, out.data() + k * others.size());
        }
      }
    }
  }
}

void RowSums::add_up_range(const SiteRow& atom, const OtherRows& others, double* out,
                           SumScratch& scratch) const {
  const std::span<const std::int64_t> numbers = others.numbers;
  const auto size = static_cast<std::size_t>(others.range.end - others.range.begin);
  const bool has_few = numbers.size() * few_rows < size;
  if (has_few || (has_bits_ && !is_binary(atom))) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      out[k] = sum_of(combine_, atom, rows_[static_cast<std::size_t>(numbers[k])]);
    }
    return;
  }
  if (!others.is_run) scratch.row.resize(size);
  double* const row = others.is_run ? out : scratch.row.data();
  if (has_bits_) {
    bits_.count_common(atom, others.range, row, scratch.bits);
  } else {
    visit_columns(atom, others.range, row);
  }
  if (others.is_run) return;
  for (std::size_t k = 0; k < numbers.size(); ++k) out[k] = row[numbers[k] - others.range.begin];
}

// row[range] = the sums of the atom with these rows.
void RowSums::visit_columns(const SiteRow& atom, sculpt::Range range, double* row) const {
  std::fill_n(row, range.end - range.begin, 0.0);
  const bool is_part = range.end - range.begin < std::ssize(rows_);
  auto column = column_feature_.begin();
  for (std::size_t j = 0; j < atom.size(); ++j) {
    column = std::lower_bound(column, column_feature_.end(), atom.index[j]);
    if (column == column_feature_.end()) break;
    if (*column != atom.index[j]) continue;
    const auto c = static_cast<std::size_t>(column - column_feature_.begin());
    const double value = atom.value[j];
    auto entry = entry_row_.begin() + static_cast<std::ptrdiff_t>(column_from_[c]);
    auto end = entry_row_.begin() + static_cast<std::ptrdiff_t>(column_from_[c + 1]);
    if (is_part) {
      entry = std::lower_bound(entry, end, range.begin);
      end = std::lower_bound(entry, end, range.end);
    }
    const double* entry_value = entry_value_.data() + (entry - entry_row_.begin());
    for (; entry != end; ++entry, ++entry_value) {
      row[*entry - range.begin] += combined(combine_, value, *entry_value);
    }
  }
}

}  // namespace kernel
