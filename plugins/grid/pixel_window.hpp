// pixel_window.hpp - the features of a pixel: the pixels in a square around it.
//
//   positions of the square (2 r + 1)^2, row by row;   at each position
//   symbols   C features, one for each symbol, then one for a position beyond the border
//   values    the numbers of the pixel, then one feature for a position beyond the border
//
// The pixel itself is inside the image, so its position has no feature for the border. Used by
// grid.cpp.
#pragma once

#include <cstdint>

class PixelWindow {
 public:
  PixelWindow() = default;
  // `inside`: the number of features of a position inside the image.
  PixelWindow(std::int64_t radius, std::int64_t inside) : radius_(radius), inside_(inside) {}

  std::int64_t side() const { return 2 * radius_ + 1; }
  std::int64_t position_count() const { return side() * side(); }
  std::int64_t feature_count() const { return position_count() * (inside_ + 1) - 1; }

  // k < inside: a feature of the position. k = inside: the position is beyond the border.
  std::int64_t feature(std::int64_t position, std::int64_t k) const {
    return position * (inside_ + 1) + k - (position > centre() ? 1 : 0);
  }
  struct Feature {
    std::int64_t position;
    std::int64_t k;
  };
  // The inverse of feature().
  Feature decode(std::int64_t feature) const {
    const std::int64_t shifted =
        feature >= this->feature(centre(), inside_) ? feature + 1 : feature;
    return {shifted / (inside_ + 1), shifted % (inside_ + 1)};
  }

  // The distance of a position from the pixel, in rows and in columns.
  std::int64_t down(std::int64_t position) const { return position / side() - radius_; }
  std::int64_t right(std::int64_t position) const { return position % side() - radius_; }

 private:
  std::int64_t centre() const { return position_count() / 2; }

  std::int64_t radius_ = 0;
  std::int64_t inside_ = 0;
};
