/** Python: which functions and classes a rewrite may have changed. */
export const plan = String.raw`
MAX_TARGETS = 40
MAX_MINED = 40
MAX_SAMPLE = 60

def declared(node):
    if is_a(node, 'FunctionDef', 'AsyncFunctionDef', 'ClassDef'):
        return {node.name}
    if is_a(node, 'Import', 'ImportFrom'):
        return {(each.asname or each.name).split('.')[0] for each in node.names}
    return {each.id for each in walk(node) if is_a(each, 'Name') and is_a(each.ctx, 'Store')}

def segments(code, tree):
    'The text of each statement at the top, with the names that it declares.'
    lines = code.splitlines()
    found = []
    for node in tree.body:
        first = min([node.lineno] + [each.lineno for each in getattr(node, 'decorator_list', [])])
        text = '\n'.join([line.rstrip() for line in lines[first - 1:node.end_lineno]])
        found.append((text, declared(node), node))
    return found

def words_of(node):
    return {each.id if is_a(each, 'Name') else each.attr for each in walk(node) if is_a(each, 'Name', 'Attribute')}

def is_private(name):
    return name.startswith('_') and not name.endswith('__')

def make_plan(before, after):
    old_tree, new_tree = parse(before), parse(after)
    old, new = segments(before, old_tree), segments(after, new_tree)
    old_texts, new_texts = {each[0] for each in old}, {each[0] for each in new}
    known = set().union(*[names for _, names, _ in old]) if old else set()
    changed = set()
    for text, names, _ in old:
        if text not in new_texts:
            changed |= names
    for text, names, _ in new:
        if text not in old_texts:
            changed |= names & known
    words = [(names, words_of(node)) for _, names, node in old]
    size = -1
    while size != len(changed):
        size = len(changed)
        for names, used in words:
            if used & changed:
                changed |= names
    targets = [node.name for _, _, node in old
               if is_a(node, 'FunctionDef', 'AsyncFunctionDef', 'ClassDef') and node.name in changed]
    # Only the module itself calls these, so its other functions show what they did.
    offered = {name for node in walk(old_tree) for name in constant(node) if type(name) is str}
    gone = [name for name in targets if is_private(name) and name not in offered and not any(name in names for _, names, _ in new)]
    data = lambda list_: {name for _, names, node in list_
                          if not is_a(node, 'FunctionDef', 'AsyncFunctionDef', 'ClassDef', 'Import', 'ImportFrom') for name in names}
    return {'targets': [name for name in targets if name not in gone][:MAX_TARGETS], 'gone': gone,
            'added': [node.name for _, names, node in new if is_a(node, 'FunctionDef', 'AsyncFunctionDef', 'ClassDef') and not names & known],
            'data': sorted(name for name in data(old) & data(new) if is_private(name)), 'state': sorted(data(old) & data(new)),
            'modules': sorted(modules_in(old_tree) | modules_in(new_tree)),
            'probes': {'before': probes_of(before, old_tree, after), 'after': probes_of(after, new_tree, before)}}

def modules_in(tree):
    found = set()
    for node in walk(tree):
        if is_a(node, 'Import'):
            found |= {each.name for each in node.names}
        elif is_a(node, 'ImportFrom') and node.module and not node.level:
            found.add(node.module)
    # These do something when they are imported.
    top = sys.stdlib_module_names - {'this', 'antigravity', '__main__', 'idlelib', 'turtledemo'}
    return {each for each in found if each.split('.')[0] in top}

# What strings hold where the code calls these, which look at single characters.
TELLING = {
    'isdigit isdecimal isnumeric isascii': ('1', '23', '\u00b2', '\u0663'),
    'int float': ('1', '7', '10', '-2', ' 3'),
    'splitlines MULTILINE': ('\n', '\r\n', '  a\n', '\tb\n', '\x0b'),
    'isspace strip lstrip rstrip split': (' ', '\t', '\n'),
    'isupper islower upper lower casefold title capitalize swapcase': ('a', 'B', '\u00df', '\u0130')
}

def mine(before, after):
    'The literals of both versions. A string of digits is a number as well.'
    numbers, texts = [], []
    nodes = [*walk(before), *walk(after)]
    called = {each.id if is_a(each, 'Name') else each.attr for each in nodes if is_a(each, 'Name', 'Attribute')}
    for names, samples in TELLING.items():
        if called.intersection(names.split()):
            texts.extend(samples)
    texts.extend(samples_of_patterns(nodes))
    for node in nodes:
        for value in constant(node):
            if type(value) is bytes and value.isascii():
                value = value.decode()
            if type(value) is str and 0 < len(value) <= 40 and value not in texts:
                texts.append(value)
            if type(value) is str and value.isdecimal() and len(value) < 10:
                value = int(value)
            if type(value) in (int, float) and value not in numbers:
                numbers.append(value)
    return {'numbers': numbers[:MAX_MINED], 'texts': texts[:MAX_MINED], 'samples': samples_in(before)[:MAX_MINED]}

def samples_in(tree):
    'Strings that docstrings show in quotes, as examples.'
    found = []
    for node in walk(tree):
        if not is_a(node, 'Module', 'FunctionDef', 'AsyncFunctionDef', 'ClassDef') or not node.body:
            continue
        first = node.body[0]
        for text in constant(first.value) if is_a(first, 'Expr') else ():
            for line in text.splitlines() if type(text) is str else ():
                for quote in ("'", '"'):
                    parts = line.split(quote)
                    found += [each for each in parts[1:-1:2] if 0 < len(each) <= MAX_SAMPLE and each not in found]
    return found

CALLABLE_DUNDERS = {'__len__', '__iter__', '__contains__', '__getitem__', '__setitem__', '__delitem__', '__eq__', '__ne__',
                    '__lt__', '__le__', '__gt__', '__ge__', '__str__', '__repr__', '__call__', '__add__', '__sub__',
                    '__mul__', '__bool__', '__hash__', '__neg__', '__abs__', '__reversed__', '__enter__', '__and__', '__or__'}

def methods_of(reader, class_name):
    'The public methods of a class with their parameters; None where it is a property.'
    found = []
    for node in reader.classes[class_name].body:
        if not is_a(node, 'FunctionDef', 'AsyncFunctionDef'):
            continue
        if node.name.startswith('_') and node.name not in CALLABLE_DUNDERS:
            continue
        decorators = set().union(*[names_in(each) for each in node.decorator_list]) if node.decorator_list else set()
        if decorators & {'setter', 'deleter', 'abstractmethod', 'overload'}:
            continue
        if decorators & {'property', 'cached_property'}:
            found.append((node.name, None))
            continue
        parameters = reader.parameters(node, 'staticmethod' not in decorators)
        for index, (name, how, shape, is_optional) in enumerate(parameters):
            if name == 'other' and not (set(shape.kinds) - {'object', 'any'}):
                own = Shape('instance')
                own.class_name = class_name
                parameters[index] = (name, how, own, is_optional)
        found.append((node.name, parameters))
    return found
`
