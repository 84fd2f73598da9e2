import { parseArgs } from 'node:util'
import { adminOptions, UsageError, type AdminDatabase, type Command } from './command.js'
import { projectList, projectUsage } from './project-commands.js'
import { tokenCreate, tokenList, tokenRevoke } from './token-commands.js'

export interface AdminDeps {
  database: AdminDatabase
  out: (text: string) => void
  err: (text: string) => void
}

const commands: Record<string, Command> = {
  'token create': tokenCreate,
  'token list': tokenList,
  'token revoke': tokenRevoke,
  'project list': projectList,
  'project usage': projectUsage
}

const help = `Usage: npm run admin -- <command> [--json]

  token create --name <name> --project <id> [--project <id> …] [--expires-in-days <n>]
                          make a token and print it, this once; --project '*' opens every project
  token list              all tokens, without their secrets
  token revoke <id|name>  end a token; requests with it get 401 from now on
  project list            projects with their files and bytes
  project usage <id>      one project, by kind of file

  --json                  one JSON value on standard output, for scripts
  --help                  this text

Exit code: 0 done, 1 failed, 2 wrong usage.`

/** @returns the exit code. */
export async function runAdmin (args: string[], { database, out, err }: AdminDeps): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, options: adminOptions, allowPositionals: true })
    if (values.help === true || positionals.length === 0) {
      out(help)
      return values.help === true ? 0 : 2
    }
    const [area, verb, argument, ...rest] = positionals
    const command = commands[`${area} ${verb}`]
    if (command === undefined || rest.length > 0) throw new UsageError(`Unknown command: ${positionals.join(' ')}`)
    const answer = await command(database, argument, values)
    out(values.json === true ? JSON.stringify(answer.json, null, 2) : answer.text)
    return answer.found === false ? 1 : 0
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!(error instanceof UsageError) && !code.startsWith('ERR_PARSE_ARGS')) throw error
    err(`${(error as Error).message}\nTry: npm run admin -- --help`)
    return 2
  }
}
