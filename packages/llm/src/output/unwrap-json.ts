const KEYS = [
  'code',
  'content',
  'source',
  'source_code',
  'program',
  'file',
  'answer',
  'output',
  'result',
  'response',
  'solution',
  'text',
  'generated_code'
]

/** The text inside a response that is one JSON object around it; undefined for any other. */
export function unwrappedJson(answer: string): string | undefined {
  const text = answer.trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const entries = Object.entries(value as object)
  const texts = entries.filter(
    ([key, each]) => KEYS.includes(key.toLowerCase()) && typeof each === 'string' && each.trim() !== ''
  )
  // Besides the text it may contain only words about it; anything else is requested data.
  const [only] = texts
  const isWrapper =
    texts.length === 1 && entries.every(([, each]) => typeof each !== 'object' || each === null)
  return isWrapper && only !== undefined && entries.length <= 5 ? String(only[1]) : undefined
}
