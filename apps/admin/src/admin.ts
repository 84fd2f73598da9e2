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
import { projectList, projectQuota, projectUsage } from './project-commands.js'
import { queueStatus } from './queue-commands.js'
import { reconcile } from './reconcile.js'
import { storeAdopt, storeShow } from './store-commands.js'
import { tokenCreate, tokenList, tokenQuota, tokenRevoke } from './token-commands.js'

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
  'file show': { run: fileShow, takesArgument: true },
  'file rescan': { run: fileRescan, takesArgument: true },
  'queue status': { run: queueStatus },
  reconcile: { run: reconcile },
  'store show': { run: storeShow },
  'store adopt': { run: storeAdopt },
  doctor: { run: doctor },
  migrate: { run: databaseMigrate }
}

const help = `Usage: npm run admin -- <command> [--json]

  token create --name <name> --project <id> [--project <id> …] [--expires-in-days <n>]
               [--max-files <n>] [--max-bytes <n>]
                          make a token and print it, this once; --project '*' opens every project
  token list              all tokens, without their secrets
  token revoke <id>       end one token, by its id, at least 8 characters of its beginning, or a name that
                          only it has; requests with it get 401 from now on. At a terminal anything but the
                          whole id is asked about first, unless there is --yes
  token quota <id> [--max-files <n>] [--max-bytes <n>]
                          how much of what it has uploaded may be stored at once
  project list            projects with their files and bytes
  project usage <id>      one project, by kind of file, and how much is allowed
  project quota <id> [--max-files <n>] [--max-bytes <n>]
                          how much a project may hold; it need not exist yet. Bytes may be given as 500MB or 10GB
                          (1 KB is 1024 bytes); none is no limit, default is what the settings say
  file show <id>          everything known of a file, whatever its state
  file rescan <id>        scan a stored file now; if it is infected, it is withdrawn from every address
  queue status            how many jobs wait, run and failed, and whether anybody works on them
  reconcile               compare records and stored bytes, both ways; changes nothing
  reconcile --fix         … and remove what belongs to nothing: bytes without a record, records without bytes.
                          It says first what it will do. Safe beside running uploads. More than a tenth of the
                          records or of the bytes, or more than 1000 of either, only with --yes
  store show              which installation the database and the blob store belong to
  store adopt --yes       make this database and this blob store belong together from now on, whatever they
                          belonged to before, as after a restore; without --yes it says what it would do
  doctor                  check every part the service needs, and say what to do about what is wrong
  migrate                 bring the database's tables up to date

  --json                  one JSON value on standard output, for scripts
  --help                  this text

It reads the same settings as the service: of the local stack that runs on DATA_DIR, or from the environment.
Exit code: 0 done, 1 failed, not found, or something is left to do, 2 wrong usage, 3 refused: nothing was
changed, because the blob store is not the database's, or because it needs --yes.`

/** Names in records come from users. All output is made safe here, whichever command prints it. */
function safeDeps({ adapters, out, err, ask }: AdminDeps): AdminDeps {
  return {
    adapters,
    out: (text) => {
      out(safeText(text))
    },
    err: (text) => {
      err(safeText(text))
    },
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
