import { delivery, inference, scanFile } from '@filewright/queue'
import { table, type AdminAdapters, type CommandResult } from './command.js'
import { settingOf } from './doctor/check.js'

export async function queueStatus(adapters: AdminAdapters): Promise<CommandResult> {
  const queue = adapters.queue()
  // The delivery worker takes no jobs without it, and there are none.
  const hasWebhooks = settingOf(adapters.env, 'WEBHOOK_KEY') !== undefined
  const isNeeded = (name: string): boolean => name !== delivery.name || hasWebhooks
  const list = await Promise.all(
    [scanFile, inference, delivery].map(async (definition) => {
      const [{ oldestWaitingMs, ...counts }, hasWorker] = await Promise.all([
        queue.counts(definition),
        queue.hasWorker(definition)
      ])
      return {
        name: definition.name,
        has_worker: hasWorker,
        ...counts,
        oldest_waiting_ms: oldestWaitingMs ?? null
      }
    })
  )
  const rows = list.map(
    ({
      name,
      has_worker: worked,
      waiting,
      active,
      delayed,
      failed,
      completed,
      oldest_waiting_ms: oldestMs
    }) => [
      name,
      worked ? 'yes' : isNeeded(name) ? 'NO' : 'off',
      ...[waiting, active, delayed, failed, completed].map(String),
      oldestMs === null ? '' : `${(oldestMs / 1000).toFixed(1)} s`
    ]
  )
  const columns = ['QUEUE', 'WORKED ON', 'WAITING', 'ACTIVE', 'DELAYED', 'FAILED', 'DONE', 'OLDEST']
  const note =
    'Failed jobs include refused requests, such as code without a safe improvement. ' +
    'Failed and done jobs are kept for a minute.'
  return {
    json: list,
    text: `${table(columns, rows)}\n\n${note}`,
    failed: list.some(({ name, has_worker: worked }) => !worked && isNeeded(name))
  }
}
