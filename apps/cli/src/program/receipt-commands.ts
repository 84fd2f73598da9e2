import type { Command } from 'commander'
import type { Io } from '../io.js'
import { connect } from '../session.js'
import { json } from './options.js'

export function addReceiptCommands(program: Command, io: Io): void {
  program
    .command('recalls')
    .description(
      'List stored files that newer signatures found to be malware, and whether you downloaded them'
    )
    .argument('[project]', 'project; default: everything that concerns your token')
    .option('--since <time>', 'only what was withdrawn since then, such as 2026-01-15')
    .addOption(json())
    .action(async (project, flags) => {
      await (await import('../commands/recalls.js')).recalls(io, connect(io), project, flags)
    })

  program
    .command('receipt')
    .description('Fetch signed receipts, which say when a file was scanned and with which signatures')
    .argument('<files...>', 'places of files, or ids')
    .option('-o, --output <path>', 'file or folder to write to, - for standard output; default: this folder')
    .addOption(json())
    .action(async (what, flags) => {
      await (await import('../commands/receipt.js')).receipt(io, connect(io), what, flags)
    })

  program
    .command('verify')
    .description('Check a local file against its receipt; needs no server')
    .argument('<file>', 'local file')
    .requiredOption('-r, --receipt <path>', 'its receipt')
    .requiredOption('-k, --key <path>', 'filewright-keys.json of the service, or one public key')
    .addOption(json())
    .action(async (file, flags) => {
      await (await import('../commands/verify.js')).verify(io, file, flags)
    })
}
