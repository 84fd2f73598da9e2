/** Python: seeded draws of plain values. The same seed gives the same values to both versions. */
export const draws = String.raw`
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
LARGE_INTS = (255, -1000, 5000, 2 ** 31, 10 ** 18, -(2 ** 63), 999999)
FLOATS = (0.0, 1.5, -2.25, 0.1, 0.2, 3.0, 2.675, -1.0, 0.5, 99.99, 10.0)
RARE_FLOATS = (float('nan'), float('inf'), float('-inf'), -0.0, 1e16, 1e-9, 1e308)
WORDS = ('a', 'b', 'abc', 'Hello', 'world', 'A', 'aba', 'x1', '10', 'foo', 'Zebra', 'apple', 'the', '')
TEXTS = ('', 'a', 'Hello World', '  x  y ', 'abcba', 'aAbB', '12', '-3.5', 'a,b;c', 'line1\nline2\r\n\nx', 'the cat the dog',
         '\u00e4\u00f6 \u00df', '\u65e5\u672c', '\U0001f642a', 'tab\there', 'A man, a plan', '0', 'x=1&y=2', 'foo_bar-baz', '((a)b)', 'MiXeD Case', '\u0130', 'user@example.com',
         '\tx\n', '\n', '\u00a0 y\u2003', '\u00b2\u0663', 'STRASSE \u00dfi\u0307', "it's", 'a--b', '100%', '/a//b/')

TOKENS = ('1', '2', '7', '10', '12', '0', 'a', 'b', 'A', 'x', 'ab', 'B', ' ', '  ', '\n', '-', '.', ',', '\u00b2', '\u0663', '\u00e9', '_')
SPACES = ('', '', ' ', '  ', '\t', '\n', '    ', ' \t')

MAX_DRAWN = 30

class Draws:
    def again(self, kind):
        'A value that was drawn before in this run: code compares its values with each other.'
        if not self.random.chance(20):
            return None
        drawn = [each for each in self.drawn if type(each) is kind]
        return self.random.pick(drawn) if drawn else None

    def integer(self, kind):
        value = self.again(int)
        if value is None:
            value = self.new_integer(kind)
            self.keep(value)
        return value

    def text(self):
        value = self.again(str)
        if value is None:
            value = self.new_text()
            self.keep(value)
        elif self.random.chance(25):
            value = value.swapcase()
        return value

    def keep(self, value):
        if len(self.drawn) < MAX_DRAWN:
            self.drawn.append(value)

    def new_integer(self, kind):
        random = self.random
        if kind == 'count':
            # Rarely more than Python calls deep.
            return 3000 if random.chance(2) else random.pick((0, 1, 2, 3, 4, 5, 7, 10, 12, 20, -1))
        if self.mined['numbers'] and random.chance(15):
            value = random.pick(self.mined['numbers'])
            if type(value) is int:
                return value + random.pick((-1, 0, 0, 1, 0, 10, 100, 200))
        return random.pick(LARGE_INTS) if random.chance(5) else random.pick(INTS)

    def float(self):
        return self.random.pick(RARE_FLOATS) if self.random.chance(15) else self.random.pick(FLOATS)

    def token(self):
        'A string that the code speaks of, or one that may stand beside it.'
        mined = self.mined['texts']
        return self.random.pick(mined) if mined and self.random.chance(50) else self.random.pick(TOKENS)

    def tokens(self):
        return ''.join([self.token() for _ in range(1 + self.random.below(9))])

    def new_text(self):
        text = self.unpadded_text()
        if self.random.chance(6):
            text = self.random.pick(SPACES) + text + self.random.pick(SPACES)
        elif self.random.chance(6):
            # Such as quotes.
            mark = self.token()
            text = mark + text + mark
        return text

    def unpadded_text(self):
        random = self.random
        if random.chance(22):
            return self.tokens()
        if random.chance(15 if '\n' in self.mined['texts'] else 4):
            # Lines, indented differently.
            return random.pick(('\n', '\n', '\r\n')).join([random.pick(SPACES) + self.token() for _ in range(2 + random.below(4))])
        mined = self.mined['texts']
        if mined and random.chance(15):
            # Of the code's own characters alone.
            return ''.join([random.pick(random.pick(mined)) for _ in range(1 + random.below(8))])
        if self.mined['samples'] and random.chance(30):
            return self.varied(random.pick(self.mined['samples']))
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

    def marked(self, mark):
        'A string with a mark between its words, or several in front or behind.'
        random = self.random
        several = mark * (1 + random.below(3))
        choice = random.below(4)
        if choice == 0:
            return random.pick(WORDS) + several
        if choice == 1:
            return several + random.pick(WORDS)
        if choice == 2:
            return several + random.pick(WORDS) + mark + random.pick(WORDS)
        return mark.join([random.pick(WORDS) for _ in range(1 + random.below(4))])

    def varied(self, sample):
        'A sample, often with other digits and another sign.'
        random = self.random
        if random.chance(40):
            return sample
        return ''.join([random.pick('0123456789') if each in '0123456789' and random.chance(40)
                        else random.pick('+-') if each in '+-' and random.chance(40) else each for each in sample])

    def library_value(self, kind):
        if kind == 'fraction':
            import fractions
            # Halves lie between two integers, where code must choose one.
            if self.random.chance(50):
                return fractions.Fraction(2 * self.random.below(10) - 9, 2)
            return fractions.Fraction(self.integer('int'), self.random.pick((1, 3, 4, 7, 8, 10, 97, 1000, 1000003)))
        if kind == 'decimal':
            import decimal
            return decimal.Decimal(self.integer('int')) / 4
        import datetime
        # The first and the last days of months, and any other.
        day_of_month = self.random.pick((1, 28, 29, 30, 31, 1 + self.random.below(28)))
        month = 1 + self.random.below(12)
        year = 2020 + self.random.below(5)
        try:
            day = datetime.date(year, month, day_of_month)
        except ValueError:
            day = datetime.date(year, month, 28)
        if kind == 'date':
            return day
        return datetime.datetime(day.year, day.month, day.day, self.random.below(24), self.random.below(60))
`
