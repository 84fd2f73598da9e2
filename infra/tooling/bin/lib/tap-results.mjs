/**
 * @typedef {object} TapSkip
 * @property {string[]} path file, tests and assertion, outermost first
 * @property {string} reason
 */

/**
 * @typedef {object} TapFailure
 * @property {string[]} path file, tests and assertion, outermost first
 * @property {any} diag what tap knows about it
 */

/** Counts assertions in the TAP output of test files. */
export function createTapResults() {
  const results = {
    passed: 0,
    failed: 0,
    /** @type {TapSkip[]} */ skipped: [],
    /** @type {TapFailure[]} */ failures: []
  }

  /**
   * @param {any} parser of tap-parser
   * @param {string[]} path
   * @returns {{ failed: number }} failures inside this parser so far
   */
  function watch(parser, path) {
    const inside = { failed: 0 }
    /** @type {{ failed: number } | null} */
    let subtest = null
    const fail = (/** @type {string} */ name, /** @type {any} */ diag) => {
      inside.failed++
      results.failed++
      results.failures.push({ path: [...path, name], diag })
    }
    parser.on('child', (/** @type {any} */ child) => {
      subtest = watch(child, [...path, child.name])
    })
    parser.on('assert', (/** @type {any} */ result) => {
      // The line that closes a subtest repeats its assertions, except when it died without output.
      const summed = subtest
      subtest = null
      if (summed !== null) {
        inside.failed += summed.failed
        if (!result.ok && summed.failed === 0 && !result.todo && !result.skip) fail(result.name, result.diag)
      } else if (result.skip || result.todo) {
        results.skipped.push({ path: [...path, result.name], reason: reasonOf(result) })
      } else if (result.ok) results.passed++
      else fail(result.name, result.diag)
    })
    // Reported by every parser around the one that saw it.
    if (path.length === 1) {
      parser.on('bailout', (/** @type {string} */ reason) => {
        fail(`Bail out! ${reason}`, null)
      })
    }
    return inside
  }

  return { results, watch }
}

/** @param {{ skip?: boolean | string, todo?: boolean | string }} result */
function reasonOf({ skip, todo }) {
  if (typeof skip === 'string') return skip
  if (skip === true) return 'no reason given'
  return typeof todo === 'string' ? `to do: ${todo}` : 'to do'
}

/** The log has all of it. */
const LONGEST = 4_000

/**
 * @param {TapFailure} failure
 * @returns {string}
 */
export function describeFailure(failure) {
  const text = describe(failure)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

/**
 * @param {TapFailure} failure
 * @returns {string}
 */
function describe({ path, diag }) {
  const lines = [`✗ ${path.join(' › ')}`]
  if (diag == null) return lines.join('\n')
  const { at, diff, stack, found, wanted, error, message, exitCode, signal } = diag
  if (at?.fileName !== undefined) lines.push(`  at ${at.fileName}:${at.lineNumber}`)
  for (const [name, value] of Object.entries({ message, error, exitCode, signal })) {
    if (value != null) lines.push(`  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  }
  if (diff !== undefined) lines.push(indent(diff))
  else if (found !== undefined || wanted !== undefined) {
    lines.push(`  found:  ${JSON.stringify(found)}`, `  wanted: ${JSON.stringify(wanted)}`)
  }
  if (stack !== undefined) lines.push(indent(stack))
  return lines.join('\n')
}

/** @param {string} text */
function indent(text) {
  return String(text)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
