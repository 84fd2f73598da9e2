import { formatNumber } from '../format.js'
import { many } from '../texts.js'

/** Apart from `texts`, so that they are loaded with the workspace. */
export const codeTexts = {
  analyze: {
    what: 'Look for',
    types: {
      all: 'Everything',
      security: 'Security',
      performance: 'Performance',
      style: 'Style',
      bugs: 'Bugs'
    },
    button: 'Analyze',
    running: 'Analyzing…',
    score: 'Score',
    scoreOf: (score: number) => `${score} of 100`,
    scoreHelp:
      'The score starts at 100 and drops with every finding. Errors and warnings cost more than suggestions. The same findings always give the same score.',
    findings: 'Findings',
    filter: 'Show',
    filters: { all: 'All', error: 'Errors', warning: 'Warnings', suggestion: 'Suggestions' },
    levels: { error: 'Error', warning: 'Warning', suggestion: 'Suggestion' },
    line: (line: number) => `Line ${formatNumber(line)}`,
    none: 'No findings.',
    proven: 'Proven:',
    flow: {
      title: (steps: number) => `Data flow, ${steps} steps`,
      source: 'Source',
      step: 'Step',
      sink: 'Sink'
    },
    suppressed: (count: number) =>
      count === 1 ? '1 finding is suppressed by a comment' : `${count} findings are suppressed by comments`,
    reason: 'Reason:',
    copyReproducer: 'Copy reproducer',
    kind: 'Kind',
    anyKind: 'Any kind',
    rule: 'Rule',
    anyRule: 'Any rule',
    showFix: 'Show a fix',
    findingFix: 'Looking for a fix…',
    fixOf: (line: number) => `Fix of line ${formatNumber(line)}`,
    removed: 'Removed: ',
    added: 'Added: ',
    applyFix: 'Apply fix',
    fixed: 'The fix is in the code. Undo in the editor takes it back.',
    noFix: {
      none: 'There is no verified fix for this code.',
      'not-here': 'There is no verified fix for this line.'
    },
    ignoreFor: 'Ignore with a reason…',
    ignore: 'Ignore',
    reasonLabel: 'Why is this finding acceptable? The reason goes into a comment in the code.',
    reasonMissing: 'Enter a reason.',
    ignored: 'A comment with the reason is in the code. Undo in the editor takes it back.',
    notIgnored: 'No comment can stand at this place. Write it yourself where your language allows one.',
    advice: 'General advice',
    start: 'Findings appear here and in the margin of the code.',
    changed: 'The code has changed since this analysis. Run it again.'
  },
  optimize: {
    what: 'Goal',
    types: {
      any: 'Everything',
      performance: 'Performance',
      readability: 'Readability',
      security: 'Security'
    },
    button: 'Optimize',
    running: 'Optimizing…',
    layout: 'Layout',
    sideBySide: 'Side by side',
    unified: 'Unified',
    versions: { before: 'Before', after: 'After' },
    changes: 'Changes',
    improvements: 'Improvements',
    change: { refactor: 'Refactored', optimize: 'Optimized' },
    accept: 'Apply to the editor',
    discard: 'Discard',
    start: 'The rewrite is shown as a diff. Nothing changes until you apply it.',
    accepted: 'The rewrite is in the editor.',
    same: 'No improvements found.'
  },
  generate: {
    prompt: 'What should be written?',
    promptHint: 'A function that groups orders by customer and sums their amounts',
    missing: 'Describe what should be written.',
    type: 'Kind',
    types: { code: 'Code', component: 'Component', content: 'Text', api: 'API' },
    model: 'Model',
    button: 'Generate',
    replaces: 'The result replaces the code in the editor. You can undo this.',
    putBack: 'Restore the previous code',
    compare: 'Compare with the previous code',
    writing: 'Writing…',
    stopped: 'Stopped. The partial result is in the editor.',
    again: (answerer: string) =>
      `The editor has the earlier result (${answerer}). Choose a model and generate again to see both side by side.`,
    versions: (earlier: string, now: string) => ({ before: `Earlier: ${earlier}`, after: `Now: ${now}` }),
    previous: 'Previous code',
    result: 'Result',
    done: (tokens: number) => `Done, ${many(tokens, 'token')} used.`
  }
}
