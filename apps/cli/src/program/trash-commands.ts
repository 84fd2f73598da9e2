import type { Command } from 'commander'
import type { Io } from '../io.js'
import { connect } from '../session.js'
import { json } from './options.js'

export function addTrashCommands(program: Command, io: Io): void {
  const commands = async () => await import('../commands/trash.js')
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
