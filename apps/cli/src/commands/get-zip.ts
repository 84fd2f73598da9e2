import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { ConnectionError, FilewrightError, NotFoundError, type Filewright } from '@filewright/client'
import { formatBytes } from '@filewright/contracts'
import { Failure } from '../failure.js'
import { jsonText, type Io } from '../io.js'
import { shownPath } from '../local-files.js'
import { createProgress } from '../progress.js'
import { parseRemote } from '../remote.js'

/** Downloads a folder or a project as one archive. The file gets its name when the archive is complete. */
export async function getZip(
  io: Io,
  client: Filewright,
  place: string,
  { zip, json = false }: { zip: string; json?: boolean }
): Promise<void> {
  const { projectId, path: folder } = parseRemote(place)
  const target = resolve(io.cwd, zip)
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.part`)
  let size = 0
  const progress = createProgress(io, { action: 'Downloading', count: 1, bytes: 0, isQuiet: json })
  const transfer = progress.begin(place, 0)
  try {
    const { body } = await client.files.zip({
      projectId,
      folder,
      onProgress: (bytes) => {
        size = bytes
        transfer.advance(bytes)
      }
    })
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(draft, { flags: 'wx' }))
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    if (error instanceof NotFoundError) {
      throw new Failure(`There are no files in ${place}; list existing ones with: filewright ls ${projectId}`)
    }
    // The body of a response fails with an error of the runtime.
    if (error instanceof TypeError && !(error instanceof FilewrightError)) {
      throw new ConnectionError('The download was interrupted', { code: 'connection', cause: error })
    }
    throw error
  } finally {
    progress.close()
  }
  if (json) io.out(jsonText({ path: target, size }))
  else io.note(`${formatBytes(size)} saved as ${shownPath(io.cwd, target)}\n`)
}
