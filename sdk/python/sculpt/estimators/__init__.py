"""Estimators as scikit-learn has them: fit, predict, get_params. See ../../estimators.md.

    tagger = sculpt.SequenceTagger(C=1).fit(sentences, labels)

scikit-learn is optional. If it is installed, the classes inherit its BaseEstimator and mixins.
"""

from ._foundation import ConvergenceWarning, NotFittedError
from .graph_labeller import GraphLabeller
from .multiclass import Multiclass
from .multilabel import Multilabel
from .ranker import Ranker
from .sequence_tagger import SequenceTagger
from .set_classifier import SetClassifier
from .taxonomy import Taxonomy

__all__ = ["ConvergenceWarning", "GraphLabeller", "Multiclass", "Multilabel", "NotFittedError",
           "Ranker", "SequenceTagger", "SetClassifier", "Taxonomy"]
