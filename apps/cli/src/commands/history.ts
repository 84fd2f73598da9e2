import type { Filewright, GenerationSummary, RecordedResult } from '@filewright/client'
import { answererOf } from '@filewright/contracts'
import { jsonText, paint, type Io } from '../io.js'
import { printTable } from '../table.js'

export interface HistoryFlags {
  limit: number
  usage?: boolean
  json?: boolean
}

const durationOf = ({ duration_ms: ms }: GenerationSummary): string =>
  ms === null ? '' : `${(ms / 1_000).toFixed(1)} s`

const startOf = (of: GenerationSummary): string => of.started_at.slice(0, 19).replace('T', ' ')

const taskOf = ({ kind, type }: GenerationSummary): string => (type === null ? kind : `${kind} ${type}`)

const statusColors = {
  running: 'cyan',
  succeeded: 'green',
  unchanged: 'green',
  failed: 'red',
  cancelled: 'yellow'
} as const

/** Lists the token's requests to models and analyzers, without prompts, code and results. */
export async function history(
  io: Io,
  client: Filewright,
  { limit, usage = false, json = false }: HistoryFlags
): Promise<void> {
  if (usage) {
    const answer = await client.ai.usage()
    if (json) return io.out(jsonText(answer))
    if (answer.usage.length === 0) return io.note(`No requests in the last ${answer.days} days\n`)
    printTable(
      io,
      [
        { header: 'day' },
        { header: 'answered by' },
        { header: 'requests', isRight: true },
        { header: 'tokens', isRight: true }
      ],
      answer.usage.map((each) => [each.day, answererOf(each), String(each.requests), String(each.tokens)])
    )
    return
  }
  const { generations } = await client.ai.history({ limit })
  if (json) return io.out(jsonText({ generations }))
  if (generations.length === 0) return io.note('No generations, analyses or optimizations yet\n')
  printTable(
    io,
    [
      { header: 'id' },
      { header: 'started (UTC)' },
      { header: 'task' },
      { header: 'answered by' },
      { header: 'status' },
      { header: 'tokens', isRight: true },
      { header: 'time', isRight: true }
    ],
    generations.map((each) => [
      each.id,
      paint('dim', startOf(each)),
      taskOf(each),
      answererOf(each),
      paint(statusColors[each.status], each.status),
      String(each.tokens_used),
      durationOf(each)
    ])
  )
}

/** Prints what was asked and the result. The facts are notes, so that a pipe gets only the texts. */
export async function showRequest(
  io: Io,
  client: Filewright,
  id: string,
  { json = false }: Pick<HistoryFlags, 'json'>
): Promise<void> {
  const details = await client.ai.recorded(id)
  if (json) return io.out(jsonText(details))
  const { request, result, status, tokens_used: tokens } = details
  const answerer = answererOf(details) || 'nobody'
  io.note(
    `${startOf(details)} UTC, ${taskOf(details)}, ${status}, answered by ${answerer}, ${tokens} tokens\n`
  )
  if (request === null) {
    io.note(
      'The service has not kept the prompt, code and result of this request. ' +
        'Its operator turns that on with STORE_PROMPTS=true.\n'
    )
    return
  }
  const { prompt, code, ...options } = request
  for (const [name, value] of Object.entries(options)) io.note(`${name.replace('_', ' ')}: ${value}\n`)
  io.outData(`${prompt ?? code ?? ''}\n`)
  if (result === null) return
  io.note('\nresult:\n')
  io.outData(`${result.content ?? result.optimized_code ?? findingsOf(result)}\n`)
}

const findingsOf = ({ analysis = [], score = 0 }: RecordedResult): string =>
  [...analysis.map(({ line, type, message }) => `${line}: ${type}: ${message}`), `score ${score}`].join('\n')
