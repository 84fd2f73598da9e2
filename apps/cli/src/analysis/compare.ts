import { fingerprintKeys, type Fingerprints } from '@filewright/contracts'
import type { KnownFinding } from './baseline.js'
import type { FileReport, ReportedFinding } from './report.js'
import { fingerprintsOfReport } from './sarif.js'

export interface Earlier {
  known: readonly KnownFinding[]
  /** The old path of a file that was renamed since. */
  oldPath: (path: string) => string
  /** Whether a file of the earlier run no longer exists. */
  isGone: (path: string) => boolean
  /** The lines of a file's old version, where there is one. */
  oldLines: (path: string) => readonly string[] | undefined
}

export interface Comparison {
  /** The same findings, each with its state and fingerprints. */
  reports: FileReport[]
  /** Findings of the earlier run that no longer exist. */
  absent: KnownFinding[]
}

/** The maximum number of findings per rule and file that the service reports. */
const MAX_PER_RULE = 50
/** The service summarizes repeated findings: the first one contains their number. */
const SUMMARY = / There are \d+ such places\.$/

interface Open {
  finding: ReportedFinding
  prints: Fingerprints
}

const unnumbered = (fingerprint: string): string => fingerprint.replace(/:\d+$/, '')
const normalLine = (text: string | undefined): string => (text ?? '').replace(/\s+/g, '')

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** Removes pairs with the same key from both sides. @returns the findings without a match */
function unmatched(
  open: readonly Open[],
  left: Set<KnownFinding>,
  keyOfOpen: (one: Open) => string,
  keyOfKnown: (known: KnownFinding) => string
): Open[] {
  const byKey = new Map<string, KnownFinding[]>()
  for (const known of left) push(byKey, keyOfKnown(known), known)
  return open.filter((one) => {
    const known = byKey.get(keyOfOpen(one))?.shift()
    if (known !== undefined) left.delete(known)
    return known === undefined
  })
}

/** A summarized finding of either run counts once per file, so it is not new. */
function withoutSummarized(open: readonly Open[], left: Set<KnownFinding>): Open[] {
  const messages = [
    ...open.map(({ finding: { rule, message } }) => ({ rule, message })),
    ...[...left].map(({ rule, finding: { message } }) => ({ rule, message }))
  ]
  const summed = new Set(messages.filter(({ message }) => SUMMARY.test(message)).map(({ rule }) => rule))
  const habits = new Set([...left].map(({ rule }) => rule).filter((rule) => summed.has(rule)))
  const still = open.filter(({ finding: { rule } }) => !habits.has(rule))
  const current = new Set(open.map(({ finding: { rule } }) => rule))
  for (const known of left) if (habits.has(known.rule) && current.has(known.rule)) left.delete(known)
  return still
}

/** If a rule has more findings than are reported, one may appear only because another was fixed. */
function withoutUncovered(
  open: readonly Open[],
  { lines }: FileReport,
  known: readonly KnownFinding[],
  oldLines: readonly string[] | undefined
): Open[] {
  if (oldLines === undefined || open.length === 0) return [...open]
  const counts = new Map<string, number>()
  for (const { rule } of known) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  const old = new Set(oldLines.map(normalLine))
  return open.filter(
    ({ finding: { rule, line } }) =>
      (counts.get(rule) ?? 0) < MAX_PER_RULE || !old.has(normalLine(lines[line - 1]))
  )
}

/** Determines which findings are new, unchanged or absent. */
export function compare(reports: readonly FileReport[], earlier: Earlier): Comparison {
  const byPath = new Map<string, KnownFinding[]>()
  for (const known of earlier.known) push(byPath, known.path, known)
  const absent: KnownFinding[] = []
  let fresh: Open[] = []
  const prints = new Map<ReportedFinding, Fingerprints>()

  for (const report of reports) {
    const findings = [...report.findings, ...report.suppressed]
    const ofReport = fingerprintsOfReport(report)
    const all = findings.map((finding, index) => ({ finding, prints: ofReport[index]! }))
    for (const one of all) prints.set(one.finding, one.prints)
    const path = earlier.oldPath(report.path)
    const known = byPath.get(path) ?? []
    byPath.delete(path)
    const left = new Set(known)
    let open = withoutSummarized(all, left)
    open = unmatched(
      open,
      left,
      (one) => one.prints[fingerprintKeys.place],
      ({ place }) => place
    )
    // The context has changed, or the number of identical lines before it.
    open = unmatched(
      open,
      left,
      (one) => unnumbered(one.prints[fingerprintKeys.line]),
      ({ line }) => unnumbered(line)
    )
    fresh.push(...withoutUncovered(open, report, known, earlier.oldLines(report.path)))
    absent.push(...left)
  }

  // A file that no longer exists may have been renamed.
  const gone = new Set([...byPath].flatMap(([path, known]) => (earlier.isGone(path) ? known : [])))
  fresh = unmatched(
    fresh,
    gone,
    (one) => unnumbered(one.prints[fingerprintKeys.place]),
    ({ place }) => unnumbered(place)
  )
  absent.push(...gone)

  const isNew = new Set(fresh.map(({ finding }) => finding))
  const withState = (finding: ReportedFinding): ReportedFinding => ({
    ...finding,
    state: isNew.has(finding) ? 'new' : 'unchanged',
    fingerprints: prints.get(finding)!
  })
  return {
    reports: reports.map((report) => ({
      ...report,
      findings: report.findings.map(withState),
      suppressed: report.suppressed.map(withState)
    })),
    absent
  }
}
