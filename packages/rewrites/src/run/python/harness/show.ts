/** Python: values as text, so that two of them can be compared. No method of the code is called for it. */
export const show = String.raw`
import sys, math, _ast, _json, _signal

class Unshowable(Exception):
    'A value that no text stands for: its run proves nothing.'

class Crash(Exception):
    'The call fell over its input: nobody says what should happen then.'

LIMITS = (RecursionError, MemoryError, Unshowable)
CRASHES = (TypeError, AttributeError, NameError)

FUNCTION = type(lambda: 0)
MAX_DRAINED = 200
MAX_DEPTH = 40
LAZY = tuple(type(each) for each in (
    (x for x in ()), map(len, ()), filter(None, ()), zip(), enumerate(()), reversed(()), iter([]), iter(()),
    iter({}), iter(set()), iter(''), iter({}.items()), iter({}.values()), iter(range(0)), reversed([])))
VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
# Their own repr tells everything about them.
PLAIN_MODULES = {'datetime', 'decimal', '_decimal', 'fractions', 'uuid', 'array', 'ipaddress', 'pathlib', 'zoneinfo'}

def show_float(value):
    return 'nan' if value != value else float.__repr__(value)

def own_state(value):
    'The attributes of an instance, without those that are its own business.'
    state = {}
    for kind in type.mro(type(value)):
        slots = type.__getattribute__(kind, '__dict__').get('__slots__', ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                state[name] = object.__getattribute__(value, name)
            except AttributeError:
                pass
    try:
        state.update(object.__getattribute__(value, '__dict__'))
    except AttributeError:
        pass
    return {name: state[name] for name in sorted(map(str, state)) if not name.startswith('_')}

class Shower:
    'Names mutable values that were seen before, so that it shows which are one and the same.'
    def __init__(self, earlier=()):
        self.seen = {}
        self.earlier = {id(each): index for index, each in enumerate(earlier)}
        self.mutable = []
        # The code's own functions in the value. Only calls show what they do.
        self.functions = []

    def __call__(self, value, depth=0):
        kind = type(value)
        if value is None or kind is bool or kind is int:
            return repr(value)
        if kind is float:
            return show_float(value)
        if kind is str:
            return ascii(value)
        if kind is complex:
            return 'complex(' + show_float(value.real) + ', ' + show_float(value.imag) + ')'
        if kind is bytes or kind is range or kind is slice or value is Ellipsis or value is NotImplemented:
            return repr(value)
        if depth > MAX_DEPTH:
            raise Unshowable
        if kind is tuple:
            return '(' + ''.join([self(each, depth + 1) + ', ' for each in value]) + ')'
        if kind is frozenset:
            return 'frozenset{' + ', '.join(sorted([self(each, depth + 1) for each in value])) + '}'
        if kind is StandIn:
            return '<' + value.name + '>'
        if getattr(value, '__qualname__', '') == 'Maker.of_kind.<locals>.later':
            return '<async callback>'
        if isinstance(value, type):
            return '<class ' + value.__name__ + '>'
        if kind is FUNCTION and value.__code__.co_filename == 'code':
            self.functions.append(value)
            return '<function>'
        number = self.seen.get(id(value))
        if number is not None:
            return '&' + str(number)
        self.seen[id(value)] = len(self.seen)
        self.mutable.append(value)
        before = self.earlier.get(id(value))
        return ('' if before is None else 'again ') + self.show_object(value, kind, depth + 1)

    def show_object(self, value, kind, depth):
        if kind is list:
            return '[' + ', '.join([self(each, depth) for each in value]) + ']'
        if kind is dict:
            return self.pairs(value, depth)
        if kind is set:
            return 'set{' + ', '.join(sorted([self(each, depth) for each in value])) + '}'
        if kind is bytearray:
            return repr(value)
        if kind in VIEWS:
            return kind.__name__ + '[' + ', '.join([self(each, depth) for each in value]) + ']'
        if isinstance(value, LAZY) or kind.__module__ == 'itertools':
            return self.drain(value, kind, depth)
        return self.show_instance(value, kind, depth)

    def pairs(self, value, depth):
        return '{' + ', '.join([self(k, depth) + ': ' + self(v, depth) for k, v in dict.items(value)]) + '}'

    def drain(self, value, kind, depth):
        shown = []
        try:
            for each in value:
                shown.append(self(each, depth))
                if len(shown) >= MAX_DRAINED:
                    break
        except LIMITS:
            raise
        except CRASHES as error:
            raise Crash('fails with ' + type(error).__name__) from None
        except Exception as error:
            shown.append('raises ' + type(error).__name__)
        return kind.__name__ + '[' + ', '.join(shown) + ']'

    def show_instance(self, value, kind, depth):
        name = kind.__name__
        if isinstance(value, BaseException):
            return name + self(value.args, depth)
        if kind.__module__ in PLAIN_MODULES:
            return kind.__module__ + '.' + kind.__repr__(value)
        enumerated = getattr(kind, '__members__', None)
        if enumerated is not None and '_name_' in getattr(value, '__dict__', {}):
            return name + '.' + str(object.__getattribute__(value, '_name_'))
        state = own_state(value) if kind.__module__ == 'code' else {}
        shown = name + self.pairs(state, depth) if state else name
        for base, open_, close in ((list, '[', ']'), (tuple, '(', ')'), (set, 'set{', '}'), (frozenset, 'frozenset{', '}')):
            if isinstance(value, base):
                inner = [self(each, depth) for each in base.__iter__(value)]
                return shown + open_ + ', '.join(sorted(inner) if 'set' in open_ else inner) + close
        if isinstance(value, dict):
            return shown + self.pairs(value, depth)
        for base in (str, int, float, bytes):
            if isinstance(value, base):
                return shown + '(' + base.__repr__(value) + ')'
        if name == 'deque' and kind.__module__ == 'collections':
            return 'deque[' + ', '.join([self(each, depth) for each in value]) + ']' + str(value.maxlen)
        if name == 'Match' and kind.__module__ == 're':
            return 'Match' + self((value.span(), value.groups(), value.group()), depth)
        if kind.__module__ in ('code', 'harness'):
            return shown
        raise Unshowable
`
