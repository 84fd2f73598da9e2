import { formatNumber } from '../format.js'

/** Apart from `texts`, so that they are loaded with the page about the service. */
export const serviceTexts = {
  title: 'Service',
  lead: {
    ok: () => 'All components work.',
    degraded: (failing: number, total: number) =>
      `Degraded: ${failing} of ${total} components ${failing === 1 ? 'needs' : 'need'} attention.`,
    unavailable: () => 'Unavailable: files cannot be uploaded right now.'
  },
  parts: 'Dependencies',
  names: {
    records: 'Records',
    queue: 'Queue',
    storage: 'Storage',
    scanner: 'Malware scanner',
    models: 'Models'
  },
  does: {
    records: 'Names, folders and verdicts of your files.',
    queue: 'Passes jobs to scanners and models.',
    storage: 'The bytes of your files.',
    scanner: 'Scans every file before anyone can open it.',
    models: 'Write, analyze and optimize code.'
  },
  states: { ok: 'Works', degraded: 'Degraded', down: 'Down', unknown: 'Unknown' },
  models: 'Available models',
  model: 'Model',
  capabilities: 'Capabilities',
  context: 'Context',
  tokens: (tokens: number) => `${formatNumber(tokens)} tokens`,
  limits: 'Limits and usage',
  requests: 'Requests per minute',
  aiRequests: 'AI requests per minute',
  uploads: 'Concurrent uploads',
  fileSize: 'Maximum file size',
  noLimit: 'No limit',
  left: (left: string, limit: string) => `${left} of ${limit} left`,
  usedFiles: (most: number | null) => (most === null ? 'Files uploaded' : 'Files you may upload'),
  usedBytes: (most: number | null) => (most === null ? 'Storage used' : 'Storage'),
  more: 'More',
  dashboard: 'Operators find queues and jobs at /queues on their own port.',
  reference: 'API reference'
}
