import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DetailedFileSummary, Filewright } from '@filewright/client'
import { Failure, exitCodes } from '../failure.js'
import { jsonText, type Io } from '../io.js'
import { fetchFile } from '../fetch-file.js'
import { shownPath } from '../local-files.js'
import { createProgress } from '../progress.js'
import { warnOfRecalls } from '../recalls.js'
import { findFile, isFileId, nameOf, parseRemote } from '../remote.js'

export interface GetFlags {
  output?: string
  json?: boolean
}

export async function get(
  io: Io,
  client: Filewright,
  what: string,
  { output, json = false }: GetFlags
): Promise<void> {
  if (!isFileId(what)) await warnOfRecalls(io, client, parseRemote(what).projectId)
  const file = isFileId(what) ? await client.files.get(what) : await findFile(client, parseRemote(what))
  if (file === null) {
    throw new Failure(
      `There is no file ${what}; list existing files with: filewright ls ${parseRemote(what).projectId}`
    )
  }
  if (output === '-') {
    if (json) {
      throw new Failure('Standard output can contain the file or --json output, not both', exitCodes.usage)
    }
    await pour(client, file, io.outBytes)
    return
  }
  const given = resolve(io.cwd, output ?? '.')
  const facts = await stat(given).catch(() => null)
  const isFolder = facts?.isDirectory() ?? output?.endsWith('/') === true
  // A device or a pipe receives the bytes. Replacing it by a file would break it for everyone.
  if (facts !== null && !isFolder && !facts.isFile()) {
    await pour(client, file, async (source) => {
      await pipeline(source, createWriteStream(given))
    })
    if (json) io.out(jsonText({ id: file.id, path: given, size: file.size, sha256: file.sha256 }))
    return
  }
  const target = isFolder ? join(given, nameOf(file.name)) : given
  const progress = createProgress(io, { count: 1, bytes: file.size, quiet: json })
  const transfer = progress.begin(file.name, file.size)
  try {
    await fetchFile(client, file, target, transfer.advance)
    transfer.end(`saved as ${shownPath(io.cwd, target)}`)
  } finally {
    progress.close()
  }
  if (json) io.out(jsonText({ id: file.id, path: target, size: file.size, sha256: file.sha256 }))
}

/** Downloads the whole file and checks its hash first, so that no reader gets wrong bytes. */
async function pour(
  client: Filewright,
  file: Pick<DetailedFileSummary, 'id' | 'sha256' | 'size' | 'name'>,
  sink: (source: Readable) => Promise<void>
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-'))
  try {
    const target = join(folder, nameOf(file.name))
    await fetchFile(client, file, target)
    await sink(createReadStream(target))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
