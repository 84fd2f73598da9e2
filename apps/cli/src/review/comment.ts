import type { FileReport } from '../analysis/report.js'
import { asMarkdown, idOf, inert, inlineCode } from './markdown.js'
import type { Remark, Review } from './remarks.js'

/** A finding that an earlier version of the comment told. */
export interface Told {
  id: string
  path: string
  rule: string
  line: number
}

const MAX_TOLD = 40
/** In our own comment; base64 has no dash, which could end the comment of HTML. */
const memory = /<!-- told:([A-Za-z0-9+/=]{0,20000}) -->/

const isTold = (value: unknown): value is Told => {
  const { id, path, rule, line } = (value ?? {}) as Partial<Record<keyof Told, unknown>>
  return (
    typeof id === 'string' &&
    /^[0-9a-f]{16}$/.test(id) &&
    typeof path === 'string' &&
    typeof rule === 'string' &&
    typeof line === 'number'
  )
}

/** What the comment remembers. One that people have edited remembers nothing. */
function toldIn(body: string): Told[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(memory.exec(body)?.[1] ?? '', 'base64').toString('utf8'))
    return Array.isArray(parsed) ? parsed.filter(isTold).slice(0, MAX_TOLD) : []
  } catch {
    return []
  }
}

/**
 * Findings of the last comment that are no more.
 * @param remarks all that there are now, also those for which the comment has no room
 */
export function resolvedSince(
  body: string | null,
  remarks: ReadonlyArray<Pick<Remark, 'path' | 'finding'>>
): Told[] {
  const current = new Set(remarks.map(idOf))
  return body === null ? [] : toldIn(body).filter(({ id }) => !current.has(id))
}

/** The review, what it has told before and is resolved now, and what the next run needs to know. */
export function asComment(
  review: Review,
  reports: ReadonlyMap<string, FileReport>,
  resolved: readonly Told[]
): string {
  const struck = resolved.map(
    ({ path, line, rule }) => `- ~~${inlineCode(`${path}:${line}`)} ${inert(rule)}~~ resolved\n`
  )
  const told: Told[] = [
    ...review.remarks.map((remark) => ({
      id: idOf(remark),
      path: remark.path.slice(0, 200),
      rule: remark.finding.rule,
      line: remark.finding.line
    })),
    ...resolved
  ].slice(0, MAX_TOLD)
  const remembered = Buffer.from(JSON.stringify(told)).toString('base64')
  const list = struck.length === 0 ? '' : `\n${struck.join('')}`
  // First, because a comment that is too long loses its end.
  return `<!-- told:${remembered} -->\n${asMarkdown(review, reports)}${list}`
}
