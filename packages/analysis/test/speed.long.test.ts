import t, { type Test } from 'tap'
import type { Language } from '@filewright/contracts'
import { analyze, analyzedLanguages, fix } from '../src/index.js'
import { largeCode } from './large-code.js'

t.setTimeout(240_000)

/** In KiB, and how many times as long the other code is. */
const sizes = { small: 8, growth: 4 }
/** Shorter code of ours has nothing to fix, and ends after the first look. */
const fixedSizes = { small: 24, growth: 4 }

/** Of two runs the cheaper, as CPU time: others may be busy on the same machine. */
async function cpuMs(
  code: string,
  language: Language,
  work: (input: { code: string; language: Language }) => Promise<unknown>
): Promise<number> {
  const times: number[] = []
  for (const end of ['\n', '\n\n']) {
    const before = process.cpuUsage()
    // Texts that differ, because what was made of the last ones is remembered.
    await work({ code: code + end, language })
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
  }
  return Math.min(...times)
}

// A rule that takes the square of the code's length would cost 16 times as much on code that is 4 times as long.
async function staysLinear(
  t: Test,
  language: Language,
  work: (input: { code: string; language: Language }) => Promise<unknown>,
  { small, growth }: typeof sizes
): Promise<void> {
  const [short, long] = [await largeCode(language, small), await largeCode(language, small * growth)]
  const shortMs = await cpuMs(short, language, work)
  const longMs = await cpuMs(long, language, work)

  t.ok(
    longMs < shortMs * growth * 2.5 + 100,
    `${Math.round(shortMs)} ms for ${small} KiB, ${Math.round(longMs)} ms for ${small * growth} KiB`
  )
}

// The script languages share their parsers and rules: two stand for all four.
for (const language of analyzedLanguages.filter((each) => each !== 'jsx' && each !== 'tsx')) {
  t.test(
    `analyzing ${language} takes time in proportion to its length`,
    async (t) => await staysLinear(t, language, analyze, sizes)
  )
}

for (const language of ['javascript', 'python', 'go'] as const) {
  t.test(
    `fixing ${language} takes time in proportion to its length`,
    async (t) => await staysLinear(t, language, fix, fixedSizes)
  )
}
