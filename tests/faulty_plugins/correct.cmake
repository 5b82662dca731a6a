# Correct plugins: the tagger itself, and one whose own thread does the work.
sculpt_add_mutant(correct ${tagger} [["labels of sequences, for tests"]] [["nothing is changed"]])
sculpt_add_mutant(threaded ${tagger} "${last_line}" [[#include "threaded_tagger.hpp"
SCULPT_PLUGIN("tagger", "1.0.0", "Apache-2.0", sculpt::Task<ThreadedTagger>)]])
sculpt_add_mutant(thread_at_load ${tagger} "${last_line}" [[#include "threaded_tagger.hpp"
Worker worker_of_library;
struct ThreadAtLoad : Tagger {
  ThreadAtLoad() {
    worker_of_library.run([] {});
  }
};
SCULPT_PLUGIN("tagger", "1.0.0", "Apache-2.0", sculpt::Task<ThreadAtLoad>)]])
sculpt_add_mutant(threaded_wrong ${tagger} "${last_line}" [[#include "threaded_tagger.hpp"
struct WrongLoss : ThreadedTagger {
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    return ThreadedTagger::loss(truth, guess) + 0.5;
  }
};
SCULPT_PLUGIN("tagger", "1.0.0", "Apache-2.0", sculpt::Task<WrongLoss>)]])

# Oracles that complete a partial truth. The first one is correct.
foreach(completion correct disagrees is_not_best has_no_output states_a_value drifts)
  sculpt_add_mutant(completion_${completion} ${tagger} "${last_line}"
    "#include \"wrong_completion.hpp\"
using Mutant = CompletingTagger<Completion::${completion}>;
SCULPT_PLUGIN(\"tagger\", \"1.0.0\", \"Apache-2.0\", sculpt::Task<Mutant>)")
endforeach()

# Oracles that answer several queries in one call. The first two are correct.
foreach(batching
    correct slow mixes_order keeps_state loses_last drops_loss breaks_at_error forgets_failed
    other_error wrong_if_large)
  sculpt_add_mutant(batch_${batching} ${tagger} "${last_line}"
    "#include \"wrong_batch.hpp\"
using Mutant = BatchingTagger<Batching::${batching}>;
SCULPT_PLUGIN(\"tagger\", \"1.0.0\", \"Apache-2.0\", sculpt::Task<Mutant>)")
endforeach()

# Features and losses that give the values of several outputs in one call. The first one is correct.
foreach(values correct other_psi loses_psi psi_fails other_loss loses_loss)
  sculpt_add_mutant(values_${values} ${tagger} "${last_line}"
    "#include \"wrong_batch.hpp\"
#include \"wrong_values.hpp\"
using Mutant = ValuesTagger<Values::${values}>;
SCULPT_PLUGIN(\"tagger\", \"1.0.0\", \"Apache-2.0\", sculpt::Task<Mutant>)")
endforeach()
