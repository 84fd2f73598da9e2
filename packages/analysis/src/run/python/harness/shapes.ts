/** Python: what a parameter may be given, from its annotation, its default, its uses and its name. */
export const shapes = String.raw`
class Shape:
    def __init__(self, *kinds):
        self.kinds = list(kinds)
        self.weak = []
        self.element = None
        self.key = None
        self.value = None
        self.fields = {}
        self.items = None
        self.literals = []
        self.class_name = None
        self.is_changed = False

    def say(self, *kinds):
        for kind in kinds:
            if kind not in self.kinds:
                self.kinds.append(kind)

    def hint(self, *kinds):
        for kind in kinds:
            if kind not in self.weak:
                self.weak.append(kind)

    def merge(self, other):
        if other is None:
            return self
        self.say(*other.kinds)
        self.hint(*other.weak)
        for name in ('element', 'key', 'value', 'items', 'class_name'):
            if getattr(self, name) is None:
                setattr(self, name, getattr(other, name))
        for name, shape in other.fields.items():
            self.fields.setdefault(name, shape)
        self.literals.extend(other.literals)
        self.is_changed = self.is_changed or other.is_changed
        return self

ANNOTATIONS = {
    'int': 'int', 'float': 'float', 'str': 'str', 'bool': 'bool', 'bytes': 'bytes', 'None': 'none', 'complex': 'float',
    'list': 'list', 'List': 'list', 'Sequence': 'list', 'MutableSequence': 'list', 'Iterable': 'list', 'Collection': 'list',
    'Iterator': 'iter', 'Generator': 'iter', 'tuple': 'tuple', 'Tuple': 'tuple', 'dict': 'dict', 'Dict': 'dict',
    'Mapping': 'dict', 'MutableMapping': 'dict', 'DefaultDict': 'dict', 'defaultdict': 'dict', 'OrderedDict': 'dict',
    'Counter': 'dict', 'set': 'set', 'Set': 'set', 'AbstractSet': 'set', 'frozenset': 'frozenset', 'FrozenSet': 'frozenset',
    'Callable': 'call', 'Number': 'number', 'Decimal': 'decimal', 'Hashable': 'scalar', 'deque': 'deque', 'Deque': 'deque',
    'date': 'date', 'datetime': 'datetime'
}

class Reader:
    'Reads the shapes of one module.'
    def __init__(self, tree):
        self.functions = {}
        self.classes = {}
        for node in tree.body:
            if is_a(node, 'FunctionDef', 'AsyncFunctionDef'):
                self.functions[node.name] = node
            elif is_a(node, 'ClassDef'):
                self.classes[node.name] = node
        self.bodies = {}

    def body(self, node):
        found = self.bodies.get(id(node))
        if found is None:
            found = self.bodies[id(node)] = Body(node)
        return found

    def annotated(self, node):
        shape = Shape()
        if is_a(node, 'Constant') and isinstance(node.value, str):
            try:
                return self.annotated(compile(node.value, 'code', 'eval', ONLY_TREE, dont_inherit=True).body)
            except SyntaxError:
                return shape
        if is_a(node, 'Constant') and node.value is None:
            shape.say('none')
        elif is_a(node, 'Attribute'):
            return self.annotated_name(node.attr)
        elif is_a(node, 'Name'):
            return self.annotated_name(node.id)
        elif is_a(node, 'BinOp'):
            return self.annotated(node.left).merge(self.annotated(node.right))
        elif is_a(node, 'Subscript'):
            name = node.value.id if is_a(node.value, 'Name') else getattr(node.value, 'attr', '')
            args = node.slice.elts if is_a(node.slice, 'Tuple') else [node.slice]
            if name == 'Optional':
                shape = self.annotated(args[0])
                shape.say('none')
            elif name == 'Union':
                for each in args:
                    shape.merge(self.annotated(each))
            elif name == 'Literal':
                shape.say('literal')
                for each in args:
                    shape.literals.extend(constant(each))
            elif name in ('Final', 'Annotated', 'ClassVar', 'Type', 'type'):
                return self.annotated(args[0])
            else:
                shape = self.annotated_name(name)
                if 'dict' in shape.kinds:
                    shape.key = self.annotated(args[0])
                    shape.value = self.annotated(args[1]) if len(args) > 1 else Shape('int')
                elif 'tuple' in shape.kinds and not (len(args) == 2 and constant(args[1]) == (Ellipsis,)):
                    shape.items = [self.annotated(each) for each in args]
                elif 'call' not in shape.kinds:
                    shape.element = self.annotated(args[0])
        return shape

    def annotated_name(self, name):
        if name in self.classes:
            shape = Shape('instance')
            shape.class_name = name
            return shape
        known = ANNOTATIONS.get(name)
        return Shape(known) if known else Shape()

    def parameters(self, function, skip_first):
        'For each parameter its name, its kind, its shape and whether it may be left out.'
        args = function.args
        plain = args.posonlyargs + args.args
        defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
        found = [(each, 'plain', default) for each, default in zip(plain, defaults)][1 if skip_first else 0:]
        if args.vararg:
            found.append((args.vararg, 'rest', None))
        found.extend((each, 'keyword', default) for each, default in zip(args.kwonlyargs, args.kw_defaults))
        if args.kwarg:
            found.append((args.kwarg, 'keywords', None))
        return [(arg.arg, how, self.of_parameter(function, arg, how, default), default is not None) for arg, how, default in found]

    def of_parameter(self, function, arg, how, default, depth=0):
        name = arg.arg
        said = self.annotated(arg.annotation) if arg.annotation else Shape()
        is_name = lambda node: is_a(node, 'Name') and node.id == name
        used = self.used(is_name, self.body(function), depth)
        if how == 'rest':
            used = (used.element or Shape())
        if said.kinds:
            shape = said
            shape.literals.extend(used.literals)
            for part in ('element', 'key', 'value'):
                if getattr(shape, part) is None or not getattr(shape, part).kinds:
                    setattr(shape, part, getattr(used, part))
            shape.fields.update(used.fields)
            if 'count' in used.kinds and 'int' in shape.kinds:
                shape.kinds[shape.kinds.index('int')] = 'count'
        else:
            shape = used
        if default is not None:
            given = constant(default)
            if given:
                shape.literals.extend(given)
                kind = {int: 'int', float: 'float', str: 'str', bool: 'bool', bytes: 'bytes', type(None): 'none'}.get(type(given[0]))
                if kind and (not said.kinds or kind == 'none'):
                    if kind == 'int' and ('count' in shape.kinds or 'number' in shape.kinds):
                        kind = 'number' if 'number' in shape.kinds else 'count'
                    shape.say(kind)
            elif is_a(default, 'List', 'Dict', 'Tuple', 'Set') and not said.kinds:
                shape.say(type(default).__name__.lower())
        self.decide(shape, name)
        return shape

    def decide(self, shape, name):
        'Falls back on hints, and then on the name.'
        by_name = kind_of_name(name)
        if not [kind for kind in shape.kinds if kind != 'none']:
            hints = [kind for kind in shape.weak if kind != 'none']
            is_vague = not (set(hints) - {'sequence', 'sized', 'container', 'indexed'})
            has_element = shape.element is not None and (shape.element.kinds or shape.element.weak)
            if hints and not (is_vague and by_name in ('words', 'numbers', 'str', 'dict') and not has_element):
                shape.say(*hints)
            else:
                shape.say(by_name or 'any')
                if 'none' in shape.weak:
                    shape.say('any')
            if 'none' in shape.weak:
                shape.say('none')
        if by_name == 'count' and 'number' in shape.kinds:
            shape.kinds[shape.kinds.index('number')] = 'natural'

    def used(self, match, body, depth):
        'What the uses of everything that matches say about it.'
        shape = Shape()
        if depth > 4:
            return shape
        elements, keys, values = [], [], []
        for node in body.nodes:
            if match(node):
                parent = body.parent(node)
                if parent is not None:
                    self.use(shape, node, parent, match, body, depth, elements, keys, values)
        names = lambda list_: lambda node: is_a(node, 'Name') and node.id in list_
        if elements or 'indexed' in shape.weak or 'list' in shape.kinds or 'sequence' in shape.kinds:
            targets = [each for each in elements if isinstance(each, str)]
            tuples = [each for each in elements if isinstance(each, tuple)]
            item = lambda node: is_a(node, 'Subscript') and match(node.value) and not is_a(node.slice, 'Slice') and not (constant(node.slice) and isinstance(constant(node.slice)[0], str))
            shape.element = self.used(lambda node: names(targets)(node) or item(node), body, depth + 1)
            if tuples:
                shape.element.say('tuple')
                shape.element.items = [self.used(names([each]), body, depth + 1) for each in tuples[0]]
        if keys:
            shape.key = self.used(names(keys), body, depth + 1)
        if values or 'dict' in shape.kinds:
            got = lambda node: is_a(node, 'Subscript') and match(node.value) or is_a(node, 'Call') and is_a(node.func, 'Attribute') and node.func.attr in ('get', 'setdefault', 'pop') and match(node.func.value)
            targets = [each for each in values if isinstance(each, str)]
            tuples = [each for each in values if isinstance(each, tuple)]
            shape.value = self.used(lambda node: names(targets)(node) or got(node), body, depth + 1)
            if tuples:
                shape.value.say('tuple')
                shape.value.items = [self.used(names([each]), body, depth + 1) for each in tuples[0]]
        return shape

    def looped(self, target, elements):
        if is_a(target, 'Name'):
            elements.append(target.id)
        elif is_a(target, 'Tuple', 'List') and all(is_a(each, 'Name') for each in target.elts):
            elements.append(tuple(each.id for each in target.elts))

    def loop_names(self, match, body):
        return {node.target.id for node in body.nodes
                if is_a(node, 'For', 'comprehension') and match(node.iter) and is_a(node.target, 'Name')}

    def target_of(self, node, body):
        'The target of the loop over a node, if there is one.'
        parent = body.parent(node)
        if is_a(parent, 'For', 'AsyncFor', 'comprehension') and parent.iter is node:
            return parent.target

    def use(self, shape, node, parent, match, body, depth, elements, keys, values):
        above = body.parent(parent)
        if is_a(parent, 'Attribute'):
            is_call = is_a(above, 'Call') and above.func is parent
            is_awaited = is_call and is_a(body.parent(above), 'Await')
            kind = METHODS.get(parent.attr) if is_call and not is_awaited else None
            if parent.attr == 'sort' and is_call or kind == 'list':
                shape.say('list')
            elif kind == 'str' and parent.attr in ('find', 'join', 'format', 'translate', 'replace'):
                shape.say('str')
            elif kind:
                shape.say(kind)
            elif is_awaited:
                shape.say('object')
                shape.fields[parent.attr] = Shape('async')
            elif is_call and parent.attr in ('pop', 'remove', 'index', 'count', 'copy', 'clear', 'update'):
                shape.hint('dict' if parent.attr == 'update' else 'list')
            else:
                shape.say('object')
                attr = parent.attr
                field = lambda each: is_a(each, 'Attribute') and each.attr == attr and match(each.value)
                if attr not in shape.fields:
                    shape.fields[attr] = None
                    shape.fields[attr] = self.field(attr, field, body, depth)
            if is_call and kind == 'dict':
                target = self.target_of(above, body)
                if parent.attr == 'items' and is_a(target, 'Tuple') and len(target.elts) == 2:
                    if is_a(target.elts[0], 'Name'):
                        keys.append(target.elts[0].id)
                    self.looped(target.elts[1], values)
                elif target is not None and parent.attr in ('keys', 'values'):
                    self.looped(target, keys if parent.attr == 'keys' and is_a(target, 'Name') else values)
                if parent.attr in ('get', 'setdefault') and above.args and constant(above.args[0]) and isinstance(constant(above.args[0])[0], str):
                    name = constant(above.args[0])[0]
                    got = lambda each: is_a(each, 'Call') and is_a(each.func, 'Attribute') and match(each.func.value) and bool(each.args) and constant(each.args[0]) == (name,)
                    self.record(shape, name, got, body, depth)
        elif is_a(parent, 'Slice') or is_a(parent, 'BinOp') and is_a(above, 'Slice'):
            shape.say('count')
        elif is_a(parent, 'Subscript') and parent.value is node:
            shape.is_changed = shape.is_changed or not is_a(parent.ctx, 'Load')
            index = constant(parent.slice)
            if is_a(parent.slice, 'Slice'):
                shape.hint('str' if self.is_text(parent, body) else 'list')
            elif index and isinstance(index[0], str):
                name = index[0]
                got = lambda each: is_a(each, 'Subscript') and match(each.value) and constant(each.slice) == (name,)
                self.record(shape, name, got, body, depth)
            elif index:
                shape.hint('list')
                shape.hint('indexed')
            elif is_a(parent.slice, 'Name') and parent.slice.id in self.loop_names(match, body):
                # for key in d: d[key]
                shape.say('dict')
                keys.append(parent.slice.id)
            else:
                shape.hint('list', 'indexed')
        elif is_a(parent, 'Subscript'):
            shape.hint('key')
        elif is_a(parent, 'For', 'AsyncFor', 'comprehension') and parent.iter is node:
            shape.hint('sequence')
            self.looped(parent.target, elements)
        elif is_a(parent, 'Call'):
            self.use_in_call(shape, node, parent, body, depth, elements)
        elif is_a(parent, 'BinOp'):
            other = parent.right if parent.left is node else parent.left
            self.calculate(shape, parent.op, other, parent.left is node)
        elif is_a(parent, 'AugAssign'):
            self.calculate(shape, parent.op, parent.value if parent.target is node else parent.target, parent.target is node)
        elif is_a(parent, 'UnaryOp'):
            if not is_a(parent.op, 'Not'):
                shape.say('number')
        elif is_a(parent, 'Compare'):
            self.compare(shape, node, parent)
        elif is_a(parent, 'Starred'):
            shape.hint('sequence')
        elif is_a(parent, 'Assign') and parent.value is node and len(parent.targets) == 1:
            target = parent.targets[0]
            if is_a(target, 'Tuple', 'List'):
                shape.say('tuple')
                shape.items = [self.used(lambda each, t=t: is_a(each, 'Name') and is_a(t, 'Name') and each.id == t.id, body, depth + 1) for t in target.elts]
            elif is_a(target, 'Name'):
                name = target.id
                if not match(target):
                    shape.merge(self.used(lambda each: is_a(each, 'Name') and each.id == name and is_a(each.ctx, 'Load'), body, depth + 2))
        elif is_a(parent, 'BoolOp'):
            for each in parent.values:
                given = constant(each)
                if each is not node and given and given[0] is not None:
                    shape.hint({int: 'number', float: 'number', str: 'str', bool: 'bool'}.get(type(given[0]), 'any'))
                    shape.hint('none')

    def is_text(self, node, body):
        parent = body.parent(node)
        if is_a(parent, 'Attribute'):
            return METHODS.get(parent.attr) == 'str'
        return is_a(parent, 'BinOp', 'Compare') and any(
            constant(each) and isinstance(constant(each)[0], str) for each in children(parent))

    def record(self, shape, name, got, body, depth):
        shape.say('dict')
        if name not in shape.fields:
            shape.fields[name] = None
            shape.fields[name] = self.field(name, got, body, depth)

    def field(self, name, match, body, depth):
        shape = self.used(match, body, depth + 1)
        self.decide(shape, name)
        return shape

    def use_in_call(self, shape, node, call, body, depth, elements):
        if call.func is node:
            shape.say('async' if is_a(body.parent(call), 'Await') else 'call')
            return
        name = call.func.id if is_a(call.func, 'Name') else getattr(call.func, 'attr', '')
        position = next((index for index, each in enumerate(call.args) if each is node), None)
        if name == 'isinstance' and position == 0:
            for each in (call.args[1].elts if is_a(call.args[1], 'Tuple') else [call.args[1]]):
                shape.hint(*self.annotated(each).kinds)
            shape.hint('any')
        elif name == 'join' and is_a(call.func, 'Attribute'):
            shape.say('words')
        elif name in self.functions and position is not None and depth < 3:
            called = self.functions[name]
            plain = called.args.posonlyargs + called.args.args
            if position < len(plain):
                shape.merge(self.of_parameter(called, plain[position], 'plain', None, depth + 2))
        elif name in FUNCTIONS and position is not None:
            kind = FUNCTIONS[name]
            if name in ('max', 'min') and len(call.args) > 1:
                kind = 'number'
            elif name in ('map', 'filter', 'groupby') and position == 0 and name != 'groupby':
                kind = 'call'
            elif name in ('enumerate', 'combinations', 'nlargest', 'nsmallest') and position != (1 if name.startswith('n') else 0):
                kind = 'count'
            elif name.startswith('bisect') and position == 1:
                kind = 'number'
            if name in ('int', 'float', 'round', 'Decimal'):
                shape.hint(kind)
            elif kind in ('sequence', 'sized'):
                shape.hint(kind)
                target = self.target_of(call, body)
                if target is not None and name == 'enumerate' and is_a(target, 'Tuple') and len(target.elts) == 2:
                    self.looped(target.elts[1], elements)
                elif target is not None and name == 'zip' and is_a(target, 'Tuple') and position < len(target.elts):
                    self.looped(target.elts[position], elements)
                elif target is not None and name in ('sorted', 'list', 'tuple', 'set', 'iter'):
                    self.looped(target, elements)
                for keyword in call.keywords:
                    if keyword.arg == 'key' and is_a(keyword.value, 'Lambda') and keyword.value.args.args:
                        elements.append(keyword.value.args.args[0].arg)
            else:
                shape.say(kind)

    def calculate(self, shape, op, other, is_left):
        given = constant(other)
        if is_a(other, 'JoinedStr') or given and isinstance(given[0], str):
            if is_a(op, 'Add'):
                shape.say('str')
            elif not is_left:
                shape.hint('scalar')
            else:
                shape.say('number')
        elif is_a(other, 'List', 'ListComp'):
            shape.say('list' if is_a(op, 'Add') else 'count')
        elif is_a(op, 'BitAnd', 'BitOr', 'BitXor', 'LShift', 'RShift'):
            shape.hint('int')
        elif is_a(op, 'Add') and not given:
            shape.hint('addable')
        else:
            shape.say('number')

    def compare(self, shape, node, comparison):
        sides = [comparison.left] + comparison.comparators
        at = next(index for index, each in enumerate(sides) if each is node)
        for index, op in enumerate(comparison.ops):
            if index not in (at - 1, at):
                continue
            other = sides[index + 1] if index == at else sides[index]
            given = constant(other)
            if is_a(op, 'In', 'NotIn'):
                if index == at and is_a(other, 'Tuple', 'List', 'Set'):
                    literals = [each for element in other.elts for each in constant(element)]
                    shape.literals.extend(literals)
                    if literals:
                        shape.hint({int: 'number', float: 'number', str: 'str'}.get(type(literals[0]), 'any'))
                elif index == at and given and isinstance(given[0], str):
                    shape.hint('str')
                elif index != at:
                    shape.hint('str' if given and isinstance(given[0], str) and len(given[0]) == 1 else 'container')
            elif given:
                value = given[0]
                if value is None:
                    shape.hint('none')
                else:
                    shape.literals.append(value)
                    kind = {int: 'number', float: 'number', str: 'str', bool: 'bool'}.get(type(value), 'any')
                    if is_a(op, 'Eq', 'NotEq', 'Is', 'IsNot'):
                        shape.hint(kind)
                    else:
                        shape.say(kind)
            elif is_a(op, 'Lt', 'Gt', 'LtE', 'GtE'):
                shape.hint('number')
`
