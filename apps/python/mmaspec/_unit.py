"""Instructions, designs and plans that run on matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, NamedTuple

import numpy as np

from . import _core, _device
from ._arguments import integer
from ._arrays import holds_patterns, like, patterns
from .formats import dtype_name, dtype_of, values_of, word_of

if TYPE_CHECKING:
    from ._results import Trace


class Parameter(NamedTuple):
    """A parameter of an algorithm, as ``mmaspec show`` prints it."""

    key: str
    value: str
    meaning: str


class Provenance(NamedTuple):
    """The evidence for a parameter."""

    parameter: str
    evidence: str
    source: str


class Operands(NamedTuple):
    """Bit patterns of one matrix product, with equal leading dimensions."""

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    scale_a: np.ndarray | None
    scale_b: np.ndarray | None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.c.shape


def _words(name: str, x: Any, format_name: str, packed_axis: int | None = None) -> np.ndarray:
    return x.words if isinstance(x, _device.OnDevice) else patterns(name, x, format_name, packed_axis)


class Unit:
    """An instruction, a design or a plan as a function of matrices: ``D = u(A, B, C)``.

    Create it with :func:`mmaspec.unit` or ``@mmaspec.algorithm``.
    """

    def __init__(self, core: _core.Unit, origin: tuple[Any, ...] | None = None):
        self._core = core
        #: How to make an equal unit: ("name", name) or ("chained", unit, k); None: it is a Python function.
        self._origin = origin

    def _key(self) -> tuple[Any, ...]:
        if self._origin is None:
            return ("function", id(self._core))
        if self._origin[0] == "name":
            return ("name", self.name)
        return ("chained", self._origin[1]._key(), self._origin[2])

    def __eq__(self, other: object) -> bool:
        """Whether both units have the same name; different spellings of a name are equal.

        A unit made by ``@mmaspec.algorithm`` equals only itself.
        """
        return self._key() == other._key() if isinstance(other, Unit) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __copy__(self) -> Unit:
        return self  # units are immutable

    def __deepcopy__(self, memo: Any) -> Unit:
        return self

    def __reduce__(self) -> Any:
        if self._origin is None:
            # Pickle a function by the name of the module's variable that holds it.
            return self.__dict__.get("__qualname__", self.name)
        if self._origin[0] == "name":
            return unit, (self._origin[1],)
        return Unit.chained, self._origin[1:]

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def algorithm(self) -> str:
        return self._core.algorithm

    @property
    def reference(self) -> str:
        """The source in the literature that defines the algorithm."""
        return self._core.reference

    @property
    def k(self) -> int:
        """The number of products in one dot product of the instruction."""
        return self._core.k

    @property
    def a(self) -> str:
        """The format of A; `b`, `c`, `d` and `scale` likewise."""
        return str(self._core.a)

    @property
    def b(self) -> str:
        return str(self._core.b)

    @property
    def c(self) -> str:
        return str(self._core.c)

    @property
    def d(self) -> str:
        return str(self._core.d)

    @property
    def scale(self) -> str | None:
        """The format of the scale factors; None if the unit has none."""
        name = self._core.scale
        return None if name is None else str(name)

    @property
    def scale_block(self) -> int:
        """The number of products that share a scale factor."""
        return self._core.scale_block

    @property
    def parameters(self) -> list[Parameter]:
        return [Parameter(*p) for p in self._core.parameters()]

    @property
    def provenance(self) -> list[Provenance]:
        return [Provenance(*p) for p in self._core.provenance()]

    def chained(self, k: int) -> Unit:
        """The instruction chained k / self.k times: each result is the c of the next step."""
        k = integer("k", k)
        return Unit(self._core.chained(k), ("chained", self, k))

    def __repr__(self) -> str:
        return f"mmaspec.unit({self.name!r})"

    def _repr_html_(self) -> str:
        from ._html import unit_html

        return unit_html(self)

    def _operands(
        self, A: Any, B: Any, C: Any, scale_a: Any, scale_b: Any, packed: bool
    ) -> Operands:
        if packed and "e2m1" not in (self.a, self.b):
            raise ValueError(f"packed=True needs e2m1 operands; {self.name} has {self.a} and {self.b}")
        a = _words("A", A, self.a, -1 if packed else None)
        b = _words("B", B, self.b, -2 if packed else None)
        for name, x in (("A", a), ("B", b)):
            if x.ndim < 2:
                raise ValueError(f"{name} has {x.ndim} dimensions; a matrix has two or more")
        m, k = a.shape[-2:]
        n = b.shape[-1]
        if b.shape[-2] != k:
            raise ValueError(
                f"A is (..., M, K) = {a.shape} and B (..., K, N) = {b.shape}: their K differ"
            )
        if C is None:
            c = np.broadcast_to(np.zeros((), dtype=word_of(self.c)), (m, n))  # one word in memory
        else:
            c = _words("C", C, self.c)
        if c.shape[-2:] != (m, n):
            try:
                c = np.broadcast_to(c, (*c.shape[:-2], m, n))
            except ValueError:
                raise ValueError(f"C has the shape {c.shape}, and A @ B ends in {(m, n)}") from None
        scales = self._scales(scale_a, scale_b, m, k, n)
        given = [x for x in (a, b, c, *scales) if x is not None]
        batch = a.shape[:-2]
        if any(x.shape[:-2] != batch for x in given):
            try:
                batch = np.broadcast_shapes(*(x.shape[:-2] for x in given))
            except ValueError:
                raise ValueError(
                    "the leading dimensions of A, B and C do not fit: "
                    + ", ".join(str(x.shape) for x in given)
                ) from None

        def whole(x: np.ndarray) -> np.ndarray:
            if x.shape[:-2] == batch:
                return x
            return np.broadcast_to(x, (*batch, *x.shape[-2:]))

        sa, sb = (None if s is None else whole(s) for s in scales)
        return Operands(whole(a), whole(b), whole(c), sa, sb)

    def _scales(
        self, scale_a: Any, scale_b: Any, m: int, k: int, n: int
    ) -> tuple[np.ndarray | None, np.ndarray | None]:
        if self.scale is None:
            if scale_a is not None or scale_b is not None:
                raise ValueError(f"{self.name} has no scale factors")
            return None, None
        if scale_a is None or scale_b is None:
            raise ValueError(
                f"{self.name} needs scale_a and scale_b, a factor for each {self.scale_block} "
                "products"
            )
        sa = _words("scale_a", scale_a, self.scale)
        sb = _words("scale_b", scale_b, self.scale)
        blocks = -(-k // self.scale_block)
        if sa.shape[-2:] != (m, blocks) or sb.shape[-2:] != (blocks, n):
            raise ValueError(
                f"scale_a must end in {(m, blocks)} and scale_b in {(blocks, n)}, not in "
                f"{sa.shape[-2:]} and {sb.shape[-2:]}"
            )
        return sa, sb

    def __call__(
        self,
        A: Any,
        B: Any,
        C: Any = None,
        *,
        scale_a: Any = None,
        scale_b: Any = None,
        packed: bool = False,
        bits: bool = False,
        threads: int = 0,
        device: str | None = None,
        out: Any = None,
    ) -> Any:
        """D = C + A @ B, bit for bit as the unit computes it.

        A is (..., M, K), B is (..., K, N), C is (..., M, N) and 0 by default; leading dimensions
        broadcast. Each operand holds the unit's own format (mmaspec.formats names the types), or
        its bit patterns as unsigned integers: nothing is converted. For any K the instruction is
        chained as a kernel does, each result the next one's c; where its k does not divide K,
        missing products are +0 * +0.

        scale_a is (..., M, blocks), scale_b is (..., blocks, N), a factor for each `scale_block`
        products. packed: FP4 operands hold two elements a byte along K, the lower half first.
        bits: D as bit patterns. threads: 0 takes one a core; the interpreter's lock is not held,
        and Ctrl-C ends the work. device: 'cuda', 'cuda:N', 'opencl' or 'opencl:N' computes D on that
        device, with the same bits, and `threads` has no effect. out: an array for D.

        D is a torch tensor or a JAX array if A is one, and else NumPy's. Operands in the memory of a
        CUDA device are computed there, on the caller's stream, and so are D and `out`: nothing is
        copied to the CPU.
        """
        threads = integer("threads", threads, 0, 4096)
        if any(_device.is_on_cuda(x) for x in (A, B, C, scale_a, scale_b)):
            given = {"A": A, "B": B, "C": C, "scale_a": scale_a, "scale_b": scale_b}
            return self._in_place(given, packed, bits, device, out)
        if device and device.startswith("cuda"):
            _device.load_compiler()
        o = self._operands(A, B, C, scale_a, scale_b, packed)
        word = word_of(self.d)
        if out is None:
            d = np.empty(o.shape, dtype=word)
        else:
            if not isinstance(out, np.ndarray):
                raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
            fits = out.dtype.name == dtype_name(self.d) or holds_patterns(out.dtype, self.d)
            if out.shape != o.shape or not (fits and out.dtype.isnative):
                raise ValueError(
                    f"out must be an array of shape {o.shape} and type {dtype_name(self.d)}, "
                    f"not {out.shape} and {out.dtype}"
                )
            if not out.flags.writeable:
                raise ValueError("out is read-only")
            others = (x for x in (o.a, o.b, o.scale_a, o.scale_b) if x is not None)
            if any(np.may_share_memory(out, x) for x in others):
                raise ValueError("out shares memory with an operand; only C may")
            d = out.view(word)
        self._core.multiply(o.a, o.b, o.c, d, o.scale_a, o.scale_b, threads, device or "")
        if out is not None:
            return out
        return d if bits else like(A, self.d)(d.view(dtype_of(self.d)))

    def _in_place(self, given: dict[str, Any], packed: bool, bits: bool, device: str | None, out: Any) -> Any:
        """D of operands in the memory of a CUDA device."""
        formats = {"A": self.a, "B": self.b, "C": self.c, "scale_a": self.scale, "scale_b": self.scale}
        axes = {"A": -1, "B": -2} if packed else {}
        _device.require_on_cuda(given)
        found = {
            name: _device.operand(name, x, format_name, axes.get(name))
            for name, x in given.items()
            if x is not None and (format_name := formats[name]) is not None
        }
        number = _device.number_of(found)
        place = f"cuda:{number}"
        if device not in (None, "", place) and not (device == "cuda" and place == "cuda:0"):
            raise ValueError(f"the operands are on {place}, and device is {device!r}")
        a, b, c, sa, sb = (found.get(name, x) for name, x in given.items())
        o = self._operands(a, b, c, sa, sb, packed)
        if out is None:
            result, d = _device.empty_like(given["A"], o.shape, self.d, bits, number)
        else:
            result, d = out, _device.result(out, self.d, o.shape, number, o)
        streams = _device.streams_of([*found.values(), d])
        _device.load_compiler()
        addend = None if c is None else o.c
        self._core.multiply_in_place(o.a, o.b, addend, d.words, o.scale_a, o.scale_b, place, streams)
        return result if out is not None else _device.in_library_of(given["A"], result)

    def graph(self) -> str:
        """The expression graph of one dot product, one line for each node: its number, operation,
        range.
        """
        return self._core.graph()

    def trace(
        self,
        a: Any,
        b: Any,
        c: Any = None,
        *,
        scale_a: Any = None,
        scale_b: Any = None,
    ) -> Trace:
        """The stages of one dot product: vectors a and b of any length, a number c."""
        row = [patterns("a", a, self.a), patterns("b", b, self.b)]
        if row[0].ndim != 1 or row[0].shape != row[1].shape:
            raise ValueError(
                f"a and b must be vectors of one length, not of {row[0].shape} and {row[1].shape}"
            )
        zero = np.zeros((), dtype=word_of(self.c))
        pattern_c = zero if c is None else patterns("c", c, self.c)
        scales: list[Any] = [[], []]
        if self.scale is not None:
            if scale_a is None or scale_b is None:
                raise ValueError(f"{self.name} needs scale_a and scale_b")
            scales = [
                patterns("scale_a", scale_a, self.scale).tolist(),
                patterns("scale_b", scale_b, self.scale).tolist(),
            ]
        return self._trace(row[0].tolist(), row[1].tolist(), int(pattern_c), *scales)

    def _trace(
        self, a: list[int], b: list[int], c: int, sa: Iterable[int], sb: Iterable[int]
    ) -> Trace:
        from ._results import Trace

        k = -(-max(len(a), 1) // self.k) * self.k
        pad = [0] * (k - len(a))
        return Trace.of(self._core.trace(a + pad, b + pad, c, list(sa), list(sb)))

    def values(self, operand: str, words: Any) -> np.ndarray:
        """Bit patterns of 'a', 'b', 'c', 'd' or 'scale' as values."""
        return values_of(getattr(self, operand), words)


def unit(name: str) -> Unit:
    """The unit with this name: ``<arch>/<mnemonic>[@variant]``, ``design:...`` or ``plan:...``.

    A product's name can replace an architecture (``h100/...``, ``mi300x/...``). Raises ValueError
    with the nearest name that exists.
    """
    if not isinstance(name, str):
        raise TypeError(f"a unit's name must be a str, not {type(name).__name__}")
    return Unit(_core.Unit(name), ("name", name))


def units(arch: str | None = None) -> list[str]:
    """The names of all catalogued instructions.

    arch: only those of this architecture or product ('hopper', 'h100', 'sm_90'). Raises ValueError
    with the nearest name that exists.
    """
    if arch is not None and not arch:
        raise ValueError("arch must be an architecture or a product, not ''")
    return list(_core.catalogue(arch or ""))
