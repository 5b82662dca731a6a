// dlib_multiclass - trains svm_multiclass_linear_trainer of dlib on svmlight data with two threads.
// Prints the primal of its weights. x_i ends with the constant -1 of dlib.
//
//   P(w) = 1/2 ||w||^2 + C/n sum_i max_y [ y != y_i ] + <w_y - w_{y_i}, x_i>
//
//   dlib_multiclass DATA C EPSILON

#include <dlib/svm_threaded.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using SparseRow = std::map<unsigned long, double>;
using Kernel = dlib::sparse_linear_kernel<SparseRow>;

struct Data {
  std::vector<SparseRow> rows;
  std::vector<double> labels;
};

Data read(const std::string& path) {
  Data data;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    double label = 0;
    if (!(words >> label)) continue;
    data.labels.push_back(label);
    SparseRow& row = data.rows.emplace_back();
    unsigned long index = 0;
    double value = 0;
    for (char colon = 0; words >> index >> colon >> value;) row[index - 1] = value;
  }
  return data;
}

template <class Function>
double primal(const Function& model, const Data& data, double c) {
  const long classes = model.weights.nr();
  double losses = 0;
  for (std::size_t i = 0; i < data.rows.size(); ++i) {
    double truth = 0;
    double worst = 0;
    for (long k = 0; k < classes; ++k) {
      double score = -model.b(k);
      for (const auto& [index, value] : data.rows[i]) {
        score += value * model.weights(k, static_cast<long>(index));
      }
      const bool is_truth = model.labels[static_cast<std::size_t>(k)] == data.labels[i];
      if (is_truth) truth = score;
      worst = std::max(k == 0 ? score : worst, is_truth ? score : score + 1);
    }
    losses += std::max(0.0, worst - truth);
  }
  const double norm = dlib::sum(dlib::squared(model.weights)) + dlib::sum(dlib::squared(model.b));
  return 0.5 * norm + c * losses / static_cast<double>(data.rows.size());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: dlib_multiclass DATA C EPSILON\n");
    return EXIT_FAILURE;
  }
  const Data data = read(arguments[1]);
  const double c = std::atof(arguments[2]);
  dlib::svm_multiclass_linear_trainer<Kernel, double> trainer;
  trainer.set_num_threads(2);
  trainer.set_c(c);
  trainer.set_epsilon(std::atof(arguments[3]));
  const auto model = trainer.train(data.rows, data.labels);
  std::printf("%.9g\n", primal(model, data, c));
  return EXIT_SUCCESS;
}
