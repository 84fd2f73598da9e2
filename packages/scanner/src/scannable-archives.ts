/**
 * Archive formats that clamd was measured to look into, in every variant that ordinary tools write and that our guard lets
 * through. Left out, because clamd answers "OK" without having looked: 7z (Deflate, BZip2, BCJ2, Delta and ARM64 coders, and
 * its header is itself compressed, so the coder cannot be checked from outside), RAR (Debian's clamd is built without it),
 * zstd, lz4, lzip, lzma, compress (.Z), brotli, ar and encrypted ARJ.
 */
export const scannableArchiveTypes: readonly string[] = [
  'application/zip',
  'application/gzip',
  'application/x-tar',
  'application/x-bzip2',
  'application/x-xz',
  'application/x-cpio'
]
