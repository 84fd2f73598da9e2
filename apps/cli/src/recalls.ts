import type { Filewright, Recall } from '@filewright/client'
import { counted, type Io } from './io.js'

const DAY_MS = 86_400_000
/** Withdrawals older than this are in `filewright recalls` only. */
const WARN_DAYS = 30
/** A malicious server must not fill the memory. */
const MAX_RECALLS = 10_000

/** For commands that only warn: null if the server does not report recalls, like an older one. */
export async function recentRecalls(client: Filewright, projectId: string): Promise<Recall[] | null> {
  const since = new Date(Date.now() - WARN_DAYS * DAY_MS)
  const found: Recall[] = []
  try {
    for await (const recall of client.recalls({ projectId, since, retries: 0, timeoutMs: 2_000 })) {
      if (found.push(recall) === MAX_RECALLS) break
    }
    return found
  } catch {
    return null
  }
}

export function noteRecalls(io: Io, projectId: string, recalls: readonly Recall[] | null): void {
  if (recalls === null || recalls.length === 0) return
  const own = recalls.filter(({ downloaded_at: at }) => at !== null).length
  const which = own === 0 ? '' : ` (${own} downloaded with your token)`
  io.note(
    `Warning: ${counted(recalls.length, 'file')} of ${projectId}${which} turned out to be malware and ${recalls.length === 1 ? 'was' : 'were'} withdrawn; see: filewright recalls ${projectId}\n`
  )
}

export async function warnOfRecalls(io: Io, client: Filewright, projectId: string): Promise<void> {
  noteRecalls(io, projectId, await recentRecalls(client, projectId))
}
