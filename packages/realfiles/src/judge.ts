import { matchesPattern, outOfReachReason, type Expectation, type Manifest } from './manifest.js'
import { isAccepted, isRefused, type Outcome } from './sample.js'

export interface Judged extends Outcome {
  expectation: Expectation
}

/** One message for each expectation that is not met. */
export function judgeFiles(outcomes: readonly Judged[], { tolerances }: Manifest): string[] {
  const problems: string[] = []
  for (const outcome of outcomes) {
    const {
      name,
      source,
      status,
      reason = '',
      expectation: { expect, codes }
    } = outcome
    const what = `${name} (${source})`
    if (status >= 500 || status === 0) problems.push(`${what}: ${status} ${reason}`)
    if (outcome.bytesEqual === false) problems.push(`${what}: the download has other bytes`)
    if (expect === 'refused' && isAccepted(outcome)) {
      problems.push(`${what}: accepted as ${outcome.type ?? ''}, expected refused`)
    }
    if (
      expect === 'refused' &&
      isRefused(outcome) &&
      codes !== undefined &&
      !codes.includes(codeOf(reason))
    ) {
      problems.push(`${what}: refused as "${reason}", expected ${codes.join(' or ')}`)
    }
  }
  for (const [kind, tolerance] of Object.entries(tolerances)) {
    const honest = outcomes.filter(
      (outcome) => outcome.kind === kind && outcome.expectation.expect === 'accepted'
    )
    const tooMany = (share: number, found: number, what: string): void => {
      if (found <= share * honest.length) return
      const percent = (part: number): string => `${(100 * part).toFixed(2)} %`
      problems.push(
        `${kind}: ${found} of ${honest.length} ${what} ` +
          `(${percent(found / honest.length)}, at most ${percent(share)})`
      )
    }
    tooMany(
      tolerance.refused,
      honest.filter((outcome) => !isAccepted(outcome)).length,
      'honest files refused'
    )
    tooMany(tolerance.wrongType, honest.filter(hasWrongType).length, 'files with an unexpected type')
  }
  return problems
}

export function hasWrongType({ type, expectation: { types } }: Judged): boolean {
  return type !== undefined && types !== undefined && !types.some((pattern) => matchesPattern(type, pattern))
}

/** `X-Rejection: <code>; <reason>` */
export const codeOf = (rejection: string): string => rejection.split(';')[0]?.trim() ?? ''

/** Containers with the test file that were not refused, except those that the manifest lists. */
export function judgeContainers(outcomes: readonly Outcome[], manifest: Manifest): string[] {
  return outcomes
    .filter((outcome) => !isRefused(outcome))
    .filter((outcome) => !isAccepted(outcome) || outOfReachReason(manifest, outcome.source) === undefined)
    .map(({ source, name, status, type, reason }) =>
      isAcceptedStatus(status)
        ? `the test file in "${source}" was ACCEPTED as ${name}, ${type ?? ''}`
        : `the test file in "${source}": ${status} ${reason ?? ''}`
    )
}

const isAcceptedStatus = (status: number): boolean => status === 201
