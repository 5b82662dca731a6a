#include "assignment_table.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>

namespace {

// Tables with at least this many cells ask the host whether to stop.
constexpr std::size_t poll_interval = 65536;

}  // namespace

void AssignmentTable::read(const sculpt_factor_graph& graph) {
  const auto variables = static_cast<std::size_t>(graph.variable_count);
  sizes_.assign(variables + 1, 1);
  for (std::size_t v = variables; v-- > 0;) {
    sizes_[v] = sizes_[v + 1] * static_cast<std::size_t>(graph.states[v]);
  }
  levels_.resize(variables + 1);
  axes_.clear();
  factors_.clear();
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    const std::size_t begin = axes_.size();
    std::int64_t stride = 1;
    const auto scope = sculpt::scope_of(graph, f);
    for (std::size_t k = scope.size(); k-- > 0;) {
      axes_.push_back({static_cast<std::size_t>(scope[k]), stride});
      stride *= graph.states[scope[k]];
    }
    std::sort(axes_.begin() + static_cast<std::ptrdiff_t>(begin), axes_.end(),
              [](const Axis& a, const Axis& b) { return a.variable < b.variable; });
    factors_.push_back({graph.table[f], begin, axes_.size()});
  }
}

void AssignmentTable::spread(const double* cells, std::vector<double>& table,
                             const sculpt::Host& host) {
  table.assign(size(), 0.0);
  spread_from(0, factors_, cells, table.data(), host);
}

void AssignmentTable::collect(const std::vector<double>& table, double* cells,
                              const sculpt::Host& host) {
  collect_from(0, factors_, table.data(), cells, host);
}

// Sorts the parts by whether they contain variable v.
AssignmentTable::Level& AssignmentTable::split(std::size_t v, std::span<const Part> parts) {
  Level& level = levels_[v];
  level.with.clear();
  level.without.clear();
  for (const Part& part : parts) {
    const bool contains = part.next < part.end && axes_[part.next].variable == v;
    (contains ? level.with : level.without).push_back(part);
  }
  return level;
}

// Sets the parts that act on the slice of this state.
void AssignmentTable::advance(Level& level, std::int64_t state) const {
  level.slice_parts.clear();
  for (const Part& part : level.with) {
    level.slice_parts.push_back(
        {part.cell + state * axes_[part.next].stride, part.next + 1, part.end});
  }
}

// Adds the parts to table[sizes_[v]].
void AssignmentTable::spread_from(std::size_t v, std::span<const Part> parts, const double* cells,
                                  double* table, const sculpt::Host& host) {
  if (sizes_[v] >= poll_interval) host.throw_if_cancelled();
  if (v + 1 == sizes_.size()) {
    for (const Part& part : parts) table[0] += cells[part.cell];
    return;
  }
  Level& level = split(v, parts);
  const std::size_t slice = sizes_[v + 1];
  if (v + 2 == sizes_.size()) {  // the last variable
    for (const Part& part : level.with) {
      const std::int64_t stride = axes_[part.next].stride;
      const double* cell = cells + part.cell;
      for (std::size_t s = 0; s < states(v); ++s, cell += stride) table[s] += *cell;
    }
  } else if (!level.with.empty()) {
    for (std::size_t s = 0; s < states(v); ++s) {
      advance(level, static_cast<std::int64_t>(s));
      spread_from(v + 1, level.slice_parts, cells, table + s * slice, host);
    }
  }
  if (level.without.empty()) return;
  level.sum.assign(slice, 0.0);
  spread_from(v + 1, level.without, cells, level.sum.data(), host);
  for (std::size_t s = 0; s < states(v); ++s) {
    double* const to = table + s * slice;
    for (std::size_t k = 0; k < slice; ++k) to[k] += level.sum[k];
  }
}

// Adds table[sizes_[v]] to the cells of the parts.
void AssignmentTable::collect_from(std::size_t v, std::span<const Part> parts, const double* table,
                                   double* cells, const sculpt::Host& host) {
  if (sizes_[v] >= poll_interval) host.throw_if_cancelled();
  if (v + 1 == sizes_.size()) {
    for (const Part& part : parts) cells[part.cell] += table[0];
    return;
  }
  Level& level = split(v, parts);
  const std::size_t slice = sizes_[v + 1];
  if (v + 2 == sizes_.size()) {
    for (const Part& part : level.with) {
      const std::int64_t stride = axes_[part.next].stride;
      double* cell = cells + part.cell;
      for (std::size_t s = 0; s < states(v); ++s, cell += stride) *cell += table[s];
    }
  } else if (!level.with.empty()) {
    for (std::size_t s = 0; s < states(v); ++s) {
      advance(level, static_cast<std::int64_t>(s));
      collect_from(v + 1, level.slice_parts, table + s * slice, cells, host);
    }
  }
  if (level.without.empty()) return;
  level.sum.assign(slice, 0.0);
  for (std::size_t s = 0; s < states(v); ++s) {
    const double* const from = table + s * slice;
    for (std::size_t k = 0; k < slice; ++k) level.sum[k] += from[k];
  }
  collect_from(v + 1, level.without, level.sum.data(), cells, host);
}

void AssignmentTable::write(std::size_t number, std::span<std::int32_t> y) const {
  for (std::size_t v = 0; v < y.size(); ++v) {
    y[v] = static_cast<std::int32_t>(number / sizes_[v + 1]);
    number %= sizes_[v + 1];
  }
}
