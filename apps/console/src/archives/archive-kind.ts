export type ArchiveKind = 'zip' | 'tar' | 'tar-gz'

/** A compressed archive has to be read from its start. */
const MAX_STREAMED_BYTES = 25 * 1024 * 1024

/** Archives whose names the console can list. */
export function archiveKindOf({
  type,
  name,
  size
}: {
  type: string
  name: string
  size: number
}): ArchiveKind | null {
  if (/^application\/(?:zip|java-archive|vnd\.android\.package-archive)$/.test(type)) return 'zip'
  if (size > MAX_STREAMED_BYTES) return null
  if (type === 'application/x-tar') return 'tar'
  return type === 'application/gzip' && /\.(?:tar\.gz|tgz)$/i.test(name) ? 'tar-gz' : null
}
