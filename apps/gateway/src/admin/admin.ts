import { parseArgs } from 'node:util'
import { adminOptions, UsageError, type AdminParts, type Command } from './command.js'
import { databaseMigrate } from './database-commands.js'
import { doctor } from './doctor/doctor.js'
import { fileRescan, fileShow } from './file-commands.js'
import { projectList, projectUsage } from './project-commands.js'
import { queueStatus } from './queue-commands.js'
import { reconcile } from './reconcile.js'
import { tokenCreate, tokenList, tokenRevoke } from './token-commands.js'

export interface AdminDeps {
  parts: AdminParts
  out: (text: string) => void
  err: (text: string) => void
}

const commands: Record<string, { run: Command, takesArgument?: boolean }> = {
  'token create': { run: tokenCreate },
  'token list': { run: tokenList },
  'token revoke': { run: tokenRevoke, takesArgument: true },
  'project list': { run: projectList },
  'project usage': { run: projectUsage, takesArgument: true },
  'file show': { run: fileShow, takesArgument: true },
  'file rescan': { run: fileRescan, takesArgument: true },
  'queue status': { run: queueStatus },
  reconcile: { run: reconcile },
  doctor: { run: doctor },
  migrate: { run: databaseMigrate }
}

const help = `Usage: npm run admin -- <command> [--json]

  token create --name <name> --project <id> [--project <id> …] [--expires-in-days <n>]
                          make a token and print it, this once; --project '*' opens every project
  token list              all tokens, without their secrets
  token revoke <id>       end one token, by its id, the beginning of its id, or a name that only it has;
                          requests with it get 401 from now on
  project list            projects with their files and bytes
  project usage <id>      one project, by kind of file
  file show <id>          everything known of a file, whatever its state
  file rescan <id>        scan a stored file now; if it is infected, it is withdrawn from every address
  queue status            how many jobs wait, run and failed, and whether anybody works on them
  reconcile               compare records and stored bytes, both ways; changes nothing
  reconcile --fix         … and remove what belongs to nothing: bytes without a record, records without bytes.
                          Safe beside running uploads. Refuses when much is missing at once, as with a wrong
                          bucket or an empty disk; --force does it all the same
  doctor                  check every part the service needs, and say what to do about what is wrong
  migrate                 bring the database's tables up to date

  --json                  one JSON value on standard output, for scripts
  --help                  this text

It reads the same settings as the service: of the local stack that runs on DATA_DIR, or from the environment.
Exit code: 0 done, 1 failed or not found, 2 wrong usage.`

/** @returns the exit code. */
export async function runAdmin (args: string[], { parts, out, err }: AdminDeps): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, options: adminOptions, allowPositionals: true })
    if (values.help === true || positionals.length === 0) {
      out(help)
      return values.help === true ? 0 : 2
    }
    const { command, argument } = find(positionals)
    const answer = await command(parts, argument, values)
    out(values.json === true ? JSON.stringify(answer.json, null, 2) : answer.text)
    return answer.failed === true ? 1 : 0
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!(error instanceof UsageError) && !code.startsWith('ERR_PARSE_ARGS')) throw error
    err(`${(error as Error).message}\nTry: npm run admin -- --help`)
    return 2
  }
}

function find (positionals: string[]): { command: Command, argument: string | undefined } {
  const [first = '', second = '', ...rest] = positionals
  const [entry, given] = commands[first] === undefined ? [commands[`${first} ${second}`], rest] : [commands[first], positionals.slice(1)]
  if (entry === undefined || given.length > (entry.takesArgument === true ? 1 : 0)) throw new UsageError(`Unknown command: ${positionals.join(' ')}`)
  return { command: entry.run, argument: given[0] }
}
