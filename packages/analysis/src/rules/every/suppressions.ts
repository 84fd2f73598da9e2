import type { RuleInfo } from '../../types.js'

const common = { languages: [], analysisType: 'style' } as const

export const suppressionWithoutReason: RuleInfo = {
  ...common,
  id: 'all/suppression-without-reason',
  severity: 'warning',
  sentence: 'This suppression gives no reason, so it suppresses nothing.',
  suggestion: 'Write the reason behind two dashes: filewright-ignore <rule> -- <reason>.'
}

export const suppressionOfUnknownRule: RuleInfo = {
  ...common,
  id: 'all/suppression-of-unknown-rule',
  severity: 'warning',
  sentence: 'This suppression names no rule that can be suppressed.',
  suggestion: 'Name the rule as the finding does, such as js/no-eval.'
}

export const unusedSuppression: RuleInfo = {
  ...common,
  id: 'all/unused-suppression',
  severity: 'info',
  sentence: 'The rule does not fire on the line of this suppression.',
  suggestion: 'Remove the comment.'
}

export const suppressionRules: readonly RuleInfo[] = [
  suppressionWithoutReason,
  suppressionOfUnknownRule,
  unusedSuppression
]
