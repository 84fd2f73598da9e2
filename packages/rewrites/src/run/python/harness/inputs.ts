/** Python: seeded values of a shape. */
export const inputs = String.raw`
NESTED = 1500

def places_of(args, keywords):
    return [(args, index) for index in range(len(args))] + [(keywords, name) for name in keywords]

def keys_in(value, depth=0):
    'The strings that are keys of the dictionaries inside a value.'
    if depth > 3:
        return []
    if type(value) is dict:
        return [key for key in value if type(key) is str] + [key for each in list(value.values())[:4] for key in keys_in(each, depth + 1)]
    return [key for each in value[:4] for key in keys_in(each, depth + 1)] if type(value) in (list, tuple) else []

class Maker(Mutations, Draws):
    def __init__(self, seed, mined, reader, scope, calls, steps):
        self.random = Random(seed)
        self.mined = mined
        self.reader = reader
        self.scope = scope
        self.calls = calls
        self.drawn = []
        self.steps = [Random(step) for step in steps]
        # What can be added to each other is of one kind in a run.
        self.addable = self.random.pick(('number', 'number', 'str', 'list'))

    def make(self, shape, depth=0):
        random = self.random
        if shape is None:
            shape = Shape('any')
        if shape.literals and random.chance(25 if len(shape.literals) < 4 else 40):
            value = random.pick(shape.literals)
            if type(value) in (int, float) and random.chance(40):
                value = value + random.pick((-1, 1))
            if type(value) is not bytes:
                return value
        kinds = shape.kinds or shape.weak or ['any']
        if 'none' in shape.weak and 'none' not in kinds:
            kinds = kinds + ['none']
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
        if kind in ('bool', 'none'):
            return None if kind == 'none' else random.chance(50)
        if kind == 'str':
            return self.text()
        if kind == 'char':
            return random.pick('abzAZ09 _\u00e9./,-')
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
        if kind in ('decimal', 'fraction', 'date', 'datetime'):
            return self.library_value(kind)
        return self.anything(depth)

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
            if depth == 0 and random.chance(3):
                # Deeper than Python calls.
                nested = []
                for _ in range(NESTED):
                    nested = [nested]
                return nested
            # One kind for all, as most lists are, and sometimes a mixture.
            kind = random.pick(('int', 'int', 'str', 'number', 'number', 'any')) if depth < 2 else 'int'
            literals = [] if element is None else element.literals
            element = Shape(kind)
            element.literals = literals
        values = [self.part(element, depth) for _ in range(length)]
        if length > 1 and random.chance(40):
            # Equal values, and one object in two places.
            values[random.below(length)] = values[random.below(length)]
        if length > 1 and random.chance(12) and all(type(each) is str for each in values):
            # Strings that begin alike.
            start = self.token()
            values = [start + each for each in values]
        if length > 1 and random.chance(20):
            try:
                values.sort()
            except TypeError:
                return values
            if any(type(each) is float for each in values) and random.chance(60):
                # Strictly ascending but for one NaN, which every comparison rejects.
                values = sorted(set(values))
                values[random.below(len(values))] = float('nan')
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
        if {'numerator', 'denominator'} <= {name.lstrip('_') for name in shape.fields}:
            return self.library_value('fraction')
        if 'year' in shape.fields and 'month' in shape.fields:
            return self.library_value('datetime' if 'hour' in shape.fields else 'date')
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
        if depth == 0:
            for step in self.steps:
                self.change_arguments(step, args, keywords)
        return args, keywords

    def relate(self, args, keywords):
        'Values that have to do with each other: a separator that is in the text, a key of the dictionary.'
        random = self.random
        places = places_of(args, keywords)
        if len(places) < 2:
            return
        for holder, at in places:
            # The code may look it up in an object inside another argument.
            if type(holder[at]) is str and random.chance(35):
                keys = [key for inner, place in places if inner[place] is not holder[at] for key in keys_in(inner[place])]
                if keys:
                    holder[at] = random.pick(keys)
        lists = [holder[at] for holder, at in places if type(holder[at]) is list and holder[at]]
        floats = [(holder, at) for holder, at in places if type(holder[at]) is float]
        if lists and floats and random.chance(30):
            # The same NaN in both: it is found by 'is' and by 'in', and not by '=='.
            holder, at = random.pick(floats)
            found = random.pick(lists)
            holder[at] = found[random.below(len(found))] = float('nan')
            return
        texts = [(holder, at) for holder, at in places if type(holder[at]) is str]
        marks = [holder[at] for holder, at in texts if len(holder[at]) == 1]
        if marks and len(texts) > 1 and random.chance(40):
            mark = random.pick(marks)
            holder, at = random.pick([(inner, place) for inner, place in texts if inner[place] != mark] or texts)
            holder[at] = self.marked(mark)
        if not random.chance(55):
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
`
