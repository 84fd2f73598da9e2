/**
 * What 7-Zip 24.09 must not do, because later versions mended it and no such version is available for
 * WebAssembly. docs/adr/0049 goes through the published faults.
 */

const SQUASHFS_COMPRESSION_OFFSET = 20
const SQUASHFS_XZ = 4

/**
 * In a SquashFS image every block of xz is unpacked into one buffer, and with a filter for machine code
 * 7-Zip writes beyond its end (CVE-2026-14266). It reads files of xz in another way.
 */
export function isXzSquashfs(archive: Buffer, format: string): boolean {
  return (
    format === 'squashfs' &&
    archive.length >= SQUASHFS_COMPRESSION_OFFSET + 2 &&
    archive.readUInt16LE(SQUASHFS_COMPRESSION_OFFSET) === SQUASHFS_XZ
  )
}

/**
 * After a damaged file in a RAR archive 7-Zip fills its window with zeros for the next one, and misses the
 * end of it (CVE-2025-53816).
 */
export const stopsAtError = (format: string): boolean => format === 'rar5'
