import { withSubcommands, type DescribedCommand, type DescribedOption } from './described-commands.js'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

const wordsAfter = ({ subcommands, options, arguments: args }: DescribedCommand): string =>
  [
    ...subcommands.map(({ path }) => path.split(' ').at(-1) ?? ''),
    ...args.flatMap(({ choices }) => choices),
    ...options.flatMap(({ names }) => names)
  ].join(' ')

/** What may follow an option: its choices, or a file. */
const afterOption = ({ path, options }: DescribedCommand): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices }) => {
      const words = choices.length === 0 ? '-f' : `-W "${choices.join(' ')}"`
      return `    ${names.map((name) => `"${path} ${name}"`).join('|')}) COMPREPLY=($(compgen ${words} -- "$word")); return ;;`
    })

function bash(program: DescribedCommand): string {
  const all = withSubcommands(program)
  const groups = all.filter(({ path, subcommands }) => path !== '' && subcommands.length > 0)
  return `_filewright () {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command=""
  [ "$COMP_CWORD" -gt 1 ] && command="\${COMP_WORDS[1]}"
  case "$command" in
    ${groups.map(({ path }) => path).join('|')}) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command $before" in
${all.flatMap(afterOption).join('\n')}
  esac
  local words=""
  case "$command" in
${all.map((each) => `    "${each.path}") words="${wordsAfter(each)}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "$command" in ""|${groups.map(({ path }) => path).join('|')}) return ;; esac
  case "$word" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$word")) ;; esac
}
complete -o filenames -F _filewright filewright
`
}

const zsh = (program: DescribedCommand): string => `#compdef filewright
autoload -U +X bashcompinit && bashcompinit
${bash(program)}`

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`
const firstPart = (text: string): string => text.split(/[.;:]/)[0] ?? ''

function fishOption({ names, description, choices, takesValue }: DescribedOption, condition: string): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const value = choices.length > 0 ? [`-xa ${quoted(choices.join(' '))}`] : takesValue ? ['-r'] : []
  return [
    'complete -c filewright',
    condition,
    ...flags,
    ...value,
    `-d ${quoted(firstPart(description))}`
  ].join(' ')
}

function fish(program: DescribedCommand): string {
  const lines = withSubcommands(program).flatMap((command) => {
    const { path, subcommands, options, arguments: args } = command
    const seen = path
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => `__fish_seen_subcommand_from ${name}`)
    const here = `-n ${quoted(seen.length === 0 ? '__fish_use_subcommand' : seen.join('; and '))}`
    const choices = args.flatMap((each) => each.choices)
    return [
      ...subcommands.map(
        (each) =>
          `complete -c filewright ${here} -a ${each.path.split(' ').at(-1) ?? ''} -d ${quoted(firstPart(each.description))}`
      ),
      ...(choices.length === 0 ? [] : [`complete -c filewright ${here} -xa ${quoted(choices.join(' '))}`]),
      ...options.map((option) => fishOption(option, here))
    ]
  })
  return lines.map((line) => `${line}\n`).join('')
}

export function completionScript(shell: Shell, program: DescribedCommand): string {
  return { bash, zsh, fish }[shell](program)
}
