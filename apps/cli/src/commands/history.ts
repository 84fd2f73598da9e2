import type { Filewright, GenerationSummary } from '@filewright/client'
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

const statusColors = {
  running: 'cyan',
  succeeded: 'green',
  unchanged: 'green',
  failed: 'red',
  cancelled: 'yellow'
} as const

/**
 * Lists the token's requests to models and analyzers. The service does not store prompts, code or results for
 * it.
 */
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
      { header: 'started (UTC)' },
      { header: 'task' },
      { header: 'answered by' },
      { header: 'status' },
      { header: 'tokens', isRight: true },
      { header: 'time', isRight: true }
    ],
    generations.map((each) => [
      paint('dim', each.started_at.slice(0, 19).replace('T', ' ')),
      each.type === null ? each.kind : `${each.kind} ${each.type}`,
      answererOf(each),
      paint(statusColors[each.status], each.status),
      String(each.tokens_used),
      durationOf(each)
    ])
  )
}
