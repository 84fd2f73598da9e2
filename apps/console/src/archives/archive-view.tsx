import type { JSX } from 'preact'
import type { DetailedFileInfo, Filewright } from '@filewright/client/browser'
import { useApi } from '../console-context.js'
import { formatBytes } from '../format.js'
import { texts } from '../texts.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { archiveKindOf } from './archive-kind.js'
import { DamagedArchiveError, type ArchiveListing } from './archive-entries.js'
import { tarEntries } from './tar-entries.js'
import { zipEntries } from './zip-entries.js'

/** Null where the archive cannot be read. */
async function listingOf(
  api: Pick<Filewright, 'files'>,
  { id, size, sha256, ...file }: DetailedFileInfo,
  signal: AbortSignal
): Promise<ArchiveListing | null> {
  const kind = archiveKindOf({ size, ...file })
  try {
    if (kind === 'zip') {
      return await zipEntries(size, async (from) => {
        const download = await api.files.download(id, { signal, resume: { from, sha256 } })
        return (await download.bytes()).subarray(from - download.from)
      })
    }
    const { body } = await api.files.download(id, { signal })
    return await tarEntries(
      kind === 'tar'
        ? body
        : body.pipeThrough(new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>)
    )
  } catch (error) {
    // What does not decompress is a TypeError.
    if (error instanceof DamagedArchiveError || error instanceof TypeError) return null
    throw error
  }
}

/** The names in an archive; nothing in it is unpacked or run. */
export function ArchiveView({ file }: { file: DetailedFileInfo }): JSX.Element {
  const api = useApi()
  const listing = useLoaded(file.id, async (signal) => await listingOf(api, file, signal))
  const shown = listing.value
  if (shown === null) return <p class="preview-note">{texts.archive.unreadable}</p>
  return (
    <div class="archive" tabIndex={0} role="region" aria-label={texts.archive.content}>
      <LoadProblem of={listing} />
      {shown === undefined && listing.error === undefined && <Skeleton rows={4} />}
      {shown !== undefined && (
        <>
          <p class="muted">{texts.archive.count(shown.entries.length, shown.isCut)}</p>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.files.name}</th>
                <th scope="col" class="column-size">
                  {texts.files.size}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.entries.map(({ name, size }, i) => (
                <tr key={i}>
                  <td>
                    <bdi>{name}</bdi>
                  </td>
                  <td class="column-size">{name.endsWith('/') ? '' : formatBytes(size)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  )
}
