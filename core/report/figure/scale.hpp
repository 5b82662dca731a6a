// scale.hpp - the axis of a figure: where a value stands, and which values have a tick.
//
//   linear  position = from + (value - lower) / (upper - lower) (to - from)
//   log     the same with the logarithms
//
// A logarithm has no place for 0, for negative values and for NaN. has_place() tells; the figure
// then decides what to show. Called by the figures of report/.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sculpt::core {

enum class ScaleKind { linear, log };

struct Tick {
  double value = 0;
  std::string label;
};

class Scale {
 public:
  // The scale of the values that have a place, widened to at least one step of a tick. `from`,
  // `to`: the positions of its ends. Values of which none has a place give the scale from 0 to 1,
  // or from 1 to 10.
  Scale(ScaleKind kind, std::span<const double> values, double from, double to);

  // True for finite values, above 0 on a log scale.
  static bool has_place(ScaleKind kind, double value);
  bool has_place(double value) const { return has_place(kind_, value); }
  // Requires has_place(value). Values beyond an end stand at this end.
  double position(double value) const;
  // At most `max_count` ticks, at least two unless there is no space for them, in ascending order.
  // Linear: multiples of 1, 2 or 5 times a power of ten. Log: powers of ten, and over less than two
  // decades also 2 and 5 times them, or 5 times alone; linear ticks over less than one.
  std::vector<Tick> ticks(int max_count) const;

  double lower() const { return lower_; }
  double upper() const { return upper_; }

 private:
  ScaleKind kind_;
  double lower_;
  double upper_;
  double from_;
  double to_;
};

// The label of a tick: "2500", "0.05", and from 10^5 on or below 10^-3 as "2·10⁻⁷".
std::string tick_text(double value);

}  // namespace sculpt::core
