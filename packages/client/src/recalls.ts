import type { Recall } from '@filewright/contracts'
import { recallsAnswer } from './answers.js'
import { badAnswer } from './checks.js'
import { queryOf } from './files.js'
import type { CallOptions, Transport } from './transport.js'

export interface RecallsOptions extends CallOptions {
  /** Only recalls that concern this project. */
  projectId?: string
  /** Withdrawn at this time or later. */
  since?: Date
}

/** The service's own maximum. */
const PAGE = 1_000

/** Stored files that newer signatures withdrew, oldest first. */
export async function* iterateRecalls(
  transport: Transport,
  { projectId, since, ...options }: RecallsOptions
): AsyncGenerator<Recall> {
  for (let from = since?.toISOString(), after: string | undefined; ; ) {
    const path = `/api/recalls${queryOf({ project_id: projectId, since: from, after })}`
    const { recalls } = await transport.request('GET', path, recallsAnswer, options)
    yield* recalls
    const last = recalls.at(-1)
    if (last === undefined || recalls.length < PAGE) return
    // Without progress, the same page would be requested forever.
    if (from !== undefined && last.withdrawn_at <= from && last.id === after) {
      throw badAnswer('the next page of recalls repeats the last entry')
    }
    from = last.withdrawn_at
    after = last.id
  }
}
