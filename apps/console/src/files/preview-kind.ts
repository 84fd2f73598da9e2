export type PreviewKind = 'image' | 'pdf' | 'text' | 'none'

interface TypedFile {
  type: string
  size: number
}

/** Types that browsers display. */
const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/
const TEXTS =
  /^text\/|^application\/(json|.*\+json|xml|.*\+xml|javascript|typescript|yaml|toml|sql|x-sh|x-httpd-php|graphql)$/
const MAX_TEXT_BYTES = 512 * 1024
const MAX_BYTES = 25 * 1024 * 1024
/** The service's type for code. */
const MAX_CODE_BYTES = 256 * 1024

export const isText = (type: string): boolean => TEXTS.test(type)

export function previewKindOf({ type }: TypedFile): PreviewKind {
  if (IMAGES.test(type)) return 'image'
  if (type === 'application/pdf') return 'pdf'
  return isText(type) ? 'text' : 'none'
}

/** Larger ones are shown as source: the parser can take long. */
const MAX_MARKDOWN_BYTES = 128 * 1024

export const isMarkdown = ({ type, name, size }: TypedFile & { name: string }): boolean =>
  size <= MAX_MARKDOWN_BYTES && (type === 'text/markdown' || /\.(md|markdown)$/i.test(name))

export function isTooLarge(file: TypedFile): boolean {
  return file.size > (previewKindOf(file) === 'text' ? MAX_TEXT_BYTES : MAX_BYTES)
}

/** Whether the code workspace can open it. */
export const canBeEdited = ({ type, size }: TypedFile): boolean => isText(type) && size <= MAX_CODE_BYTES
