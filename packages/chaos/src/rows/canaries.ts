import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAiClient, inFlight } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { findForms, formsOf, searchFolders } from '../harness/canary-search.js'
import { startCell, type Cell } from '../harness/cell.js'
import type { Random } from '../harness/random.js'
import type { Row, Tally } from '../harness/row.js'
import type { Subject } from '../harness/subject.js'
import { codeWith, echo, type Fate } from '../hostile/echoes.js'

const LANES = 6
const KILLS = { quick: 2, full: 10 }
const PATHS = ['generate', 'stream', 'analyze', 'optimize'] as const

type Ask = (canary: string, fate: Fate, draw: Random) => Promise<string>

/** Resolves with the bytes that the client read; empty if it disconnected. */
function askerOf({ baseUrl }: Cell, token: string): Ask {
  const { post, stream } = createAiClient(baseUrl, token)
  return async (canary, fate, draw) => {
    const signal = fate === 'left' ? AbortSignal.timeout(draw.between(20, 300)) : AbortSignal.timeout(60_000)
    const path = draw.pick(PATHS)
    const key = draw.below(2) === 0 ? { 'idempotency-key': `${draw.below(1e9)}-${Date.now()}` } : undefined
    const prompt = { prompt: `Write a sum and call it ${canary}.`, type: 'code', language: 'javascript' }
    try {
      if (path === 'stream') {
        const { events } = await stream(prompt, { signal })
        const read: unknown[] = []
        for await (const { data } of events) read.push(data)
        return JSON.stringify(read)
      }
      const { body } = await post(
        path,
        path === 'generate' ? prompt : { code: codeWith(canary), language: 'javascript' },
        { signal, headers: { 'content-type': 'application/json', ...key } }
      )
      return JSON.stringify(body)
    } catch {
      return ''
    }
  }
}

/**
 * Other concurrent use of the service. Its responses do not count, because Redis and the workers are killed.
 */
async function useFiles(subject: Subject): Promise<void> {
  const { id } = await subject.upload({ project: 'canaries' })
  await subject.list('canaries')
  if (id === undefined) return
  await subject.download(id)
  await subject.remove(id)
}

/** A search that finds nothing proves nothing until it has found a planted text. */
async function provePlanted(folders: readonly string[], tally: Tally): Promise<void> {
  const forms = formsOf(`Planted${randomBytes(8).toString('hex')}`)
  const planted = folders.flatMap((folder) =>
    forms.map(({ name, bytes }) => ({
      name,
      bytes,
      file: join(folder, `planted-${name.replace(/\W/g, '-')}`)
    }))
  )
  for (const { file, bytes } of planted) {
    writeFileSync(file, Buffer.concat([randomBytes(50), bytes, randomBytes(50)]))
  }
  const { findings } = await searchFolders(folders, forms)
  for (const { name, file } of planted) {
    tally.expect(
      findings.some((each) => each.file === file && each.form === name),
      `the search does not find ${name} in ${file}`
    )
    rmSync(file)
  }
}

export const canaries: Row = {
  name: 'canaries: nothing that was asked or answered stays in a file',
  promises: ['P15'],
  target:
    '1,000 canaries through every endpoint, left, failed, kill -9 of worker and Redis: none in any file',
  counts: { quick: 40, full: 1_000 },
  run: async ({ rig, tally, after, count, profile, random, say, minutes = 0 }) => {
    const stem = `Canary${randomBytes(8).toString('hex')}`
    const forms = formsOf(stem)
    const temporary = mkdtempSync(join(tmpdir(), 'filewright-canaries-'))
    const folders = [rig.stack.dataDir, rig.redis.folder, rig.postgres.folder, temporary]
    const cell = await startCell(rig, {
      direct: true,
      env: { STORE_PROMPTS: 'false', LOG_LEVEL: 'info', TMPDIR: temporary }
    })
    const fates = Array.from({ length: count }, (_, index) =>
      random.fork(index).pick<Fate>(['answered', 'answered', 'answered', 'left', 'failed'])
    )
    const told = new Set<number>()
    const outputs: string[] = []
    const roundMs = (minutes * 60_000 * LANES) / count
    let echoed = 0
    let next = 0

    rig.scriptModel((request) => {
      const index = Number(new RegExp(`${stem}x(\\d+)x`).exec(JSON.stringify(request.messages))?.[1] ?? NaN)
      if (Number.isNaN(index)) return undefined
      told.add(index)
      return echo(request, `${stem}x${index}x`, fates[index] ?? 'answered', index)
    })

    async function look(when: string): Promise<void> {
      const before = await searchFolders(folders, forms)
      // PostgreSQL writes everything now. Redis writes nothing: its folder is searched as it is.
      await rig.sql('CHECKPOINT')
      const after = await searchFolders(folders, forms)
      for (const { file, form } of [...before.findings, ...after.findings]) {
        const folder = folders.find((each) => file.startsWith(each)) ?? '/'
        tally.violate(`${when}: ${form} in ${relative(join(folder, '..'), file)}`)
      }
      say(
        `${when}: ${after.files} files, ${Math.round(after.bytes / 1_000_000)} MB, ` +
          `${before.findings.length + after.findings.length} finds`
      )
    }

    async function strike(number: number): Promise<void> {
      const already = told.size
      await poll(() => told.size > already || next >= count, {
        what: 'a request at the model',
        timeoutMs: 60_000 + roundMs,
        intervalMs: 5
      })
      if (number % 2 === 0) {
        const worker = cell.app('inference-worker')
        await worker?.stop('SIGKILL')
        outputs.push(worker?.output() ?? '')
        cell.start('inference-worker')
      } else {
        await rig.redis.restart()
      }
    }

    after(() => rmSync(temporary, { recursive: true, force: true }))
    after(cell.stop)
    await cell.ready()
    await provePlanted(folders, tally)
    const ask = askerOf(cell, rig.stack.token)
    const subject = cell.subject({ mayBreak: () => true })
    const lanes = inFlight(count, LANES, async (index) => {
      next = index + 1
      const pause = sleep(roundMs)
      tally.operations++
      tally.injected++
      const canary = `${stem}x${index}x`
      const read = await ask(canary, fates[index] ?? 'answered', random.fork(`ask ${index}`))
      if (read.includes(canary)) echoed++
      if (minutes > 0) await useFiles(subject)
      await pause
    })
    for (let number = 0; number < KILLS[profile]; number++) {
      await poll(() => next >= (count * (number + 1)) / (KILLS[profile] + 1), {
        what: 'requests between two kills',
        timeoutMs: 120_000 + minutes * 60_000,
        intervalMs: 10
      })
      await strike(number)
      if (number < 2) await look(number === 0 ? 'after a kill of the worker' : 'after a kill of Redis')
    }
    await lanes
    await look('in the end')
    for (const name of ['gateway', 'scan-worker', 'inference-worker'] as const) {
      outputs.push(cell.app(name)?.output() ?? '')
    }
    for (const text of outputs) {
      for (const { form } of findForms(Buffer.from(text), forms)) {
        tally.violate(`${form} in the log of an app`)
      }
    }
    tally.hit = told.size
    say(`${told.size} of ${count} canaries reached the model, ${echoed} came back to their client`)
    // How many are answered between the kills depends on the machine.
    tally.expect(echoed > count / 10, `only ${echoed} of ${count} were answered`)
  }
}
