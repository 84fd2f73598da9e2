import { Option, type Command } from 'commander'
import type { Io } from '../io.js'
import { connect } from '../session.js'
import { json, wholeNumber } from './options.js'

export function addEventCommands(program: Command, io: Io): void {
  const commands = async () => await import('../commands/webhooks.js')
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
      await (await import('../commands/listen.js')).listen(io, connect(io), flags)
    })
}
