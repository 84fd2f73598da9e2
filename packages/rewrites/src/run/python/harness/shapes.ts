/** Python: what a parameter may be given, from its annotation, its default, its uses and its name. */
export const shapes = String.raw`
# Hints that leave open what a value holds.
VAGUE = {'sequence', 'sized', 'container', 'indexed', 'key'}
ELEMENTS = {'words': 'str', 'numbers': 'number'}

class Reader(Uses):
    'Reads the shapes of one module.'
    def __init__(self, tree):
        self.functions = {}
        self.classes = {}
        for node in tree.body:
            if is_a(node, 'FunctionDef', 'AsyncFunctionDef'):
                self.functions[node.name] = node
            elif is_a(node, 'ClassDef'):
                self.classes[node.name] = node
        self.statements = list(tree.body)
        # Whether a format of the code takes only integers.
        self.formats_numbers = any('d}' in value for node in walk(tree) for value in constant(node) if type(value) is str)
        self.bodies = {}
        # Names of compiled regular expressions.
        self.patterns = {target.id for node in walk(tree) if is_a(node, 'Assign') and is_a(node.value, 'Call')
                         and getattr(node.value.func, 'attr', getattr(node.value.func, 'id', '')) == 'compile'
                         for target in node.targets if is_a(target, 'Name')}

    def body(self, node):
        found = self.bodies.get(id(node))
        if found is None:
            found = self.bodies[id(node)] = Body(node)
        return found

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
        by_name = kind_of_name(name)
        self.decide(shape, ELEMENTS.get(by_name) if how == 'rest' else by_name)
        return shape

    def decide(self, shape, by_name):
        'Falls back on hints, and then on what the name says.'
        element = shape.element
        if by_name in ELEMENTS and element is not None and not element.kinds and not (set(element.weak) - VAGUE):
            element.weak = [ELEMENTS[by_name]]
        if not [kind for kind in shape.kinds if kind != 'none']:
            hints = [kind for kind in shape.weak if kind != 'none']
            is_vague = not (set(hints) - VAGUE)
            has_element = element is not None and (element.kinds or element.weak)
            is_named = by_name == 'str' or by_name in ('words', 'numbers', 'dict') and not has_element
            if hints and not (is_vague and is_named):
                shape.say(*hints)
            else:
                shape.say(by_name or 'any')
                if 'none' in shape.weak:
                    shape.say('any')
            if 'none' in shape.weak:
                shape.say('none')
        if by_name == 'count' and 'number' in shape.kinds:
            shape.kinds[shape.kinds.index('number')] = 'natural'
`
