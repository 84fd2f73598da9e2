import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { startOllamaServer } from '@filewright/testing'
import { planOllama, type OllamaChoice } from '../../src/services/ollama.js'
import { dataPaths } from '../../src/paths.js'

const NOWHERE = 'http://127.0.0.1:1'
const never = new AbortController().signal

async function plan(
  choice: Partial<OllamaChoice>,
  {
    found = null,
    standardUrl = NOWHERE,
    env = {}
  }: {
    found?: string | null
    standardUrl?: string
    env?: NodeJS.ProcessEnv
  } = {}
) {
  return await planOllama(
    { url: undefined, sandbox: false, ...choice },
    {
      paths: dataPaths('/data'),
      env,
      socketDir: '/tmp/x',
      guard: (command, args) => ({ command, args }),
      pickPort: async () => 12_000,
      find: () => found,
      standardUrl
    }
  )
}

async function runningOllama(t: Test): Promise<string> {
  const server = await startOllamaServer()
  t.teardown(server.close)
  return server.url
}

t.test('OLLAMA_HOST takes precedence and causes a warning only while it does not answer', async (t) => {
  const url = await runningOllama(t)

  const there = await plan({ url, sandbox: true }, { found: '/bin/ollama' })
  const nowhere = await plan({ url: NOWHERE })

  t.match(there, { address: url, child: undefined, note: /\(OLLAMA_HOST\)$/ })
  t.equal(await there.caveat(never), null)
  t.match(await nowhere.caveat(never), /^Ollama at 127\.0\.0\.1:1 \(OLLAMA_HOST\) does not answer/)
})

t.test('an Ollama on the standard port is used before one is started', async (t) => {
  const url = await runningOllama(t)

  const service = await plan({}, { found: '/bin/ollama', standardUrl: url })

  t.match(service, { address: url, child: undefined, workerEnv: {} })
  t.equal(await service.caveat(never), null)
})

t.test('something that never answers on the standard port does not delay the start', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => {
    silent.close()
  })

  const service = await plan(
    {},
    { standardUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` }
  )

  t.equal(service.child?.name, 'sandbox-model')
})

t.test('an installed Ollama is started on a private port and its models are pulled', async (t) => {
  const service = await plan({}, { found: '/bin/ollama', env: { OLLAMA_MODELS: '/models' } })

  t.match(service, {
    address: 'http://127.0.0.1:12000',
    workerEnv: { OLLAMA_PULL: 'true' },
    child: {
      name: 'ollama',
      command: '/bin/ollama',
      args: ['serve'],
      env: { OLLAMA_HOST: '127.0.0.1:12000', OLLAMA_MODELS: '/models' }
    }
  })
  t.match(await service.caveat(never), /^Missing models are pulled in the background/)
  t.match(await service.child?.ready(never), /does not answer$/)
})

t.test('an installed Ollama pulls nothing when turned off', async (t) => {
  const service = await plan({}, { found: '/bin/ollama', env: { OLLAMA_PULL: 'false' } })

  t.strictSame(service.workerEnv, { OLLAMA_PULL: 'false' })
  t.equal(await service.caveat(never), null)
})

t.test('without any Ollama the sandbox answers, and a warning explains it', async (t) => {
  const service = await plan({})

  t.match(service, {
    address: 'http://127.0.0.1:12000',
    child: { name: 'sandbox-model', env: { SANDBOX_PORT: '12000' } }
  })
  t.match(service.note, /not a language model/)
  t.match(await service.caveat(never), /not written by a language model.*install Ollama.*OLLAMA_HOST/)
})

t.test('SANDBOX_MODEL selects the sandbox directly', async (t) => {
  const url = await runningOllama(t)

  const service = await plan({ sandbox: true }, { found: '/bin/ollama', standardUrl: url })

  t.equal(service.child?.name, 'sandbox-model')
})
