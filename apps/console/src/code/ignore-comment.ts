import type { RuledFinding } from '@filewright/contracts'

interface Place {
  /** The comment with its marks. */
  comment: string
  isOwnLine: boolean
}

const hash = new Set([
  'python',
  'shell',
  'ruby',
  'perl',
  'r',
  'yaml',
  'toml',
  'dockerfile',
  'makefile',
  'terraform'
])
const dashes = new Set(['sql', 'mysql', 'tsql', 'plsql', 'bigquery', 'snowflake', 'lua', 'haskell'])
const markup = new Set(['html', 'xml', 'vue', 'svelte', 'astro'])
const scripts = new Set(['javascript', 'jsx', 'typescript', 'tsx'])

function placesOf(text: string, language: string): Place[] {
  const block = { comment: `/* ${text} */`, isOwnLine: true }
  if (markup.has(language)) return [{ comment: `<!-- ${text} -->`, isOwnLine: true }]
  if (language === 'css') return [block]
  const mark = hash.has(language) ? '#' : dashes.has(language) ? '--' : '//'
  const line = { comment: `${mark} ${text}`, isOwnLine: true }
  return [
    line,
    { ...line, isOwnLine: false },
    // Between the elements of JSX only this is a comment.
    ...(scripts.has(language) ? [{ comment: `{/* ${text} */}`, isOwnLine: true }] : [])
  ]
}

/** The code with a comment that accepts a finding, at each place where it may stand, the best one first. */
export function ignoreCandidates(
  { code, language, reason }: { code: string; language: string; reason: string },
  { rule, line }: Pick<RuledFinding, 'rule' | 'line'>
): string[] {
  const lines = code.split('\n')
  const target = lines[line - 1]
  if (target === undefined) return []
  const end = target.endsWith('\r') ? '\r' : ''
  const indent = /^[ \t]*/.exec(target)?.[0] ?? ''
  const said = reason.replace(/\s+/g, ' ').trim()
  return placesOf(`filewright-ignore ${rule} -- ${said}`, language).map(({ comment, isOwnLine }) =>
    isOwnLine
      ? lines.toSpliced(line - 1, 0, `${indent}${comment}${end}`).join('\n')
      : lines.with(line - 1, `${target.slice(0, target.length - end.length)} ${comment}${end}`).join('\n')
  )
}

/** The comment is understood where it stands, and nothing else has changed. */
export function isIgnored(
  { rule }: Pick<RuledFinding, 'rule'>,
  before: readonly RuledFinding[],
  after: { findings: readonly RuledFinding[]; suppressed: readonly RuledFinding[] },
  suppressedBefore: readonly RuledFinding[]
): boolean {
  const count = (findings: readonly RuledFinding[], name: string): number =>
    findings.filter((each) => each.rule === name).length
  // What a model finds differs from run to run, so it is not asked again.
  const isOfModel = rule.startsWith('model/')
  return (
    (isOfModel || count(after.suppressed, rule) > count(suppressedBefore, rule)) &&
    after.findings.every((each) => count(after.findings, each.rule) <= count(before, each.rule))
  )
}
