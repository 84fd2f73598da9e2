import { Option, type Command } from 'commander'
import { formats, thresholds, type AnalyzeFlags } from '../commands/analyze.js'
import { reviewFormats, type ReviewFlags } from '../commands/review.js'
import type { Io } from '../io.js'
import { hostNames } from '../review/hosts.js'
import { connect, openConnection } from '../session.js'
import { json, parallel, wholeNumber } from './options.js'

export function addCodeCommands(program: Command, io: Io): void {
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
      await (await import('../commands/analyze.js')).analyze(io, openConnection(io), paths, all)
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
      await (await import('../commands/review.js')).review(io, openConnection(io), paths, all)
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
      await (await import('../commands/optimize.js')).optimize(io, connect(io), paths, {
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
      await (await import('../commands/generate.js')).generate(io, openConnection(io), words, flags)
    })

  program
    .command('models')
    .description('List the models')
    .addOption(json())
    .action(async (flags) => {
      await (await import('../commands/generate.js')).models(io, connect(io), flags)
    })
}
