import type { Rejection } from '@filewright/contracts'

/** The sniffer's result for a file that is not accepted. */
export interface RefusedType {
  rejection: Rejection
}

function unsupported(reason: string): RefusedType {
  return { rejection: { code: 'unsupported-type', reason } }
}

export const executableRefused = unsupported('executable files are not accepted')
export const diskImageRefused = unsupported('disk images are not accepted')
export const unidentified = unsupported("the file's kind could not be identified")
export const passwordProtected: RefusedType = {
  rejection: { code: 'password-protected', reason: 'documents with an open password cannot be scanned' }
}

const executables = new Set([
  'application/java-archive',
  'application/java-vm',
  'application/vnd.android.package-archive',
  'application/vnd.microsoft.portable-executable',
  'application/wasm',
  'application/x-elf',
  'application/x-executable',
  'application/x-lnk',
  'application/x-mach-binary',
  'application/x-ms-shortcut',
  'application/x-msdownload',
  'application/x-msi',
  'application/x-nintendo-nes-rom',
  'application/x-shockwave-flash',
  'application/x.ms.shortcut',
  'application/x-google-chrome-extension',
  'application/x-deb',
  'application/x-rpm'
])

const packedOnce = /(?:compress|zstd|rar|7z|lz4|lzip|lzop|lzh|lzma|arj|ace|cab|stuffit|archive|x-ar$|brotli)/

/** Why a file of a known type is not accepted. The type comes from our own tables, so it may be shown. */
export function refusalOf(type: string): RefusedType {
  const [family = ''] = type.split('/')
  if (executables.has(type)) return executableRefused
  if (family === 'audio' || family === 'video') return unsupported(`${family} is not accepted`)
  if (family === 'font' || type === 'application/vnd.ms-fontobject') {
    return unsupported('fonts are not accepted')
  }
  if (packedOnce.test(type)) return unsupported(`archives of type ${type} are not accepted`)
  return unsupported(`files of type ${type} are not accepted`)
}
