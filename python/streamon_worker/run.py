"""A batch on its way through the steps of a filter."""

from __future__ import annotations

from .batch import Batch
from .profile import Profile
from .rows import Kept, Rows


class Run:
    """One batch, the rows of it that are left, and what it tells of the predicates.

    Attributes:
        batch: it.
        path: the steps that it takes.
        position: in the path, of the step that is next.
        rows: those that no step has dropped.
        profile: of the steps so far.
        has_raised: whether a function has. Then the batch is judged as Spark judges it.
    """

    def __init__(self, batch: Batch, path: list[int], predicates: int, whole: Rows, read_nanos: int) -> None:
        """Begins with `whole`, all rows of the batch, of which the JVM may have dropped some already.

        It took `read_nanos` of the worker's processor time to read it.
        """
        self.batch = batch
        self.path = path
        self.position = 0
        self.has_raised = False
        self._predicates = predicates
        self._whole = whole
        self._read_nanos = read_nanos
        self.profile = Profile(predicates, batch.size, batch.sample, batch.dropped)
        self.rows = self._standing()

    @property
    def is_through(self) -> bool:
        """Whether no step is left to take."""
        return self.has_raised or not self.rows.size or self.position == len(self.path)

    def take(self, q: int, kept: Kept | None, nanos: int) -> None:
        """Predicate q keeps these of the rows, or all."""
        size = self.rows.size
        self.profile.evaluated(q, size, 0 if kept is None else size - len(kept), nanos)
        if kept is not None:
            self.profile.drop(self.position, q, kept)
            self.rows.keep(kept)

    def some(self, positions: list[int]) -> Rows:
        """Rows of the batch, dropped or not."""
        return self._whole.at(positions)

    @property
    def bytes(self) -> int:
        """About as many as the rows that are left take of the batch."""
        return self.batch.share(self.rows.size)

    def report(self, answer_nanos: int) -> str:
        """What `PythonReport` reads. It took `answer_nanos` to give the answer before."""
        return self.profile.report(self._read_nanos + answer_nanos)

    def fail(self, predicate: int | None) -> None:
        """A function raises on one of the rows, that of a predicate or of none. What was found is void."""
        self.has_raised = True
        self.rows = self._standing()
        self.profile = Profile(self._predicates, self.batch.size)
        self.profile.raised = predicate

    def _standing(self) -> Rows:
        return self._whole.at(self.batch.standing if self.batch.dropped else None)
