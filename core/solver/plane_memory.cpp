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

constexpr double number = sizeof(double);

// Planes of an example if planes that are idle for 20 passes are dropped. Measured:
//   1 (easy data) to 5   y is one label
//   15 to 22             y is a sequence of 35 to 107 bits (log2 of the number of outputs)
//   3 to 33              y is one of 2^6 to 2^53 sets of labels
// C hardly matters.
constexpr double planes_per_root_of_bits = 2.5;
constexpr double planes_of_sets = 0.8;
constexpr double planes_of_sets_per_bit = 0.62;
constexpr double max_planes_of_sets = 40;
constexpr double max_planes = 18;

// Classes: the number of planes is a power of the number of other classes. This holds if columns
// differ in size or the classes cannot be learned. The power is 0.65 if few pairs of classes are
// confused: 4 planes of 8 classes, 13 of 40. It is 0.83 if half of them are confused, as for
// classes that are noise: 9 to 13 planes of 20 classes, 31 of 60. Examples of well separated
// classes keep 0.2 to 1.
constexpr double power_of_others = 0.60;
constexpr double power_if_confused = 0.46;  // times the share of confused pairs
constexpr double far_apart = 0.03;  // share of confused pairs; below it there are fewer planes
constexpr double fewest_planes_of_others = 1;
constexpr double not_learned = 0.35;  // share of confused pairs, whatever the size of columns

// Newton steps are used in the QP if the sizes of columns differ by at least this factor. They are
// not used if their factorizations take more work than this many walks over the planes. That is the
// work of 16 QPs that ascent does not finish.
constexpr double hard_spread = 100;
constexpr double max_walks = 16 * 300;
constexpr double newton_steps = 10;

// Vector entries for each plane that Newton steps read: 11 of the steps, and 4 of PlaneRows. The
// vectors of PlaneRows have doubled their capacity.
constexpr double newton_vectors = 11 + 4 * 1.5;

// More planes have alpha > 0 if columns differ in size. n_slack then adds several planes of an
// answer, if there are so few outputs that all are scored.
constexpr double planes_if_hard = 2;
constexpr double bits_of_listed = 8;

// The best w is stored without its zeros. If there are many weights, most of them are 0.
constexpr double share_of_best = 0.25;

constexpr double bytes_of_cached = 64;  // of a cached plane, without its entries
constexpr double answer_entry = sizeof(double) + sizeof(std::int32_t);

// Entries of psi(x, y_i) - psi(x, y), divided by those of psi(x, y_i). A wrong label leaves the
// features of both labels. The longer y is, the smaller is the share of wrong labels. Measured: 1.1
// for words of 5 letters, 0.5 for sentences of 24. In label sets a label that is off has no
// features, and more labels are wrong than on: 1.3 to 1.7.
double plane_per_psi(const ProblemShape& shape) {
  if (shape.label_sets) return 1.5;
  return 2 / std::pow(std::max(1.0, shape.labels), 0.4);
}

// Planes of an example if y is one label.
double planes_of_classes(const ProblemShape& shape) {
  if (!differ_in_size(shape) && shape.confused < not_learned) return fewest_planes;
  const double power = power_of_others + power_if_confused * shape.confused;
  const double planes = std::pow(std::max(1.0, shape.states - 1), power);
  const double part = std::min(1.0, shape.confused / far_apart);
  return std::max(part * planes, std::min(planes, fewest_planes_of_others));
}

// By default the difference of two classes stores the values of psi once.
double bytes_of_plane(const ProblemShape& shape) {
  if (shape.plane_bytes > 0) return shape.plane_bytes;
  // Relaxed answers mix several labels. With 6 labels hardly any plane does, with 14 most do.
  constexpr double mostly_relaxed = 16;
  const double relaxed =
      shape.relaxed ? std::min(2.0, 1 + std::pow(shape.labels / mostly_relaxed, 2)) : 1;
  return relaxed * (shape.labels <= 1 ? 1 : plane_per_psi(shape)) * shape.psi_bytes;
}

}  // namespace

double share_kept(std::int64_t drop_after, std::int64_t by_default) {
  if (drop_after == 0) return 2;
  const double sooner = static_cast<double>(drop_after) / static_cast<double>(by_default);
  return std::clamp(std::sqrt(sooner), 0.25, 2.0);
}

double columns_of(const ProblemShape& shape) {
  return static_cast<double>(shape.columns > 0 ? shape.columns : shape.dimension);
}

double sparse_bytes(const ProblemShape& shape) {
  return std::min(shape.vector_bytes(), answer_entry * columns_of(shape));
}

bool has_few_columns(const ProblemShape& shape) {
  return are_few_columns(static_cast<std::size_t>(columns_of(shape)),
                         static_cast<std::size_t>(shape.dimension));
}

bool differ_in_size(const ProblemShape& shape) {
  return shape.column_spread >= hard_spread;
}

bool may_take_newton_steps(const ProblemShape& shape) {
  if (shape.labels <= 1 && shape.confused == 0) return false;  // ascent alone ends soon
  constexpr auto max_weights = static_cast<double>(InteriorPoint::max_columns);
  return columns_of(shape) <= max_weights && differ_in_size(shape);
}

double bytes_of_vectors(const ProblemShape& shape, const Formulation& formulation,
                        bool place_differs) {
  const bool has_place = place_differs || formulation.hard_margin() || formulation.squares_slacks();
  const double count = 2 + (shape.has_bounds ? 1 : 0) + (has_place ? 1 : 0);
  const double best = std::min(share_of_best * shape.vector_bytes(), sparse_bytes(shape));
  // One bit for every weight: has a plane touched it (ColumnsInUse).
  const auto d = static_cast<std::size_t>(shape.dimension);
  const double bits = d >= very_many_columns ? static_cast<double>(d) / 8 : 0;
  return count * shape.vector_bytes() + best + bits;
}

double min_bytes_of_vectors(const ProblemShape& shape) {
  const double count = 2 + (shape.has_bounds ? 1 : 0);
  return count * shape.vector_bytes();
}

double planes_of_example(const ProblemShape& shape) {
  if (shape.labels <= 1) return planes_of_classes(shape);
  const double bits = shape.labels * std::log2(shape.states);
  if (shape.label_sets) {
    const bool is_hard = differ_in_size(shape) && bits <= bits_of_listed;
    return (is_hard ? planes_if_hard : 1) *
           std::min(planes_of_sets + planes_of_sets_per_bit * bits, max_planes_of_sets);
  }
  return std::clamp(planes_per_root_of_bits * std::sqrt(bits), fewest_planes, max_planes);
}

double bytes_of_block(const ProblemShape& shape, double planes) {
  return block_bytes(planes, bytes_of_plane(shape), shape.shares_input);
}

double bytes_of_cached_plane(const ProblemShape& shape) {
  constexpr double longer = 1.5;
  return bytes_of_cached + (shape.labels <= 1 ? 1 : longer) * bytes_of_plane(shape);
}

double entries_of_plane(const ProblemShape& shape) {
  if (shape.plane_entries > 0) return shape.plane_entries;
  return plane_per_psi(shape) * shape.entries;
}

double bytes_of_newton(const ProblemShape& shape, double planes, double entries_of_each) {
  if (!may_take_newton_steps(shape)) return 0;
  const double d = columns_of(shape);
  const double entries = planes * std::min(d, entries_of_each);
  const double factorizations =
      newton_steps * NormalMatrix::factorization_work(d) / InteriorPoint::multiplications_per_entry;
  if (factorizations > max_walks * entries) return 0;
  constexpr double doubled = 1.5;
  constexpr auto gathered = static_cast<double>(NormalMatrix::entries_at_a_time);
  constexpr auto dense = static_cast<double>(NormalMatrix::dense_at_a_time);
  return number * d * (d + dense) + number * newton_vectors * planes +
         answer_entry * (entries + doubled * std::min(gathered, 2 * entries));
}

double bytes_of_answers(const ProblemShape& shape, std::int64_t held) {
  return static_cast<double>(std::min(shape.examples, held)) *
         (sizeof(Separation) + entries_of_plane(shape) * answer_entry);
}

std::int64_t batch_of(const ProblemShape& shape, std::int64_t batch) {
  return batch == 0 ? shape.examples : batch;
}

double within_limit(double bytes, const SolverOptions& options, double bytes_of_pass) {
  if (!options.max_planes_megabytes) return bytes;
  return std::min(bytes, *options.max_planes_megabytes * 1e6 + bytes_of_pass);
}

double expected_bytes_of_online(const ProblemShape& shape, const OnlineOptions& options) {
  constexpr double vector_count = 4;
  return vector_count * shape.vector_bytes() +
         bytes_of_answers(shape, answers_held(batch_of(shape, options.batch)));
}

double min_bytes_of_online(const ProblemShape& shape) {
  return 2 * shape.vector_bytes();
}

}  // namespace sculpt::core
