import type { Filewright, Recall } from '@filewright/client'
import { exitCodes, Failure } from '../failure.js'
import { jsonText, paint, type Io } from '../io.js'
import { joined, parseRemote } from '../remote.js'
import { printTable } from '../table.js'

export interface RecallsFlags {
  since?: string
  json?: boolean
}

function sinceOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const since = new Date(text)
  if (!Number.isNaN(since.getTime())) return since
  throw new Failure(`${text} is not a time; use one such as 2026-01-15`, exitCodes.usage)
}

const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`

export async function recalls(
  io: Io,
  client: Filewright,
  project: string | undefined,
  { since, json = false }: RecallsFlags
): Promise<void> {
  const from = sinceOf(since)
  const found: Recall[] = []
  for await (const recall of client.recalls({
    ...(project === undefined ? {} : { projectId: parseRemote(project).projectId }),
    ...(from === undefined ? {} : { since: from })
  })) {
    found.push(recall)
  }
  if (json) return io.out(jsonText({ recalls: found }))
  if (found.length === 0) return io.note('No file was withdrawn\n')
  printTable(
    io,
    [
      { header: 'withdrawn' },
      { header: 'file', isFlexible: true },
      { header: 'signature' },
      { header: 'downloaded' },
      { header: 'id' }
    ],
    found.map(({ id, project_id: projectId, name, folder, sha256, signature, ...times }) => [
      minute(times.withdrawn_at),
      projectId === null
        ? `file of another project, sha256 ${sha256}`
        : joined(projectId, folder ?? '', name ?? ''),
      paint('red', signature ?? 'malware'),
      times.downloaded_at === null ? 'not downloaded by you' : `downloaded ${minute(times.downloaded_at)}`,
      paint('dim', id)
    ])
  )
  io.note('Delete your copies of these files, and look where they were used\n')
}
