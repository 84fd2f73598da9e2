import { reasons } from '@filewright/contracts'
import { formatNumber } from '../format.js'
import { many } from '../texts.js'

export const historyTexts = {
  title: 'History',
  lead: 'What this token has asked models and analyzers for. Open a request to see it in full.',
  failed: 'The history could not be loaded',
  empty: 'Nothing here yet',
  emptyLead:
    'Generate, analyze or optimize code: each request appears here with who answered, time and tokens.',
  start: 'Go to Code',
  usage: (days: number) => `Usage in the last ${days} days`,
  noUsage: 'No requests.',
  chart: 'Tokens per day',
  most: (tokens: number) => `highest day: ${many(tokens, 'token')}`,
  day: 'Day',
  answerer: 'Answered by',
  requests: 'Requests',
  tokens: 'Tokens',
  total: (requests: number, tokens: number) => `${many(requests, 'request')}, ${many(tokens, 'token')}`,
  bar: (day: string, tokens: number, requests: number) =>
    `${day}: ${many(tokens, 'token')}, ${many(requests, 'request')}`,
  table: 'Per day and model',
  list: 'Requests',
  started: 'Started',
  task: 'Task',
  status: 'Status',
  duration: 'Time',
  seconds: (ms: number) => `${formatNumber(Math.round(ms / 100) / 10)} s`,
  kinds: { generate: 'Generate', analyze: 'Analyze', optimize: 'Optimize' },
  statuses: {
    running: 'Running',
    succeeded: 'Done',
    unchanged: reasons['nothing-to-improve'].title,
    failed: 'Failed',
    cancelled: 'Cancelled'
  },
  more: 'Show more',
  back: 'Back to the history',
  missing: 'No such request',
  missingLead: 'This token has no request with this address, or the service has deleted its record.',
  notLoaded: 'The request could not be loaded',
  notKept:
    'The service has not kept the prompt, code and result of this request, so it cannot be run again. ' +
    'The operator of the service turns that on with the setting STORE_PROMPTS=true. ' +
    'The service then keeps those of later requests.',
  again: 'Run again',
  againHelp: {
    generate:
      'Opens the prompt and the options in Code. There you choose a model and see both results side by side.',
    analyze: 'Opens the code and the options in Code.',
    optimize: 'Opens the code and the options in Code.'
  },
  replaceTitle: (name: string) => `Discard your changes to ${name}?`,
  replaceLead: 'They are not stored in a project. Running the request again replaces them.',
  options: {
    type: 'Kind',
    language: 'Language',
    framework: 'Framework',
    model: 'Model asked',
    analysis_type: 'Look for',
    optimization_type: 'Goal'
  },
  prompt: 'Prompt',
  code: 'Code',
  result: 'Result',
  noResult: 'This request has no result.',
  noAnswer: 'nobody'
}
