import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DetailedFileSummary, Filewright } from '@filewright/client'
import { Failure, exitCodes } from '../failure.js'
import { jsonText, type Io } from '../io.js'
import { fetchFile } from '../fetch-file.js'
import { hashOf, shownPath } from '../local-files.js'
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
  const progress = createProgress(io, {
    action: 'Downloading',
    count: 1,
    bytes: file.size,
    isQuiet: json
  })
  const transfer = progress.begin(file.name, file.size)
  try {
    if (target === given) await fetchFile(client, file, target, transfer.advance)
    else if ((await hashOf(target).catch(() => null)) !== file.sha256) {
      await refuseToReplace(io, target)
      await fetchFile(client, file, target, transfer.advance, async (draft) => {
        await placeNew(io, draft, target)
      })
    }
    transfer.end(`saved as ${shownPath(io.cwd, target)}`)
  } finally {
    progress.close()
  }
  if (json) io.out(jsonText({ id: file.id, path: target, size: file.size, sha256: file.sha256 }))
}

/**
 * The server chose the name, so a local file of that name may be unrelated. `--output` with its path replaces
 * it.
 */
async function refuseToReplace(io: Io, target: string): Promise<void> {
  if ((await stat(target).catch(() => null)) === null) return
  const path = shownPath(io.cwd, target)
  throw new Failure(`${path} exists and is not replaced; to replace it, name it with --output ${path}`)
}

/** A link fails if a file of that name was created during the download. Not every disk has links. */
async function placeNew(io: Io, draft: string, target: string): Promise<void> {
  try {
    await link(draft, target)
  } catch (error) {
    await refuseToReplace(io, target)
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    await rename(draft, target)
    return
  }
  await rm(draft)
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
