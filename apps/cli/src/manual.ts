import { withSubcommands, type DescribedCommand } from './described-commands.js'

/** In a page, a backslash and a line that starts with a dot are commands. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(
      /[^\n -~]/gu,
      (char) => `\\[u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
    )

const sentence = (text: string): string => {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(start) ? start : `${start}.`
}

const term = (name: string, text: string): string => `.TP\n.B ${plain(name)}\n${plain(sentence(text))}\n`

const pageName = (path: string): string => ['filewright', ...path.split(' ')].filter(Boolean).join('-')

function page(command: DescribedCommand, others: readonly string[], version: string, more: string): string {
  const { path, usage, description, arguments: args, options, subcommands } = command
  const section = (title: string, entries: readonly string[]): string =>
    entries.length === 0 ? '' : `.SH ${title}\n${entries.join('')}`
  return [
    `.TH "${pageName(path).toUpperCase()}" "1" "" "Filewright ${version}" "Filewright"\n`,
    section('NAME', [`${plain(pageName(path))} \\- ${plain(description)}\n`]),
    section('SYNOPSIS', [`.B ${plain(usage)}\n`]),
    section('DESCRIPTION', [`${plain(sentence(description))}\n`]),
    section(
      'ARGUMENTS',
      args.map(({ name, description: text }) => term(name, text))
    ),
    section(
      'COMMANDS',
      subcommands.map((each) => term(each.path, each.description))
    ),
    section(
      'OPTIONS',
      options.map(({ flags, description: text }) => term(flags, text))
    ),
    more === '' ? '' : section('PLACES AND EXIT CODES', [`.nf\n${plain(more.trim())}\n.fi\n`]),
    section('SEE ALSO', [`${others.map((name) => `.BR ${plain(name)} (1)`).join(',\n')}\n`])
  ].join('')
}

/** One page for the program and one per command, by their file names. */
export function manualPages(
  program: DescribedCommand,
  { version, notes }: { version: string; notes: string }
): Map<string, string> {
  const pages = new Map<string, string>()
  for (const command of withSubcommands(program)) {
    const { path, subcommands } = command
    const parent = path === '' ? [] : [path.split(' ').slice(0, -1).join(' ')]
    const others = [...parent, ...subcommands.map((each) => each.path)].map(pageName)
    pages.set(`${pageName(path)}.1`, page(command, others, version, path === '' ? notes : ''))
  }
  return pages
}
