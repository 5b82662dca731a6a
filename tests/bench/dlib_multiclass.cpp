// dlib_multiclass - trains dlib's svm_multiclass_linear_trainer on svmlight data and prints the
// primal that its weights have, computed here:
//
//   P(w) = 1/2 ||w||^2 + C/n sum_i max_y [ y != y_i ] + <w_y - w_{y_i}, x_i>,   x_i with dlib's -1
//
//   dlib_multiclass DATA C EPSILON        two threads

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

using Sample = std::map<unsigned long, double>;
using Kernel = dlib::sparse_linear_kernel<Sample>;

struct Data {
  std::vector<Sample> samples;
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
    Sample& sample = data.samples.emplace_back();
    unsigned long index = 0;
    double value = 0;
    for (char colon = 0; words >> index >> colon >> value;) sample[index - 1] = value;
  }
  return data;
}

template <class Function>
double primal(const Function& trained, const Data& data, double c) {
  const long classes = trained.weights.nr();
  double losses = 0;
  for (std::size_t i = 0; i < data.samples.size(); ++i) {
    double truth = 0;
    double worst = 0;
    for (long k = 0; k < classes; ++k) {
      double score = -trained.b(k);
      for (const auto& [index, value] : data.samples[i]) {
        score += value * trained.weights(k, static_cast<long>(index));
      }
      const bool right = trained.labels[static_cast<std::size_t>(k)] == data.labels[i];
      if (right) truth = score;
      worst = std::max(k == 0 ? score : worst, right ? score : score + 1);
    }
    losses += std::max(0.0, worst - truth);
  }
  const double norm =
      dlib::sum(dlib::squared(trained.weights)) + dlib::sum(dlib::squared(trained.b));
  return 0.5 * norm + c * losses / static_cast<double>(data.samples.size());
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: dlib_multiclass DATA C EPSILON\n");
    return EXIT_FAILURE;
  }
  const Data data = read(words[1]);
  const double c = std::atof(words[2]);
  dlib::svm_multiclass_linear_trainer<Kernel, double> trainer;
  trainer.set_num_threads(2);
  trainer.set_c(c);
  trainer.set_epsilon(std::atof(words[3]));
  const auto trained = trainer.train(data.samples, data.labels);
  std::printf("%.9g\n", primal(trained, data, c));
  return EXIT_SUCCESS;
}
