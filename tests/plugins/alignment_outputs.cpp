#include "alignment_outputs.hpp"

#include <cctype>

namespace plugin_test {

namespace {

// All sequences of moves that use up at most n and m letters; `done` sees each with what is left.
void each_moves(int n, int m, Outputs& moves,
                const std::function<void(const Outputs&, int, int)>& done) {
  done(moves, n, m);
  for (const int move : {0, 1, 2}) {
    const int from_a = move == 2 ? 0 : 1;
    const int from_b = move == 1 ? 0 : 1;
    if (from_a > n || from_b > m) continue;
    moves.push_back(move);
    each_moves(n - from_a, m - from_b, moves, done);
    moves.pop_back();
  }
}

bool is_ordered(const Outputs& moves) {
  for (std::size_t k = 1; k < moves.size(); ++k) {
    if (moves[k - 1] == 2 && moves[k] == 1) return false;
  }
  return true;
}

char upper(char c) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

}  // namespace

nlohmann::json AlignmentTask::parameters() const {
  return {{"mode", local ? "local" : "global"},
          {"gaps", affine ? "affine" : "linear"},
          {"model", simple ? "simple" : "substitution"},
          {"symmetric", symmetric},
          {"window", window},
          {"gap_order", any_order ? "any" : "fixed"}};
}

AlignmentTask draw_alignment_task(Random& random, int longest) {
  AlignmentTask task;
  for (std::string* sequence : {&task.a, &task.b}) {
    for (int k = draw(random, 1, longest); k > 0; --k) {
      const char letter = "ACD"[draw(random, 0, 2)];
      const bool lower = draw(random, 0, 4) == 0;
      *sequence += lower ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
  }
  task.local = draw(random, 0, 1) == 1;
  task.any_order = draw(random, 0, 1) == 1;
  task.affine = draw(random, 0, 1) == 1;
  task.simple = draw(random, 0, 2) == 0;
  task.symmetric = draw(random, 0, 1) == 1;
  task.window = draw(random, 0, 2);
  return task;
}

std::vector<Outputs> all_alignments(const AlignmentTask& task) {
  const int n = static_cast<int>(task.a.size());
  const int m = static_cast<int>(task.b.size());
  std::vector<Outputs> all;
  if (task.local) all.push_back({});
  for (int i = 0; i <= (task.local ? n : 0); ++i) {
    for (int j = 0; j <= (task.local ? m : 0); ++j) {
      Outputs moves;
      each_moves(n - i, m - j, moves, [&](const Outputs& found, int left_a, int left_b) {
        if (!task.any_order && !is_ordered(found)) return;
        if (task.local && (found.empty() || found.front() != 0 || found.back() != 0)) return;
        if (!task.local && (left_a > 0 || left_b > 0)) return;
        Outputs y{i, j};
        y.insert(y.end(), found.begin(), found.end());
        all.push_back(y);
      });
    }
  }
  return all;
}

std::set<std::pair<int, int>> pairs_of(const AlignmentTask& task, const Outputs& y, bool scored) {
  std::set<std::pair<int, int>> pairs;
  if (y.empty()) return pairs;
  int i = y[0];
  int j = y[1];
  for (std::size_t k = 2; k < y.size(); ++k) {
    const char a = task.a[static_cast<std::size_t>(std::min<int>(i, int(task.a.size()) - 1))];
    const char b = task.b[static_cast<std::size_t>(std::min<int>(j, int(task.b.size()) - 1))];
    if (y[k] == 0 && !(scored && (upper(a) != a || upper(b) != b))) pairs.emplace(i, j);
    if (y[k] != 2) ++i;
    if (y[k] != 1) ++j;
  }
  return pairs;
}

std::map<std::string, double> named_psi(const AlignmentTask& task, const Outputs& y) {
  std::map<std::string, double> psi;
  for (const auto& [i, j] : pairs_of(task, y, false)) {
    for (int offset = -task.window; offset <= task.window; ++offset) {
      const int p = i + offset;
      const int q = j + offset;
      if (p < 0 || q < 0 || p >= int(task.a.size()) || q >= int(task.b.size())) continue;
      char first = upper(task.a[static_cast<std::size_t>(p)]);
      char second = upper(task.b[static_cast<std::size_t>(q)]);
      if (task.symmetric && second < first) std::swap(first, second);
      std::string name = std::string(1, first) + (task.symmetric ? " with " : " over ") + second;
      if (task.simple) name = first == second ? "equal letters" : "different letters";
      if (offset > 0) name += " at +" + std::to_string(offset);
      if (offset < 0) name += " at " + std::to_string(offset);
      psi[name] += 1;
    }
  }
  for (std::size_t k = 2; k < y.size(); ++k) {
    if (y[k] == 0) continue;
    psi["gap letter"] += 1;
    if (task.affine && (k == 2 || y[k - 1] != y[k])) psi["gap opening"] += 1;
  }
  return psi;
}

}  // namespace plugin_test
