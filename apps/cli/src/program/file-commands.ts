import { Option, type Command } from 'commander'
import { sortOrders } from '@filewright/contracts'
import type { Io } from '../io.js'
import { connect, openConnection } from '../session.js'
import { json, parallel, verbose } from './options.js'

export function addFileCommands(program: Command, io: Io): void {
  const files = async () => await import('../commands/files.js')

  program
    .command('upload')
    .description('Upload files, folders or patterns; each file is scanned for malware first')
    .argument('<paths...>', 'what to upload; docs/ uploads what is in it, docs keeps its name')
    .requiredOption('-t, --to <place>', 'where to: a project, or a folder in it such as demo/docs')
    .option('-d, --description <text>', 'description to keep with each file')
    .addOption(parallel(4))
    .addOption(verbose())
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
        await (await import('../commands/get-zip.js')).getZip(io, connect(io), file, flags)
        return
      }
      await (await import('../commands/get.js')).get(io, connect(io), file, flags)
    })

  program
    .command('rm')
    .description('Delete files; they go to the trash')
    .argument('<files...>', 'places of files, or ids')
    .option('-r, --recursive', 'delete folders and everything in them; asks first')
    .option('-y, --yes', 'delete without asking')
    .addOption(verbose())
    .addOption(json())
    .action(async (what, flags) => {
      await (await files()).remove(io, connect(io), what, flags)
    })

  program
    .command('mv')
    .description('Rename a file on the server, or move it to another folder of its project')
    .argument('<file>', 'place of the file')
    .argument(
      '<to>',
      'new place, or a folder; with / at the end a folder that may be new, else the last part is the new name; nothing is replaced'
    )
    .addOption(json())
    .action(async (file, to, flags) => {
      await (await import('../commands/move.js')).move(io, connect(io), file, to, flags)
    })

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
    .addOption(verbose())
    .addOption(json())
    .action(async (from, to, flags) => {
      await (await import('../commands/sync.js')).sync(io, openConnection(io), from, to, flags)
    })
}
