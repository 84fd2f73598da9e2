/** Python: how instances of the code are made. */
export const classes = String.raw`
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

def returned_functions(node):
    'The functions inside a function that it returns.'
    own, names, found = {}, [], []
    todo = list(node.body) if isinstance(node.body, list) else [node.body]
    if is_a(node, 'Lambda') and is_a(node.body, 'Lambda'):
        return [node.body]
    while todo:
        each = todo.pop(0)
        if is_a(each, 'FunctionDef', 'AsyncFunctionDef'):
            own[each.name] = each
            continue
        if is_a(each, 'Return') and each.value is not None:
            names += [part for part in walk(each.value) if is_a(part, 'Name', 'Lambda')]
        if not is_a(each, 'ClassDef', 'Lambda'):
            todo.extend(children(each))
    for part in names:
        if is_a(part, 'Lambda'):
            found.append(part)
        elif part.id in own and own[part.id] not in found:
            found.append(own[part.id])
    return found

def names_in(node):
    return {each.id if is_a(each, 'Name') else each.attr for each in walk(node) if is_a(each, 'Name', 'Attribute')}
`
