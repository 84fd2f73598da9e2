/** Python: which way the code went at each of its branches. */
export const coverage = String.raw`
_monitoring = sys.monitoring
COVERAGE_TOOL = 3
_monitoring.use_tool_id(COVERAGE_TOOL, 'harness')

def code_objects(code):
    yield code
    for each in code.co_consts:
        if type(each) is type(code):
            yield from code_objects(each)

def before_branch(code, start):
    return code.co_code[start - 4], code.co_code[start - 2]

# Python adds a branch before any(), all() and tuple() of a generator: whether they are the built-in ones.
SAMPLE = compile('all(x for x in y)', 'code', 'eval')
ADDED = before_branch(SAMPLE, next(SAMPLE.co_branches())[0])

def ways_of(compiled):
    'Each way that the code can go at a branch: its place and its line, always in the same order.'
    ways = []
    for code in code_objects(compiled):
        lines = [each[0] for each in code.co_positions()]
        for start, left, right in code.co_branches():
            if before_branch(code, start) == ADDED:
                continue
            for end in (left, right):
                ways.append((code, start, end, lines[start // 2]))
    return ways

def unseen_lines(tree):
    'Lines with branches that Python itself adds: what no handler takes, and what a with statement swallows.'
    found = set()
    for node in walk(tree):
        if is_a(node, 'ExceptHandler', 'With', 'AsyncWith', 'AsyncFor', 'Await', 'YieldFrom'):
            found.add(node.lineno)
    return found

def probes_of(code, tree, other):
    'The ways of lines that the other version does not have.'
    lines = code.splitlines()
    kept = {line.strip() for line in other.splitlines()}
    unseen = unseen_lines(tree)
    owner = {}
    for node in tree.body:
        if is_a(node, 'FunctionDef', 'AsyncFunctionDef', 'ClassDef'):
            for line in range(node.lineno, node.end_lineno + 1):
                owner[line] = node.name
    return [{'number': number, 'unit': owner[line], 'line': line}
            for number, (_, _, _, line) in enumerate(ways_of(compile(code, 'code', 'exec', dont_inherit=True)))
            if line in owner and line not in unseen and lines[line - 1].strip() not in kept]

class Coverage:
    def __init__(self, compiled):
        self.numbers = {}
        self.fresh = []
        for number, (code, start, end, _) in enumerate(ways_of(compiled)):
            self.numbers[(id(code), start, end)] = number
            _monitoring.set_local_events(COVERAGE_TOOL, code, _monitoring.events.BRANCH_LEFT | _monitoring.events.BRANCH_RIGHT)
        for event in (_monitoring.events.BRANCH_LEFT, _monitoring.events.BRANCH_RIGHT):
            _monitoring.register_callback(COVERAGE_TOOL, event, self.branch)

    def branch(self, code, start, end):
        number = self.numbers.get((id(code), start, end))
        if number is not None:
            self.fresh.append(number)
        return _monitoring.DISABLE

    def take(self, is_counted):
        'The ways that were gone since the last time. Those of a run that does not count can be gone again.'
        fresh = self.fresh
        self.fresh = []
        if is_counted:
            return fresh
        if fresh:
            _monitoring.restart_events()
        return []
`
