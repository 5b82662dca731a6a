// closeness.cpp - a kernel with a state, scratch and a parameter. The original of mutants.
//
//   k(a, b) = exp(-sum over columns of |a_j - b_j| / (largest_j width))
//
// It learns from train: the largest magnitude of each column.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace {

using Atoms = std::span<const std::int64_t>;
using Point = std::vector<double>;

class Closeness {
 public:
  static constexpr sculpt::About about{"org.test.closeness", "1.0.0",
                                       "how close two rows are, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("width", "1", 0, sculpt::no_limit, "of the kernel, above 0")};
  static constexpr const char* experiments[] = {R"({
    "name": "closeness_of_rows",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:2 2:1\n2 2:4\n1\n3 1:-1 3:8\n1 3:2\n2 1:0.5\n3 1:1 2:2 3:-8\n2 1:0.25 3:1.5\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "viterbi",
    "kernel": {"use": "closeness", "width": 0.75}, "solver": {"use": "n_slack", "C": 1}})"};

  explicit Closeness(const sculpt::Parameters& given) : width_(given.real("width")) {
    if (width_ == 0) throw sculpt::parameter_error("width is 0; write a number above 0");
  }
  void save(sculpt::StateWriter& out) const {
    out.integer(static_cast<std::int64_t>(largest_.size()));
    for (const double magnitude : largest_) out.real(magnitude);
  }
  void restore(sculpt::StateReader& in) {
    largest_.resize(static_cast<std::size_t>(in.count(sizeof(double))));
    for (double& magnitude : largest_) magnitude = in.real();
    has_learned_ = true;
  }
  void bind(const sculpt::Bindings& to) {
    const sculpt::SiteAtoms atoms(to.dataset);
    for (const sculpt::SiteRow& row : atoms.rows()) {
      Point point(static_cast<std::size_t>(atoms.feature_count()), 0.0);
      for (std::size_t k = 0; k < row.size(); ++k) {
        point[static_cast<std::size_t>(row.index[k])] = row.value[k];
      }
      points_.push_back(point);
    }
    if (!has_learned_) learn(atoms.atoms_of(atoms.input().split("train")));
  }

  std::uint32_t claims() const { return SCULPT_KERNEL_POSITIVE; }
  void diagonal(Atoms atoms, std::span<double> out) const {
    std::vector<double> terms;
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      out[k] = value(point(atoms[k]), point(atoms[k]), terms);
    }
  }
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
    out.append(point(atom).data(), point(atom).size() * sizeof(double));
  }
  void keep(const sculpt::KeptAtoms& atoms) {
    for (std::int64_t k = 0; k < atoms.count(); ++k) {
      const std::string_view bytes = atoms[k];
      if (bytes.size() != largest_.size() * sizeof(double)) sculpt::KeptAtoms::refuse(k);
      Point point(largest_.size());
      if (!bytes.empty()) std::memcpy(point.data(), bytes.data(), bytes.size());
      if (!is_finite(point)) atoms.refuse(k);
      kept_.push_back(point);
    }
  }

  class Session {
   public:
    explicit Session(const Closeness& owner) : owner_(owner) {}
    void rows(Atoms atoms, Atoms others, std::span<double> out) {
      std::size_t k = 0;
      for (const std::int64_t a : atoms) {
        for (const std::int64_t b : others) {
          out[k++] = owner_.value(owner_.point(a), owner_.point(b), terms_);
        }
      }
    }
    void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) {
      std::size_t k = 0;
      for (const std::int64_t a : atoms) {
        for (std::int64_t b = kept.begin; b < kept.end; ++b) {
          const Point& other = owner_.kept_.at(static_cast<std::size_t>(b));
          out[k++] = owner_.value(owner_.point(a), other, terms_);
        }
      }
    }

   private:
    const Closeness& owner_;
    std::vector<double> terms_;
  };

 private:
  void learn(sculpt::Range train) {
    for (std::int64_t atom = train.begin; atom < train.end; ++atom) {
      largest_.resize(point(atom).size(), 0.0);
      for (std::size_t j = 0; j < largest_.size(); ++j) {
        largest_[j] = std::max(largest_[j], std::abs(point(atom)[j]));
      }
    }
  }
  const Point& point(std::int64_t atom) const { return points_.at(static_cast<std::size_t>(atom)); }
  static bool is_finite(const Point& point) {
    return std::all_of(point.begin(), point.end(), [](double x) { return std::isfinite(x); });
  }
  // The terms are stored first, and then summed.
  double value(const Point& a, const Point& b, std::vector<double>& terms) const {
    terms.assign(largest_.size(), 0.0);
    for (std::size_t j = 0; j < largest_.size(); ++j) {
      if (largest_[j] > 0) terms[j] = std::abs(a.at(j) - b.at(j)) / (largest_[j] * width_);
    }
    double sum = 0;
    for (const double term : terms) sum += term;
    return std::exp(-sum);
  }

  double width_;
  bool has_learned_ = false;
  Point largest_;              // [columns]
  std::vector<Point> points_;  // [atoms][columns]
  std::vector<Point> kept_;    // likewise, from the model
};

}  // namespace

SCULPT_PLUGIN("closeness", "1.0.0", "Apache-2.0", sculpt::Kernel<Closeness>)
