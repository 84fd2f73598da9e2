import type { AiRejectionCode } from '@filewright/contracts'
import type { AnswerFault } from '@filewright/llm'

/** What a client gets about a response that was refused, without any of its text. */
const reasons: Partial<Record<AnswerFault, readonly [AiRejectionCode, string]>> = {
  files: ['several-files', 'the model wrote several files, and the response has one field for code'],
  parts: [
    'several-parts',
    'the model wrote several pieces of code that are not certain to belong in one file'
  ],
  module: [
    'missing-module',
    'the code imports a local module that neither the prompt nor the model supplies'
  ],
  language: ['other-language', 'the model wrote another language or framework than the request names'],
  syntax: ['syntax-error', 'the code of the model does not parse']
}

export function whyRefused(fault: AnswerFault | undefined): { code: AiRejectionCode; reason: string } {
  const [code, reason] = reasons[fault ?? 'empty'] ?? ['unusable-answer', 'the model wrote no usable answer']
  return { code, reason }
}
