import type { Environment } from '@filewright/runtime'
import { table, type AdminAdapters, type AdminFlags, type CommandResult } from '../command.js'
import { broken, reasonOf, type Check, type CheckResult } from './check.js'
import { migrationsCheck, postgresCheck, upgradeCheck } from './database-checks.js'
import { identityCheck } from './identity-check.js'
import { ollamaCheck, openAiCheck } from './model-check.js'
import { configurationCheck, gatewayCheck, nodeCheck } from './process-checks.js'
import { deliveryWorkerCheck, inferenceWorkerCheck, redisCheck, scanWorkerCheck } from './queue-checks.js'
import { receiptsCheck } from './receipts-check.js'
import { clamdCheck } from './scanner-check.js'
import { addressesCheck, blobStoreCheck, diskCheck } from './storage-checks.js'

const always: Check[] = [
  nodeCheck,
  configurationCheck,
  postgresCheck,
  migrationsCheck,
  redisCheck,
  clamdCheck,
  blobStoreCheck,
  addressesCheck,
  identityCheck,
  receiptsCheck,
  diskCheck,
  ollamaCheck,
  openAiCheck,
  gatewayCheck,
  scanWorkerCheck,
  inferenceWorkerCheck,
  deliveryWorkerCheck
]

const beforeUpgrade = always.map((check) => (check === migrationsCheck ? upgradeCheck : check))

type Named = CheckResult & { name: string }

async function look({ name, run }: Check, env: Environment): Promise<Named> {
  try {
    return { name, ...(await run(env)) }
  } catch (error) {
    return { name, ...broken(reasonOf(error), 'This should not happen: the check itself failed.') }
  }
}

const isWell = ({ status }: CheckResult): boolean => status === 'ok' || status === 'warning'

/** Runs every check, whatever the others find: one failure must not hide the next. */
export async function doctor(
  { env }: AdminAdapters,
  _argument: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  const checks = flags['before-upgrade'] === true ? beforeUpgrade : always
  const first = await Promise.all(checks.map(async (check) => await look(check, env)))
  // On a busy machine a healthy part may miss one deadline, so failed checks run twice.
  const results = await Promise.all(
    first.map(async (result, i) => (isWell(result) ? result : await look(checks[i] as Check, env)))
  )
  const failed = results.some(({ status }) => status === 'broken')
  const rows = results.map(({ name, status, found }) => [
    status === 'broken' ? 'BROKEN' : status,
    name,
    found
  ])
  const advice = results.flatMap(({ name, advice }) => (advice === undefined ? [] : [`${name}: ${advice}`]))
  return {
    json: { ok: !failed, checks: results },
    text: [
      table(['STATE', 'PART', 'FOUND'], rows),
      ...(advice.length === 0 ? [] : [`What to do\n${advice.map((line) => `  ${line}`).join('\n')}`])
    ].join('\n\n'),
    failed
  }
}
