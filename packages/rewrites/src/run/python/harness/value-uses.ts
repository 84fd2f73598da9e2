/** Python: what the uses of a value in a function say about it. */
export const valueUses = String.raw`
# Methods of strings that look for their arguments in the string, or replace them.
PART_OF_TEXT = set('split rsplit strip lstrip rstrip startswith endswith replace partition rpartition find rfind removeprefix removesuffix'.split())
MATCHING = {'search', 'match', 'fullmatch', 'findall', 'finditer', 'sub', 'subn', 'split'}

def is_one_character(node):
    'text[i:i + 1]'
    if not (is_a(node, 'Subscript') and is_a(node.slice, 'Slice') and is_a(node.slice.lower, 'Name')):
        return False
    upper = node.slice.upper
    return is_a(upper, 'BinOp') and is_a(upper.op, 'Add') and is_a(upper.left, 'Name') and upper.left.id == node.slice.lower.id and constant(upper.right) == (1,)

class Uses(Annotations):
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
            elif not is_call and parent.attr in METHODS:
                # The code asks whether it has the method.
                shape.hint(METHODS[parent.attr])
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
            self.look_up(shape, parent.value, body)
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
            self.compare(shape, node, parent, body)
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
        self.decide(shape, kind_of_name(name))
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
        elif self.is_searched(call, name, position):
            shape.say('str')
        elif name == 'format' and self.formats_numbers and is_a(call.func, 'Attribute'):
            shape.hint('int')
        elif name in PART_OF_TEXT and is_a(call.func, 'Attribute'):
            shape.hint('str')
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

    def look_up(self, shape, table, body):
        'The keys of a literal dictionary are values of what is looked up in it.'
        if is_a(table, 'Name'):
            assigned = [each.value for each in body.nodes + self.statements if is_a(each, 'Assign')
                        and any(is_a(target, 'Name') and target.id == table.id for target in each.targets)]
            table = assigned[0] if len(assigned) == 1 else None
        keys = [key for each in table.keys if each is not None for key in constant(each)] if is_a(table, 'Dict') else []
        shape.literals.extend(keys)
        if keys:
            shape.hint({int: 'number', float: 'number', str: 'str'}.get(type(keys[0]), 'any'))

    def is_searched(self, call, name, position):
        'Whether a regular expression is matched against the argument in this position.'
        if name not in MATCHING or not is_a(call.func, 'Attribute') or not is_a(call.func.value, 'Name'):
            return False
        is_module = call.func.value.id == 're'
        return (is_module or call.func.value.id in self.patterns) and position == is_module + (name in ('sub', 'subn'))

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

    def compare(self, shape, node, comparison, body):
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
                elif index == at:
                    self.look_up(shape, other, body)
                else:
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
            elif is_one_character(other):
                shape.say('char')
`
