import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConnectionError, type DetailedFileSummary, type Filewright } from '@filewright/client'
import { openDraft } from './drafts.js'
import { Failure } from './failure.js'
import { hashOf } from './local-files.js'

/** Interrupted downloads are resumed. */
const RESUMES = 10

/**
 * Downloads into a draft beside the target. Continues an earlier draft, and checks the hash of the bytes on
 * disk before the rename.
 */
export async function fetchFile(
  client: Filewright,
  file: Pick<DetailedFileSummary, 'id' | 'sha256' | 'size'>,
  target: string,
  onBytes: (bytes: number) => void = () => {},
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
      throw new Failure(`${basename(target)}: the download is corrupt: its hash does not match; try again`)
    }
    await place(draft.path)
  } finally {
    draft.close()
  }
}

/** Downloads until the draft is complete, and resumes after interruptions. */
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
      // `fetch` throws a TypeError when a body is interrupted.
      if (tries >= RESUMES || !(error instanceof TypeError || error instanceof ConnectionError)) throw error
    }
  }
}
