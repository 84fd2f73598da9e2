/** Python: seeded values of a shape. The same seed gives the same values to both versions. */
export const inputs = String.raw`
class StandIn:
    'A function that the code is given: it notes its calls and answers by what it is given.'
    def __init__(self, name, calls, kind):
        self.name = name
        self.calls = calls
        self.kind = kind
    def __call__(self, *args, **keywords):
        shown = [Shower()(each) for each in args] + [name + '=' + Shower()(each) for name, each in keywords.items()]
        self.calls.append(self.name + '(' + ', '.join(shown) + ')')
        if self.kind == 0:
            return args[0] if args else 0
        if self.kind == 1:
            return sum(map(ord, ''.join(shown))) % 3 == 0
        return sum(map(ord, ''.join(shown))) % 7

class Random:
    def __init__(self, seed):
        self.state = seed * 0x85ebca6b & 0xffffffff
    def next(self):
        # Mixed well: the draws of one run must not follow from those of the run before.
        self.state = self.state + 0x9e3779b9 & 0xffffffff
        mixed = self.state
        mixed = (mixed ^ mixed >> 16) * 0x85ebca6b & 0xffffffff
        mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35 & 0xffffffff
        return mixed ^ mixed >> 16
    def below(self, limit):
        return self.next() % limit
    def chance(self, percent):
        return self.next() % 100 < percent
    def pick(self, list_):
        return list_[self.next() % len(list_)]

INTS = (0, 1, 2, 3, -1, 5, 4, 7, 10, -7, 12, 100, 6, 1, 2)
LARGE_INTS = (255, -1000, 2 ** 31, 10 ** 18, -(2 ** 63), 999999)
FLOATS = (0.0, 1.5, -2.25, 0.1, 0.2, 3.0, 2.675, -1.0, 0.5, 99.99, 10.0)
RARE_FLOATS = (float('nan'), float('inf'), float('-inf'), -0.0, 1e16, 1e-9, 1e308)
WORDS = ('a', 'b', 'abc', 'Hello', 'world', 'A', 'aba', 'x1', '10', 'foo', 'Zebra', 'apple', 'the', '')
TEXTS = ('', 'a', 'Hello World', '  x  y ', 'abcba', 'aAbB', '12', '-3.5', 'a,b;c', 'line1\nline2\r\n\nx', 'the cat the dog',
         '\u00e4\u00f6 \u00df', '\u65e5\u672c', '\U0001f642a', 'tab\there', 'A man, a plan', '0', 'x=1&y=2', 'foo_bar-baz', '((a)b)', 'MiXeD Case', '\u0130', 'user@example.com',
         '\tx\n', '\n', '\u00a0 y\u2003', '\u00b2\u0663', 'STRASSE \u00dfi\u0307', "it's", 'a--b', '100%', '/a//b/')

class Maker:
    def __init__(self, seed, mined, reader, scope, calls):
        self.random = Random(seed)
        self.mined = mined
        self.reader = reader
        self.scope = scope
        self.calls = calls
        # What can be added to each other is of one kind in a run.
        self.addable = self.random.pick(('number', 'number', 'str', 'list'))

    def make(self, shape, depth=0):
        random = self.random
        if shape is None:
            shape = Shape('any')
        if shape.literals and random.chance(25):
            value = random.pick(shape.literals)
            if type(value) in (int, float) and random.chance(40):
                value = value + random.pick((-1, 1))
            if type(value) is not bytes:
                return value
        kinds = shape.kinds or shape.weak or ['any']
        if 'none' in kinds and len(kinds) > 1:
            if random.chance(15):
                return None
            kinds = [kind for kind in kinds if kind != 'none']
        if 'indexed' in kinds and len(kinds) > 1:
            kinds = [kind for kind in kinds if kind != 'indexed']
        # A number that counts something is small.
        if 'count' in kinds:
            kinds = [kind for kind in kinds if kind not in ('int', 'number', 'natural')]
        return self.of_kind(random.pick(kinds), shape, depth)

    def of_kind(self, kind, shape, depth):
        random = self.random
        if kind in ('int', 'count', 'key'):
            return self.integer(kind)
        if kind == 'natural':
            return self.integer('count' if random.chance(75) else 'int')
        if kind == 'float':
            return self.integer('int') * 1.0 if random.chance(20) else self.float()
        if kind == 'number':
            return self.float() if random.chance(25) else True if random.chance(2) else self.integer('int')
        if kind == 'addable':
            return self.of_kind(self.addable, shape, depth)
        if kind == 'bool':
            return random.chance(50)
        if kind == 'none':
            return None
        if kind == 'str':
            return self.text()
        if kind == 'char':
            return random.pick('abzAZ09 _\u00e9')
        if kind == 'digits':
            return random.pick((self.integer('int'), str(self.integer('int')), self.float(), random.pick(('3.5', ' 7 ', 'x', '', '-0'))))
        if kind == 'bytes':
            return self.text().encode()
        if kind == 'scalar':
            return random.pick((self.integer('int'), self.text(), self.float()))
        if kind == 'numbers':
            return self.sequence(Shape('number'), depth)
        if kind == 'words':
            return self.sequence(Shape('str'), depth)
        if kind in ('list', 'sequence', 'sized', 'container', 'indexed', 'iter', 'deque'):
            return self.collection(kind, shape, depth)
        if kind == 'tuple':
            if shape.items is not None:
                return tuple([self.part(each, depth) for each in shape.items])
            return tuple(self.sequence(shape.element, depth))
        if kind in ('set', 'frozenset'):
            values = [each for each in self.sequence(shape.element, depth) if is_hashable(each)]
            return set(values) if kind == 'set' else frozenset(values)
        if kind == 'dict':
            return self.dictionary(shape, depth)
        if kind == 'call':
            return StandIn('callback', self.calls, random.below(3))
        if kind == 'async':
            answer = StandIn('callback', self.calls, random.below(3))
            async def later(*args, **keywords):
                return answer(*args, **keywords)
            return later
        if kind == 'literal':
            return random.pick(shape.literals or [None])
        if kind == 'object':
            return self.thing(shape, depth)
        if kind == 'instance':
            return self.instance(shape.class_name, depth)
        if kind in ('decimal', 'date', 'datetime'):
            return self.library_value(kind)
        return self.anything(depth)

    def library_value(self, kind):
        if kind == 'decimal':
            import decimal
            return decimal.Decimal(self.integer('int')) / 4
        import datetime
        day = datetime.date(2020 + self.random.below(5), 1 + self.random.below(12), 1 + self.random.below(28))
        if kind == 'date':
            return day
        return datetime.datetime(day.year, day.month, day.day, self.random.below(24), self.random.below(60))

    def integer(self, kind):
        random = self.random
        if kind == 'count':
            return random.pick((0, 1, 2, 3, 4, 5, 7, 10, 12, 20, -1))
        if self.mined['numbers'] and random.chance(15):
            value = random.pick(self.mined['numbers'])
            if type(value) is int:
                return value + random.pick((-1, 0, 0, 1))
        return random.pick(LARGE_INTS) if random.chance(5) else random.pick(INTS)

    def float(self):
        return self.random.pick(RARE_FLOATS) if self.random.chance(15) else self.random.pick(FLOATS)

    def text(self):
        random = self.random
        mined = self.mined['texts']
        if mined and random.chance(30):
            value = random.pick(mined)
            if random.chance(50):
                value = random.pick(WORDS) + value + random.pick(WORDS)
            elif random.chance(40):
                value = value.join([random.pick(WORDS) for _ in range(random.below(4) + 1)])
            return value
        if random.chance(25):
            return random.pick((' ', ',', '', '\n', ', ')).join([random.pick(WORDS) for _ in range(random.below(6))])
        return random.pick(TEXTS) if random.chance(60) else random.pick(WORDS)

    def anything(self, depth):
        random = self.random
        choice = random.below(8 if depth < 2 else 5)
        if choice < 2:
            return self.integer('int')
        if choice == 2:
            return self.text()
        if choice == 3:
            return self.float()
        if choice == 4:
            return random.pick((None, True, False))
        if choice == 7:
            return self.dictionary(Shape('dict'), depth)
        return self.sequence(None, depth)

    def part(self, shape, depth):
        if depth > 5:
            return self.integer('int')
        return self.make(shape, depth + 1)

    def sequence(self, element, depth):
        random = self.random
        length = random.pick((0, 1, 2, 3, 4, 5, 7, 9)) if depth == 0 else random.below(4)
        if depth == 0 and random.chance(6):
            length = 40
        if element is None or not (element.kinds or element.weak):
            # One kind for all, as most lists are, and sometimes a mixture.
            kind = random.pick(('int', 'int', 'str', 'number', 'number', 'any')) if depth < 2 else 'int'
            literals = [] if element is None else element.literals
            element = Shape(kind)
            element.literals = literals
        values = [self.part(element, depth) for _ in range(length)]
        if length > 1 and random.chance(40):
            # Equal values, and one object in two places.
            values[random.below(length)] = values[random.below(length)]
        if length > 1 and random.chance(10):
            try:
                values.sort()
            except TypeError:
                pass
        return values

    def collection(self, kind, shape, depth):
        random = self.random
        if shape.items is not None:
            return tuple([self.part(each, depth) for each in shape.items])
        values = self.sequence(shape.element, depth)
        if kind == 'iter':
            return iter(values)
        if kind == 'deque':
            import collections
            return collections.deque(values)
        if kind == 'sized' and not shape.is_changed and random.chance(40):
            return self.text()
        if kind in ('sequence', 'sized', 'container') and not shape.is_changed and random.chance(20):
            choice = random.below(3)
            if choice == 0:
                return tuple(values)
            if choice == 1 and all(map(is_hashable, values)):
                return dict.fromkeys(values, 1) if kind == 'container' else tuple(values)
            if choice == 2 and all(type(each) is str for each in values):
                return ''.join(values)
        return values

    def dictionary(self, shape, depth):
        random = self.random
        found = {}
        if shape.fields:
            for name, field in shape.fields.items():
                if not random.chance(8):
                    found[name] = self.part(field, depth)
            return found
        for _ in range(random.below(5)):
            key = self.part(shape.key, depth) if shape.key is not None and (shape.key.kinds or shape.key.weak) else random.pick(('a', 'b', 'c', 'key', 'name')) if depth < 1 or random.chance(70) else self.integer('int')
            if is_hashable(key):
                value = shape.value
                if value is None or not (value.kinds or value.weak):
                    value = Shape(random.pick(('int', 'str', 'number')))
                found[key] = self.part(value, depth)
        return found

    def thing(self, shape, depth):
        for name, node in self.reader.classes.items():
            if shape.fields and all(field in class_names(node) for field in shape.fields):
                return self.instance(name, depth)
        thing = Thing()
        for name, field in shape.fields.items():
            setattr(thing, name, self.part(field, depth))
        return thing

    def instance(self, name, depth):
        kind = self.scope.get(name)
        if depth > 3 or not isinstance(kind, type):
            return None
        members = getattr(kind, '__members__', None)
        if members:
            return self.random.pick(list(members.values()))
        args, keywords = self.arguments(constructor_of(self.reader, name), depth + 1)
        return kind(*args, **keywords)

    def arguments(self, parameters, depth=0):
        'Arguments for a call: one list of values and one of names with values.'
        random = self.random
        args, keywords = [], {}
        is_open = True
        for name, how, shape, is_optional in parameters:
            if how == 'rest':
                args.extend([self.part(shape, depth) for _ in range(random.below(4))] if is_open else [])
            elif how == 'keywords':
                keywords.update({each: self.part(shape.value, depth) for each in ('alpha', 'beta')[:random.below(3)]})
            elif is_optional and random.chance(35):
                is_open = False
            else:
                value = self.make(shape, depth)
                if how == 'keyword' or not is_open:
                    keywords[name] = value
                else:
                    args.append(value)
        self.relate(args, keywords)
        return args, keywords

    def relate(self, args, keywords):
        'Values that have to do with each other: a separator that is in the text, a key of the dictionary.'
        random = self.random
        places = [(args, index) for index in range(len(args))] + [(keywords, name) for name in keywords]
        if len(places) < 2 or not random.chance(55):
            return
        holder, at = random.pick(places)
        other, place = random.pick(places)
        first, second = holder[at], other[place]
        if holder is other and at == place:
            return
        if type(first) is str and type(second) is str:
            if second and len(second) < 4:
                holder[at] = second.join([random.pick(WORDS) for _ in range(random.below(5))])
            elif len(second) < 20:
                holder[at] = random.pick(('', 'x', ' ')) + second + random.pick(('', 'y', second))
        elif isinstance(first, (list, tuple)) and first and type(second) is type(first[0]):
            if type(second) in (list, dict) and random.chance(50) and type(first) is type(second):
                other[place] = first
            else:
                other[place] = random.pick(first)
        elif type(first) is dict and first and type(second) is type(next(iter(first))):
            other[place] = random.pick(list(first))
        elif type(first) in (list, dict, set) and type(first) is type(second) and random.chance(40):
            other[place] = first
        elif type(first) is int and type(second) is int and random.chance(40):
            other[place] = first

class Thing:
    pass

def is_hashable(value):
    try:
        hash(value)
        return True
    except TypeError:
        return False

def class_names(node):
    'The attributes and methods that a class of the code speaks of.'
    names = set()
    for each in walk(node):
        if is_a(each, 'Attribute') and is_a(each.value, 'Name') and each.value.id == 'self':
            names.add(each.attr)
        elif is_a(each, 'FunctionDef'):
            names.add(each.name)
        elif is_a(each, 'AnnAssign') and is_a(each.target, 'Name'):
            names.add(each.target.id)
    return names

def constructor_of(reader, name, depth=0):
    'The parameters of a class: of its __init__, or the fields of a data class.'
    node = reader.classes.get(name)
    if node is None or depth > 4:
        return []
    for each in node.body:
        if is_a(each, 'FunctionDef') and each.name == '__init__':
            return reader.parameters(each, True)
    fields = []
    for base in node.bases:
        if is_a(base, 'Name') and base.id in reader.classes:
            fields.extend(constructor_of(reader, base.id, depth + 1))
    is_data = any('dataclass' in names_in(each) for each in node.decorator_list) or any('NamedTuple' in names_in(each) for each in node.bases)
    if is_data:
        for each in node.body:
            if is_a(each, 'AnnAssign') and is_a(each.target, 'Name') and 'ClassVar' not in names_in(each.annotation):
                shape = reader.annotated(each.annotation)
                if not shape.kinds:
                    shape.say(kind_of_name(each.target.id) or 'any')
                fields.append((each.target.id, 'plain', shape, each.value is not None))
    return fields

def names_in(node):
    return {each.id if is_a(each, 'Name') else each.attr for each in walk(node) if is_a(each, 'Name', 'Attribute')}
`
