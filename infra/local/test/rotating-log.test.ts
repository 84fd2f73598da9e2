import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { pumpLines } from '../src/log-pump.js'
import { createRotatingLog, type RotatingLogOptions } from '../src/rotating-log.js'
import { tempFolder } from './helpers/temp-folder.js'

function logOf(t: Test, options: Partial<RotatingLogOptions> = {}) {
  const folder = tempFolder(t)
  const path = join(folder, 'a.log')
  const log = createRotatingLog({ path, ...options })
  t.teardown(log.close)
  const names = (): string[] => readdirSync(folder).sort()
  // The oldest has the highest number.
  const whole = (): string =>
    names()
      .reverse()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('')
  const sizes = (): number[] => names().map((name) => statSync(join(folder, name)).size)
  return { log, path, names, whole, sizes }
}

const bytes = (text: string): Buffer => Buffer.from(text)

t.test('a full file is rotated, and the oldest is removed when there are enough', async (t) => {
  const { log, path, names, whole } = logOf(t, { maxBytes: 8, maxFiles: 3 })

  for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\n']) log.write(bytes(line))

  t.strictSame(names(), ['a.log', 'a.log.1', 'a.log.2'])
  t.equal(whole(), 'three\nfour\nfive\n')
  t.equal(readFileSync(path, 'utf8'), 'five\n')
  t.equal(statSync(path).mode & 0o777, 0o600)
})

t.test('a log of an earlier start is continued, and rotated when full', async (t) => {
  const { log, path, names } = logOf(t, { maxBytes: 8 })
  writeFileSync(path, 'before\n')

  log.write(bytes('a\n'))
  log.write(bytes('b\n'))

  t.strictSame(names(), ['a.log', 'a.log.1'])
  t.equal(readFileSync(`${path}.1`, 'utf8'), 'before\n')
})

t.test('a line that is longer than a file is not split, up to twice that size', async (t) => {
  const { log, path } = logOf(t, { maxBytes: 8 })

  log.write(bytes('a long '))
  log.write(bytes('line\n'))
  t.notOk(existsSync(`${path}.1`))
  log.write(bytes('next\n'))
  t.equal(readFileSync(`${path}.1`, 'utf8'), 'a long line\n')

  for (let i = 0; i < 10; i++) log.write(bytes('endless'))
  t.ok(statSync(path).size <= 16 + 7)
})

t.test('a log that cannot be written does not stop the stack', async (t) => {
  const { log, path } = logOf(t)
  mkdirSync(path)

  t.doesNotThrow(() => log.write(bytes('lost\n')))
  t.strictSame(readdirSync(path), [], 'and nothing is written elsewhere')
})

t.test('every line of a fast writer arrives complete and in order during rotation', async (t) => {
  const { log, whole, names, sizes } = logOf(t, { maxBytes: 400_000, maxFiles: 9 })
  const last = 400_000

  const child = spawn('seq', ['1', String(last)], { stdio: ['ignore', 'pipe', 'pipe'] })
  await Promise.all([pumpLines(child.stdout, log), pumpLines(child.stderr, log)])

  t.ok(names().length > 5, `${names().length} files`)
  t.ok(sizes().every((size) => size <= 400_000))
  t.ok(whole() === Array.from({ length: last }, (_, i) => `${i + 1}\n`).join(''))
})

t.test(
  "two streams into one file do not split each other's lines, and a last line without its break is kept",
  async (t) => {
    const { log, whole } = logOf(t)
    const script = `
    const half = (stream, text) => new Promise((resolve) => stream.write(text, () => setTimeout(resolve, 30)))
    for (let i = 0; i < 5; i++) {
      await half(process.stdout, 'out ')
      await half(process.stderr, 'err ')
      await half(process.stdout, i + '\\n')
      await half(process.stderr, i + '\\n')
    }
    process.stdout.write('the end')
  `

    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'pipe']
    })
    await Promise.all([pumpLines(child.stdout, log), pumpLines(child.stderr, log)])

    const expected = Array.from({ length: 5 }, (_, i) => [`err ${i}`, `out ${i}`]).flat()
    t.strictSame(whole().split('\n').sort(), [...expected, 'the end'].sort())
  }
)

t.test('a line longer than the buffer arrives in pieces, complete in total', async (t) => {
  const pieces: number[] = []
  const long = 'x'.repeat(600_000)

  const child = spawn(
    process.execPath,
    ['--eval', `process.stdout.write('${'x'.repeat(100)}'.repeat(6000) + '\\n')`],
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  let text = ''
  await pumpLines(child.stdout, {
    write: (lines) => {
      pieces.push(lines.length)
      text += String(lines)
    }
  })

  t.ok(text === `${long}\n`)
  t.ok(pieces.every((length) => length < 600_000))
})
