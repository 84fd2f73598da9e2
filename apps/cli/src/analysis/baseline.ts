import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fingerprintKeys, formatBytes, sarifLevels, type SarifFinding } from '@filewright/contracts'
import { Failure } from '../failure.js'

/** A finding of the run that this one is compared with. */
export interface KnownFinding {
  /** As in that run: relative, with slashes. */
  path: string
  rule: string
  place: string
  line: string
  finding: SarifFinding
}

const MAX_BYTES = 128 * 1024 * 1024

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, key: string | number): unknown =>
  isObject(value) || Array.isArray(value) ? (value as Record<string | number, unknown>)[key] : undefined

/** Describes the problem without quoting the file. */
class MalformedBaselineError extends Error {
  override name = 'MalformedBaselineError'
}

function textAt(value: unknown, key: string, where: string): string {
  const text = at(value, key)
  if (typeof text === 'string') return text
  throw new MalformedBaselineError(`${where}.${key} must be a string`)
}

function pathOf(uri: string, where: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    throw new MalformedBaselineError(`${where} must be a path as SARIF writes it`)
  }
}

function knownOf(result: unknown, index: number): KnownFinding | null {
  const where = `runs[0].results[${index}]`
  if (!isObject(result)) throw new MalformedBaselineError(`${where} must be an object`)
  // Such a result is not a finding of that run.
  if (result.baselineState === 'absent') return null
  if (Array.isArray(result.suppressions) && result.suppressions.length > 0) return null
  const rule = textAt(result, 'ruleId', where)
  const prints = result.partialFingerprints
  const place = at(prints, fingerprintKeys.place)
  const line = at(prints, fingerprintKeys.line)
  if (typeof place !== 'string' || typeof line !== 'string') {
    throw new MalformedBaselineError(
      `${where} has no fingerprint "${fingerprintKeys.place}"; ` +
        'write the baseline again with this version of the command'
    )
  }
  const physical = at(at(at(result, 'locations'), 0), 'physicalLocation')
  const uri = textAt(at(physical, 'artifactLocation'), 'uri', `${where}.locations[0]`)
  const startLine = at(at(physical, 'region'), 'startLine')
  const level = sarifLevels.find((each) => each === result.level) ?? 'warning'
  const message = textAt(result.message, 'text', `${where}.message`)
  const finding: SarifFinding = {
    type: level === 'note' ? 'suggestion' : 'warning',
    level,
    message,
    line: Number.isSafeInteger(startLine) && Number(startLine) >= 1 ? Number(startLine) : 1,
    ruleId: rule,
    fingerprints: Object.fromEntries(
      Object.entries(isObject(prints) ? prints : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string'
      )
    )
  }
  return { path: pathOf(uri, `${where}.locations[0]`), rule, place, line, finding }
}

/** @throws MalformedBaselineError */
export function parseBaseline(text: string): KnownFinding[] {
  let log: unknown
  try {
    log = JSON.parse(text)
  } catch {
    throw new MalformedBaselineError('it is not JSON')
  }
  const runs = at(log, 'runs')
  if (at(log, 'version') !== '2.1.0' || !Array.isArray(runs)) {
    throw new MalformedBaselineError('it is not SARIF 2.1.0')
  }
  if (runs.length !== 1) throw new MalformedBaselineError(`it must have one run, and has ${runs.length}`)
  const name = at(at(at(runs[0], 'tool'), 'driver'), 'name')
  if (name !== 'Filewright') {
    throw new MalformedBaselineError('another tool wrote it; only SARIF of Filewright is comparable')
  }
  const results = at(runs[0], 'results')
  if (!Array.isArray(results)) throw new MalformedBaselineError('runs[0].results must be an array')
  return results.flatMap((result, index) => knownOf(result, index) ?? [])
}

/** Reads the output of an earlier `analyze --format sarif`. */
export async function readBaseline(path: string, cwd: string): Promise<KnownFinding[]> {
  const absolute = resolve(cwd, path)
  const { size } = await stat(absolute)
  if (size > MAX_BYTES) throw new Failure(`--baseline ${path}: it is larger than ${formatBytes(MAX_BYTES)}`)
  try {
    return parseBaseline((await readFile(absolute)).toString('utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof MalformedBaselineError) throw new Failure(`--baseline ${path}: ${error.message}`)
    throw error
  }
}
