import { canonicalLanguage, type Language } from '@filewright/contracts'
import { fencesIn, longerReadings, type Fence } from '../fences.js'
import type { Context } from './reading.js'
import { tidied } from './tidy-code.js'

/** A response with more blocks is not read. */
export const MAX_BLOCKS = 40

/** Fences that were not ended by a mark inside a string. */
export async function wholeFences(context: Context, answer: string): Promise<Fence[]> {
  const { wanted } = context
  const lines = answer.split('\n')
  const whole: Fence[] = []
  let rest = fencesIn(answer)
  for (let fence = rest.shift(); fence !== undefined && whole.length <= MAX_BLOCKS; fence = rest.shift()) {
    const language = canonicalLanguage(fence.language) ?? wanted
    const longer =
      language === null || fence.code.trim() === ''
        ? undefined
        : await longerThan(context, answer, fence, language)
    whole.push(longer === undefined ? fence : { ...fence, code: longer, closed: true })
    if (longer === undefined) continue
    const end = fence.start + 1 + longer.split('\n').length
    rest = fencesIn('\n'.repeat(end + 1) + lines.slice(end + 1).join('\n'))
  }
  return whole
}

/** A fence's code up to a later mark, if it parses only with what follows. */
async function longerThan(
  context: Context,
  answer: string,
  fence: Fence,
  language: Language
): Promise<string | undefined> {
  const { parse } = context
  if ((await parse(tidied(fence.code, language), language)).ok !== false) return undefined
  for (const reading of longerReadings(answer, fence)) {
    if ((await parse(reading, language)).ok === true) return reading
  }
  return undefined
}
