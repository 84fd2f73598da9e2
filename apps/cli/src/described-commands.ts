import type { Command } from 'commander'

export interface DescribedOption {
  /** As help shows them: `-p, --parallel <n>`. */
  flags: string
  names: string[]
  description: string
  choices: readonly string[]
  takesValue: boolean
}

export interface DescribedCommand {
  /** Without the program's own name: `trash ls`; empty for the program itself. */
  path: string
  usage: string
  description: string
  arguments: Array<{ name: string; description: string; choices: readonly string[] }>
  options: DescribedOption[]
  subcommands: DescribedCommand[]
}

/** What the manual and the completions are written from: the commands themselves. */
export function describeCommand(command: Command, path = ''): DescribedCommand {
  const help = command.createHelp()
  return {
    path,
    usage: help.commandUsage(command),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => ({
      name: help.argumentTerm(argument),
      description: argument.description,
      choices: argument.argChoices ?? []
    })),
    options: help.visibleOptions(command).map((option) => ({
      flags: option.flags,
      names: [option.short, option.long].filter((name): name is string => name != null),
      description: help.optionDescription(option),
      choices: option.argChoices ?? [],
      takesValue: option.required || option.optional
    })),
    subcommands: help
      .visibleCommands(command)
      .map((each) => describeCommand(each, path === '' ? each.name() : `${path} ${each.name()}`))
  }
}

/** The command and everything below it, itself first. */
export const withSubcommands = (command: DescribedCommand): DescribedCommand[] => [
  command,
  ...command.subcommands.flatMap(withSubcommands)
]
