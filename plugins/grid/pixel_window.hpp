// pixel_window.hpp - the features of a pixel: the pixels in a square around it.
//
//   places of the square (2 r + 1)^2, row by row;   at each place
//   symbols   C features, one for each symbol, then one for a place beyond the border
//   values    the value, then one feature for a place beyond the border
//
// The pixel itself is inside the image, so its place has no feature for the border. Used by the
// dataset grid.
#pragma once

#include <cstdint>

class PixelWindow {
 public:
  PixelWindow() = default;
  // `inside`: the number of features of a place inside the image.
  PixelWindow(std::int64_t radius, std::int64_t inside) : radius_(radius), inside_(inside) {}

  std::int64_t side() const { return 2 * radius_ + 1; }
  std::int64_t place_count() const { return side() * side(); }
  std::int64_t feature_count() const { return place_count() * (inside_ + 1) - 1; }

  // k < inside: a feature of the place. k = inside: the place is beyond the border.
  std::int64_t feature(std::int64_t place, std::int64_t k) const {
    return place * (inside_ + 1) + k - (place > centre() ? 1 : 0);
  }
  struct Feature {
    std::int64_t place;
    std::int64_t k;
  };
  // The inverse of feature().
  Feature meaning(std::int64_t feature) const {
    const std::int64_t shifted =
        feature >= this->feature(centre(), inside_) ? feature + 1 : feature;
    return {shifted / (inside_ + 1), shifted % (inside_ + 1)};
  }

  std::int64_t down(std::int64_t place) const { return place / side() - radius_; }
  std::int64_t right(std::int64_t place) const { return place % side() - radius_; }

 private:
  std::int64_t centre() const { return place_count() / 2; }

  std::int64_t radius_ = 0;
  std::int64_t inside_ = 0;
};
