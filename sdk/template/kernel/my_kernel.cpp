// my_kernel.cpp - a kernel on the rows of a dataset: the Cauchy kernel.
//
//   k(a, b) = 1 / (1 + ||a - b||^2 / width^2)
//
// Rows are sparse: pairs of an index and a value, by increasing indices. README.md says more.
#include <cmath>
#include <cstring>
#include <sculpt/cpp/explicit_rows.hpp>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/sculpt.hpp>
#include <vector>

class MyKernel {
 public:
  using Atoms = std::span<const std::int64_t>;
  static constexpr sculpt::About about{"org.example.my_kernel", "1.0.0",
                                       "1 / (1 + squared distance / width^2)"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("width", "1", 1e-3, 1e3, "the distance at which k is 1/2")};
  // `sculpt check` tests the library with these. The examples are words of three sizes, one of them
  // without a truth, and rows, one of them empty. No word of letters is empty.
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "letters", "train": {"text":
          "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 10\n2 0 1 a 0 01\n3 0 0 c 1 00\n)"
      R"(3 0 1 a 1 11\n3 0 2 c 0 11\n4 0 0 b 0 10\n5 0 0 ? 1 10\n5 0 1 ? 0 01\n"}},
        "features": "chain", "loss": "hamming", "oracle": "viterbi",
        "kernel": {"use": "my_kernel", "width": 0.75}, "solver": {"use": "n_slack", "C": 1}})",
      R"({
        "dataset": {"use": "svmlight", "train": {"text":
          "1 1:2 2:0.5\n2 2:1\n2 1:-0.5 3:1.25\n3\n3 3:1.5\n"}},
        "features": "multiclass", "loss": "zero_one", "oracle": "viterbi",
        "kernel": "my_kernel", "solver": {"use": "n_slack", "C": 1}})"};

  explicit MyKernel(const sculpt::Parameters& values) : width_(values.real("width")) {}

  // The rows stay in the dataset, which lends them. Refuse rows that the kernel cannot work with
  // here: throw sculpt::data_error(atoms_.place(a) + ": what is wrong, what to do").
  void bind(const sculpt::Bindings& to) { atoms_ = sculpt::SiteAtoms(to.dataset); }

  // SCULPT_KERNEL_POSITIVE if the kernel is positive semidefinite, else 0. A wrong claim makes
  // certificates wrong.
  std::uint32_t claims() const { return SCULPT_KERNEL_POSITIVE; }

  // out[atoms][others], row by row.
  void rows(Atoms atoms, Atoms others, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (const std::int64_t b : others) out[k++] = value(atoms_.row(a), atoms_.row(b));
    }
  }
  // out[atoms]
  void diagonal(Atoms atoms, std::span<double> out) const {
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      out[k] = value(atoms_.row(atoms[k]), atoms_.row(atoms[k]));
    }
  }

  // What a model keeps of an atom: its indices, then its values.
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
    const sculpt::SiteRow& row = atoms_.row(atom);
    out.append(row.index.data(), row.size() * sizeof(std::int32_t));
    out.append(row.value.data(), row.size() * sizeof(double));
  }
  // Takes the atoms of a model, before bind(). The bytes may be damaged.
  void keep(const sculpt::KeptAtoms& atoms) {
    for (std::int64_t k = 0; k < atoms.count(); ++k) {
      const std::string_view bytes = atoms[k];
      constexpr std::size_t bytes_each = sizeof(std::int32_t) + sizeof(double);
      if (bytes.size() % bytes_each != 0) sculpt::KeptAtoms::refuse(k);
      const std::size_t size = bytes.size() / bytes_each;
      KeptRow& row = kept_.emplace_back();
      row.index.resize(size);
      row.value.resize(size);
      if (size == 0) continue;  // a row of zeros
      std::memcpy(row.index.data(), bytes.data(), size * sizeof(std::int32_t));
      std::memcpy(row.value.data(), bytes.data() + size * sizeof(std::int32_t),
                  size * sizeof(double));
      for (std::size_t j = 0; j < size; ++j) {
        const bool is_increasing = j == 0 || row.index[j] > row.index[j - 1];
        if (!is_increasing || !std::isfinite(row.value[j])) sculpt::KeptAtoms::refuse(k);
      }
    }
  }
  // out[atoms][kept], row by row.
  void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (std::int64_t b = kept.begin; b < kept.end; ++b) {
        const KeptRow& row = kept_[static_cast<std::size_t>(b)];
        out[k++] = value(atoms_.row(a), {row.index, row.value});
      }
    }
  }

  // --- Optional methods --------------------------------------------------------------------------
  // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
  void seal();  // ends the setup
  // What was learned from data, for the model. Learn in bind(), and not after restore().
  void save(sculpt::StateWriter& out) const;
  void restore(sculpt::StateReader& in);
  // phi itself, if it has finitely many columns: k(a, b) = <phi(a), phi(b)>. For "use": "explicit".
  using drafts = sculpt::Drafts<sculpt::ExplicitRows>;
  std::int64_t explicit_width() const;  // columns
  void explicit_name(std::int64_t column, sculpt::ByteOutput& out) const;
  void explicit_row(std::int64_t atom, sculpt::Sum& sum) const;  // adds phi(atom)
  // Scratch of a thread. rows(), diagonal() and kept_rows() may be its members.
  class Session {
   public:
    explicit Session(const MyKernel& owner);
  };
  // Tables that the SDK does not know by methods: own_extensions.hpp.
  static constexpr const char* extensions[] = {"org.example.my_kernel/1"};
  const void* extension(const char* id) const;
#endif

 private:
  struct KeptRow {
    std::vector<std::int32_t> index;
    std::vector<double> value;
  };

  // Sums up by increasing indices, whichever row is first. So k(a, b) and k(b, a) are the same
  // number, and a kept row has the values of the row that it was.
  double value(const sculpt::SiteRow& a, const sculpt::SiteRow& b) const {
    double sum = 0;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
      const bool takes_a = j == b.size() || (i < a.size() && a.index[i] <= b.index[j]);
      const bool takes_b = i == a.size() || (j < b.size() && b.index[j] <= a.index[i]);
      const double difference = (takes_a ? a.value[i++] : 0) - (takes_b ? b.value[j++] : 0);
      sum += difference * difference;
    }
    return 1 / (1 + sum / (width_ * width_));
  }

  double width_;
  sculpt::SiteAtoms atoms_;
  std::vector<KeptRow> kept_;
};

SCULPT_PLUGIN("my_kernel", "1.0.0", "MIT", sculpt::Kernel<MyKernel>)
