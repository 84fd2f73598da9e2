/**
 * Archive formats that clamd or the archive guard can open. Left out, because there is no maintained reader:
 * lz4, lzop, brotli, StuffIt, ACE. Installation packages (deb, rpm) and disk images are programs, not
 * archives.
 */
export const scannableArchiveTypes: readonly string[] = [
  'application/zip',
  'application/gzip',
  'application/x-tar',
  'application/x-bzip2',
  'application/x-xz',
  'application/x-cpio',
  'application/x-7z-compressed',
  'application/x-rar-compressed',
  'application/zstd',
  'application/x-lzma',
  'application/x-lzip',
  'application/x-compress',
  'application/x-unix-archive',
  'application/vnd.ms-cab-compressed',
  'application/x-arj',
  'application/x-lzh-compressed'
]
