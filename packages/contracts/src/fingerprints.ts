import { lineHashes } from './line-hashes.js'

/** The keys of `partialFingerprints` in SARIF. */
export const fingerprintKeys = {
  /** The key that GitHub reads. */
  github: 'primaryLocationLineHash',
  /** Rule, line and context: distinguishes copies of a line. */
  place: 'filewright/v2',
  /** Rule and line: recognizes a line whose context has changed. */
  line: 'filewright/line/v2'
} as const

export type Fingerprints = Record<(typeof fingerprintKeys)[keyof typeof fingerprintKeys], string>

interface Place {
  rule: string
  line: number
}

/** Ignores differences in indentation and spacing. */
const normalLine = (text: string | undefined): string => (text ?? '').replace(/\s+/g, '')

/** The nearest line in a direction that is not blank. */
function neighbour(lines: readonly string[], index: number, step: 1 | -1): string {
  for (let at = index + step; at >= 0 && at < lines.length; at += step) {
    const text = normalLine(lines[at])
    if (text !== '') return text
  }
  return ''
}

function numbered(digests: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return digests.map((digest) => {
    const count = (counts.get(digest) ?? 0) + 1
    counts.set(digest, count)
    return `${digest}:${count}`
  })
}

/**
 * Stay the same if the line moves or its indentation changes. They do not include the path, so that a file
 * can be renamed; findings are compared within a file.
 * @param hash a digest of at least 32 characters
 */
export function fingerprintsOf(
  lines: readonly string[],
  places: readonly Place[],
  hash: (text: string) => string
): Fingerprints[] {
  if (places.length === 0) return []
  const digest = (...parts: string[]): string => hash(parts.join('\0')).slice(0, 32)
  // Numbered from the top, whatever the order of the findings.
  const order = places.map((_place, index) => index).sort((a, b) => places[a]!.line - places[b]!.line)
  const inOrder = order.map((index) => places[index]!)
  const ofLine = numbered(inOrder.map(({ rule, line }) => digest(rule, normalLine(lines[line - 1]))))
  const ofPlace = numbered(
    inOrder.map(({ rule, line }) =>
      digest(rule, normalLine(lines[line - 1]), neighbour(lines, line - 1, -1), neighbour(lines, line - 1, 1))
    )
  )
  const forGithub = lineHashes(lines)
  const fingerprints: Fingerprints[] = []
  for (const [rank, index] of order.entries()) {
    fingerprints[index] = {
      [fingerprintKeys.github]: forGithub[inOrder[rank]!.line - 1] ?? '',
      [fingerprintKeys.place]: ofPlace[rank]!,
      [fingerprintKeys.line]: ofLine[rank]!
    }
  }
  return fingerprints
}
