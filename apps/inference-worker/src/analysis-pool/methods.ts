import { analyzeAll, checkSyntax, describeDiff, exportsOf, fix, measure } from '@filewright/analysis'
import { compareRewrite, mergeRewrite, partsOf, prove, runCheck } from '@filewright/rewrites'

/** The methods of a pool process. */
export const methods = {
  analyze: analyzeAll,
  checkSyntax,
  compareRewrite,
  describeDiff,
  exportsOf,
  fix,
  measure,
  mergeRewrite,
  partsOf,
  prove,
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
  /** The parsers are loaded: from now on, time counts. */
  | { id: number; isLoaded: true }
  /** `tainted`: an engine failed in this process and may have corrupted its memory. */
  | { id: number; ok: true; result: unknown; tainted: boolean }
  | { id: number; ok: false; message: string }
