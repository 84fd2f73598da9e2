/** Python: loads a version of the code and calls it. \`ask\` is all that the host can call. */
export const run = String.raw`
class Endless(BaseException):
    'The call has used up its work.'

def interrupt(*_):
    raise Endless

_signal.signal(_signal.SIGINT, interrupt)

class Output:
    encoding = 'utf-8'
    errors = 'strict'
    closed = False
    def __init__(self, calls):
        self.calls = calls
    def write(self, text):
        if self.calls and type(self.calls[-1]) is list:
            self.calls[-1].append(str(text))
        else:
            self.calls.append([str(text)])
        return len(text)
    def writelines(self, lines):
        for each in lines:
            self.write(each)
    def flush(self):
        pass
    def isatty(self):
        return False
    def writable(self):
        return True

def shown_calls(calls):
    return ['print(' + ascii(''.join(each)) + ')' if type(each) is list else each for each in calls]

STATE_EVERY = 8
CALL_AGAIN_EVERY = 4
MAX_EARLIER = 40
MAX_INNER = 3
MAX_INNER_CALLS = 5
MAX_SENDS = 1000
MAX_SHOWN = 20000
LIMITS = LIMITS + (Endless,)

def change(value):
    'Changes what the code has given away, as its caller may.'
    if type(value) is list:
        value.append('changed')
    elif type(value) is dict:
        value['changed'] = 1
    elif type(value) is set:
        value.add('changed')

class Program:
    def __init__(self, plan):
        before = parse(plan['before'])
        self.reader = Reader(before)
        self.mined = mine(before, parse(plan['after']))
        self.targets = plan['targets']
        self.state = plan['state']
        self.parameters = {}
        self.methods = {}
        self.earlier = {}
        self.raises = []
        self.scope = None
        self.coverage = None

    def load(self, code):
        module = type(sys)('code')
        sys.modules['code'] = module
        self.scope = module.__dict__
        calls = []
        self.begin(calls)
        self.raises = [(node.lineno, node.end_lineno) for node in walk(parse(code)) if is_a(node, 'Raise', 'Assert')]
        compiled = compile(code, 'code', 'exec', dont_inherit=True)
        self.coverage = Coverage(compiled)
        exec(compiled, self.scope)
        return {'loaded': ' '.join(shown_calls(calls)) + self.shown_state(), 'reached': self.coverage.take(True)}

    def begin(self, calls):
        sys.stdout = sys.stderr = Output(calls)
        time = sys.modules.get('time')
        if time is not None:
            # The clock stands still.
            time.sleep = lambda seconds: calls.append('sleep(' + Shower()(seconds) + ')')
        random = sys.modules.get('random')
        if random is not None:
            random.seed(1)

    def shown_state(self):
        shown = []
        for name in self.state:
            value = self.scope.get(name)
            if callable(value) or type(value) is type(sys):
                continue
            try:
                shown.append(name + '=' + Shower()(value))
            except Unshowable:
                shown.append(name + '=?')
        return ' '.join(shown)

    def has(self, target):
        return callable(self.scope.get(self.targets[target]))

    def parameters_of(self, name):
        found = self.parameters.get(name)
        if found is None:
            reader = self.reader
            found = constructor_of(reader, name) if name in reader.classes else reader.parameters(reader.functions[name], False)
            self.parameters[name] = found
        return found

    def run(self, target, run):
        'Runs a function with the input of this number, changed by each of the steps behind it.'
        name = self.targets[target]
        calls = []
        self.begin(calls)
        outcome = {'end': '', 'isCrash': False, 'isLimit': False, 'isSpoilt': False, 'args': '', 'calls': [], 'awaited': [], 'again': ''}
        try:
            act = self.run_class if name in self.reader.classes else self.run_function
            act(name, target, run, calls, outcome)
        except Crash as crash:
            outcome['isCrash'] = True
            outcome['end'] = str(crash)
        except LIMITS:
            outcome['isLimit'] = True
        if run[0] % STATE_EVERY == STATE_EVERY - 1 and not outcome['isLimit']:
            try:
                outcome['args'] += ' ' + self.shown_state()
            except LIMITS:
                outcome['isLimit'] = True
        outcome['calls'] = shown_calls(calls)
        for key in ('end', 'args'):
            text = outcome[key]
            # Long texts are compared by their beginning and a hash, which the fixed seed makes the same each time.
            if len(text) > MAX_SHOWN:
                outcome[key] = text[:MAX_SHOWN] + ' ' + str(hash(text))
        outcome['reached'] = self.coverage.take(not (outcome['isCrash'] or outcome['isLimit']))
        return outcome

    def maker(self, target, run, calls):
        number, *steps = run
        return Maker(target * 1009 + number * 31 + 7, self.mined, self.reader, self.scope, calls, steps)

    def arguments(self, maker, parameters):
        try:
            return maker.arguments(parameters)
        except LIMITS:
            raise
        except Exception:
            raise Crash('cannot be given its arguments') from None

    def run_function(self, name, target, run, calls, outcome):
        function = self.scope[name]
        earlier = self.earlier.setdefault(name, [])
        shown = []
        for turn in range(2 if run[0] % CALL_AGAIN_EVERY == 0 else 1):
            maker = self.maker(target, run, calls)
            args, keywords = self.arguments(maker, self.parameters_of(name))
            shower = Shower(earlier)
            end, result = self.attempt(lambda: function(*args, **keywords))
            outcome['args'] += ' '.join([shower(each) for each in args] + [key + '=' + shower(each) for key, each in keywords.items()])
            if end is None:
                end = 'returns ' + shower(result)
                if type(result) in (list, dict, set):
                    del earlier[:-MAX_EARLIER]
                    earlier.append(result)
            shown.append(end)
            for each, node in zip(shower.functions[:MAX_INNER], self.inner(self.reader.functions[name], MAX_INNER)):
                shown += self.calls_of(each, node, maker, 0)
            if turn == 0 and run[0] % CALL_AGAIN_EVERY == 0:
                change(result)
        outcome['end'] = ' then '.join(shown)

    def inner(self, node, count):
        'The functions of the original that a function returns, the last one as often as it takes.'
        found = returned_functions(node)
        return (found + found[-1:] * count)[:count]

    def calls_of(self, function, node, maker, depth):
        'Calls a function that the code returned, some times with the same arguments again.'
        parameters = self.reader.parameters(node, False)
        shown, given = [], None
        for _ in range(MAX_INNER_CALLS if depth == 0 else 2):
            if given is None or not maker.random.chance(40):
                given = self.arguments(maker, parameters)
            args, keywords = given
            shower = Shower()
            end, result = self.attempt(lambda: function(*args, **keywords))
            shown.append('called ' + ' '.join([shower(each) for each in args]) + ' ' + (end or 'returns ' + shower(result)))
            if depth < 2:
                for each, inner in zip(shower.functions[:1], self.inner(node, 1)):
                    shown += self.calls_of(each, inner, maker, depth + 1)
        return shown

    def run_class(self, name, target, run, calls, outcome):
        kind = self.scope[name]
        maker = self.maker(target, run, calls)
        args, keywords = self.arguments(maker, self.parameters_of(name))
        end, instance = self.attempt(lambda: kind(*args, **keywords))
        if end is not None:
            outcome['end'] = end
            return
        methods = self.methods.get(name)
        if methods is None:
            methods = self.methods[name] = methods_of(self.reader, name)
        shown = []
        for _ in range(2 + maker.random.below(maker.random.pick((6, 6, 24))) if methods else 0):
            method, parameters = maker.random.pick(methods)
            given, named = ([], {}) if parameters is None else self.arguments(maker, parameters)
            shower = Shower()
            shower.seen[id(instance)] = 0
            end, result = self.attempt(lambda: getattr(instance, method) if parameters is None else getattr(instance, method)(*given, **named))
            shown.append(method + ' ' + (end or 'returns ' + shower(result)) + ' ' + ' '.join(map(shower, given)))
            if maker.random.chance(40):
                change(result)
        outcome['end'] = 'returns ' + Shower()(instance) + ' after ' + '; '.join(shown)
        outcome['args'] = ' '.join(map(Shower(), args))

    def attempt(self, call):
        'How a call ends, if it does not return, and what it returns.'
        try:
            result = call()
            if type(result).__name__ == 'coroutine':
                result = self.drive(result)
            return None, result
        except LIMITS + (Crash,):
            raise
        except BaseException as error:
            return self.ending(error), None

    def drive(self, coroutine):
        for _ in range(MAX_SENDS):
            try:
                coroutine.send(None)
            except StopIteration as stop:
                return stop.value
        coroutine.close()
        raise Endless

    def ending(self, error):
        kind = type(error)
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        is_own = trace is not None and trace.tb_frame.f_code.co_filename == 'code' and any(
            first <= trace.tb_lineno <= last for first, last in self.raises)
        if not is_own and (isinstance(error, CRASHES) or isinstance(error, RuntimeError) and 'event loop' in str(error)):
            raise Crash('fails with ' + kind.__name__)
        if is_own and kind.__module__ in ('builtins', 'code'):
            try:
                return 'raises ' + kind.__name__ + Shower()(error.args)
            except Unshowable:
                pass
        return 'raises ' + kind.__name__

def to_json(value):
    if isinstance(value, str):
        return _json.encode_basestring_ascii(value)
    if value is None or value is True or value is False:
        return {None: 'null', True: 'true', False: 'false'}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return '{' + ', '.join([to_json(key) + ': ' + to_json(each) for key, each in value.items()]) + '}'
    return '[' + ', '.join([to_json(each) for each in value]) + ']'

program = None

def answer(method, *args):
    global program
    if method == 'plan':
        return make_plan(*args)
    if method == 'import':
        for name in args[0]:
            try:
                __import__(name)
            except Exception:
                pass
        return None
    if method == 'load':
        program = Program(args[1])
        return program.load(args[0])
    return getattr(program, method)(*args)

def ask(request):
    try:
        return to_json({'value': answer(*eval(request, {}))})
    except BaseException as error:
        return to_json({'error': type(error).__name__ + ': ' + (str(error) if type(error).__module__ == 'builtins' else '')})
    finally:
        sys.stdout = sys.stderr = Output([])
`
