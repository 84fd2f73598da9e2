import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { poll, startStack, type RunningStack } from '@filewright/testing'
import { identityOf } from '../src/process-identity.js'
import { tempFolder } from './helpers/temp-folder.js'

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url))
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE', '!$H+H*'].join('')

async function upload({ baseUrl, token }: RunningStack, name: string, content: string): Promise<Response> {
  const form = new FormData()
  form.set('project_id', 'demo')
  form.set('file', new File([content], name))
  return await fetch(`${baseUrl}/api/files/upload`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` }
  })
}

async function download({ baseUrl, token }: RunningStack, id: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/files/${id}/download`, {
    headers: { authorization: `Bearer ${token}` }
  })
  return `${response.status} ${await response.text()}`
}

async function ai({ baseUrl, token }: RunningStack, path: string, body?: object) {
  const response = await fetch(`${baseUrl}/api/ai/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) })
  })
  return {
    status: response.status,
    engine: response.headers.get('x-engine'),
    body: (await response.json()) as Record<string, unknown>
  }
}

const PROMPT = { prompt: 'a sum', type: 'code', language: 'javascript' }
const CODE = { code: 'var a = 1\nif (a = 2) eval(a)', language: 'javascript' }

function start(env: NodeJS.ProcessEnv, ...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, SANDBOX_MODEL: 'true', ...env },
    encoding: 'utf8',
    timeout: 60_000
  })
  return { status, stderr }
}

// Generous: creating the first database on a machine takes a while, and other tests share the CPU.
const TIMEOUT_MS = 240_000
t.setTimeout(TIMEOUT_MS)

t.test('the whole stack', { timeout: TIMEOUT_MS }, async (t) => {
  const dataDir = join(tempFolder(t), 'data')
  // Created as by a manual `mkdir`.
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o755)
  const first = await startStack(t, { dataDir, coverage: true, database: 'embedded' })
  const everyPid = Object.values(first.info().pids)
  let id = ''

  await t.test('accepts a clean file, refuses an infected one and returns the bytes', async (t) => {
    const clean = await upload(first, 'a.js', 'console.log(1)\n')
    const infected = await upload(first, 'b.txt', EICAR)

    t.equal(clean.status, 201)
    t.equal(infected.status, 400)
    id = ((await clean.json()) as { file: { id: string } }).file.id
    t.equal(await download(first, id), '200 console.log(1)\n')
  })

  await t.test('answers every AI endpoint, and marks what the sandbox wrote', async (t) => {
    t.match(
      first.output(),
      /AI answers are fixed samples from a sandbox and are not written by a language model/
    )
    t.match(await ai(first, 'models'), {
      status: 200,
      body: { models: [{ id: 'alpha-4o-mini' }, {}, {}, {}] }
    })
    for (const model of ['alpha-4o-mini', 'alpha-4o', 'beta-3', 'gamma']) {
      t.match(await ai(first, 'generate', { ...PROMPT, model }), {
        status: 200,
        body: { model, content: /not written by a language model/ }
      })
    }
    t.match(await ai(first, 'analyze', CODE), {
      status: 200,
      engine: 'sandbox',
      body: { analysis: [{ line: Number }] }
    })
    t.match(
      await ai(first, 'optimize', { ...CODE, code: 'function one () {\n  var a = 1\n  return a\n}\n' }),
      { status: 200, body: { optimized_code: /const a = 1/ } }
    )
  })

  await t.test('hides its secrets from other users', async (t) => {
    t.equal(statSync(dataDir).mode & 0o777, 0o700)
    const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    for (const part of ['run/stack.json', 'logs/gateway.log', 'postgres/base', 'redis', 'blobs', 'clamav']) {
      t.ok(names.includes(part), part)
    }
    // PGlite sets its own mode on these catalogue caches; they are in a restricted folder.
    const open = names
      .filter((name) => !name.includes('pg_internal.init'))
      .filter((name) => {
        const found = lstatSync(join(dataDir, name), { throwIfNoEntry: false })
        return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
      })
    t.strictSame(open, [])
    const { socketDir, databaseUrl } = JSON.parse(
      readFileSync(join(dataDir, 'run', 'stack.json'), 'utf8')
    ) as { socketDir: string; databaseUrl: string }
    t.equal(statSync(socketDir).mode & 0o777, 0o700)
    t.equal(new URL(databaseUrl).searchParams.get('host'), socketDir, 'the database listens nowhere else')
  })

  await t.test(
    'refuses a second start on the same folder, and one on the same port, each with one sentence',
    async (t) => {
      const port = new URL(first.baseUrl).port

      const again = start({ DATA_DIR: dataDir })
      t.match(again, {
        status: 1,
        stderr: /^Filewright already runs on .* \(process \d+\): stop it first, or set another DATA_DIR\.\n$/
      })
      const sameFolder = start({ DATA_DIR: tempFolder(t), PORT: port, ADMIN_PORT: '1' })
      t.match(sameFolder, {
        status: 1,
        stderr:
          /^Port \d+ on 127\.0\.0\.1 is in use by another program: stop it, or set PORT to a free port\.\n$/
      })
    }
  )

  for (const name of ['redis', 'sandbox-model', 'inference-worker-1']) {
    await t.test(`restarts ${name} on the same address after it was killed`, async (t) => {
      const {
        pids: { [name]: killed = 0 },
        redisUrl,
        ollamaUrl
      } = first.info()

      process.kill(killed, 'SIGKILL')
      await poll(() => first.output().includes(`${name} is running again.`), {
        what: `${name} running again`,
        timeoutMs: 30_000
      })

      t.match(first.info(), { redisUrl, ollamaUrl })
      t.not(first.pid(name), killed)
      everyPid.push(first.pid(name) ?? 0)
      await poll(async () => (await ai(first, 'generate', PROMPT)).status === 200, {
        what: 'generating again',
        timeoutMs: 30_000,
        intervalMs: 200
      })
    })
  }

  await t.test(
    'stops on SIGTERM with exit code 0 and leaves no process, lock or socket folder',
    async (t) => {
      const { socketDir } = JSON.parse(readFileSync(join(dataDir, 'run', 'stack.json'), 'utf8')) as {
        socketDir: string
      }

      t.strictSame(await first.stop(), { code: 0, signal: null })

      for (const pid of everyPid) t.equal(identityOf(pid), null)
      t.strictSame(readdirSync(join(dataDir, 'run')), [])
      t.notOk(existsSync(socketDir))
    }
  )

  await t.test(
    'a stack whose supervisor was killed with -9 leaves nothing running, and the next start has every file',
    { timeout: TIMEOUT_MS },
    async (t) => {
      const killed = await startStack(undefined, { dataDir, database: 'embedded' })
      const pids = Object.values(killed.info().pids)
      await killed.stop('SIGKILL')
      await poll(() => pids.every((pid) => identityOf(pid) === null), {
        what: 'every child being gone',
        timeoutMs: 20_000
      })

      const next = await startStack(t, { dataDir, database: 'embedded', env: { ACCESS_TOKEN: killed.token } })

      t.equal(await download(next, id), '200 console.log(1)\n')
      t.strictSame(await next.stop('SIGINT'), { code: 0, signal: null })
    }
  )
})

t.test('a missing Ollama degrades only the AI endpoints', { timeout: TIMEOUT_MS }, async (t) => {
  const stack = await startStack(t, {
    env: { OLLAMA_HOST: '127.0.0.1:1' },
    args: ['--inference-workers', '2']
  })

  t.match(stack.output(), /Ollama at 127\.0\.0\.1:1 \(OLLAMA_HOST\) does not answer/)
  t.match(stack.info(), {
    ollamaUrl: 'http://127.0.0.1:1',
    pids: { 'inference-worker-2': Number, 'sandbox-model': undefined }
  })
  t.equal((await upload(stack, 'a.js', 'console.log(2)\n')).status, 201)
  const asked = Date.now()
  t.match(await ai(stack, 'generate', PROMPT), { status: 503, body: { error: String } })
  t.ok(Date.now() - asked < 10_000, 'without waiting for a deadline')
  t.match(await ai(stack, 'analyze', CODE), { status: 200, engine: 'static' })
})

t.test(
  'an unreachable service fails the start with one sentence, and everything started is stopped',
  async (t) => {
    const dataDir = tempFolder(t)
    const env = { DATA_DIR: dataDir, PORT: '11801', ADMIN_PORT: '11802' }

    const { status, stderr } = start({ ...env, CLAMD_HOST: '127.0.0.1', CLAMD_PORT: '1' })

    t.equal(status, 1)
    t.match(stderr, /^clamd at 127\.0\.0\.1:1 cannot be reached: .*\.\n$/)
    t.strictSame(readdirSync(join(dataDir, 'run')), [])
  }
)

t.test('a database that refuses fails the start with a one-line message without a password', async (t) => {
  const { status, stderr } = start({
    DATA_DIR: tempFolder(t),
    PORT: '11803',
    ADMIN_PORT: '11804',
    DATABASE_URL: 'postgresql://me:hunter2@127.0.0.1:1/x'
  })

  t.equal(status, 1)
  t.match(stderr, /^The database at 127\.0\.0\.1:1 could not be prepared: [^\n]*\.\n$/)
  t.notMatch(stderr, /hunter2/)
})

t.test('wrong usage prints one sentence with exit code 2, and help exits with 0', async (t) => {
  t.strictSame(start({}, '--nonsense'), {
    status: 2,
    stderr: "Unknown option '--nonsense'; see npm start -- --help.\n"
  })
  t.strictSame(start({}, '--help'), { status: 0, stderr: '' })
})
