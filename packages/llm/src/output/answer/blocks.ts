import { canonicalLanguage, type Language } from '@filewright/contracts'
import type { Fence } from '../fences.js'
import { outlineOf, type Outline } from './outline.js'

/** One code block of a response, with the text about it. */
export interface Block {
  code: string
  /** The fence's info word, in lower case. */
  tag: string
  /** The language that the fence's word or the file name means. */
  language: Language | null
  file: string | undefined
  /** The line directly before the block. */
  label: string
  /** All text since the previous block. */
  prose: string
  isClosed: boolean
  /** A method that belongs in a class, or markup that belongs in a function. */
  isFragment: boolean
  outline: Outline
}

const EXTENSIONS =
  '[cm]?[jt]sx?|pyw?|go|java|rs|sql|sh|bash|css|scss|less|html?|php|rb|cs|kts?|swift|vue|svelte|c|h|cpp|cc|hpp|json|ya?ml|toml|md|txt|env|astro|scala|lua|dart|ex|exs'
const FILE_NAME = new RegExp(
  `(?:^|[\\s\`*"'(/:=])([\\w.@[\\]-]+(?:/[\\w.@[\\]-]+)*\\.(?:${EXTENSIONS}))(?![\\w/])`,
  'i'
)
const COMMENT = /^[ \t]*(?:\/\/|#|--|\/\*+|<!--)/
const byExtension: Readonly<Record<string, string>> = {
  h: 'c',
  pyw: 'python',
  htm: 'html',
  rs: 'rust',
  kt: 'kotlin',
  md: 'markdown',
  txt: 'text'
}

/** The block's file name, if its info string, its first line or the line before it has one. */
export function fileOf(label: string, info: string, code: string): string | undefined {
  const first = code.trimStart().split('\n', 1)[0] ?? ''
  const inComment =
    COMMENT.test(first) && first.length < 80 && !first.startsWith('#!')
      ? FILE_NAME.exec(first)?.[1]
      : undefined
  const isHeading = label.length < 100 && !/\b(?:run|install|import|save|node|python|execute)\b/i.test(label)
  return FILE_NAME.exec(info)?.[1] ?? inComment ?? (isHeading ? FILE_NAME.exec(label)?.[1] : undefined)
}

export function languageOfFile(file: string): Language | null {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? ''
  return canonicalLanguage(byExtension[extension] ?? extension)
}

/** Only this much of the text before a block counts. */
const MAX_SAID_CHARS = 2_000
const MAX_INFO_CHARS = 200
/** A longer name is not a file name. */
const MAX_FILE_CHARS = 300

export function blockOf(
  part: Pick<Fence, 'code' | 'label' | 'prose' | 'info'> & {
    language: string
    closed: boolean
    file?: string | undefined
  }
): Block {
  const isPath = /[./]/.test(part.language) && canonicalLanguage(part.language) === null
  const tag = isPath ? '' : part.language
  const info = part.info.slice(0, MAX_INFO_CHARS)
  const named = part.file ?? (isPath ? part.language : fileOf(part.label, info, part.code))
  const file = named === undefined || named.length > MAX_FILE_CHARS ? undefined : named
  const language = canonicalLanguage(tag) ?? (file === undefined || tag !== '' ? null : languageOfFile(file))
  const code = part.code.replace(/^\s*\n/, '')
  return {
    code: part.code,
    tag,
    language,
    file: file?.replace(/^\.?\//, ''),
    label: part.label.slice(0, MAX_SAID_CHARS),
    prose: part.prose.slice(-MAX_SAID_CHARS),
    isClosed: part.closed,
    isFragment:
      /^[ \t]+\S/.test(code) ||
      (/^(?:javascript|jsx|typescript|tsx)$/.test(language ?? '') && code.startsWith('<')),
    outline: outlineOf(part.code, language)
  }
}

/** The block with different code, in a language that is now certain. */
export const withCode = (block: Block, code: string, language: Language | null): Block => ({
  ...block,
  code,
  language,
  outline: outlineOf(code, language)
})
