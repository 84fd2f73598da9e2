import { fencesIn } from '../fences.js'
import { unwrappedJson } from '../unwrap-json.js'
import { elementsIn, type Element } from './elements.js'

/** A part of a response that names its own kind. */
export interface Piece {
  code: string
  file?: string | undefined
  tag?: string | undefined
}

const CONTENT_KEYS = [
  'content',
  'contents',
  'code',
  'file_text',
  'text',
  'source',
  'body',
  'data',
  'new_content'
]
const PATH_KEYS = [
  'path',
  'file_path',
  'filepath',
  'filePath',
  'filename',
  'file_name',
  'file',
  'name',
  'title'
]
const EDIT_KEYS = /^(?:old_?str(?:ing)?|new_?str(?:ing)?|search|replace|patch|diff|insert_?line|edits)$/i
const MAX_DEPTH = 4

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textAt = (value: Json, keys: readonly string[]): string | undefined => {
  const found = keys.map((key) => value[key]).filter((each) => typeof each === 'string')
  return found[0]
}

export function parsedJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The files in a tool call or a list of files; null if it contains something else, such as an edit. */
function piecesIn(value: unknown, depth = 0): Piece[] | null {
  if (depth > MAX_DEPTH) return null
  if (Array.isArray(value)) {
    const pieces = value.map((each) => piecesIn(each, depth + 1))
    return pieces.some((each) => each === null) || pieces.length === 0
      ? null
      : pieces.flatMap((each) => each ?? [])
  }
  if (!isObject(value)) return null
  if (Object.keys(value).some((key) => EDIT_KEYS.test(key))) return null
  const inner = value['arguments'] ?? value['parameters'] ?? value['input'] ?? value['args']
  if (inner !== undefined) {
    return piecesIn(typeof inner === 'string' ? parsedJson(inner) : inner, depth + 1) ?? commandOf(value)
  }
  for (const key of [
    'tool_calls',
    'files',
    'function',
    'tool_call',
    'function_call',
    'artifacts',
    'artifact',
    'file'
  ]) {
    const list = value[key]
    if (isObject(list) && key === 'files' && Object.values(list).every((each) => typeof each === 'string')) {
      return Object.entries(list).map(([file, code]) => ({ file, code: String(code) }))
    }
    if (Array.isArray(list) || isObject(list)) return piecesIn(list, depth + 1)
  }
  const code = textAt(value, CONTENT_KEYS)
  if (code === undefined || code.trim() === '') return null
  return [{ code, file: textAt(value, PATH_KEYS), tag: textAt(value, ['language', 'lang']) }]
}

/** A call that runs a command writes no code. */
function commandOf(value: Json): Piece[] | null {
  return /(?:run|exec|shell|bash|command|terminal|install|mkdir)/i.test(String(value['name'] ?? ''))
    ? []
    : null
}

const TOOL_MARK = /<\/?tool_calls?>|\[\/?TOOL_CALLS?\]|<\|python_tag\|>|<\/?function_calls?>/gi

/**
 * The files that tool calls in a response write; null for calls that cannot be parsed, undefined without
 * calls.
 */
function toolCalls(answer: string): Piece[] | null | undefined {
  const isCall = /"(?:arguments|parameters|tool_calls|function_call|input|files)"\s*:/.test(answer)
  const hasMarks = TOOL_MARK.test(answer)
  TOOL_MARK.lastIndex = 0
  if (!isCall && !hasMarks) return undefined
  const texts = answer
    .split(TOOL_MARK)
    .map((part) => part.trim())
    .filter((part) => /^[[{]/.test(part))
  if (texts.length === 0) return hasMarks && isCall ? null : undefined
  const pieces = texts.flatMap((text) => {
    const whole = parsedJson(text)
    if (whole !== undefined) return [piecesIn(whole)]
    // One call on each line.
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => piecesIn(parsedJson(line)))
  })
  return pieces.some((each) => each === null) ? null : pieces.flatMap((each) => each ?? [])
}

const TAGS =
  'artifact|antArtifact|boltArtifact|file|code|boltAction|source|answer|output|solution|response|code_block|codeblock|final_answer|write_file|create_file|result'
const ELEMENT = new RegExp(`^[ \\t]*<(${TAGS})\\b([^>\\n]*)>`, 'gim')
const ELEMENT_END = new RegExp(`</(${TAGS})>[ \\t]*$`, 'gim')
const CALL = /<(invoke)\b/gi
const CALL_END = /<\/(invoke)>/gi
const PARAMETER = /<(parameter) name="?(\w+)"?>\n?/gi
const PARAMETER_END = /<\/(parameter)>/gi
const CHILD = /<(path|file_path|filename|content|code|file_text)>\n?/gi
const CHILD_END = /<\/(path|file_path|filename|content|code|file_text)>/gi
const ATTRIBUTE = /\b(?:path|filePath|file|filename|name|title|identifier)=["']([^"']+)["']/i
const LANGUAGE = /\b(?:language|lang|type)=["'](?:application\/vnd\.ant\.|text\/)?([^"']+)["']/i
const uncdata = (text: string): string => text.replace(/^\s*<!\[CDATA\[\n?/, '').replace(/\]\]>\s*$/, '')

/** The files in XML-like elements outside fences; undefined without such elements. */
function elements(answer: string, depth = 0): Piece[] | undefined {
  const calls = elementsIn(answer, CALL, CALL_END)
  if (calls.length > 0) {
    return calls.flatMap(({ inside }) => fieldsOf(elementsIn(inside, PARAMETER, PARAMETER_END)))
  }
  const found = elementsIn(answer, ELEMENT, ELEMENT_END)
  // Elements after other markup or inside a fence are part of the code.
  const before = answer.slice(0, found[0]?.start ?? 0)
  if (found.length === 0 || /^[ \t]*(?:<|`{3}|~{3})/m.test(before)) return undefined
  return found.flatMap(({ attributes, inside: all }) => {
    const inside = all.replace(/^[ \t]+/, '')
    const children = fieldsOf(elementsIn(inside, CHILD, CHILD_END))
    if (children.length > 0) return children
    const nested = depth < MAX_DEPTH ? elements(inside, depth + 1) : undefined
    const named = ATTRIBUTE.exec(attributes)?.[1]
    if (nested !== undefined) return nested.map((piece) => ({ ...piece, file: piece.file ?? named }))
    return [{ code: uncdata(inside), file: named, tag: LANGUAGE.exec(attributes)?.[1] }]
  })
}

function fieldsOf(found: readonly Element[]): Piece[] {
  const fields = Object.fromEntries(
    found.map(({ name, attributes, inside }) => [attributes === '' ? name : attributes, uncdata(inside)])
  )
  const code = textAt(fields, CONTENT_KEYS)
  return code === undefined ? [] : [{ code, file: textAt(fields, PATH_KEYS) }]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&amp;': '&'
}

/** The code of a response that is one HTML element for code; undefined for any other. */
export function htmlCode(answer: string): Piece | undefined {
  const [, attributes = '', code] =
    /^<pre\b[^>]*>\s*<code\b([^>]*)>([^]*)<\/code>\s*<\/pre>$/i.exec(answer.trim()) ?? []
  if (code === undefined || /<\/?(?:pre|code)\b/i.test(code)) return undefined
  return {
    // Without the elements that highlight words.
    code: code
      .replace(/<\/?span\b[^>]*>/gi, '')
      .replace(/&(?:lt|gt|quot|#39|#x27|amp);/g, (each) => ENTITIES[each]!),
    tag: /\blang(?:uage)?-(\w+)/.exec(attributes)?.[1]
  }
}

export type Unwrapped = { pieces: Piece[] } | { text: string } | 'unreadable' | undefined

/** The content of a response that is wrapped in JSON, tool calls or elements; undefined for any other. */
export function unwrapped(answer: string): Unwrapped {
  const fences = fencesIn(answer)
  const only =
    fences.length === 1 && /^(?:json|xml|tool_call|)$/.test(fences[0]?.language ?? '') ? fences[0] : undefined
  const inner = (only?.code ?? answer).trim()
  const text = unwrappedJson(inner)
  if (text !== undefined) return { text }
  if (only !== undefined || fences.length === 0 || /^\s*(?:[[{<]|\[TOOL)/.test(answer)) {
    const calls = toolCalls(inner)
    if (calls === null) return 'unreadable'
    if (calls !== undefined) return { pieces: calls }
    if (parsedJson(inner) !== undefined) return 'unreadable'
  }
  const files = elements(answer)
  return files === undefined ? undefined : { pieces: files }
}
