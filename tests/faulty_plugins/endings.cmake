# These crash, exit, throw or hang.
sculpt_add_mutant(segfault ${tagger} [[const double* w = query.weights.data();]]
  [[const double* w = query.weights.data();
      if (query.example == 2) *reinterpret_cast<volatile char*>(16) = 1;]])
sculpt_add_mutant(hang ${tagger} [[answer.exact(value);]]
  [[for (volatile bool on = query.example == 3; on;) {}
      answer.exact(value);]])
sculpt_add_mutant(hang_in_destroy ${tagger} [[  struct Line {]]
  [[ public:
    ~Tagger() {
      for (volatile bool on = true; on;) {}
    }

   private:
    struct Line {]])
sculpt_add_mutant(exit_in_destroy ${tagger} [[  struct Line {]]
  [[ public:
    ~Tagger() { std::exit(0); }

   private:
    struct Line {]])
sculpt_add_mutant(exit_zero ${tagger} [[answer.exact(value);]] [[std::exit(0);]])
sculpt_add_mutant(breaks_at_load ${tagger} "${last_line}" [[struct BreaksAtLoad {
  BreaksAtLoad() {
    const char* behaviour = std::getenv("SCULPT_TEST_AT_LOAD");  // crash, hang
    if (behaviour != nullptr && *behaviour == 'c') *reinterpret_cast<volatile char*>(16) = 1;
    for (const timespec pause{1, 0}; behaviour != nullptr && *behaviour == 'h';) {
      nanosleep(&pause, nullptr);
    }
  }
} breaks_at_load;
SCULPT_PLUGIN("tagger", "1.0.0", "Apache-2.0", sculpt::Task<Tagger>)]])
sculpt_add_mutant(exit ${tagger} [[answer.exact(value);]] [[std::exit(3);]])
sculpt_add_mutant(prints_before_exit ${tagger} [[answer.exact(value);]]
  [[std::puts("first line");
      std::puts("second line");
      std::exit(3);]])
sculpt_add_mutant(throw ${tagger} [[answer.exact(value);]]
  [[throw std::runtime_error("has a bad day");]])
sculpt_add_mutant(abort_in_load ${tagger} [[while (reader.next()) {]]
  [[std::abort();
    while (reader.next()) {]])
sculpt_add_mutant(prints ${tagger} [[answer.exact(value);]]
  [[std::puts("{ \"garbage\"");
      answer.exact(value);]])

# Slow plugins, correct and wrong. Each call takes 20 ms.
set(pause "const timespec pause{0, 20000000}; nanosleep(&pause, nullptr);")
sculpt_add_mutant(slow ${tagger} [[answer.exact(value);]] "${pause} answer.exact(value);")
sculpt_add_mutant(slow_loss ${tagger} [[return wrong;]] "${pause} return wrong;")
sculpt_add_mutant(slow_features ${tagger} [[sum.add(y[t], x[t]);]]
  "if (t == 0) {
        ${pause}
      }
      sum.add(y[t], x[t]);")
sculpt_add_mutant(slow_wrong ${tagger} [[answer.exact(value);]] "${pause} answer.exact(value + 1);")
sculpt_add_mutant(slow_wrong_from_200 ${tagger} [[answer.exact(value);]]
  "${pause} answer.exact(query.example < 200 ? value : value + 1);")
sculpt_add_mutant(slow_solver ${plugins}/enumerate/enumerate.cpp
  [[search_.find(graph,]] "${pause} search_.find(graph,"
  ${enumerate_unchanged})
