import type { CodeRealm, Probes } from './code-realm.js'
import type { Operand } from './plan.js'

/** The record of the instrumented code. */
export interface Coverage {
  probes: Probes
  /** For a new run. */
  reset: () => void
  /**
   * The probes that only few runs have reached. If this run reached one of them, also the compared values.
   * For every run, the last operand at each comparison, and whether the code has searched for an object.
   */
  take: () => {
    probes: number[]
    pairs: Array<[Operand, Operand]>
    operands: Array<Operand | null>
    seeksObject: boolean
  }
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createCoverage(realm: CodeRealm, count: number): Coverage {
  'use strict'
  const { apply } = Reflect
  const maxRuns = 3
  const maxOperands = 32
  const probes = realm.newProbes(count)
  const reached = new Map<number, number>()

  /** Probes that few runs have reached: several such runs are needed to find one that can be changed. */
  function newlyReached(): number[] {
    const added: number[] = []
    const next = (from: number): number => apply(Uint8Array.prototype.indexOf, probes, [1, from])
    for (let probe = next(0); probe >= 0; probe = next(probe + 1)) {
      const count = (reached.get(probe) ?? 0) + 1
      if (count <= maxRuns) added.push(probe)
      reached.set(probe, count)
    }
    return added
  }

  const isOperand = (value: any): value is Operand =>
    typeof value === 'string' ? value.length <= 40 : typeof value === 'number' && Number.isFinite(value)

  /** The last two values of each comparison. */
  function compared(): Array<[Operand, Operand]> {
    const found: Array<[Operand, Operand]> = []
    const { operands } = probes
    for (let at = 0; at < operands.length && found.length < 24; at += 2) {
      const [left, right] = [operands[at], operands[at + 1]]
      // A search has only one operand, the value that it looks for.
      const other = at + 1 in operands ? right : left
      if (isOperand(left) && isOperand(other) && (left !== other || !(at + 1 in operands))) {
        found.push([left, other])
      }
    }
    return found
  }

  const lastOperands = (): Array<Operand | null> =>
    Array.from({ length: Math.min(probes.operands.length, maxOperands) }, (_, at) => {
      const operand = at in probes.operands ? probes.operands[at] : null
      return isOperand(operand) ? operand : null
    })

  /** A search has one operand, and none in the place behind it. */
  const seeksObject = (): boolean => {
    const { operands } = probes
    for (let at = 0; at < operands.length; at += 2) {
      const sought = operands[at]
      if (sought !== null && typeof sought === 'object' && !(at + 1 in operands)) return true
    }
    return false
  }

  return {
    probes,
    reset: () => {
      apply(Uint8Array.prototype.fill, probes, [0])
      probes.operands.length = 0
    },
    take: () => {
      const found = newlyReached()
      return {
        probes: found,
        pairs: found.length === 0 ? [] : compared(),
        operands: lastOperands(),
        seeksObject: seeksObject()
      }
    }
  }
}
