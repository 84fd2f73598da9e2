import { analyze, checkSyntax } from '../analyze.js'
import { describeDiff } from '../describe-diff.js'
import { exportsOf } from '../exports/index.js'
import { fix } from '../fix/index.js'
import { measure } from '../measure.js'
import { compareRewrite } from '../rewrite/compare.js'
import { mergeRewrite } from '../rewrite/merge.js'
import { partsOf } from '../rewrite/parts.js'
import { runCheck } from '../run/index.js'

/** What a process of the pool can be asked to do. */
export const methods = {
  analyze,
  checkSyntax,
  compareRewrite,
  describeDiff,
  exportsOf,
  fix,
  measure,
  mergeRewrite,
  partsOf,
  runCheck
}

export type Methods = typeof methods
export type MethodName = keyof Methods

export interface Request {
  id: number
  method: MethodName
  args: unknown[]
}

export type Reply =
  | { ready: true }
  /** The parsers are there: from now on the time goes into the code. */
  | { id: number; isLoaded: true }
  /** `tainted`: an engine failed in this process and may have left broken memory behind. */
  | { id: number; ok: true; result: unknown; tainted: boolean }
  | { id: number; ok: false; message: string }
