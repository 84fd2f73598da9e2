import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConnectionError, type DetailedFileSummary, type Filewright } from '@filewright/client'
import { openDraft } from './drafts.js'
import { Failure } from './failure.js'
import { hashOf } from './local-files.js'

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
