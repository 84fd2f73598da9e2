export type PreviewKind = 'image' | 'pdf' | 'text' | 'none'

interface TypedFile {
  type: string
  size: number
}

/** What browsers show. */
const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/
const TEXTS =
  /^text\/|^application\/(json|.*\+json|xml|.*\+xml|javascript|typescript|yaml|toml|sql|x-sh|x-httpd-php|graphql)$/
const MOST_TEXT_BYTES = 512 * 1024
const MOST_BYTES = 25 * 1024 * 1024
/** As the service has it for code. */
const MOST_CODE_BYTES = 256 * 1024

export const isText = (type: string): boolean => TEXTS.test(type)

export function previewKindOf({ type }: TypedFile): PreviewKind {
  if (IMAGES.test(type)) return 'image'
  if (type === 'application/pdf') return 'pdf'
  return isText(type) ? 'text' : 'none'
}

export function isTooLarge(file: TypedFile): boolean {
  return file.size > (previewKindOf(file) === 'text' ? MOST_TEXT_BYTES : MOST_BYTES)
}

/** Whether the code workspace can open it. */
export const canBeEdited = ({ type, size }: TypedFile): boolean => isText(type) && size <= MOST_CODE_BYTES
