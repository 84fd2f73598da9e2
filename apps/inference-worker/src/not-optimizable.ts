import type { AiRejectionCode, Language } from '@filewright/contracts'
import { AppError } from '@filewright/runtime'
import type { NoRewrite } from './rewrite.js'

/** @param reason visible to clients; must not contain any of their code */
export function notOptimizable(code: AiRejectionCode, reason: string): AppError {
  return new AppError('NOT_OPTIMIZABLE', reason, { rejection: { code, reason } })
}

export interface Tried {
  language: Language
  /** Without one the model is not called. */
  hasParser: boolean
  isSandbox: boolean
  /** Absent when the code is too long for the model. */
  noRewrite: NoRewrite | undefined
  /** Why the tools held back a fix, if they did. */
  heldBack: string | undefined
}

/** Why there is neither a fix by the tools nor a rewrite by the model. */
export function reasonNotOptimizable({
  language,
  hasParser,
  isSandbox,
  noRewrite,
  heldBack
}: Tried): AppError {
  const noFix = `the tools have no safe fix${heldBack === undefined ? '' : ` (${heldBack})`}`
  if (!hasParser) {
    return notOptimizable(
      'no-parser',
      `no parser here reads this ${language} code, so no rewrite of it can be checked`
    )
  }
  if (noRewrite === 'not-provable') {
    return notOptimizable('nothing-to-improve', `${noFix}, and ${notAsked(language)}`)
  }
  if (isSandbox) {
    return notOptimizable(
      'nothing-to-improve',
      `${noFix}, and this server has no language model that could rewrite the code`
    )
  }
  if (noRewrite === undefined || noRewrite === 'too-long') {
    return notOptimizable('too-long', `the code is too long for the model, and ${noFix}`)
  }
  if (noRewrite === 'not-run') {
    return notOptimizable(
      'no-safe-rewrite',
      `the model's rewrite could not be run beside the original on all planned inputs, and ${noFix}`
    )
  }
  return noRewrite === 'same'
    ? notOptimizable('nothing-to-improve', `${noFix}, and the model returned the code unchanged`)
    : notOptimizable('no-safe-rewrite', `the model's rewrite could not be shown to do the same, and ${noFix}`)
}

/** Why no model rewrites code in this language. */
export function notAsked(language: Language): string {
  return `no model was asked: ${language} is not run here, so no rewrite of it can be shown to do the same`
}
