import { hasWrongType, type Judged } from './judge.js'
import { outOfReachReason, type Manifest } from './manifest.js'
import { isAccepted, isRefused, type Outcome } from './sample.js'

/** One Markdown row per kind, which is also readable on a terminal. */
export function tableByKind(outcomes: readonly Judged[]): string {
  const head = [
    'kind',
    'files',
    'accepted',
    'refused',
    'expected accepted',
    'of these refused',
    '5xx',
    'p50 ms',
    'p95 ms',
    'max ms',
    'bytes equal'
  ]
  const rows = [...groupBy(outcomes, ({ kind }) => kind)].map(([kind, files]) => {
    const honest = files.filter(({ expectation }) => expectation.expect === 'accepted')
    const refused = honest.filter((outcome) => !isAccepted(outcome)).length
    const compared = files.filter(({ bytesEqual }) => bytesEqual !== undefined)
    return [
      kind,
      files.length,
      files.filter(isAccepted).length,
      files.filter(isRefused).length,
      honest.length,
      `${refused} (${((100 * refused) / Math.max(1, honest.length)).toFixed(2)} %)`,
      files.filter(({ status }) => status >= 500 || status === 0).length,
      ...timesOf(files),
      `${compared.filter(({ bytesEqual }) => bytesEqual).length} of ${compared.length}`
    ].map(String)
  })
  return markdownTable(head, rows)
}

const EXAMPLES = 3
const HEAD = ['refused', 'kind', 'expected', 'extension', 'status', 'reason', 'such as']

/**
 * Refusals by kind, extension and reason, the most frequent first. Files that may be refused are only
 * counted.
 */
export function refusalsOf(outcomes: readonly Judged[]): string {
  const all = outcomes.filter((outcome) => !isAccepted(outcome))
  const failed = all.filter(
    ({ status, expectation }) => expectation.expect !== 'either' || status >= 500 || status === 0
  )
  const counts = [
    ...groupBy(
      all.filter((outcome) => !failed.includes(outcome)),
      ({ name }) => extensionOf(name)
    )
  ].map(([extension, files]) => `${extension} ${files.length}`)
  const groups = [
    ...groupBy(failed, ({ kind, name, status, reason, expectation }) =>
      [kind, expectation.expect, extensionOf(name), status, reason ?? ''].join(' | ')
    )
  ]
  const rows = groups
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([key, files]) => {
      const examples = files.slice(0, EXAMPLES).map(describe).join(', ')
      return [String(files.length), ...key.split(' | '), examples]
    })
  return [
    rows.length === 0 ? 'No refusal that matters.' : markdownTable(HEAD, rows),
    ...(counts.length === 0 ? [] : [`Refused, and may be: ${counts.join(', ')}`])
  ].join('\n\n')
}

const describe = ({ name, source }: Judged): string =>
  source.endsWith(name) ? source : `${name} (${source})`

const SLOWEST = 5

export function slowestOf(outcomes: readonly Judged[]): string {
  const slowest = outcomes.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
  const lines = slowest.map(
    (outcome) =>
      `  ${Math.round(outcome.ms)} ms, ${Math.round(outcome.sizeBytes / 1000)} kB: ${describe(outcome)}`
  )
  return ['Slowest:', ...lines].join('\n')
}

/** The number of files per detected type, by kind, with unexpected types marked. */
export function typesOf(outcomes: readonly Judged[]): string {
  const lines = [...groupBy(outcomes.filter(isAccepted), ({ kind }) => kind)].map(([kind, files]) => {
    const counts = [...groupBy(files, ({ type }) => type ?? '')].sort(([, a], [, b]) => b.length - a.length)
    return `${kind}: ${counts.map(([type, of]) => `${type} ${of.length}`).join(', ')}`
  })
  const surprises = [
    ...groupBy(outcomes.filter(hasWrongType), ({ name, type }) => `${extensionOf(name)} as ${type ?? ''}`)
  ].map(
    ([what, files]) =>
      `  ${files.length} × ${what}, such as ${files[0]?.name ?? ''} (${files[0]?.source ?? ''})`
  )
  return [...lines, ...(surprises.length === 0 ? [] : ['Unexpected types:', ...surprises])].join('\n')
}

/** One line per container. */
export function containersReport(outcomes: readonly Outcome[], manifest: Manifest): string {
  const lines = outcomes.map((outcome) => {
    const { source, name, status, type, reason } = outcome
    const excuse = outOfReachReason(manifest, source)
    const result = isRefused(outcome)
      ? `refused (${status}; ${reason ?? ''})`
      : isAccepted(outcome)
        ? excuse === undefined
          ? `ACCEPTED as ${type ?? ''}`
          : `accepted, out of reach: ${excuse}`
        : `${status} ${reason ?? ''}`
    const mark = isRefused(outcome) ? '✓' : excuse === undefined ? '✗' : '–'
    return `${mark} ${source} [${name}]: ${result}`
  })
  const refused = outcomes.filter(isRefused).length
  const accepted = outcomes.filter(isAccepted)
  const excused = accepted.filter(({ source }) => outOfReachReason(manifest, source) !== undefined).length
  const other = outcomes.length - refused - accepted.length
  return [
    ...lines,
    `${outcomes.length} containers with the test file: ` +
      `${refused} refused, ${accepted.length - excused} accepted, ` +
      `${excused} out of reach, ${other} without an answer`
  ].join('\n')
}

export function markdownTable(head: readonly string[], rows: readonly string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0))
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function timesOf(outcomes: readonly Outcome[]): number[] {
  const sorted = outcomes.map(({ ms }) => ms).sort((a, b) => a - b)
  const quantile = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? NaN)
  return [quantile(0.5), quantile(0.95), quantile(1)]
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** The last extension, in lower case; of a compressed file the last two. */
export function extensionOf(name: string): string {
  return /(?:\.(?:tar|cpio|txt))?\.[^.\s]{1,12}$/i.exec(name)?.[0].toLowerCase() ?? '(none)'
}
