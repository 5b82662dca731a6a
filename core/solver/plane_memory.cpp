#include "solver/plane_memory.hpp"

#include <algorithm>
#include <cmath>

#include "objective/plane_source.hpp"
#include "qp/interior/interior_point.hpp"
#include "qp/plane/few_columns.hpp"
#include "qp/working_set/block_bytes.hpp"
#include "solver/answers_at_a_time.hpp"

namespace sculpt::core {
namespace {

constexpr double bytes_of_number = sizeof(double);

// Planes of an example if planes that are idle for 20 passes are dropped. With bits = log2 of the
// number of outputs,
//
//   y is a sequence    clamp(2.5 sqrt(bits), 3, 18)    measured: 15 to 22 for 35 to 107 bits
//   y is a label set   min(0.8 + 0.62 bits, 40)        measured: 3 to 33 for 6 to 53 bits
//   y is one label     see below                       measured: 1 (easy data) to 5
//
// C hardly matters.
constexpr double planes_per_root_of_bits = 2.5;
constexpr double planes_of_sets = 0.8;
constexpr double planes_of_sets_per_bit = 0.62;
constexpr double max_planes_of_sets = 40;
constexpr double max_planes = 18;

// One label, if columns differ in size or the classes cannot be learned (else 3). With K classes,
// and c the fraction of pairs of classes that are confused,
//
//   planes = min(1, c / 0.03) (K - 1)^(0.60 + 0.46 c),   but at least 1
//
// Measured with few confused pairs: 4 planes of 8 classes, 13 of 40. With half of them confused, as
// for classes that are noise: 9 to 13 planes of 20 classes, 31 of 60. Examples of well separated
// classes keep 0.2 to 1.
constexpr double power_of_class_count = 0.60;
constexpr double power_if_confused = 0.46;
constexpr double max_well_separated = 0.03;
constexpr double min_planes_of_classes = 1;
// From this fraction of confused pairs on, classes cannot be learned, whatever the size of columns.
constexpr double min_not_learned = 0.35;

// Newton steps are used in the QP if the sizes of columns differ by at least min_column_spread.
// They are not used if newton_steps factorizations take more work than max_factorization_reads
// reads of all planes. That is the work of 16 QPs that end at their limit of 300 sweeps.
constexpr double min_column_spread = 100;
constexpr double max_factorization_reads = 16 * 300;
constexpr double newton_steps = 10;

// Vector entries for each plane that Newton steps read: 11 in InteriorPoint, and 4 in PlaneRows.
// The vectors of PlaneRows double when they are full: 1.5 times their entries on average.
constexpr double newton_vectors = 11 + 4 * 1.5;

// Label sets: twice the planes if columns differ in size and there are at most 2^8 outputs. More
// planes then have alpha > 0. n_slack adds several planes of an answer, because so few outputs are
// all scored.
constexpr double planes_factor_if_columns_differ = 2;
constexpr double max_bits_of_listed = 8;

// The best w is stored without its zeros. At most this fraction of many weights is not 0.
constexpr double nonzero_fraction_of_best = 0.25;

constexpr double bytes_of_cache_entry = 64;  // of a cached plane, without its entries
constexpr double bytes_of_sparse_entry = sizeof(double) + sizeof(std::int32_t);

// Entries of psi(x, y_i) - psi(x, y), divided by those of psi(x, y_i):
//
//   y is a label set   1.5
//   otherwise          2 / labels^0.4
//
// 2: a wrong label leaves the features of both labels. The longer y is, the smaller is the fraction
// of wrong labels. Measured: 1.1 for words of 5 letters, 0.5 for sentences of 24. In label sets a
// label that is off has no features, and more labels are wrong than on: 1.3 to 1.7.
double plane_entries_per_psi_entry(const ProblemStatistics& statistics) {
  if (statistics.has_label_sets) return 1.5;
  return 2 / std::pow(std::max(1.0, statistics.labels), 0.4);
}

// Planes of an example if y is one label, by the formula above.
double planes_of_classes(const ProblemStatistics& statistics) {
  if (!columns_differ_in_size(statistics) && statistics.confused_fraction < min_not_learned) {
    return min_planes_of_example;
  }
  const double power = power_of_class_count + power_if_confused * statistics.confused_fraction;
  const double planes = std::pow(std::max(1.0, statistics.states - 1), power);
  const double fraction = std::min(1.0, statistics.confused_fraction / max_well_separated);
  return std::max(fraction * planes, std::min(planes, min_planes_of_classes));
}

// Bytes of a PlaneVector, if they were not measured: those of psi(x_i, y_i), times the factor of
// the entries. With one label it is a class difference, which stores the values of psi once.
double bytes_of_plane(const ProblemStatistics& statistics) {
  if (statistics.plane_bytes > 0) return statistics.plane_bytes;
  // A relaxed answer has several labels at one position. With 6 labels in y hardly any plane comes
  // from one, with 14 most do: factor min(2, 1 + (labels / 16)^2).
  constexpr double labels_if_mostly_relaxed = 16;
  const double relaxed_factor =
      statistics.has_relaxed_answers
          ? std::min(2.0, 1 + std::pow(statistics.labels / labels_if_mostly_relaxed, 2))
          : 1;
  const double size_factor = statistics.labels <= 1 ? 1 : plane_entries_per_psi_entry(statistics);
  return relaxed_factor * size_factor * statistics.psi_bytes;
}

}  // namespace

double kept_planes_factor(std::int64_t drop_after, std::int64_t default_drop_after) {
  if (drop_after == 0) return 2;
  const double ratio = static_cast<double>(drop_after) / static_cast<double>(default_drop_after);
  return std::clamp(std::sqrt(ratio), 0.25, 2.0);
}

double columns_of(const ProblemStatistics& statistics) {
  return static_cast<double>(statistics.columns > 0 ? statistics.columns : statistics.dimension);
}

double sparse_bytes(const ProblemStatistics& statistics) {
  return std::min(statistics.vector_bytes(), bytes_of_sparse_entry * columns_of(statistics));
}

bool has_few_columns(const ProblemStatistics& statistics) {
  return are_few_columns(static_cast<std::size_t>(columns_of(statistics)),
                         static_cast<std::size_t>(statistics.dimension));
}

bool columns_differ_in_size(const ProblemStatistics& statistics) {
  return statistics.column_spread >= min_column_spread;
}

bool may_use_newton_steps(const ProblemStatistics& statistics) {
  if (statistics.kernel_atoms > 0) return false;  // the matrix is one of entries
  // With one label and no confused classes, ascent alone ends soon.
  if (statistics.labels <= 1 && statistics.confused_fraction == 0) return false;
  constexpr auto max_weights = static_cast<double>(InteriorPoint::max_columns);
  return columns_of(statistics) <= max_weights && columns_differ_in_size(statistics);
}

double bytes_of_vectors(const ProblemStatistics& statistics, const Formulation& formulation,
                        bool query_point_is_not_w) {
  const bool has_own_query_point =
      query_point_is_not_w || formulation.is_hard_margin() || formulation.squares_slacks();
  const double count = 2 + (statistics.has_bounds ? 1 : 0) + (has_own_query_point ? 1 : 0);
  const double best =
      std::min(nonzero_fraction_of_best * statistics.vector_bytes(), sparse_bytes(statistics));
  // One bit for every weight, for ColumnsInUse.
  const auto d = static_cast<std::size_t>(statistics.dimension);
  const double bytes_of_bits = d >= large_dimension ? static_cast<double>(d) / 8 : 0;
  return count * statistics.vector_bytes() + best + bytes_of_bits;
}

double min_bytes_of_vectors(const ProblemStatistics& statistics) {
  const double count = 2 + (statistics.has_bounds ? 1 : 0);
  return count * statistics.vector_bytes();
}

double planes_of_example(const ProblemStatistics& statistics) {
  if (statistics.labels <= 1) return planes_of_classes(statistics);
  const double bits = statistics.labels * std::log2(statistics.states);
  if (statistics.has_label_sets) {
    return (adds_several_planes(statistics) ? planes_factor_if_columns_differ : 1) *
           std::min(planes_of_sets + planes_of_sets_per_bit * bits, max_planes_of_sets);
  }
  return std::clamp(planes_per_root_of_bits * std::sqrt(bits), min_planes_of_example, max_planes);
}

double bytes_of_block(const ProblemStatistics& statistics, double planes) {
  return block_bytes(planes, bytes_of_plane(statistics), statistics.shares_input);
}

double bytes_of_cached_plane(const ProblemStatistics& statistics) {
  constexpr double early_plane_factor = 1.5;  // more labels are wrong in early passes
  const double factor = statistics.labels <= 1 ? 1 : early_plane_factor;
  return bytes_of_cache_entry + factor * bytes_of_plane(statistics);
}

double entries_of_plane(const ProblemStatistics& statistics) {
  if (statistics.plane_entries > 0) return statistics.plane_entries;
  return plane_entries_per_psi_entry(statistics) * statistics.entries;
}

double bytes_of_newton(const ProblemStatistics& statistics, double planes, double entries_of_each) {
  if (!may_use_newton_steps(statistics)) return 0;
  const double d = columns_of(statistics);
  const double entries = planes * std::min(d, entries_of_each);
  const double factorizations =
      newton_steps * NormalMatrix::factorization_work(d) / InteriorPoint::multiplications_per_entry;
  if (factorizations > max_factorization_reads * entries) return 0;
  constexpr double capacity_factor = 1.5;
  constexpr auto entries_at_a_time = static_cast<double>(NormalMatrix::entries_at_a_time);
  constexpr auto dense_at_a_time = static_cast<double>(NormalMatrix::dense_at_a_time);
  return bytes_of_number * d * (d + dense_at_a_time) + bytes_of_number * newton_vectors * planes +
         bytes_of_sparse_entry *
             (entries + capacity_factor * std::min(entries_at_a_time, 2 * entries));
}

double bytes_of_kernel(const ProblemStatistics& statistics, double kernel_megabytes) {
  if (statistics.kernel_atoms == 0) return 0;
  const auto atoms = static_cast<double>(statistics.kernel_atoms);
  constexpr double least_rows = 256;  // they are kept whatever the limit
  const double row = atoms * sizeof(float);
  const double rows = row * std::min(atoms, std::max(kernel_megabytes * 1e6 / row, least_rows));
  // Of the rows at the columns in use; measured on words and on letters. KernelProduct divides the
  // limit among the two.
  constexpr double parts_of_rows = 0.5;
  const double parts = std::clamp(kernel_megabytes * 1e6 - rows, 0.0, parts_of_rows * rows);
  // v, of other columns, of the exact end with its w, and those of two chunks.
  constexpr double vectors = 6;
  return rows + parts + statistics.kernel_pairs * sizeof(float) +
         vectors * statistics.vector_bytes();
}

double bytes_of_answers(const ProblemStatistics& statistics, std::int64_t answer_count) {
  return static_cast<double>(std::min(statistics.examples, answer_count)) *
         (sizeof(Separation) + entries_of_plane(statistics) * bytes_of_sparse_entry);
}

std::int64_t batch_of(const ProblemStatistics& statistics, std::int64_t batch) {
  return batch == 0 ? statistics.examples : batch;
}

double planes_in_passes(double planes, const StopOptions& stop) {
  return stop.max_passes ? std::min(planes, static_cast<double>(*stop.max_passes)) : planes;
}

bool adds_several_planes(const ProblemStatistics& statistics) {
  const double bits = statistics.labels * std::log2(statistics.states);
  return statistics.has_label_sets && columns_differ_in_size(statistics) &&
         bits <= max_bits_of_listed;
}

std::vector<MemoryPart> parts_of_blocks(const ProblemStatistics& statistics,
                                        const SolverOptions& options, double planes) {
  const auto n = static_cast<double>(statistics.examples);
  const double blocks = bytes_within_plane_limit(n * bytes_of_block(statistics, planes), options,
                                                 n * bytes_of_block(statistics, 1));
  const double numbers = std::min(blocks, n * block_bytes(planes, 0, statistics.shares_input));
  return {{"numbers of planes", numbers}, {"planes", blocks - numbers, true}};
}

double bytes_within_plane_limit(double bytes, const SolverOptions& options, double bytes_of_pass) {
  if (!options.max_planes_megabytes) return bytes;
  return std::min(bytes, *options.max_planes_megabytes * 1e6 + bytes_of_pass);
}

double expected_bytes_of_online(const ProblemStatistics& statistics, const OnlineOptions& options) {
  constexpr double vector_count = 4;
  return vector_count * statistics.vector_bytes() +
         bytes_of_kernel(statistics, options.kernel_megabytes) +
         bytes_of_answers(statistics, max_answers_in_memory(batch_of(statistics, options.batch)));
}

double min_bytes_of_online(const ProblemStatistics& statistics) {
  return 2 * statistics.vector_bytes();
}

}  // namespace sculpt::core
