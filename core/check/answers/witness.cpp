#include "check/answers/witness.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_numbers = std::int64_t{1} << 27;

sculpt_status grow_numbers(sculpt_number_buffer* numbers, std::int64_t min_capacity) {
  if (min_capacity <= numbers->capacity) return SCULPT_OK;
  if (min_capacity > max_numbers) return SCULPT_E_MEMORY;
  const auto bytes = static_cast<std::size_t>(min_capacity) * sizeof(double);
  auto* const data = static_cast<double*>(std::realloc(numbers->data, bytes));
  if (data == nullptr) return SCULPT_E_MEMORY;
  numbers->data = data;
  numbers->capacity = min_capacity;
  return SCULPT_OK;
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// Adds the largest of these sums to the bound. `terms`: how many numbers each of them has.
void add_largest(std::span<const double> sums, double magnitude, std::size_t terms,
                 WitnessBound& bound) {
  bound.value += *std::max_element(sums.begin(), sums.end());
  bound.terms += {magnitude, static_cast<double>(terms)};
}

}  // namespace

Witness::Witness() : raw_{sizeof(sculpt_witness), 0, nullptr, {nullptr, 0, 0, grow_numbers}} {}

Witness::~Witness() {
  std::free(raw_.numbers.data);
}

//   sum over v of max over x of (theta_v(x) + sum over f with v of m[f][v](x))
// + sum over f of max over cells of (theta_f(cell) - sum over v of f of m[f][v](x))
std::optional<WitnessBound> bound_of_messages(const sculpt_factor_graph& graph,
                                              std::span<const double> theta,
                                              std::span<const double> messages) {
  WitnessBound bound;
  std::vector<std::vector<double>> at_variable;  // theta_v and the messages to v
  std::vector<double> magnitude;                 // of the terms of each variable
  std::vector<std::size_t> terms;
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    const auto own = theta.subspan(static_cast<std::size_t>(graph.table[v]),
                                   static_cast<std::size_t>(graph.states[v]));
    at_variable.emplace_back(own.begin(), own.end());
    magnitude.push_back(largest_magnitude(own));
    terms.push_back(1);
  }
  std::size_t used = 0;
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const std::span<const std::int32_t> scope(
        graph.scope + graph.scope_from[f],
        static_cast<std::size_t>(graph.scope_from[f + 1] - graph.scope_from[f]));
    std::size_t cell_count = 1;
    for (const std::int32_t v : scope) cell_count *= static_cast<std::size_t>(graph.states[v]);
    const auto table = theta.subspan(static_cast<std::size_t>(graph.table[f]), cell_count);
    std::vector<double> cells(table.begin(), table.end());
    double largest = largest_magnitude(table);
    std::size_t step = cell_count;  // from one state of the variable to the next
    for (const std::int32_t v : scope) {
      const auto variable = static_cast<std::size_t>(v);
      const auto states = static_cast<std::size_t>(graph.states[v]);
      if (messages.size() - used < states) return std::nullopt;
      const auto message = messages.subspan(used, states);
      used += states;
      step /= states;
      for (std::size_t cell = 0; cell < cell_count; ++cell) {
        cells[cell] -= message[cell / step % states];
      }
      for (std::size_t x = 0; x < states; ++x) at_variable[variable][x] += message[x];
      const double size = largest_magnitude(message);
      largest += size;
      magnitude[variable] += size;
      ++terms[variable];
    }
    add_largest(cells, largest, scope.size() + 1, bound);
  }
  if (used != messages.size()) return std::nullopt;
  for (std::size_t v = 0; v < at_variable.size(); ++v) {
    add_largest(at_variable[v], magnitude[v], terms[v], bound);
  }
  return bound;
}

std::string fault_of_witness(const Witness& witness, const OwnedAnswer& answer) {
  const std::string kind = witness.kind();
  if (kind.empty()) return "sets no kind of its witness";
  if (!witness.has_valid_size()) return "gives a witness of an impossible size";
  const std::span<const double> numbers = witness.numbers();
  const bool has_claim =
      (answer.has_flag(SCULPT_ANSWER_EXACT) || answer.has_flag(SCULPT_ANSWER_BOUND)) &&
      !answer.has_flag(SCULPT_ANSWER_NO_OUTPUT);
  if (!has_claim && kind != SCULPT_WITNESS_NONE) {
    return "gives a witness of the kind \"" + printable(kind) +
           "\" for an answer without EXACT and BOUND; set \"none\"";
  }
  if (kind == SCULPT_WITNESS_NONE && !numbers.empty()) {
    return "gives numbers with a witness of the kind \"none\"";
  }
  for (const double number : numbers) {
    if (!std::isfinite(number)) return "gives a witness with a number that is not finite";
    if (kind == SCULPT_WITNESS_DUAL && number < 0) {
      return "gives a dual witness with the number " + exact_number_text(number) +
             "; none may be negative";
    }
  }
  return "";
}

std::string fault_of_bound(const WitnessBound& bound, double constant, const OwnedAnswer& answer) {
  const bool is_exact = answer.has_flag(SCULPT_ANSWER_EXACT);
  const double claim = is_exact ? answer.value : answer.bound;
  const double proved = bound.value + constant;
  Terms terms = bound.terms;
  terms += {std::abs(constant), 1};
  const double tolerance =
      terms.rounding() + (is_exact ? 0 : numerical_tolerance * terms.magnitude);
  if (std::abs(proved - claim) <= tolerance) return "";
  return std::string("gives a witness of the ") + (is_exact ? "value " : "bound ") +
         exact_number_text(claim) + ", but its messages prove only that no value is above " +
         exact_number_text(proved);
}

}  // namespace sculpt::core
