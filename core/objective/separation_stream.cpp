#include "objective/separation_stream.hpp"

#include <array>

namespace sculpt::core {
namespace {

constexpr std::array flags = {&Separation::no_output, &Separation::truth_outside,
                              &Separation::fractional, &Separation::escalated,
                              &Separation::inexact};
constexpr std::array numbers = {&Separation::low, &Separation::high, &Separation::rounding,
                                &Separation::magnitude};

void save(const Plane& plane, StateWriter& out) {
  save(plane.a, out);
  out.put(plane.b);
}

void load(StateReader& in, Plane& plane) {
  load(in, plane.a);
  plane.b = in.get<double>();
}

}  // namespace

void save(const SparseVector& vector, StateWriter& out) {
  out.put_array(vector.index);
  out.put_array(vector.value);
}

void load(StateReader& in, SparseVector& vector) {
  in.get_array(vector.index);
  in.get_array(vector.value);
}

void save(const Separation& answer, StateWriter& out) {
  save(answer.plane, out);
  out.put(answer.output_hash);
  for (const auto number : numbers) out.put(answer.*number);
  for (const auto flag : flags) out.put(static_cast<std::uint8_t>(answer.*flag));
  out.put(static_cast<std::uint64_t>(answer.next_best.size()));
  for (const NextBestPlane& next : answer.next_best) {
    save(next.plane, out);
    out.put(next.output_hash);
    out.put(next.low);
  }
}

void load(StateReader& in, Separation& answer) {
  load(in, answer.plane);
  answer.output_hash = in.get<std::uint64_t>();
  for (const auto number : numbers) answer.*number = in.get<double>();
  for (const auto flag : flags) answer.*flag = in.get_flag();
  answer.next_best.resize(static_cast<std::size_t>(in.get<std::uint64_t>()));
  for (NextBestPlane& next : answer.next_best) {
    load(in, next.plane);
    next.output_hash = in.get<std::uint64_t>();
    next.low = in.get<double>();
  }
}

}  // namespace sculpt::core
