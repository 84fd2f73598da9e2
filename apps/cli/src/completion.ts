import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

interface Words {
  name: string
  description: string
  flags: string[]
}

const wordsOf = (command: Command): Words => ({
  name: command.name(),
  description: command.description().split(/[.;:]/)[0] ?? '',
  flags: [...command.options.flatMap(({ short, long }) => [short, long]), '--help'].filter(
    (flag): flag is string => flag != null
  )
})

function bash(commands: Words[]): string {
  return `_filewright () {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$word"))
    return
  fi
  case "$word" in -*) ;; *) COMPREPLY=($(compgen -f -- "$word")); return ;; esac
  case "$command" in
${commands.map(({ name, flags }) => `    ${name}) COMPREPLY=($(compgen -W "${flags.join(' ')}" -- "$word")) ;;`).join('\n')}
  esac
}
complete -o filenames -F _filewright filewright
`
}

const zsh = (commands: Words[]): string => `#compdef filewright
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`

const fish = (commands: Words[]): string =>
  commands
    .flatMap(({ name, description, flags }) => [
      `complete -c filewright -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
      ...flags
        .filter((flag) => flag.startsWith('--'))
        .map((flag) => `complete -c filewright -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`)
    ])
    .map((line) => `${line}\n`)
    .join('')

/** Generated from the commands, so it includes all of them. */
export function completionScript(shell: Shell, program: Command): string {
  return { bash, zsh, fish }[shell](program.commands.map(wordsOf))
}
