// point_kernel.cpp - a kernel on the points of a dataset (ext/kernel.h).
#include <algorithm>
#include <cmath>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/sculpt.hpp>

namespace {

using Atoms = std::span<const std::int64_t>;

// On the sites of a dataset: k(a, b) = exp(-width ||x_a - x_b||^2), or the product of the points.
class PointKernel {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.point_kernel", "1.0.0",
                                       "a kernel on points"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("form", R"("gaussian")", "gaussian|product", "which kernel"),
      sculpt::real("width", "1", 0, sculpt::no_limit, "factor of the squared distance")};

  explicit PointKernel(const sculpt::Parameters& values)
      : is_gaussian_(values.choice("form") == "gaussian"), width_(values.real("width")) {}
  void bind(const sculpt::Bindings& to) {
    const sculpt::SiteAtoms atoms(to.dataset);
    for (const sculpt::SiteRow& row : atoms.rows()) {
      Point& point = points_.emplace_back(static_cast<std::size_t>(atoms.feature_count()), 0.0);
      for (std::size_t k = 0; k < row.size(); ++k) {
        point[static_cast<std::size_t>(row.index[k])] = row.value[k];
      }
    }
  }

  std::uint32_t claims() const { return SCULPT_KERNEL_POSITIVE; }
  void rows(Atoms atoms, Atoms others, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (const std::int64_t b : others) out[k++] = value(point(a), point(b));
    }
  }
  void diagonal(Atoms atoms, std::span<double> out) const {
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      out[k] = value(point(atoms[k]), point(atoms[k]));
    }
  }
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
    out.append(point(atom).data(), point(atom).size() * sizeof(double));
  }
  void keep(const sculpt::KeptAtoms& atoms) {
    for (std::int64_t k = 0; k < atoms.count(); ++k) {
      const std::string_view bytes = atoms[k];
      if (bytes.size() % sizeof(double) != 0) sculpt::KeptAtoms::refuse(k);
      Point& point = kept_.emplace_back(bytes.size() / sizeof(double));
      std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<char*>(point.data()));
    }
  }
  void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (std::int64_t b = kept.begin; b < kept.end; ++b) {
        out[k++] = value(point(a), kept_.at(static_cast<std::size_t>(b)));
      }
    }
  }

 private:
  using Point = std::vector<double>;
  const Point& point(std::int64_t atom) const { return points_.at(static_cast<std::size_t>(atom)); }
  // Points may have different numbers of coordinates: those that are missing are 0.
  double value(const Point& a, const Point& b) const {
    double sum = 0;
    for (std::size_t j = 0; j < std::max(a.size(), b.size()); ++j) {
      const double x = j < a.size() ? a[j] : 0;
      const double z = j < b.size() ? b[j] : 0;
      sum += is_gaussian_ ? (x - z) * (x - z) : x * z;
    }
    return is_gaussian_ ? std::exp(-width_ * sum) : sum;
  }

  bool is_gaussian_;
  double width_;
  std::vector<Point> points_;  // [atoms][coordinates]
  std::vector<Point> kept_;    // likewise, from the model
};

}  // namespace

SCULPT_PLUGIN("stub_point_kernel", "1.0.0", "Apache-2.0", sculpt::Kernel<PointKernel>)
