/** Python: what a value may be, and what annotations say about it. */
export const annotations = String.raw`
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

class Annotations:
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
`
