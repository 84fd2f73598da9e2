import { crc32 } from 'node:zlib'

const SEVEN_ZIP_HEADER_BYTES = 32
const SEVEN_ZIP_AES = Buffer.from('06f10701', 'hex')
const RAR_SIGNATURE_BYTES = 7
const RAR_MAIN_HEADER = 0x73
const RAR_ENCRYPTED_HEADERS = 0x80
const RAR5_SIGNATURE_BYTES = 8
const RAR5_ENCRYPTION_HEADER = 4
const ARJ_SIGNATURE = Buffer.from('60ea', 'hex')
const ARJ_SHORTEST_HEADER_BYTES = 30
const ARJ_ENCRYPTED = 0x01

/** The last header of a 7z is not packed. It names the method of the packed headers. */
function isEncrypted7z(archive: Buffer): boolean {
  if (archive.length < SEVEN_ZIP_HEADER_BYTES) return false
  const start = SEVEN_ZIP_HEADER_BYTES + Number(archive.readBigUInt64LE(12))
  return archive.subarray(start, start + Number(archive.readBigUInt64LE(20))).includes(SEVEN_ZIP_AES)
}

function isEncryptedRar(archive: Buffer): boolean {
  if (archive.length < RAR_SIGNATURE_BYTES + 5) return false
  return (
    archive[RAR_SIGNATURE_BYTES + 2] === RAR_MAIN_HEADER &&
    (archive.readUInt16LE(RAR_SIGNATURE_BYTES + 3) & RAR_ENCRYPTED_HEADERS) !== 0
  )
}

/** A checksum of four bytes, the header's length in 7 bits per byte, and its type. */
function isEncryptedRar5(archive: Buffer): boolean {
  let at = RAR5_SIGNATURE_BYTES + 4
  while (((archive[at] ?? 0) & 0x80) !== 0) at++
  return archive[at + 1] === RAR5_ENCRYPTION_HEADER
}

/** Every file has a header: its length, the fields, and a checksum. */
function isEncryptedArj(archive: Buffer): boolean {
  for (let at = archive.indexOf(ARJ_SIGNATURE); at !== -1; at = archive.indexOf(ARJ_SIGNATURE, at + 1)) {
    const start = at + 4
    const end = start + (start <= archive.length ? archive.readUInt16LE(at + 2) : 0)
    if (end - start < ARJ_SHORTEST_HEADER_BYTES || end + 4 > archive.length) continue
    const isEncrypted = ((archive[start + 4] ?? 0) & ARJ_ENCRYPTED) !== 0
    if (isEncrypted && crc32(archive.subarray(start, end)) === archive.readUInt32LE(end)) return true
  }
  return false
}

/**
 * Whether an archive is encrypted in a way that the WebAssembly build of 7-Zip does not report. It crashes on
 * encrypted file names, and reports an encrypted ARJ as an unknown method.
 */
export function hasEncryptedHeader(archive: Buffer, format: string): boolean {
  if (format === '7z') return isEncrypted7z(archive)
  if (format === 'arj') return isEncryptedArj(archive)
  if (format === 'rar') return isEncryptedRar(archive)
  return format === 'rar5' && isEncryptedRar5(archive)
}
