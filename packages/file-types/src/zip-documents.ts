import { asSupportedBinary } from './supported-types.js'

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const XPS = 'application/vnd.ms-xpsdocument'

/**
 * The part that identifies the document type, the part with macros, and the media types without and with
 * macros.
 */
const officeTypes: ReadonlyArray<{ part: RegExp; plain: string; macros?: string; withMacros?: string }> = [
  {
    part: /^word\/document\d*\.xml$/,
    plain: `${OFFICE}wordprocessingml.document`,
    macros: 'word/vbaProject.bin',
    withMacros: 'application/vnd.ms-word.document.macroenabled.12'
  },
  {
    part: /^xl\/workbook\.xml$/,
    plain: `${OFFICE}spreadsheetml.sheet`,
    macros: 'xl/vbaProject.bin',
    withMacros: 'application/vnd.ms-excel.sheet.macroenabled.12'
  },
  { part: /^xl\/workbook\.bin$/, plain: 'application/vnd.ms-excel.sheet.binary.macroenabled.12' },
  {
    part: /^ppt\/presentation\.xml$/,
    plain: `${OFFICE}presentationml.presentation`,
    macros: 'ppt/vbaProject.bin',
    withMacros: 'application/vnd.ms-powerpoint.presentation.macroenabled.12'
  },
  {
    part: /^visio\/document\.xml$/,
    plain: 'application/vnd.ms-visio.drawing',
    macros: 'visio/vbaProject.bin',
    withMacros: 'application/vnd.ms-visio.drawing.macroenabled.12'
  },
  { part: /\.fdseq$/i, plain: XPS }
]

/** One family, whose members have the same entries. */
const typeByExtension = new Map([
  ['vstx', 'application/vnd.ms-visio.template'],
  ['vssx', 'application/vnd.ms-visio.stencil'],
  ['vstm', 'application/vnd.ms-visio.template.macroenabled.12'],
  ['vssm', 'application/vnd.ms-visio.stencil.macroenabled.12'],
  ['oxps', 'application/oxps'],
  ['key', 'application/vnd.apple.keynote'],
  ['numbers', 'application/vnd.apple.numbers']
])

const ODF = 'application/vnd.oasis.opendocument.'
const SUN = 'application/vnd.sun.xml.'
/** OpenDocument and its predecessor, written by tools that do not store the type first. */
const openDocumentTypes = new Map([
  ['odt', `${ODF}text`],
  ['ott', `${ODF}text-template`],
  ['odm', `${ODF}text-master`],
  ['ods', `${ODF}spreadsheet`],
  ['ots', `${ODF}spreadsheet-template`],
  ['odp', `${ODF}presentation`],
  ['otp', `${ODF}presentation-template`],
  ['odg', `${ODF}graphics`],
  ['otg', `${ODF}graphics-template`],
  ['odf', `${ODF}formula`],
  ['odb', `${ODF}base`],
  ['odc', `${ODF}chart`],
  ['sxw', `${SUN}writer`],
  ['stw', `${SUN}writer.template`],
  ['sxc', `${SUN}calc`],
  ['sxi', `${SUN}impress`],
  ['sxd', `${SUN}draw`]
])
/** Apple's programs, since 2013 and before. */
const APPLE_PART = /^(?:Index\/Document\.iwa|Index\.zip|index\.apxl|index\.xml|buildVersionHistory\.plist)$/
const appleExtensions = new Set(['pages', 'numbers', 'key'])

/** Office documents whose content types are unreadable or inconclusive, recognized by their entries. */
export function officeTypeByEntries(names: readonly string[], extension: string): string | null {
  if (appleExtensions.has(extension) && names.some((name) => APPLE_PART.test(name))) {
    return typeByExtension.get(extension) ?? 'application/vnd.apple.pages'
  }
  if (names.includes('content.xml') && names.includes('META-INF/manifest.xml')) {
    return openDocumentTypes.get(extension) ?? null
  }
  if (!names.includes('[Content_Types].xml')) return null
  const found = officeTypes.find(({ part }) => names.some((name) => part.test(name)))
  if (found === undefined) return null
  const type =
    found.macros !== undefined && names.includes(found.macros)
      ? (found.withMacros ?? found.plain)
      : found.plain
  const byExtension = typeByExtension.get(extension)
  const isSameFamily =
    byExtension !== undefined &&
    (type === XPS
      ? extension === 'oxps'
      : type.startsWith('application/vnd.ms-visio.') && extension.startsWith('vs'))
  return isSameFamily ? byExtension : type
}

const LOCAL_HEADER_BYTES = 30

/**
 * The type in the first entry: OpenDocument, EPUB and related formats store it there, uncompressed, for this
 * purpose.
 */
export function typeInFirstEntry(head: Buffer): string | null {
  if (head.length < LOCAL_HEADER_BYTES || head.readUInt16LE(8) !== 0) return null
  const nameBytes = head.readUInt16LE(26)
  const name = head.toString('latin1', LOCAL_HEADER_BYTES, LOCAL_HEADER_BYTES + nameBytes)
  if (name !== 'mimetype') return null
  const bodyAt = LOCAL_HEADER_BYTES + nameBytes + head.readUInt16LE(28)
  // With a data descriptor the size is 0 here, and the next record ends the text.
  const [text = ''] = head.toString('latin1', bodyAt, bodyAt + 128).split('PK', 1)
  const type = /^[\w./+-]+/.exec(text)?.[0].toLowerCase() ?? ''
  const kind = asSupportedBinary(type)?.kind
  return kind === 'document' || kind === 'image' ? type : null
}
