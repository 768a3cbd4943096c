"""Lines of one function in LLVM's language, for the printers of programs."""

from collections.abc import Callable, Sequence

from acausal.runtime.kernel.llvm.declarations import declaration


class Lines:
    """A function under construction; `used` gathers the declarations of functions it calls.

    Values are numbered: LLVM reads numbers twice as fast as names. `memory` is where the work
    area begins in m.
    """

    def __init__(self, memory: int, used: dict[str, None]) -> None:
        self.memory = memory
        self.used = used
        self.lines: list[str] = []
        self.count = 0
        self._failures: list[int | str] = []

    def function(self, name: str, arguments: str, result: str = "i32", ending: str = "i32 0") -> list[str]:
        """The whole function, with the ends of blocks that could not be solved."""
        head = f"define {result} @{name}({arguments}) #0 {{"
        lines = [head, "entry:", *self.lines, f"  ret {ending}"]
        for i, block in enumerate(self._failures):
            lines += [f"bad{i}:", f"  ret i32 {block}"]
        return [*lines, "}"]

    def line(self, text: str) -> str:
        """Appends an instruction; the name of its value."""
        name = f"%{self.count}"
        self.count += 1
        self.lines.append(f"  {name} = {text}")
        return name

    def load(self, base: str, position: object) -> str:
        """base[position]."""
        number = self.count
        self.count = number + 2
        value = f"%{number + 1}"
        self.lines.append(
            f"  %{number} = getelementptr double, ptr %{base}, i64 {position}\n  {value} = load double, ptr %{number}"
        )
        return value

    def store(self, base: str, position: object, value: str) -> None:
        """base[position] = value."""
        number = self.count
        self.count = number + 1
        self.lines.append(
            f"  %{number} = getelementptr double, ptr %{base}, i64 {position}\n  store double {value}, ptr %{number}"
        )

    def get(self, address: str) -> str:
        """Load the number at an address."""
        return self.line(f"load double, ptr {address}")

    def put(self, address: str, value: str) -> None:
        """Puts a value at an address."""
        self.lines.append(f"  store double {value}, ptr {address}")

    def place(self, position: int) -> str:
        """The address of a place in the work area."""
        return self.line(f"getelementptr double, ptr %m, i64 {self.memory + position}")

    def fill(self, position: int, value: str) -> None:
        """Stores into the work area."""
        self.store("m", self.memory + position, value)

    def take(self, position: int, count: int) -> list[str]:
        """Loads from the work area."""
        return [self.load("m", self.memory + position + i) for i in range(count)]

    def call(self, function: str, values: Sequence[str]) -> str:
        """The call of a function of numbers, not yet appended."""
        self.used[f"declare double @{function}({', '.join('double' for _ in values)})"] = None
        return f"call double @{function}({', '.join(f'double {v}' for v in values)})"

    def abs(self, value: str) -> str:
        """The absolute value."""
        return self.line(self.call("llvm.fabs.f64", [value]))

    def unless(self, good: str, block: int | str) -> None:
        """Leaves the function with the number of a block if not good."""
        label = len(self._failures)
        self._failures.append(block)
        self.lines += [f"  br i1 {good}, label %good{label}, label %bad{label}", f"good{label}:"]

    def kernel(self, kernel: Callable[..., object], arguments: str) -> str:
        """The call of a kernel that returns a status, not yet appended."""
        self.used[declaration(kernel)] = None
        return f"call i32 @{kernel.__name__}({arguments})"

    def unless_solved(self, kernel: Callable[..., object], arguments: str, block: int) -> None:
        """Calls a solver, and leaves the function if it fails."""
        status = self.line(self.kernel(kernel, arguments))
        self.unless(self.line(f"icmp eq i32 {status}, 0"), block)

    def pass_on(self, call: str) -> None:
        """Calls a part of the function, and leaves the function with what it says unless that is 0."""
        status = self.line(call)
        self.unless(self.line(f"icmp eq i32 {status}, 0"), status)
