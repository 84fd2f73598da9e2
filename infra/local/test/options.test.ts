import t from 'tap'
import { firstPlace } from '../src/first-place.js'
import { HELP, parseOptions } from '../src/options.js'

t.test('the defaults are a gateway on loopback, port 3000, and private dependencies', async (t) => {
  const options = parseOptions([], {}, '/srv/app')

  t.match(options, {
    host: '127.0.0.1',
    port: 3000,
    adminPort: 3001,
    dataDir: '/srv/app/.data',
    baseUrl: 'http://localhost:3000'
  })
  t.match(options, { scanWorkers: 1, inferenceWorkers: 1 })
  t.match(options, { databaseUrl: undefined, redisUrl: undefined, clamd: undefined, bucket: undefined })
  t.match(options, { accessToken: undefined })
  t.match(options, { ollamaUrl: undefined, sandboxModel: false })
})

t.test('settings come from the environment; an empty one counts as absent', async (t) => {
  const options = parseOptions(
    ['--scan-workers', '3'],
    {
      PORT: '4100',
      DATA_DIR: '/var/data',
      BASE_URL: 'https://files.example.com/',
      REDIS_URL: 'redis://r:1',
      CLAMD_HOST: 'c',
      ACCESS_TOKEN: ''
    },
    '/'
  )

  t.match(options, {
    port: 4100,
    dataDir: '/var/data',
    baseUrl: 'https://files.example.com',
    redisUrl: 'redis://r:1',
    clamd: { host: 'c', port: 3310 },
    scanWorkers: 3
  })
  t.equal(options?.accessToken, undefined)
})

t.test('CLAMD_SOCKET takes precedence over CLAMD_HOST', async (t) => {
  t.strictSame(parseOptions([], { CLAMD_SOCKET: '/run/c', CLAMD_HOST: 'c' }, '/')?.clamd, {
    socket: '/run/c'
  })
})

for (const [given, url] of [
  ['http://ollama:1234/', 'http://ollama:1234'],
  ['https://ollama.example.com', 'https://ollama.example.com'],
  ['ollama', 'http://ollama:11434'],
  ['localhost:1', 'http://localhost:1'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['[::1]', 'http://[::1]:11434']
]) {
  t.test(`OLLAMA_HOST ${given} is ${url}`, async (t) => {
    t.equal(parseOptions([], { OLLAMA_HOST: given }, '/')?.ollamaUrl, url)
  })
}

t.test('--help does nothing else and lists every setting', async (t) => {
  t.equal(parseOptions(['--help'], { PORT: 'nonsense' }, '/'), null)
  for (const setting of [
    'PORT',
    'DATA_DIR',
    'ACCESS_TOKEN',
    'OLLAMA_HOST',
    '--scan-workers',
    '--inference-workers'
  ]) {
    t.ok(HELP.includes(setting), setting)
  }
})

const WRONG: Array<[string, string[], Record<string, string>, RegExp]> = [
  ['an unknown flag', ['--frobnicate'], {}, /^Unknown option '--frobnicate'; see npm start -- --help\.$/],
  ['a stray word', ['stop'], {}, /'stop'.*see npm start -- --help\.$/],
  [
    'a worker count that is not a number',
    ['--scan-workers', 'many'],
    {},
    /^--scan-workers must be a whole number from 1 to 16/
  ],
  ['no workers at all', ['--scan-workers', '0'], {}, /^--scan-workers must be/],
  ['no inference worker at all', ['--inference-workers', '0'], {}, /^--inference-workers must be/],
  ['an Ollama nowhere', [], { OLLAMA_HOST: 'http://' }, /^OLLAMA_HOST must be an address, like http:/],
  ['a port that is none', [], { PORT: '70000' }, /^Invalid configuration: PORT/],
  ['one port for two listeners', [], { PORT: '3001' }, /^PORT and ADMIN_PORT must differ\.$/],
  [
    'a token that is too short',
    [],
    { ACCESS_TOKEN: 'short' },
    /^ACCESS_TOKEN must be 16 to 512 visible characters/
  ],
  ['a token with a space', [], { ACCESS_TOKEN: 'sixteen chars and more' }, /^ACCESS_TOKEN must be/],
  [
    'several things',
    [],
    { ACCESS_TOKEN: 'short', REDIS_URL: 'localhost' },
    /^ACCESS_TOKEN must be .*; REDIS_URL must be /
  ],
  [
    'an address without a scheme',
    [],
    { REDIS_URL: 'localhost' },
    /^REDIS_URL must be a full address, like redis:/
  ]
]
for (const [what, argv, env, sentence] of WRONG) {
  t.test(`${what} is refused with one sentence and exit code 2`, async (t) => {
    t.throws(() => parseOptions(argv, env, '/'), { message: sentence, exitCode: 2 })
  })
}

t.test('a Redis may have several hosts', async (t) => {
  for (const redisUrl of [
    'redis+cluster://:secret@node-1:6379,node-2:6379',
    'redis+cluster://node-1,node-2',
    'rediss+sentinel://user:secret@[::1]:26379,sentinel-2:26379/main'
  ]) {
    t.match(parseOptions([], { REDIS_URL: redisUrl }, '/'), { redisUrl })
  }
  t.equal(firstPlace('redis+cluster://:secret@node-1:1,node-2:2'), 'redis+cluster://:secret@node-1:1')
  t.equal(firstPlace('redis+sentinel://a:1,b:2/main'), 'redis+sentinel://a:1/main')
  t.equal(firstPlace('postgresql://a:1,b:2/x'), 'postgresql://a:1,b:2/x')
})

t.test('a token is never repeated in an error', async (t) => {
  t.throws(() => parseOptions([], { ACCESS_TOKEN: 'secret' }, '/'), { message: /^((?!secret).)*$/ })
})
