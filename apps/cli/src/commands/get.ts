import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConnectionError, type DetailedFileSummary, type Filewright } from '@filewright/client'
import { Failure, exitCodes } from '../failure.js'
import { jsonText, type Io } from '../io.js'
import { openDraft } from '../drafts.js'
import { hashOf, shownPath } from '../local-files.js'
import { createProgress } from '../progress.js'
import { findFile, isFileId, nameOf, parseRemote } from '../remote.js'

/** Ended connections are taken up where they broke off. */
const RESUMES = 10

/**
 * Into a draft beside the target. What an earlier try left is continued, and the hash of the bytes on the disk is
 * checked before they get their name.
 */
export async function fetchFile(
  client: Filewright,
  file: Pick<DetailedFileSummary, 'id' | 'sha256' | 'size'>,
  target: string,
  onBytes: (bytes: number) => void = () => {},
  /** Gives the whole file its name. */
  place: (draft: string) => Promise<void> = async (draft) => {
    await rename(draft, target)
  }
): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  const draft = await openDraft(target, file.sha256, client)
  try {
    await fill(client, file, draft.path, onBytes)
  } catch (error) {
    await draft.leave()
    throw error
  }
  try {
    if ((await hashOf(draft.path)) !== file.sha256) {
      await rm(draft.path)
      throw new Failure(`${basename(target)}: the downloaded bytes are not those of the file; try again`)
    }
    await place(draft.path)
  } finally {
    draft.close()
  }
}

/** Downloads until the draft has all bytes, and goes on where it breaks off. */
async function fill(
  client: Filewright,
  { id, sha256, size }: Pick<DetailedFileSummary, 'id' | 'sha256' | 'size'>,
  part: string,
  onBytes: (bytes: number) => void
): Promise<void> {
  for (let tries = 0; ; tries++) {
    const have = await stat(part).then(
      (facts) => facts.size,
      () => 0
    )
    if (have > size) await rm(part)
    if (have === size && size > 0) return
    try {
      const download = await client.files.download(id, {
        ...(have > 0 && have < size ? { resume: { from: have, sha256 } } : {}),
        onProgress: ({ bytes }) => {
          onBytes(bytes)
        }
      })
      await pipeline(
        Readable.fromWeb(download.body as never),
        createWriteStream(part, { flags: download.from > 0 ? 'a' : 'w' })
      )
      return
    } catch (error) {
      // A body that breaks off is a TypeError of fetch.
      if (tries >= RESUMES || !(error instanceof TypeError || error instanceof ConnectionError)) throw error
    }
  }
}

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
  const file = isFileId(what) ? await client.files.get(what) : await findFile(client, parseRemote(what))
  if (file === null) {
    throw new Failure(
      `There is no file ${what}; see what is there with: filewright ls ${parseRemote(what).projectId}`
    )
  }
  if (output === '-') {
    if (json) throw new Failure('Standard output holds the file or --json, not both', exitCodes.usage)
    await pour(client, file, io.outBytes)
    return
  }
  const given = resolve(io.cwd, output ?? '.')
  const facts = await stat(given).catch(() => null)
  const isFolder = facts?.isDirectory() ?? output?.endsWith('/') === true
  // A device or a pipe takes the bytes. To put a file in its place would break it for everyone.
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

/** The whole file is fetched and its hash checked first, so that no reader gets wrong bytes. */
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
