import { analyze, checkSyntax, describeDiff, exportsOf, fix, measure } from '@filewright/analysis'
import { compareRewrite, mergeRewrite, partsOf, runCheck } from '@filewright/rewrites'

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
