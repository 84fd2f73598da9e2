import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Argument, Command, CommanderError, Option } from 'commander'
import { completionScript, shells, type Shell } from './completion.js'
import { describeCommand } from './described-commands.js'
import { exitCodeOf, exitCodes, sentenceOf } from './failure.js'
import type { Io } from './io.js'
import { connect, openConnection } from './session.js'
import { addCodeCommands } from './program/code-commands.js'
import { addEventCommands } from './program/event-commands.js'
import { addFileCommands } from './program/file-commands.js'
import { json, wholeNumber } from './program/options.js'
import { addReceiptCommands } from './program/receipt-commands.js'
import { addTrashCommands } from './program/trash-commands.js'
import { manualPages } from './manual.js'
import { VERSION } from './version.js'

const EXAMPLES = `
Places on the server are written as project/folder/file. Examples:
  filewright upload report.pdf docs/ --to demo       put a file and a folder into the project demo
  filewright ls demo/docs                            list a folder
  filewright get demo/report.pdf                     download, or go on with a download
  filewright sync ./site fw:demo/site --delete       make the folder there the same as here
  filewright analyze src --fail-on warning           find bugs and security issues

Exit codes: 0 done, 1 failed, 2 findings above the threshold, 3 wrong usage, 4 not logged in.
The server is that of FILEWRIGHT_URL and FILEWRIGHT_TOKEN, else that of your login, else the local one that npm start runs
in this folder. Each command has its own help: filewright upload --help.`

export function createProgram(io: Io): Command {
  let helpOf = 'filewright'
  const program = new Command('filewright')
    .description('Store files and work on code with a Filewright server')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.note,
      outputError: (text, write) => {
        write(`${oneSentence(text)}; see: ${helpOf} --help\n`)
      }
    })
    .hook('preSubcommand', (_program, command) => {
      helpOf = `filewright ${command.name()}`
    })
    .addHelpText('after', EXAMPLES)
    .helpCommand(false)

  program
    .command('login')
    .description('Save the address of a server and a token for it')
    .argument('[server]', 'its address, such as http://localhost:3000; you are asked if you leave it out')
    .option(
      '--token-stdin',
      'read the token from standard input; without it FILEWRIGHT_TOKEN is used, or you are asked'
    )
    .addOption(json())
    .action(async (server, flags) => {
      await (await import('./commands/login.js')).login(io, server, flags)
    })

  program
    .command('status')
    .description('Show the server, your token, your quota and the versions')
    .addOption(json())
    .action(async (flags) => {
      await (await import('./commands/status.js')).status(io, openConnection(io), flags)
    })

  program
    .command('open')
    .description('Open the console in a browser; in a script, print its address')
    .argument('[place]', 'project, or folder in it; default: all projects')
    .action(async (place) => {
      await (await import('./commands/status.js')).open(io, openConnection(io), place)
    })

  program
    .command('history')
    .description('List your generations, analyses and optimizations, newest first, or show one of them')
    .argument('[id]', 'one of them, with its prompt or code and its result if the service stores them')
    .addOption(
      new Option('-n, --limit <n>', 'how many, from 1 to 100').argParser(wholeNumber(1, 100)).default(20)
    )
    .option('--usage', 'show requests and tokens per day and model instead')
    .addOption(json())
    .action(async (id, flags) => {
      const commands = await import('./commands/history.js')
      if (id === undefined) await commands.history(io, connect(io), flags)
      else await commands.showRequest(io, connect(io), id, flags)
    })

  addFileCommands(program, io)
  addReceiptCommands(program, io)
  addTrashCommands(program, io)
  addEventCommands(program, io)
  addCodeCommands(program, io)

  program
    .command('mcp')
    .description('Run a Model Context Protocol server for editors and agents on standard input and output')
    .option('--allow-write', 'also upload and delete files')
    .action(async (flags) => {
      await (await import('./commands/mcp.js')).mcp(io, connect(io), flags)
    })

  program
    .command('completion')
    .description('Print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices([...shells]))
    .action((shell: Shell) => {
      io.out(completionScript(shell, describeCommand(program)))
    })

  program
    .command('man')
    .description('Write the manual pages, one for each command')
    .argument('[folder]', 'where to; without it, print the page of filewright itself')
    .action(async (folder) => {
      const pages = manualPages(describeCommand(program), { version: VERSION, notes: EXAMPLES })
      if (folder === undefined) return io.out(pages.get('filewright.1') ?? '')
      const target = resolve(io.cwd, folder)
      await mkdir(target, { recursive: true })
      for (const [name, text] of pages) await writeFile(join(target, name), text)
      io.note(`${pages.size} pages written to ${folder}\n`)
    })

  program
    .command('help')
    .description('Show the help of a command')
    .argument('[command...]', 'such as analyze or trash restore; default: filewright itself')
    .action((names: string[]) => {
      let command = program
      for (const name of names) {
        const next = command.commands.find((each) => each.name() === name)
        helpOf = ['filewright', ...names.slice(0, names.indexOf(name))].join(' ')
        command = next ?? program.error(`error: unknown command '${name}'`)
      }
      command.help()
    })

  return program
}

/** commander's messages start with "error:", may have several lines, and end with a second sentence. */
function oneSentence(text: string): string {
  const sentence = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\n\(Did you mean (.*)\?\)/, '; did you mean $1?')
    .replace(/\. ([A-Z])/, (_all, first: string) => `: ${first.toLowerCase()}`)
    .replace(/[.?]$/, '')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}

/** @returns the exit code */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const program = createProgram(io)
  if (argv.length === 0) {
    io.out(program.helpInformation() + EXAMPLES + '\n')
    return exitCodes.done
  }
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCodes.done
  } catch (error) {
    // commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    io.note(`${sentenceOf(error)}\n`)
    return exitCodeOf(error)
  }
}
