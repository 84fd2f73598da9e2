/** Python: the syntax tree of the code, and what the uses of a name say about its value. */
export const uses = String.raw`
ONLY_TREE = 0x400

def parse(code):
    return compile(code, 'code', 'exec', ONLY_TREE, dont_inherit=True)

def is_a(node, *names):
    return type(node).__name__ in names

def children(node):
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, _ast.AST):
            yield value
        elif isinstance(value, list):
            for each in value:
                if isinstance(each, _ast.AST):
                    yield each

def walk(node):
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(children(current))

def constant(node):
    'The value of a literal, as a tuple of one; else an empty tuple.'
    if is_a(node, 'Constant'):
        return (node.value,)
    if is_a(node, 'UnaryOp') and is_a(node.op, 'USub') and is_a(node.operand, 'Constant'):
        value = node.operand.value
        return (-value,) if type(value) in (int, float) else ()
    return ()

class Body:
    'The nodes of a function with their parents.'
    def __init__(self, node):
        self.nodes = []
        self.parents = {}
        todo = [node]
        while todo:
            current = todo.pop(0)
            self.nodes.append(current)
            for child in children(current):
                self.parents[id(child)] = current
                todo.append(child)

    def parent(self, node):
        return self.parents.get(id(node))

METHODS = {}
for kind, names in {
    'str': 'split rsplit strip lstrip rstrip lower upper title capitalize casefold startswith endswith replace encode isdigit isalpha isalnum isspace isupper islower isnumeric splitlines partition rpartition zfill ljust rjust center swapcase find rfind format translate removeprefix removesuffix isidentifier expandtabs format_map isdecimal join',
    'dict': 'items keys values get setdefault popitem',
    'list': 'append extend sort insert reverse',
    'set': 'add union intersection difference issubset issuperset discard symmetric_difference isdisjoint',
    'bytes': 'decode hex',
    'float': 'is_integer',
    'int': 'bit_length to_bytes bit_count'
}.items():
    for name in names.split():
        METHODS[name] = kind

FUNCTIONS = {
    'range': 'count', 'sum': 'numbers', 'max': 'sequence', 'min': 'sequence', 'sorted': 'sequence', 'len': 'sized',
    'abs': 'number', 'round': 'number', 'divmod': 'number', 'pow': 'number', 'chr': 'count', 'ord': 'char',
    'list': 'sequence', 'tuple': 'sequence', 'set': 'sequence', 'frozenset': 'sequence', 'enumerate': 'sequence',
    'zip': 'sequence', 'reversed': 'list', 'any': 'sequence', 'all': 'sequence', 'iter': 'sequence', 'map': 'sequence',
    'filter': 'sequence', 'dict': 'dict', 'Counter': 'sequence', 'deque': 'sequence', 'int': 'digits',
    'float': 'digits', 'bin': 'int', 'hex': 'int', 'heapify': 'list', 'chain': 'sequence', 'sqrt': 'number',
    'floor': 'number', 'ceil': 'number', 'accumulate': 'numbers', 'mean': 'numbers', 'median': 'numbers',
    'fsum': 'numbers', 'prod': 'numbers', 'isnan': 'number', 'gcd': 'int', 'factorial': 'count', 'comb': 'count',
    'log': 'number', 'exp': 'number', 'isqrt': 'count', 'Decimal': 'digits', 'combinations': 'sequence',
    'groupby': 'sequence', 'bisect_left': 'list', 'bisect_right': 'list', 'bisect': 'list', 'nlargest': 'sequence',
    'nsmallest': 'sequence', 'quote': 'str', 'quote_plus': 'str', 'unquote': 'str', 'unquote_plus': 'str',
    'urlsplit': 'str', 'urlparse': 'str', 'parse_qs': 'str', 'parse_qsl': 'str', 'unescape': 'str', 'loads': 'str',
    'dedent': 'str', 'unhexlify': 'str'
}

BY_NAME = (
    ('count', 'n k count limit size width height length depth times index idx pos position offset start end stop step page per_page max_len max_length chunk_size batch_size window m top retries'),
    ('numbers', 'nums numbers values prices scores weights amounts temperatures samples xs ys coefficients digits sizes totals ints'),
    ('words', 'words names lines tokens keys tags labels urls paths strings texts columns parts chars fields headers'),
    ('str', 's t text string name word line title path url key prefix suffix sep separator delimiter message msg content source pattern char label tag description email user username password value_str query token expression phrase slug'),
    ('sequence', 'items elements lst arr array data rows records seq sequence entries list_ results objects collection a_list l users orders products people events matrix grid edges intervals pairs nodes'),
    ('dict', 'd mapping config options settings params counts table lookup dictionary graph headers_map env context kwargs inventory record row user order item product'),
    ('bool', 'flag verbose strict reverse ascending descending ignore_case recursive enabled active force'),
    ('float', 'price amount rate ratio total tax discount factor weight threshold temperature balance percent percentage'),
    ('number', 'x y z a b value num number left right low high lo hi minimum maximum target'),
    ('call', 'fn func callback predicate key_func handler f transform'))
NAMES = {name: kind for kind, names in BY_NAME for name in names.split()}

def kind_of_name(name):
    known = NAMES.get(name.strip('_').lower())
    if known is not None:
        return known
    last = name.lower().rsplit('_', 1)[-1]
    if name.startswith(('is_', 'has_', 'use_', 'should_', 'include_', 'allow_')):
        return 'bool'
    return NAMES.get(last) or NAMES.get(last.rstrip('s')) and 'sequence'
`
