import { createAiClient, type AiPath } from '@filewright/acceptance'
import { startCell, type Cell } from './cell.js'
import { SETTINGS, type Rig } from './rig.js'
import { createTenant, type Tenant } from './tenants.js'

/** Longer than any deadline of the service: a longer request hangs. */
const HANG_MS = 240_000

export interface FairCell {
  cell: Cell
  /** Sends the load. */
  greedy: Tenant
  /** Sends one small request after the other. */
  modest: Tenant
  hangMs: number
}

let pairs = 0

/** A cell with default settings, without proxies, and two tokens of different projects. */
export async function startFairCell(rig: Rig, env: NodeJS.ProcessEnv = {}): Promise<FairCell> {
  const short = Object.keys(SETTINGS).filter(
    (name) => !['LOG_LEVEL', 'FILEWRIGHT_BUILD', 'RESCAN_BATCH'].includes(name)
  )
  const cell = await startCell(rig, {
    direct: true,
    env: { ...Object.fromEntries(short.map((name) => [name, undefined])), ...env }
  })
  try {
    const pair = ++pairs
    const greedy = await createTenant(rig, `greedy-${pair}`)
    const modest = await createTenant(rig, `modest-${pair}`)
    await cell.ready()
    return { cell, greedy, modest, hangMs: HANG_MS }
  } catch (error) {
    await cell.stop()
    throw error
  }
}

/**
 * Sends one AI request, and disconnects when the signal says so. Resolves with the status; 0 if it
 * disconnected.
 */
export type AiSender = (path: AiPath, body: object, signal: AbortSignal) => Promise<number>

export function aiSender({ cell, greedy }: Pick<FairCell, 'cell' | 'greedy'>): AiSender {
  const { post } = createAiClient(cell.baseUrl, greedy.token)
  return async (path, body, signal) =>
    await post(path, body, { signal }).then(
      ({ status }) => status,
      () => 0
    )
}
