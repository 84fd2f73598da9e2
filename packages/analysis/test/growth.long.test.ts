import t from 'tap'
import type { Language } from '@filewright/contracts'
import { analyze } from '../src/index.js'
import { shapesOf, type Shape } from './hostile-code.js'

t.setTimeout(240_000)

/** Regular expressions are fast: their square shows later than that of questions to a tree. */
const sizes: Partial<Record<Language, number>> = { sql: 4_000, css: 2_000 }
const commonSize = 1_000
/**
 * These show in longer code only. ESLint asked every part that is never reached for all parts before it. A search for line
 * separators read the rest of the line from each of its characters, unless the code was Latin-1.
 */
const longShapes = ['rows of "for (;;) a();\\n"', 'rows of "return; if (a) b();\\n"', '"λ"']
const longSize = 10_000
const growth = 4
/** What takes less on the longer code is lost in the noise, and harms nobody. */
const negligibleMs = 200
/** Linear work takes 4 times as long, its square 16 times. */
const maxRatio = 9

async function cpuMs(code: string, language: Language): Promise<number> {
  const before = process.cpuUsage()
  await analyze({ code, language })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/**
 * Null for a shape that grows as it should. Measured again before it is blamed: a collection of garbage may
 * fall into any one run.
 */
async function excess({ name, code }: Shape, language: Language): Promise<string | null> {
  const small = longShapes.includes(name) ? longSize : (sizes[language] ?? commonSize)
  let [short, long] = [Infinity, Infinity]
  for (const end of ['', '\n', '\n\n']) {
    // Texts that differ, because what was made of the last ones is remembered.
    long = Math.min(long, await cpuMs(code(small * growth) + end, language))
    if (long < negligibleMs) return null
    short = Math.min(short, await cpuMs(code(small) + end, language))
    if (long < short * maxRatio) return null
  }
  // One more size: linear work takes twice as long as before, its square 4 times.
  if ((await cpuMs(code(small * growth * 2), language)) < long * 3) return null
  return `${name}: ${Math.round(short)} ms for ${small} characters, ${Math.round(long)} ms for ${small * growth}`
}

/**
 * ESLint's own analysis of paths is quadratic here: 0.2 to 0.7 s for 4 to 6 KB. The pool's limit of time is
 * what bounds these.
 */
const known = ['a chain of "?.b"', 'a chain of ".b()"']

for (const language of [
  'javascript',
  'python',
  'go',
  'java',
  'rust',
  'shell',
  'sql',
  'css',
  'html'
] as const) {
  t.test(`no shape of ${language} takes the square of its length to analyze`, async (t) => {
    const shapes = shapesOf(language).filter(({ name }) => language !== 'javascript' || !known.includes(name))
    // Loads the parsers.
    for (const { code } of shapes.slice(0, 5)) await analyze({ code: code(200), language })
    const found: string[] = []

    for (const shape of shapes) found.push((await excess(shape, language)) ?? '')

    t.strictSame(
      found.filter((each) => each !== ''),
      []
    )
  })
}
