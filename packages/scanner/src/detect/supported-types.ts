import type { FileKind } from '@filewright/contracts'
import { scannableArchiveTypes } from '../scannable-archives.js'

export interface DetectedType {
  /** Media type, lower case, without parameters. */
  type: string
  kind: FileKind
}

const rasterImages = new Set([
  'image/apng', 'image/avif', 'image/bmp', 'image/gif', 'image/heic', 'image/heic-sequence', 'image/heif', 'image/heif-sequence',
  'image/icns', 'image/j2c', 'image/jls', 'image/jp2', 'image/jpeg', 'image/jpm', 'image/jpx', 'image/jxl', 'image/png', 'image/tiff',
  'image/vnd.adobe.photoshop', 'image/vnd.ms-photo', 'image/webp', 'image/x-adobe-dng', 'image/x-canon-cr2', 'image/x-canon-cr3',
  'image/x-fujifilm-raf', 'image/x-icon', 'image/x-nikon-nef', 'image/x-olympus-orf', 'image/x-panasonic-rw2', 'image/x-sony-arw',
  'image/x-xcf'
])

const documents = new Set([
  'application/epub+zip', 'application/msword', 'application/pdf', 'application/postscript', 'application/rtf',
  'application/vnd.ms-excel', 'application/vnd.ms-outlook', 'application/vnd.ms-powerpoint', 'application/vnd.visio',
  'application/x-mobipocket-ebook', 'image/vnd.djvu'
])

const documentFamilies = [
  'application/vnd.openxmlformats-officedocument.', 'application/vnd.oasis.opendocument.',
  'application/vnd.ms-word.', 'application/vnd.ms-excel.', 'application/vnd.ms-powerpoint.'
]

/** The whole of what is accepted as binary: whatever is not listed here (audio, video, fonts, executables, disk images) is refused by that alone. */
export function asSupportedBinary (type: string): DetectedType | null {
  if (rasterImages.has(type)) return { type, kind: 'image' }
  if (documents.has(type) || documentFamilies.some((family) => type.startsWith(family))) return { type, kind: 'document' }
  if (scannableArchiveTypes.includes(type)) return { type, kind: 'archive' }
  return null
}

/** What the CDN may show in place: raster images, plain text and PDF. SVG can carry scripts and is downloaded like everything else. */
export function isInlineSafe (type: string): boolean {
  return rasterImages.has(type) || type === 'text/plain' || type === 'application/pdf'
}
