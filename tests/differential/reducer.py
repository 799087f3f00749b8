"""The least kernel that still differs: delta debugging over statements, then over expressions.

Candidates are tried many at a time, as kernels of one program, because starting the compilers is what
takes time. A candidate is a change of a copy, named by the place of what it changes in the order in
which a walk through the kernel comes to it.
"""
import copy
import os

from kernel import Body, Expression, Statement, ZEROS
from trial import HostError, Trial

AT_ONCE = 24


class Reducer:
    def __init__(self, tools, options, folder):
        self.tools, self.options, self.folder = tools, options, folder

    # ---- trying --------------------------------------------------------------------------------

    def failing(self, kernels):
        """The numbers of those that still differ."""
        if not kernels:
            return []
        trial = Trial(self.tools, kernels, os.path.join(self.folder, 'candidates'))
        try:
            return sorted(trial.compare(self.options, trial.run_host()))
        except HostError:
            if len(kernels) == 1:
                return []
            return [i for i, kernel in enumerate(kernels) if self.failing([kernel])]

    def improve(self, kernel, changes):
        """The kernel after the first changes that it stays different with, and whether there were any."""
        for start in range(0, len(changes), AT_ONCE):
            group = changes[start:start + AT_ONCE]
            candidates = [changed(kernel, [change]) for change in group]
            failing = self.failing(candidates)
            if not failing:
                continue
            together = changed(kernel, one_a_place([group[i] for i in failing]))
            return together if self.failing([together]) else candidates[failing[0]], True
        return kernel, False

    def repeat(self, kernel, list_changes):
        improved = True
        while improved:
            kernel, improved = self.improve(kernel, list_changes(kernel))
        return kernel

    def reduce_statements(self, kernel):
        size = max(1, len(statements(kernel)) // 2)
        while True:
            count = len(statements(kernel))
            changes = [('drop', range(start, min(start + size, count))) for start in range(0, count, size)]
            kernel, improved = self.improve(kernel, changes)
            if not improved:
                if size == 1:
                    return kernel
                size = max(1, size // 2)

    def reduce_options(self, kernel):
        for option in list(self.options):
            rest = [other for other in self.options if other is not option]
            if option[0] not in ('-d', '--sms') and Reducer(self.tools, rest, self.folder).failing([kernel]):
                self.options = rest

    def reduce(self, kernel):
        for _ in range(3):
            before = kernel.text('k')
            kernel = self.reduce_statements(kernel)
            kernel = self.repeat(kernel, lambda k: [('observe', i) for i in range(len(k.observed))])
            kernel = self.repeat(kernel, lambda k: [('unwrap', i) for i, (body, at) in enumerate(statements(k))
                                                    if body[at].bodies()])
            kernel = self.repeat(kernel, expression_changes)
            kernel = self.repeat(kernel, shape_changes)
            if kernel.text('k') == before:
                break
        self.reduce_options(kernel)
        return kernel


# ---- walks ---------------------------------------------------------------------------------------


def statements(kernel):
    """(body, index) of each, outer ones first."""
    found = []

    def walk(body):
        for index, statement in enumerate(body):
            found.append((body, index))
            for inner in statement.bodies():
                walk(inner)
    walk(kernel.body)
    return found


def expressions(kernel):
    """(list, index) of each, outer ones first."""
    found = []

    def walk(owner):
        for index, part in enumerate(owner):
            if isinstance(part, Expression):
                found.append((owner, index))
                walk(part.children)
    for body, index in statements(kernel):
        walk(body[index].parts)
    return found


# ---- changes -------------------------------------------------------------------------------------


def expression_changes(kernel):
    """Each by the least first: nothing, then what is in it."""
    changes = []
    for i, (owner, index) in enumerate(expressions(kernel)):
        expression = owner[index]
        if str(expression) != ZEROS[expression.type]:
            changes.append(('zero', i))
        changes += [('inner', i, n) for n, inner in enumerate(expression.descendants())
                    if inner.type == expression.type]
    return changes


def shape_changes(kernel):
    changes = [('start', i) for i, variable in enumerate(kernel.variables)
               if variable.start != ZEROS.get(variable.type, '0')]
    changes += [('grid', 1)] if kernel.grid > 1 else []
    changes += [('block', 32)] if kernel.block > 32 else []
    return changes


def at(place):
    owner, index = place
    return owner[index]


def one_a_place(changes):
    first = {}
    for change in changes:
        first.setdefault(str(change[1]), change)
    return list(first.values())


def changed(kernel, changes):
    """A copy with the changes, inner ones made first."""
    result = copy.deepcopy(kernel)
    places = {'statement': statements(result), 'expression': expressions(result)}
    dropped = set()
    inner = {change: list(at(places['expression'][change[1]]).descendants())[change[2]]
             for change in changes if change[0] == 'inner'}
    for change in reversed(changes):
        kind, where = change[0], change[1]
        if kind == 'drop':
            dropped.update(where)
        elif kind == 'observe':
            result.observed[where] = None
        elif kind == 'unwrap':
            body, index = places['statement'][where]
            body[index] = unwrapped(body[index])
        elif kind in ('zero', 'inner'):
            owner, index = places['expression'][where]
            zero = Expression(owner[index].type, [ZEROS[owner[index].type]])
            owner[index] = inner.get(change, zero)
        elif kind == 'start':
            variable = result.variables[where]
            variable.start = ZEROS.get(variable.type, '0')
        else:
            setattr(result, kind, where)
    for where in dropped:
        body, index = places['statement'][where]
        body[index] = None
    result.observed = [text for text in result.observed if text is not None]
    tidy(result.body)
    return result


def without_leaves(body):
    """The statements, without break and continue of the loop that they were in."""
    for statement in body:
        if statement.leaves:
            continue
        if statement.variable is None and not str(statement.parts[0]).startswith('switch'):
            statement.parts = [Body(without_leaves(part)) if isinstance(part, Body) else part
                               for part in statement.parts]
        yield statement


def unwrapped(statement):
    """What was in it, in braces."""
    inner = [each for body in statement.bodies() for each in body]
    if statement.variable is None:
        return Statement('{', Body(inner), '}')
    return Statement('{ unsigned %s = 0;' % statement.variable, Body(without_leaves(inner)), '}')


def tidy(body):
    """Takes what was dropped out of lists, and braces from around what declares nothing."""
    kept = []
    for statement in body:
        if statement is None:
            continue
        for inner in statement.bodies():
            tidy(inner)
        bare = statement.parts[0] in ('{', '') if isinstance(statement.parts[0], str) else False
        if bare and len(statement.bodies()) == 1:
            kept += statement.bodies()[0]
        else:
            kept.append(statement)
    body[:] = kept


def reduce_kernel(tools, kernel, options, folder):
    """The least kernel and options found; those given if they do not differ by themselves."""
    reducer = Reducer(tools, options, folder)
    if not reducer.failing([kernel]):
        return kernel, options
    return reducer.reduce(kernel), reducer.options
