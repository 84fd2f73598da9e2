import type { FileKind } from '@filewright/contracts'
import { scannableArchiveTypes } from './scannable-archives.js'
import { headerImageTypes } from './image-headers.js'
import type { RefusedType } from './rejections.js'

export interface DetectedType {
  /** Media type, lower case, without parameters. */
  type: string
  kind: FileKind
  /** For text, `unknown-8bit` where it is unknown; null for everything else. */
  charset: string | null
}

/** The type of a file, or why it is not accepted. */
export type Detection = DetectedType | RefusedType

/** Types that some browsers display. */
const browserImages = new Set([
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/heic',
  'image/heic-sequence',
  'image/heif',
  'image/heif-sequence',
  'image/jp2',
  'image/jpeg',
  'image/jxl',
  'image/png',
  'image/tiff',
  'image/webp',
  'image/x-icon'
])

const images = new Set([
  ...browserImages,
  ...headerImageTypes,
  'image/icns',
  'image/j2c',
  'image/jls',
  'image/jpm',
  'image/jpx',
  'image/openraster',
  'image/vnd.adobe.photoshop',
  'image/vnd.ms-photo',
  'image/x-adobe-dng',
  'image/x-canon-cr2',
  'image/x-canon-cr3',
  'image/x-fujifilm-raf',
  'image/x-nikon-nef',
  'image/x-olympus-orf',
  'image/x-panasonic-rw2',
  'image/x-sony-arw',
  'image/x-xcf',
  'application/x-krita'
])

const documents = new Set([
  'application/epub+zip',
  'application/hwp+zip',
  'application/msword',
  'application/onenote',
  'application/oxps',
  'application/pdf',
  'application/postscript',
  'application/rtf',
  'application/vnd.adobe.indesign-idml-package',
  'application/vnd.apple.keynote',
  'application/vnd.apple.numbers',
  'application/vnd.apple.pages',
  'application/vnd.lotus-1-2-3',
  'application/vnd.ms-excel',
  'application/vnd.ms-htmlhelp',
  'application/vnd.ms-outlook',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-project',
  'application/vnd.ms-works',
  'application/vnd.ms-xpsdocument',
  'application/vnd.visio',
  'application/vnd.wordperfect',
  'application/x-hwp',
  'application/x-ibooks+zip',
  'application/x-mobipocket-ebook',
  'application/x-mspublisher',
  'application/x-mswrite',
  'application/x-quattro-pro',
  'image/vnd.djvu'
])

const documentFamilies = [
  'application/vnd.openxmlformats-officedocument.',
  'application/vnd.oasis.opendocument.',
  'application/vnd.sun.xml.',
  'application/vnd.stardivision.',
  'application/vnd.ms-word.',
  'application/vnd.ms-excel.',
  'application/vnd.ms-powerpoint.',
  'application/vnd.ms-visio.'
]

/**
 * All accepted binary types: anything that is not listed here (audio, video, fonts, executables, disk images)
 * is refused.
 */
export function asSupportedBinary(type: string): DetectedType | null {
  if (images.has(type)) return { type, kind: 'image', charset: null }
  if (documents.has(type) || documentFamilies.some((family) => type.startsWith(family))) {
    return { type, kind: 'document', charset: null }
  }
  if (scannableArchiveTypes.includes(type)) return { type, kind: 'archive', charset: null }
  return null
}

/**
 * What the CDN may show inline: raster images that browsers know, plain text and PDF. SVG can contain scripts
 * and is downloaded like everything else.
 */
export function isInlineSafe(type: string): boolean {
  return browserImages.has(type) || type === 'text/plain' || type === 'application/pdf'
}
