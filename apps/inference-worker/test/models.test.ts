import { once } from 'node:events'
import t from 'tap'
import { createOllamaClient, type ModelClient } from '@filewright/llm'
import { freePort, poll, startOllamaServer } from '@filewright/testing'
import { checkModels } from '../src/models.js'
import { logger as silent } from './helpers/test-worker.js'

interface Line {
  level: string
  message: string
  fields: Record<string, unknown>
}

function recorder(): { lines: Line[]; logger: { info: never; warn: never } } {
  const lines: Line[] = []
  const at = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push({ level, fields, message })
  }
  return { lines, logger: { info: at('info') as never, warn: at('warn') as never } }
}

function clientOf(host: string): ModelClient {
  return createOllamaClient({
    host,
    models: {
      'alpha-4o-mini': { model: 'small:1b', fallback: 'tiny:1b' },
      'alpha-4o': { model: 'small:1b' },
      'beta-3': { model: 'small:1b' },
      gamma: { model: 'small:1b' }
    },
    timeouts: { connectMs: 200, firstTokenMs: 500, idleMs: 500, totalMs: 1_000 },
    maxOutputBytes: 4_096,
    logger: silent
  })
}

const never = new AbortController().signal

t.test('reports missing models, and pulls none by default', async (t) => {
  const peer = await startOllamaServer({ models: ['small:1b'] })
  t.teardown(async () => {
    await peer.close()
  })
  const { lines, logger } = recorder()

  await checkModels({ model: clientOf(peer.url), pull: false, logger, signal: never })

  t.match(lines, [{ level: 'warn', fields: { missing: ['tiny:1b'] }, message: /OLLAMA_PULL=true/ }])
  t.notOk(peer.requests.some(({ path }) => path === '/api/pull'))
})

t.test('pulls missing models with progress when configured', async (t) => {
  const peer = await startOllamaServer({ models: ['other'] })
  t.teardown(async () => {
    await peer.close()
  })
  const { lines, logger } = recorder()

  await checkModels({ model: clientOf(peer.url), pull: true, logger, signal: never })

  t.strictSame(
    lines.map(({ message, fields }) => [message, fields['model'], fields['percent']]),
    [
      ['pulling', 'small:1b', 50],
      ['pulling', 'small:1b', 100],
      ['pulled', 'small:1b', undefined],
      ['pulling', 'tiny:1b', 50],
      ['pulling', 'tiny:1b', 100],
      ['pulled', 'tiny:1b', undefined]
    ]
  )
  const again = recorder()
  await checkModels({ model: clientOf(peer.url), pull: true, logger: again.logger, signal: never })
  t.match(again.lines, [{ level: 'info', message: 'all models are available' }])
})

t.test('continues with the next model when one cannot be pulled', async (t) => {
  const { lines, logger } = recorder()
  const pulled: string[] = []
  const model: Pick<ModelClient, 'probe' | 'pull'> = {
    probe: async () => ({ version: '1', missing: ['gone', 'there'] }),
    pull: async (name) => {
      if (name === 'gone') throw new Error('no such model')
      pulled.push(name)
    }
  }

  await checkModels({ model, pull: true, logger, signal: never })

  t.strictSame(pulled, ['there'])
  t.match(lines, [
    { level: 'warn', fields: { model: 'gone' } },
    { level: 'info', message: 'pulled' }
  ])
})

t.test('waits for a runtime that starts later, and logs it once', async (t) => {
  const port = await freePort()
  const { lines, logger } = recorder()
  const checking = checkModels({
    model: clientOf(`http://127.0.0.1:${port}`),
    pull: false,
    logger,
    signal: never,
    retryMs: 10
  })
  await poll(() => lines.length > 0)

  const peer = await startOllamaServer({ port, models: ['small:1b', 'tiny:1b'] })
  t.teardown(async () => {
    await peer.close()
  })
  await checking

  t.match(lines, [
    { level: 'warn', message: /does not answer yet/ },
    { level: 'info', message: 'all models are available' }
  ])
})

t.test('stops waiting when the worker stops', async (t) => {
  const { lines, logger } = recorder()
  const stop = new AbortController()
  const model: Pick<ModelClient, 'probe' | 'pull'> = {
    probe: async (signal) => {
      await once(signal!, 'abort')
      throw new Error('aborted')
    },
    pull: async () => {}
  }
  const checking = checkModels({ model, pull: true, logger, signal: stop.signal })

  stop.abort()
  await checking

  t.strictSame(lines, [])
})
