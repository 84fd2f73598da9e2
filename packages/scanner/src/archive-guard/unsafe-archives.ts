/**
 * Archives that reach known faults of 7-Zip 24.09. Later versions fixed them, but none is available for
 * WebAssembly. docs/adr/0049 lists the published faults.
 */

const SQUASHFS_COMPRESSION_OFFSET = 20
const SQUASHFS_XZ = 4

/**
 * 7-Zip unpacks every xz block of a SquashFS image into one buffer. With a filter for machine code it writes
 * beyond the buffer's end (CVE-2026-14266). Plain xz files use other code.
 */
export function isXzSquashfs(archive: Buffer, format: string): boolean {
  return (
    format === 'squashfs' &&
    archive.length >= SQUASHFS_COMPRESSION_OFFSET + 2 &&
    archive.readUInt16LE(SQUASHFS_COMPRESSION_OFFSET) === SQUASHFS_XZ
  )
}

/**
 * After a damaged file in a RAR archive, 7-Zip fills its window with zeros for the next file and writes
 * beyond the window's end (CVE-2025-53816).
 */
export const stopsAtError = (format: string): boolean => format === 'rar5'
