import { reasons } from '@filewright/contracts'
import { formatNumber } from '../format.js'
import { many } from '../texts.js'

export const historyTexts = {
  title: 'History',
  lead: 'What this token has asked models and analyzers for. Prompts, code and results are not in this list; the service keeps them only if its operator has turned that on.',
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
  noAnswer: 'nobody'
}
