import { spawn } from 'node:child_process'
import type { ServiceResponse } from '@filewright/client'
import { expiryText, formatBytes, partNoteSentences, quotaText } from '@filewright/contracts'
import { jsonText, table, type Io } from '../io.js'
import { parseRemote } from '../remote.js'
import type { Connection } from '../session.js'
import { VERSION } from '../version.js'

const limitOf = (limit: number, unit: string): string =>
  limit === 0 ? `${unit}: no limit` : `${limit} ${unit}`

const formatMinute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`

/** Older servers do not send them. */
function tokenFacts({ token: { projects, expires_at: expires } }: ServiceResponse): string[][] {
  return [
    ...(projects === undefined ? [] : [['Projects', projects === null ? 'all' : projects.join(', ')]]),
    ...(expires === undefined ? [] : [['Expires', expiryText(expires, formatMinute)]])
  ]
}

/** Prints the server that commands use, the token's name, and the remaining quota. */
export async function status(
  io: Io,
  { client, server, from }: Pick<Connection, 'client' | 'server' | 'from'>,
  { json = false }: { json?: boolean }
): Promise<void> {
  const service = await client.service()
  if (json) {
    io.out(jsonText({ server, from, version: VERSION, ...service }))
    return
  }
  const troubles = service.parts.filter(({ state }) => state !== 'ok')
  const { limits, usage } = service
  io.out(
    table([
      ['Server', `${server}, from ${from}`],
      ['Status', troubles.length === 0 ? 'all components work' : service.status],
      ...troubles.map(({ name, state, note }) => [
        `  ${name}`,
        note === undefined ? state : `${state}: ${partNoteSentences[note]}`
      ]),
      ['Token', service.token.name],
      ...tokenFacts(service),
      ['Files', quotaText(usage.files, usage.max_files, String)],
      ['Storage', quotaText(usage.bytes, usage.max_bytes, formatBytes)],
      ['Limits', limitOf(limits.requests_per_minute, 'requests a minute')],
      ['', limitOf(limits.ai_requests_per_minute, 'AI requests a minute')],
      ['', `${formatBytes(limits.file_bytes)} a file`],
      ['Version', `filewright ${VERSION}, Node.js ${process.version}`]
    ])
  )
}

const openers: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '']
}

/** Opens a page of the console. The address contains no token. */
export async function open(
  io: Io,
  { server }: Pick<Connection, 'server'>,
  place: string | undefined
): Promise<void> {
  const { projectId, path } = place === undefined ? { projectId: '', path: '' } : parseRemote(place)
  const parts = [projectId, ...path.split('/')].filter((part) => part !== '')
  const url = `${server}/#/files${parts.map((part) => `/${encodeURIComponent(part)}`).join('')}`
  io.out(`${url}\n`)
  // A script needs only the address.
  if (!io.isOutTerminal) return
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  await new Promise<void>((resolve) => {
    spawn(command, [...args, url], { stdio: 'ignore', detached: true })
      .once('error', () => {
        io.note('No browser could be started; open the address above\n')
        resolve()
      })
      .once('spawn', function (this: { unref: () => void }) {
        this.unref()
        resolve()
      })
  })
}
