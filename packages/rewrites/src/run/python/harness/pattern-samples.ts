/** Python: strings that the regular expressions of the code match. */
export const patternSamples = String.raw`
SAMPLES_PER_PATTERN = 3
CATEGORIES = {'CATEGORY_DIGIT': '07', 'CATEGORY_SPACE': ' \t', 'CATEGORY_WORD': 'aZ0_', 'CATEGORY_NOT_DIGIT': 'a-',
              'CATEGORY_NOT_SPACE': 'a0.', 'CATEGORY_NOT_WORD': ' -.'}
OTHERS = 'a 1-."Z\\\n'

def patterns_in(nodes):
    'The literal patterns that the code passes to the functions of re.'
    for node in nodes:
        if is_a(node, 'Call') and is_a(node.func, 'Attribute') and is_a(node.func.value, 'Name') and node.func.value.id == 're' and node.args:
            for value in constant(node.args[0]):
                if type(value) is bytes:
                    value = value.decode('latin-1')
                if type(value) is str:
                    yield value

def samples_of_patterns(nodes):
    parser = getattr(sys.modules.get('re'), '_parser', None)
    random = Random(11)
    found = []
    for pattern in patterns_in(nodes) if parser else ():
        try:
            parsed = parser.parse(pattern)
            found += [''.join(matching(parsed, random)) for _ in range(SAMPLES_PER_PATTERN)]
        except Exception:
            # The code shows what is wrong with it.
            pass
    return found

def matching(parsed, random):
    'Pieces of a string that a parsed pattern matches, apart from what it looks at without taking it.'
    for op, arg in parsed:
        name = str(op)
        if name == 'LITERAL':
            yield chr(arg)
        elif name == 'NOT_LITERAL':
            yield random.pick([each for each in OTHERS if ord(each) != arg])
        elif name == 'ANY':
            yield random.pick('a 1."')
        elif name == 'IN':
            yield character_of(arg, random)
        elif name == 'BRANCH':
            yield from matching(random.pick(arg[1]), random)
        elif name == 'SUBPATTERN':
            yield from matching(arg[-1], random)
        elif name.endswith('REPEAT'):
            least, most, inner = arg
            for _ in range(least + random.below(min(int(most) - least, 3) + 1)):
                yield from matching(inner, random)

def character_of(parts, random):
    'A character of a class.'
    is_negated = str(parts[0][0]) == 'NEGATE'
    op, arg = random.pick(parts[1:] if is_negated else parts)
    if is_negated:
        excluded = {arg for op, arg in parts[1:] if str(op) == 'LITERAL'}
        return random.pick([each for each in OTHERS if ord(each) not in excluded] or ['a'])
    if str(op) == 'LITERAL':
        return chr(arg)
    if str(op) == 'RANGE':
        return chr(arg[0] + random.below(arg[1] - arg[0] + 1))
    return random.pick(CATEGORIES.get(str(arg), 'a'))
`
