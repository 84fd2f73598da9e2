import { createHash } from 'node:crypto'
import { safeText, severityNames, withoutProof } from '@filewright/contracts'
import type { FileReport } from '../analysis/report.js'
import { counted, oneLine } from '../io.js'
import type { Remark, Review } from './remarks.js'

const BREAK = '\u200b'

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))

/** Inline code, in which nothing is interpreted as markup. */
export function inlineCode(text: string): string {
  const code = oneLine(safeText(text))
  const fence = '`'.repeat(longestRun(code) + 1)
  // Spaces separate backticks in the code from the delimiters, and are not shown.
  const space = /^[` ]|[` ]$|^$/.test(code) ? ' ' : ''
  return `${fence}${space}${code}${space}${fence}`
}

/**
 * Escapes text so that a platform sees no markup, images, mentions, issue references, links, or commands at
 * the beginning of a line. Escapes only such characters, so that the source stays readable.
 */
const plain = (text: string): string =>
  text
    .replace(/[\\`*[\]~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|^[-+=#]|(?<=^\d+)[.)]/gu, '\\$&')
    // Platforms search for these in the rendered text, where backslashes have no effect.
    .replace(/@|[#!%&~$](?=[\w"])|[[{](?=[-+])|\[(?=\w+:)|\bGH(?=-)|:(?=\/\/|\w+:)/gi, `$&${BREAK}`)
    // Programs that turn addresses into links drop an invisible character at the end of a part.
    .replace(/ww(?=w\.)|(?:mailto|xmpp)(?=:)/gi, `$&${BREAK}`)
    .replace(/\b[0-9a-f](?=[0-9a-f]{6,}\b)(?=[a-f]*[0-9])/gi, `$&${BREAK}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/^(?=\/)/, BREAK)

/** Text in which only `code` is shown as code. */
export function inert(text: string): string {
  // Elements at odd indexes are the captured groups.
  const parts = oneLine(safeText(text))
    .trim()
    .split(/(?<!`)`([^`]+)`(?!`)/)
  return parts.map((part, index) => (index % 2 === 0 ? plain(part) : inlineCode(part))).join('')
}

/** A fenced code block. */
export function codeBlock(text: string, language: string): string {
  const code = safeText(text)
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`
}

const MAX_LINE_CHARS = 300
const MAX_TEXT_CHARS = 1_000
/** Ten fixes of this size fit into a comment. */
const MAX_FIX_CHARS = 1_500
const clipped = (text: string): string =>
  text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : text

function remarkText({ path, finding, fix }: Remark, lines: readonly string[], indent: string): string {
  const { line, level, rule, help, proof } = finding
  const message = withoutProof(finding)
  const place = inlineCode(`${clipped(path)}:${line}`)
  const isExplained = help !== '' && help !== message
  const parts = [
    `**${severityNames[level]}** ${place} ${inert(clipped(message))} (${inlineCode(rule)})`,
    codeBlock((lines[line - 1] ?? '').trim().slice(0, MAX_LINE_CHARS), '')
  ]
  if (proof !== undefined) {
    parts.push(`Proven: ${inlineCode(clipped(proof.input))}: ${inert(clipped(proof.observed))}`)
  } else if (isExplained) parts.push(inert(clipped(help)))
  if (fix !== undefined) {
    const removed = lines.slice(fix.first - 1, fix.last).map((each) => `-${each}`)
    const added = fix.lines.map((each) => `+${each}`)
    const diff = [...removed, ...added].join('\n')
    const isShown = diff.length <= MAX_FIX_CHARS
    parts.push(`A fix after which the finding is gone${isShown ? ':' : ' is too long for a comment.'}`)
    if (isShown) parts.push(codeBlock(diff, 'diff'))
  }
  return parts.map((part) => part.replaceAll('\n', `\n${indent}`)).join(`\n\n${indent}`)
}

/** Identifies a finding in the comment, so that the next run knows which findings were reported. */
export const idOf = ({ path, finding }: Remark): string =>
  createHash('sha256')
    .update(`${path}\0${finding.rule}\0${finding.fingerprints?.['filewright/v2'] ?? finding.line}`)
    .digest('hex')
    .slice(0, 16)

export const NOTHING = 'nothing to say'

export function asMarkdown(
  { remarks, more, suppressed }: Review,
  reports: ReadonlyMap<string, FileReport>
): string {
  const notes = [
    ...(more === 0 ? [] : [`${counted(more, 'more finding')} of less harm`]),
    ...(suppressed === 0 ? [] : [`${counted(suppressed, 'new suppression')} in comments of the code`])
  ].join('; ')
  const list = remarks.map((remark, index) => {
    const mark = `${index + 1}. `
    return `${mark}${remarkText(remark, reports.get(remark.path)?.lines ?? [], ' '.repeat(mark.length))}\n`
  })
  const head =
    remarks.length === 0
      ? `Filewright: ${NOTHING}.`
      : `Filewright: ${counted(remarks.length + more, 'new finding')}.`
  return [head, ...list, ...(notes === '' ? [] : [`${notes}.`])].join('\n\n').concat('\n')
}
