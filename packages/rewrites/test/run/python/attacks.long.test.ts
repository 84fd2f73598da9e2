import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { OutOfWorkError, SandboxError } from '../../../src/run/program-types.js'
import { createMachine } from '../../../src/run/python/machine.js'
import { createPythonSandbox } from '../../../src/run/python/sandbox.js'
import { runCheck } from '../../../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(600_000)

const MAX_WORK = 60_000_000
const CANARY = join(tmpdir(), `filewright-python-canary-${process.pid}`)

/** Each tries to reach the host, and would return 'ESCAPED' if it did. */
const attacks: Record<string, string> = {
  'import js': `import js\n    js.canary()\n    return 'ESCAPED'`,
  'import pyodide_js': `import pyodide_js\n    return 'ESCAPED'`,
  'pyodide.code.run_js': `from pyodide.code import run_js\n    run_js('globalThis.canary()')\n    return 'ESCAPED'`,
  'import _pyodide_core': `import _pyodide_core\n    return 'ESCAPED'`,
  '_pyodide_core by its loader': `import importlib.machinery as m\n    m.BuiltinImporter.load_module('_pyodide_core')\n    return 'ESCAPED'`,
  'a core of its own by imp': `import _imp, types\n    spec = types.SimpleNamespace(name='_pyodide_core')\n    _imp.create_builtin(spec)\n    import js\n    js.canary()\n    return 'ESCAPED'`,
  'sys.modules': `import sys\n    for name in ('js', 'pyodide_js', '_pyodide_core', 'pyodide'):\n        if name in sys.modules:\n            return 'ESCAPED'\n    raise LookupError`,
  ctypes: `import ctypes\n    ctypes.CDLL(None).system(b'touch ${CANARY}')\n    return 'ESCAPED'`,
  'ctypes and JavaScript': `import ctypes\n    ctypes.pythonapi.PyInit__pyodide_core.restype = ctypes.py_object\n    ctypes.pythonapi.PyInit__pyodide_core()\n    return 'ESCAPED'`,
  _ctypes: `import _ctypes\n    _ctypes.dlopen(None, 2)\n    return 'ESCAPED'`,
  'os.system': `import os\n    os.system('touch ${CANARY}')\n    return 'ESCAPED'`,
  'posix.system': `import posix\n    posix.system('touch ${CANARY}')\n    return 'ESCAPED'`,
  subprocess: `import subprocess\n    subprocess.run(['touch', '${CANARY}'])\n    return 'ESCAPED'`,
  'os.fork': `import os\n    os.fork()\n    return 'ESCAPED'`,
  'os.kill': `import os\n    os.kill(1, 9)\n    return 'ESCAPED'`,
  'open to read': `open('/etc/passwd').read()\n    return 'ESCAPED'`,
  'open to write': `open('${CANARY}', 'w').write('x')\n    return 'ESCAPED'`,
  'os.open to write': `import os\n    os.open('${CANARY}', os.O_CREAT | os.O_WRONLY)\n    return 'ESCAPED'`,
  'os.listdir': `import os\n    os.listdir('/')\n    return 'ESCAPED'`,
  'os.mkdir': `import os\n    os.mkdir('${CANARY}')\n    return 'ESCAPED'`,
  'os.unlink': `import os\n    os.unlink('/lib/python.zip')\n    return 'ESCAPED'`,
  environment: `import os\n    return 'ESCAPED' if os.environ else 1 / 0`,
  socket: `import socket\n    socket.create_connection(('127.0.0.1', 80))\n    return 'ESCAPED'`,
  _socket: `import _socket\n    _socket.socket().connect(('127.0.0.1', 80))\n    return 'ESCAPED'`,
  getaddrinfo: `import _socket\n    _socket.getaddrinfo('example.com', 80)\n    return 'ESCAPED'`,
  urllib: `import urllib.request\n    urllib.request.urlopen('http://127.0.0.1')\n    return 'ESCAPED'`,
  clock: `import time\n    first = time.time(), time.monotonic(), time.perf_counter()\n    for _ in range(20000):\n        pass\n    return 'ESCAPED' if first != (time.time(), time.monotonic(), time.perf_counter()) else 1 / 0`,
  'time.sleep': `import time\n    time.sleep(1000)\n    return 1 / 0`,
  'the real time.sleep': `import sys\n    del sys.modules['time']\n    import time\n    time.sleep(1000)\n    return 1 / 0`,
  threads: `import _thread\n    _thread.start_new_thread(print, ())\n    return 'ESCAPED'`,
  'os._exit': `import os\n    os._exit(0)`,
  'os.abort': `import os\n    os.abort()`,
  dlopen: `import _imp, types\n    spec = types.SimpleNamespace(name='x', origin='/lib/python.zip')\n    _imp.create_dynamic(spec)\n    return 'ESCAPED'`,
  'object graph': `for kind in object.__subclasses__():\n        init = getattr(kind, '__init__', None)\n        space = getattr(init, '__globals__', {})\n        if 'js' in space or '_pyodide_core' in space:\n            return 'ESCAPED'\n        if 'sys' in space and 'js' in space['sys'].modules:\n            return 'ESCAPED'\n    raise LookupError`,
  'byte code out of bounds': `import types\n    f = lambda: None\n    f.__code__ = f.__code__.replace(co_code=bytes([83, 255] * 40), co_stacksize=1)\n    f()\n    return 1 / 0`,
  breakpoint: `breakpoint()\n    return 'ESCAPED'`
}

t.test('nothing in the code reaches the host', async (t) => {
  let reached = 0
  const host = globalThis as { canary?: () => void }
  host.canary = () => {
    reached++
  }
  t.teardown(() => {
    delete host.canary
  })
  for (const [what, body] of Object.entries(attacks)) {
    const code = `def attack(x):\n    ${body}\n`
    let end = ''
    try {
      const sandbox = createPythonSandbox({ left: MAX_WORK })
      // What it imports is there already, as in a check: the call's work goes into the attack itself.
      const plan = { ...sandbox.plan(code, code), targets: ['attack'], before: code }
      const outcome = sandbox.start(code, JSON.stringify(plan)).run(0, { run: 1, steps: [] })
      end = outcome === null ? 'does not end' : outcome.end
    } catch (error) {
      if (!(error instanceof SandboxError || error instanceof OutOfWorkError)) throw error
      end = `${error.name} ${error.message}`
    }
    t.comment(`${what}: ${end}`)
    t.notMatch(end, /ESCAPED|returns/, `${what}: ${end}`)
  }
  t.equal(reached, 0)
  t.notOk(existsSync(CANARY))
})

t.test('a rewrite that needs a missing feature of the sandbox is not accepted as the same', async (t) => {
  const before = 'def f(x: int):\n    return x + 1\n'
  for (const line of ['import os; os.system("ls")', 'import js', 'import os; os._exit(0)']) {
    const after = `def f(x: int):\n    ${line}\n    return x + 1\n`
    const run = await runCheck({ before, after, language: 'python' })
    t.notOk(run !== null && run.functions.some(({ isSame }) => isSame), line)
  }
})

t.test('work without end is bounded, and the same each time', async (t) => {
  const bodies = {
    loop: 'while True:\n        pass',
    power: 'return 10 ** 10 ** 8',
    text: `return 'x' * 10 ** 12`,
    list: 'return [0] * 10 ** 9',
    memory: 'a = []\n    while True:\n        a.append(bytearray(10 ** 6))',
    recursion: 'return f(x + 1)',
    'recursion in C': 'return sorted([x], key=f)',
    nested: 'a = []\n    for _ in range(10000):\n        a = [a]\n    return repr(a) == repr([a])',
    'a caught interrupt':
      'while True:\n        try:\n            while True:\n                pass\n        except BaseException:\n            pass',
    digits: 'return str(10 ** 4000)',
    expression: `import re\n    return re.match('(a+)+$', 'a' * 40 + 'b')`,
    'reading the library': `import os\n    while True:\n        f = os.open('/lib/python.zip', 0)\n        os.read(f, 10 ** 7)\n        os.close(f)`
  }
  for (const [what, body] of Object.entries(bodies)) {
    const before = `def f(x: int):\n    ${body}\n`
    const input = { before, after: before.replace('x: int', 'x:  int'), language: 'python' as const }
    const [first, second] = [await runCheck(input), await runCheck(input)]
    t.strictSame(first, second, what)
    t.ok((first?.work ?? 0) <= 150_000_001, `${what}: ${first?.work}`)
  }
})

t.test('nothing stays from one program to the next', async (t) => {
  const sandbox = createPythonSandbox({ left: MAX_WORK })
  const plan = (before: string): string =>
    JSON.stringify({ targets: ['f'], state: [], modules: ['math'], before })
  const poison = `import builtins, math, sys\nbuiltins.len = lambda x: 7\nmath.floor = len\nbuiltins.kept = sys.kept = 1\ndef f():\n    return 1\n`
  sandbox.start(poison, plan(poison))

  const clean = `import builtins, math, sys\ndef f():\n    return len([]), math.floor(2.5), hasattr(builtins, 'kept'), hasattr(sys, 'kept')\n`
  t.equal(
    sandbox.start(clean, plan(clean)).run(0, { run: 1, steps: [] })?.end,
    'returns (0, 2, False, False, )'
  )
})

t.test('a program that took all the memory does not change the work of the next', async (t) => {
  const input = {
    before: 'def f(items):\n    return [str(x) * 1000 for x in items]\n',
    after: 'def f(items):\n    return [1000 * str(x) for x in items]\n',
    language: 'python' as const
  }
  const first = await runCheck(input)
  const hog = 'def f(x: int):\n    a = []\n    while True:\n        a.append(bytearray(10 ** 6))\n'
  await runCheck({ before: hog, after: hog.replace('x: int', 'x:  int'), language: 'python' })

  t.strictSame(await runCheck(input), first)
})

t.test('the same work is counted in another machine', async (t) => {
  const count = (): bigint => {
    const machine = createMachine()
    machine.fuel.value = 10n ** 9n
    machine.ask(JSON.stringify(['plan', 'def f(a):\n    return a\n', 'def f(a):\n    return a + 0\n']))
    return machine.fuel.value
  }
  t.equal(count(), count())
})
