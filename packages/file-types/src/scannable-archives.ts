/**
 * Archive formats that are looked into, by clamd or by the archive guard, which unpacks what clamd does not.
 * Left out, because no maintained reader opens them here: lz4, lzop, brotli, StuffIt, ACE. Packages to
 * install (deb, rpm) and disk images are programs, not archives.
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
