import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { sortOrders } from '@filewright/contracts'
import { completionScript, shells, type Shell } from './completion.js'
import { exitCodeOf, exitCodes, sentenceOf } from './failure.js'
import type { Io } from './io.js'
import { connect, openConnection } from './session.js'
import { formats, thresholds, type AnalyzeFlags } from './commands/analyze.js'
import { hostNames } from './review/hosts.js'
import { reviewFormats, type ReviewFlags } from './commands/review.js'
import { VERSION } from './version.js'

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d{1,3}$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }

const json = (): Option => new Option('--json', 'print the result as JSON')
const parallel = (count: number): Option =>
  new Option('-p, --parallel <n>', 'how many files at a time, from 1 to 64')
    .argParser(wholeNumber(1, 64))
    .default(count)

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

function addTrashCommands(program: Command, io: Io): void {
  const commands = async () => await import('./commands/trash.js')
  const trash = program
    .command('trash')
    .description('List and restore deleted files, or delete them for good')
    .helpCommand(false)

  trash
    .command('ls')
    .description('List the deleted files of a project, and until when they can be restored')
    .argument('<project>', 'project')
    .addOption(json())
    .action(async (project, flags) => {
      await (await commands()).list(io, connect(io), project, flags)
    })

  trash
    .command('restore')
    .description('Bring deleted files back to where they were')
    .argument('<ids...>', 'ids, as trash ls shows them')
    .addOption(json())
    .action(async (ids, flags) => {
      await (await commands()).restore(io, connect(io), ids, flags)
    })

  trash
    .command('empty')
    .description('Delete everything in the trash of a project for good; asks first')
    .argument('<project>', 'project')
    .option('-y, --yes', 'delete without asking')
    .addOption(json())
    .action(async (project, flags) => {
      await (await commands()).empty(io, connect(io), project, flags)
    })
}

function addEventCommands(program: Command, io: Io): void {
  const commands = async () => await import('./commands/webhooks.js')
  const webhooks = program
    .command('webhooks')
    .description('Send events of a project to an address, and see what was delivered')
    .helpCommand(false)

  webhooks
    .command('ls')
    .description('List the webhooks of a project')
    .argument('<project>', 'project')
    .addOption(json())
    .action(async (project, flags) => {
      await (await commands()).list(io, connect(io), project, flags)
    })

  webhooks
    .command('create')
    .description('Send events to an address; prints the secret that signs them, this once')
    .argument('<project>', 'project')
    .argument('<url>', 'https address')
    .option('-e, --events <types...>', 'types of events; default: all')
    .option('-d, --description <text>', 'description to keep with it')
    .addOption(json())
    .action(async (project, url, flags) => {
      await (await commands()).create(io, connect(io), project, url, flags)
    })

  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false]
  ] as const) {
    webhooks
      .command(name)
      .description(enabled ? 'Send events again; what waits is delivered' : 'Send no events for now')
      .argument('<id>', 'id, as webhooks ls shows it')
      .addOption(json())
      .action(async (id, flags) => {
        await (await commands()).change(io, connect(io), id, { enabled }, flags)
      })
  }

  webhooks
    .command('rotate')
    .description('Replace the secret; the old one signs, too, for a while')
    .argument('<id>', 'id, as webhooks ls shows it')
    .addOption(
      new Option('--overlap-hours <n>', 'how long, from 0 to 168').argParser(wholeNumber(0, 168)).default(24)
    )
    .addOption(json())
    .action(async (id, flags) => {
      await (await commands()).rotate(io, connect(io), id, flags)
    })

  webhooks
    .command('deliveries')
    .description('Show the last deliveries of a webhook')
    .argument('<id>', 'id, as webhooks ls shows it')
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'failed']))
    .addOption(json())
    .action(async (id, flags) => {
      await (await commands()).deliveries(io, connect(io), id, flags)
    })

  webhooks
    .command('replay')
    .description('Deliver one event, or those of a time range, again')
    .argument('<id>', 'id, as webhooks ls shows it')
    .option('--event <event>', 'id of one event')
    .option('--from <time>', 'events from this time on, such as 2026-01-15T09:30:00Z')
    .option('--to <time>', 'events before this time')
    .addOption(json())
    .action(async (id, flags) => {
      await (await commands()).replay(io, connect(io), id, flags)
    })

  webhooks
    .command('rm')
    .description('Delete a webhook and the log of its deliveries')
    .argument('<id>', 'id, as webhooks ls shows it')
    .addOption(json())
    .action(async (id, flags) => {
      await (await commands()).remove(io, connect(io), id, flags)
    })

  program
    .command('listen')
    .description('Bring the events of a project to this machine, and forward them to a program here')
    .requiredOption('--project <project>', 'project')
    .option('--forward-to <url>', 'address here, such as http://localhost:8080/hook; default: only print')
    .option('--secret <secret>', 'whsec_… that signs what is forwarded; default: a new one, which is printed')
    .option('--after <event>', 'id of an event: begin behind it; default: from now on')
    .addOption(json())
    .action(async (flags) => {
      await (await import('./commands/listen.js')).listen(io, connect(io), flags)
    })
}

function addFileCommands(program: Command, io: Io): void {
  const files = async () => await import('./commands/files.js')

  program
    .command('upload')
    .description('Upload files, folders or patterns; each file is scanned for malware first')
    .argument('<paths...>', 'what to upload; docs/ uploads what is in it, docs keeps its name')
    .requiredOption('-t, --to <place>', 'where to: a project, or a folder in it such as demo/docs')
    .option('-d, --description <text>', 'description to keep with each file')
    .addOption(parallel(4))
    .addOption(json())
    .action(async (paths, flags) => {
      await (await files()).upload(io, openConnection(io), paths, flags)
    })

  program
    .command('ls')
    .description('List projects, or the folders and files of a place')
    .argument('[place]', 'project, or folder in it; default: all projects')
    .option('-s, --search <text>', 'only files with this in their name')
    .option('--type <type>', 'only files of a media type or kind: image/png, image/*, code')
    .addOption(new Option('--sort <order>', 'order of the files').choices([...sortOrders]))
    .option('-l, --long', 'show type and time')
    .addOption(json())
    .action(async (place, flags) => {
      await (await files()).list(io, connect(io), place, flags)
    })

  program
    .command('get')
    .description('Download a file, or resume a download that broke off; or a folder as a ZIP archive')
    .argument('<file>', 'place of the file, or its id; with --zip, of a folder or a project')
    .option(
      '-o, --output <path>',
      'file or folder to write to, - for standard output; default: this folder. Only a file named here is replaced'
    )
    .addOption(new Option('--zip <path>', 'write the folder to this ZIP archive').conflicts('output'))
    .addOption(json())
    .action(async (file, flags) => {
      if (flags.zip !== undefined) {
        await (await import('./commands/get-zip.js')).getZip(io, connect(io), file, flags)
        return
      }
      await (await import('./commands/get.js')).get(io, connect(io), file, flags)
    })

  program
    .command('rm')
    .description('Delete files; they go to the trash')
    .argument('<files...>', 'places of files, or ids')
    .option('-r, --recursive', 'delete folders and everything in them; asks first')
    .option('-y, --yes', 'delete without asking')
    .addOption(json())
    .action(async (what, flags) => {
      await (await files()).remove(io, connect(io), what, flags)
    })

  program
    .command('mv')
    .description('Rename a file on the server, or move it to another folder of its project')
    .argument('<file>', 'place of the file')
    .argument('<to>', 'new place, or a folder; nothing is replaced')
    .addOption(json())
    .action(async (file, to, flags) => {
      await (await import('./commands/move.js')).move(io, connect(io), file, to, flags)
    })

  program
    .command('recalls')
    .description(
      'List stored files that newer signatures found to be malware, and whether you downloaded them'
    )
    .argument('[project]', 'project; default: everything that concerns your token')
    .option('--since <time>', 'only what was withdrawn since then, such as 2026-01-15')
    .addOption(json())
    .action(async (project, flags) => {
      await (await import('./commands/recalls.js')).recalls(io, connect(io), project, flags)
    })

  program
    .command('receipt')
    .description('Fetch signed receipts, which say when a file was scanned and with which signatures')
    .argument('<files...>', 'places of files, or ids')
    .option('-o, --output <path>', 'file or folder to write to, - for standard output; default: this folder')
    .addOption(json())
    .action(async (what, flags) => {
      await (await import('./commands/receipt.js')).receipt(io, connect(io), what, flags)
    })

  program
    .command('verify')
    .description('Check a local file against its receipt; needs no server')
    .argument('<file>', 'local file')
    .requiredOption('-r, --receipt <path>', 'its receipt')
    .requiredOption('-k, --key <path>', 'filewright-keys.json of the service, or one public key')
    .addOption(json())
    .action(async (file, flags) => {
      await (await import('./commands/verify.js')).verify(io, file, flags)
    })

  addTrashCommands(program, io)
  addEventCommands(program, io)

  program
    .command('sync')
    .description(
      'Copy changed files from a local folder to one on the server, or back; files are compared by hash'
    )
    .argument('<from>', 'local folder, or fw:project/folder')
    .argument('<to>', 'fw:project/folder, or local folder')
    .option('--delete', 'delete what is not in <from>; on the server it goes to the trash')
    .option('-n, --dry-run', 'show what would be done, without doing it')
    .addOption(parallel(4))
    .addOption(json())
    .action(async (from, to, flags) => {
      await (await import('./commands/sync.js')).sync(io, openConnection(io), from, to, flags)
    })
}

function addCodeCommands(program: Command, io: Io): void {
  program
    .command('analyze')
    .description('Find bugs, performance, style and security issues in code')
    .argument('[paths...]', 'files or folders; default: this folder')
    .addOption(
      new Option('-f, --format <format>', 'how to print findings').choices([...formats]).default('text')
    )
    .addOption(
      new Option('--fail-on <level>', 'exit with code 2 if there is a finding of this level or worse')
        .choices([...thresholds])
        .default('never')
    )
    .addOption(
      new Option(
        '--min-score <n>',
        'exit with code 2 if a file scores less than this, from 0 to 100'
      ).argParser(wholeNumber(0, 100))
    )
    .addOption(
      new Option('--type <type>', 'look for one kind of issue').choices([
        'security',
        'performance',
        'style',
        'bugs'
      ])
    )
    .option('--summary', 'show counts per folder instead of the findings')
    .option('--baseline <sarif>', 'show only findings that this SARIF of an earlier run does not have')
    .option('--since <ref>', 'only files changed since this git ref, and only findings that are new')
    .option('--language <name>', 'language of the files; detected from their names by default')
    .option('--framework <name>', 'framework of the code')
    .option('--model', 'also send each file to the language model; the default for files that you name')
    .option('--no-model', 'use the analyzers only; the default for folders')
    .addOption(parallel(6))
    .addOption(json())
    .action(async (paths, { json: isJson, type, format, ...flags }) => {
      const all = { ...flags, format: isJson === true ? 'json' : format, analysisType: type } as AnalyzeFlags
      await (await import('./commands/analyze.js')).analyze(io, openConnection(io), paths, all)
    })

  program
    .command('review')
    .description('Review a change: its new findings, the most harmful first, with proofs and fixes')
    .argument('[paths...]', 'files or folders; default: this folder')
    .option('--since <ref>', 'git ref to compare with; in a pull request of a CI system its target')
    .addOption(
      new Option('-f, --format <format>', 'how to print it').choices([...reviewFormats]).default('text')
    )
    .addOption(json())
    .option('--sarif', 'the same as --format sarif')
    .option('--markdown', 'the same as --format markdown')
    .option('--patch <file>', 'review what this unified diff would make of the work tree')
    .option('--no-fixes', 'do not look for fixes')
    .addOption(
      new Option('--post <host>', 'write it as one comment of the pull request').choices([...hostNames])
    )
    .option('--model', 'also send each changed file, and what it was, to the language model')
    .addOption(parallel(6))
    .action(async (paths, { json: isJson, sarif, markdown, format, ...flags }) => {
      const chosen =
        isJson === true ? 'json' : sarif === true ? 'sarif' : markdown === true ? 'markdown' : format
      const all = { ...flags, format: chosen } as ReviewFlags
      await (await import('./commands/review.js')).review(io, openConnection(io), paths, all)
    })

  program
    .command('optimize')
    .description('Rewrite code and show the difference')
    .argument('<paths...>', 'files or folders')
    .option('-w, --write', 'write the new code into the files')
    .addOption(
      new Option('--type <type>', 'what to improve').choices(['performance', 'readability', 'security'])
    )
    .option('--language <name>', 'language of the files; detected from their names by default')
    .option('--framework <name>', 'framework of the code')
    .addOption(json())
    .action(async (paths, { type, ...flags }) => {
      await (await import('./commands/optimize.js')).optimize(io, connect(io), paths, {
        ...flags,
        optimizationType: type
      })
    })

  program
    .command('generate')
    .description('Generate code or text from a prompt')
    .argument('<prompt...>', 'what to generate; - reads it from standard input')
    .addOption(
      new Option('--type <type>', 'kind of the result')
        .choices(['code', 'component', 'content', 'api'])
        .default('code')
    )
    .option('--language <name>', 'typescript, python …')
    .option('--framework <name>', 'react, vue …')
    .option('--model <id>', 'which model; see: filewright models')
    .option('-o, --output <file>', 'write the result to a file')
    .addOption(json())
    .action(async (words, flags) => {
      await (await import('./commands/generate.js')).generate(io, openConnection(io), words, flags)
    })

  program
    .command('models')
    .description('List the models')
    .addOption(json())
    .action(async (flags) => {
      await (await import('./commands/generate.js')).models(io, connect(io), flags)
    })
}

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
    .description('List your generations, analyses and optimizations, newest first')
    .addOption(
      new Option('-n, --limit <n>', 'how many, from 1 to 100').argParser(wholeNumber(1, 100)).default(20)
    )
    .option('--usage', 'show requests and tokens per day and model instead')
    .addOption(json())
    .action(async (flags) => {
      await (await import('./commands/history.js')).history(io, connect(io), flags)
    })

  addFileCommands(program, io)
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
      io.out(completionScript(shell, program))
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
