import { Type, Value } from '@filewright/schema'
import { withoutThinking } from './clean-text.js'

const Verdicts = Type.Object({
  verdicts: Type.Array(Type.Object({ number: Type.Integer(), answer: Type.String() }))
})

/**
 * The numbers of the claims that a model confirmed, starting at 1; undefined when its response has no
 * verdicts.
 */
export function confirmedClaims(text: string): Set<number> | undefined {
  let value: unknown
  try {
    value = JSON.parse(withoutThinking(text).replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, ''))
  } catch {
    return undefined
  }
  if (!Value.Check(Verdicts, value)) return undefined
  return new Set(
    value.verdicts.filter(({ answer }) => /^\s*(?:yes|true)\b/i.test(answer)).map(({ number }) => number)
  )
}
