"""Random expressions of C, for tests/sim/test_expression_lanes.c: random_expressions.py COUNT SEED > FILE

Each line is CASE(number, expression). The variables are those of tests/sim/expression_lane.h. What C leaves
undefined is left out: divisors are not 0, shifts and indices are in range, floats that become whole numbers fit.
"""
import random
import sys

WHOLE = ["c", "uc", "sh", "us", "i", "u", "l", "ul", "all", "flag", "p.x", "p.z[1]", "q->x", "*ptr", "two[1][2]"]
REAL = ["f", "d", "p.y", "q->y", "fs[3]"]
WHOLE_TYPES = ["char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "bool"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def literal(self):
        number = self.pick(0, 1, 2, 3, 7, 31, 255, 256, 65535, 2147483647, 2147483648, 4294967295, 4294967296,
                           9223372036854775807)
        return self.pick(str(number), hex(number), f"{number}u", f"{number}l", f"{number}ul")

    def whole(self, depth):
        """An expression that is a whole number."""
        if depth == 0:
            return self.pick(self.random.choice(WHOLE), self.random.choice(WHOLE), self.literal(), "'k'")
        low = lambda: self.whole(depth - 1)
        kind = self.random.randrange(13)
        if kind == 0:
            return f"{low()} {self.pick('+', '-', '*')} {low()}"
        if kind == 1:
            return f"({low()}) {self.pick('&', '|', '^')} ({low()})"
        if kind == 2:
            return f"({low()}) {self.pick('/', '%')} ((({low()}) & 7) + 1)"
        if kind == 3:
            return f"(({low()}) {self.pick('<<', '>>')} (({low()}) & 7))"
        if kind == 4:
            return f"(({low()}) {self.random.choice(COMPARISONS)} ({low()}))"
        if kind == 5:
            return f"(({self.real(depth - 1)}) {self.random.choice(COMPARISONS)} ({self.any(depth - 1)}))"
        if kind == 6:
            return f"(({self.any(depth - 1)}) {self.pick('&&', '||')} ({self.any(depth - 1)}))"
        if kind == 7:
            return f"({self.any(depth - 1)} ? {low()} : {low()})"
        if kind == 8:
            return f"{self.pick('-', '~', '+')}({low()})"
        if kind == 9:
            return f"!({self.any(depth - 1)})"
        if kind == 10:
            return f"({self.random.choice(WHOLE_TYPES)})({low()})"
        if kind == 11:
            return self.pick(f"a[({low()}) & 7]", f"two[({low()}) & 1][({low()}) & 3]", f"*(ptr + (({low()}) & 3))",
                             f"ptr[({low()}) & 3]", f"(&a[4])[-(int)(({low()}) & 3)]", f"q->z[({low()}) & 3]",
                             f"(&a[({low()}) & 7] - a)", f"(*q).x", f"(int)({self.pick('f', 'p.y', 'd')})",
                             f"(a + 2 < &a[({low()}) & 7])", f"*(unsigned char *)&a[({low()}) & 7]")
        return f"{low()} {self.pick('*', '-')} {low()} {self.pick('+', '-')} {low()}"

    def flat(self):
        """Operators without parentheses; two comparisons have something weaker between them."""
        text, compared, shifted = self.random.choice(WHOLE), False, False
        for _ in range(self.random.randrange(2, 7)):
            operator = self.random.choice(["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||"] + COMPARISONS)
            if (operator in COMPARISONS and compared) or (operator in "+-*/%" and shifted):
                operator = "&&"
            shifted = operator in ("<<", ">>")
            compared = operator in COMPARISONS or (compared and operator in ("+", "-", "*", "/", "%", "<<", ">>"))
            right = str(self.random.randrange(1, 9)) if operator in ("/", "%", "<<", ">>") else self.pick("-", "~", "!", "", "", "") + self.random.choice(WHOLE)
            text += f" {operator} {right}"
        return text

    def real(self, depth):
        if depth == 0:
            return self.pick(self.random.choice(REAL), self.random.choice(REAL), "1.5", "0.1", "2e3", "0.1f", "3.f", ".5")
        low = lambda: self.real(depth - 1)
        kind = self.random.randrange(5)
        if kind == 0:
            return f"({low()}) {self.pick('+', '-', '*', '/')} ({self.any(depth - 1)})"
        if kind == 1:
            return f"({self.any(depth - 1)} ? {low()} : {self.any(depth - 1)})"
        if kind == 2:
            return f"({self.pick('float', 'double')})({self.any(depth - 1)})"
        if kind == 3:
            return f"-({low()})"
        return f"fs[({self.whole(depth - 1)}) & 3]"

    def any(self, depth):
        return f"({self.pick(self.whole, self.whole, self.real)(depth)})"


def main():
    count, maker = int(sys.argv[1]), Maker(int(sys.argv[2]))
    done = 0
    while done < count:
        text = maker.flat() if done % 3 == 0 else maker.any(maker.random.choice([1, 2, 2, 3, 3, 4]))[1:-1]
        if len(text) <= 400:
            print(f"CASE({done}, {text})")
            done += 1


main()
