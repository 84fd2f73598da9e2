import type { FileReport } from '../analysis/report.js'
import { asMarkdown, idOf, inlineCode } from './markdown.js'
import type { Remark, Review } from './remarks.js'

/** A finding that an earlier version of the comment reported. */
export interface ReportedFinding {
  id: string
  path: string
  rule: string
  line: number
}

const MAX_REPORTED = 40
/** The marker in our own comment. Base64 contains no dash, which could end the HTML comment. */
const memory = /<!-- reported:([A-Za-z0-9+/=]{0,20000}) -->/

const isReported = (value: unknown): value is ReportedFinding => {
  const { id, path, rule, line } = (value ?? {}) as Partial<Record<keyof ReportedFinding, unknown>>
  return (
    typeof id === 'string' &&
    /^[0-9a-f]{16}$/.test(id) &&
    typeof path === 'string' &&
    typeof rule === 'string' &&
    typeof line === 'number'
  )
}

/** The findings in the comment's marker; none if the marker was edited. */
function reportedIn(body: string): ReportedFinding[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(memory.exec(body)?.[1] ?? '', 'base64').toString('utf8'))
    return Array.isArray(parsed) ? parsed.filter(isReported).slice(0, MAX_REPORTED) : []
  } catch {
    return []
  }
}

/**
 * Findings that the last comment reported and this review does not.
 * @param remarks all current findings, including those that do not fit into the comment
 */
export function resolvedSince(
  body: string | null,
  remarks: ReadonlyArray<Pick<Remark, 'path' | 'finding'>>
): ReportedFinding[] {
  const current = new Set(remarks.map(idOf))
  return body === null ? [] : reportedIn(body).filter(({ id }) => !current.has(id))
}

/** The review, the findings resolved since the last one, and a marker with data for the next run. */
export function asComment(
  review: Review,
  reports: ReadonlyMap<string, FileReport>,
  resolved: readonly ReportedFinding[]
): string {
  const struck = resolved.map(
    ({ path, line, rule }) =>
      `- ~~${inlineCode(`${path.slice(0, 200)}:${line}`)} ${inlineCode(rule.slice(0, 200))}~~ resolved\n`
  )
  const reported: ReportedFinding[] = [
    ...review.remarks.map((remark) => ({
      id: idOf(remark),
      path: remark.path.slice(0, 200),
      rule: remark.finding.rule,
      line: remark.finding.line
    })),
    ...resolved
  ].slice(0, MAX_REPORTED)
  const remembered = Buffer.from(JSON.stringify(reported)).toString('base64')
  const list = struck.length === 0 ? '' : `\n${struck.join('')}`
  // The marker comes first, because a comment that is too long is truncated at its end.
  return `<!-- reported:${remembered} -->\n${asMarkdown(review, reports)}${list}`
}
