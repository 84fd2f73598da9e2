import { parseArgs } from 'node:util'
import { safeJson, safeText } from '@filewright/contracts'
import { isAppError } from '@filewright/runtime'
import {
  adminOptions,
  UsageError,
  type AdminFlags,
  type AdminAdapters,
  type Command,
  type Operator
} from './command.js'
import { databaseMigrate } from './database-commands.js'
import { doctor } from './doctor/doctor.js'
import { fileRescan, fileShow } from './file-commands.js'
import { projectList, projectQuota, projectStorageClass, projectUsage } from './project-commands.js'
import { queueStatus } from './queue-commands.js'
import { receiptKeyList, receiptKeyRevoke } from './receipt-commands.js'
import { reconcile } from './reconcile.js'
import { storeAdopt, storeShow } from './store-commands.js'
import { storeCopy } from './store-move/store-copy.js'
import { storeFinish, storeSwitch } from './store-move/store-switch.js'
import { tokenCreate, tokenList, tokenQuota, tokenRevoke } from './token-commands.js'
import {
  webhookCreate,
  webhookDelete,
  webhookDeliveries,
  webhookDisable,
  webhookEnable,
  webhookList,
  webhookReplay,
  webhookRotate
} from './webhook-commands.js'

export interface AdminDeps {
  adapters: AdminAdapters
  out: (text: string) => void
  err: (text: string) => void
  ask: Operator['ask']
}

const commands: Record<string, { run: Command; takesArgument?: boolean }> = {
  'token create': { run: tokenCreate },
  'token list': { run: tokenList },
  'token revoke': { run: tokenRevoke, takesArgument: true },
  'token quota': { run: tokenQuota, takesArgument: true },
  'project list': { run: projectList },
  'project usage': { run: projectUsage, takesArgument: true },
  'project quota': { run: projectQuota, takesArgument: true },
  'project storage-class': { run: projectStorageClass, takesArgument: true },
  'file show': { run: fileShow, takesArgument: true },
  'file rescan': { run: fileRescan, takesArgument: true },
  'queue status': { run: queueStatus },
  'receipt-key list': { run: receiptKeyList },
  'receipt-key revoke': { run: receiptKeyRevoke, takesArgument: true },
  'webhook list': { run: webhookList },
  'webhook create': { run: webhookCreate },
  'webhook enable': { run: webhookEnable, takesArgument: true },
  'webhook disable': { run: webhookDisable, takesArgument: true },
  'webhook rotate': { run: webhookRotate, takesArgument: true },
  'webhook delete': { run: webhookDelete, takesArgument: true },
  'webhook deliveries': { run: webhookDeliveries, takesArgument: true },
  'webhook replay': { run: webhookReplay, takesArgument: true },
  reconcile: { run: reconcile },
  'store show': { run: storeShow },
  'store adopt': { run: storeAdopt },
  'store copy': { run: storeCopy },
  'store switch': { run: storeSwitch },
  'store finish': { run: storeFinish },
  doctor: { run: doctor },
  migrate: { run: databaseMigrate }
}

const help = `Usage: npm run admin -- <command> [--json]

  token create --name <name> --project <id> [--project <id> …] [--expires-in-days <n>]
               [--max-files <n>] [--max-bytes <n>] [--operator]
                          create a token and print it once; --project '*' opens every project. --operator lets
                          it manage tokens through the API and in the console
  token list              all tokens, without their secrets
  token revoke <id>       revoke a token by its id, at least the first 8 characters of the id, or a unique name;
                          requests with it get 401 from now on. At a terminal the command asks first unless you
                          give the full id or --yes
  token quota <id> [--max-files <n>] [--max-bytes <n>]
                          limit the stored files that the token has uploaded
  project list            projects with their files and bytes
  project usage <id>      one project's usage by kind of file, and its limits
  project quota <id> [--max-files <n>] [--max-bytes <n>]
                          limit a project, which need not exist yet. Bytes may be given as 500MB or 10GB
                          (1 KB is 1024 bytes); none removes the limit, default restores the setting
  project storage-class <id> [--class standard|cool|cold|default]
                          the class in which the bucket keeps new files of a project: shows it, or tries the given
                          one and sets it
  file show <id>          everything known about a file, in any state
  file rescan <id>        scan a stored file now; an infected file is no longer served
  queue status            numbers of waiting, running and failed jobs, and whether there are workers
  receipt-key list        public keys of receipts, since when and whether they are revoked
  receipt-key revoke <id> a private key leaked: its receipts fail from now on. Change RECEIPT_KEY first
  webhook list [--project <id>]
                          webhooks of all projects and of operators, or of one project
  webhook create --url <address> [--project <id>] [--events <type>,<type> …] [--description <text>]
                          create a webhook and print its secret once. Without --project it receives events of
                          every project, and scanner.degraded and scanner.recovered
  webhook enable <id>, webhook disable <id>
                          enabling delivers what waits
  webhook rotate <id> [--overlap-hours <n>]
                          print a new secret; the old one signs as well for 24 hours, or as many as given
  webhook delete <id>     delete a webhook and its deliveries
  webhook deliveries <id> [--state pending|delivered|failed]
                          the newest 100 deliveries
  webhook replay <id> --event <id> | --from <time> [--to <time>]
                          deliver one event, or those of a time range, again
  reconcile               compare records and stored bytes in both directions; changes nothing
  reconcile --fix         also remove bytes without a record and records without bytes, after listing them.
                          Safe while uploads run. Removing more than a tenth of the records or blobs, or more than
                          1000 of either, needs --yes
  store show              which installation the database and the blob store belong to
  store adopt --yes       pair this database with this blob store from now on, whatever they belonged to before,
                          as after a restore; without --yes it only shows what it would do
  store copy --to <store> begin or continue a move: copy every file to the store of the settings SECOND_…, named as
                          s3://bucket, gs://bucket, azure://container or a folder, while the service runs. Each copy is
                          read back and compared. Uploads go to both stores from now on
  store switch            make the other store of the move the current one, without a pause; again to go back
  store finish            end the move: from now on only the current store is used. Also gives up a move
  doctor                  check every dependency of the service, and say how to fix problems
  doctor --before-upgrade the same, run by the new version before its migrate: what migrate would fail of or
                          wait for is a problem, and missing migrations are not
  migrate                 apply missing database migrations

  --json                  one JSON value on standard output, for scripts
  --help                  this text

The settings are those of the service: of the local stack that runs on DATA_DIR, or from the environment.
Exit codes: 0 done; 1 failed, not found, or work is left; 2 wrong usage; 3 refused and nothing changed,
because the blob store belongs to another database, or because --yes is missing.`

/** Names in records come from users. All output is made safe here, whichever command prints it. */
function safeDeps({ adapters, out, err, ask }: AdminDeps): AdminDeps {
  return {
    adapters,
    out: (text) => out(safeText(text)),
    err: (text) => err(safeText(text)),
    ask: ask === undefined ? undefined : async (question) => await ask(safeText(question))
  }
}

const jsonText = (value: unknown): string => safeJson(JSON.stringify(value, null, 2))

/** @returns the exit code. */
export async function runAdmin(args: string[], given: AdminDeps): Promise<number> {
  const deps = safeDeps(given)
  try {
    const { values, positionals } = parseArgs({ args, options: adminOptions, allowPositionals: true })
    if (values.help === true || positionals.length === 0) {
      deps.out(help)
      return values.help === true ? 0 : 2
    }
    const { command, argument } = find(positionals)
    return await answer(command, argument, values, deps)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!(error instanceof UsageError) && !code.startsWith('ERR_PARSE_ARGS')) throw error
    deps.err(`${(error as Error).message}\nTry: npm run admin -- --help`)
    return 2
  }
}

async function answer(
  command: Command,
  argument: string | undefined,
  flags: AdminFlags,
  { adapters, out, err, ask }: AdminDeps
): Promise<number> {
  try {
    const result = await command(adapters, argument, flags, { say: err, ask })
    const { json, text, failed = false, refused = false } = result
    out(flags.json === true ? jsonText(json) : text)
    return refused ? 3 : failed ? 1 : 0
  } catch (error) {
    if (!isAppError(error, 'STORE_MISMATCH')) throw error
    err(error.message)
    if (flags.json === true) out(jsonText({ refused: true, reason: error.message }))
    return 3
  }
}

function find(positionals: string[]): { command: Command; argument: string | undefined } {
  const [first = '', second = '', ...rest] = positionals
  const [entry, given] =
    commands[first] === undefined
      ? [commands[`${first} ${second}`], rest]
      : [commands[first], positionals.slice(1)]
  if (entry === undefined || given.length > (entry.takesArgument === true ? 1 : 0)) {
    throw new UsageError(`Unknown command: ${positionals.join(' ')}`)
  }
  return { command: entry.run, argument: given[0] }
}
