// YAML whose parts may be Helm's template actions. A tree of plain objects, in which these stand for what values decide.
import { stringify } from 'yaml'

/** A scalar that is written as it is: `{{ .Values.image.tag }}`. */
export class Raw {
  /** @param {string} text */
  constructor(text) {
    this.text = text
  }
}

/** An object or array from the values. */
export class Block {
  /** @param {string} expression */
  constructor(expression) {
    this.expression = expression
  }
}

/** An object, an array or a string from the values; without the key where the value is empty. */
export class Optional {
  /** @param {string} expression @param {'block' | 'scalar'} form */
  constructor(expression, form = 'block') {
    this.expression = expression
    this.form = form
  }
}

/** One or the other; undefined is a key or item that is absent. */
export class If {
  /** @param {string} condition @param {unknown} then @param {unknown} otherwise */
  constructor(condition, then, otherwise) {
    this.condition = condition
    this.then = then
    this.otherwise = otherwise
  }
}

/** As a key of an object: the entries of a map in the values stand beside the others. */
export const entriesOf = (/** @type {string} */ expression) => `\0${expression}`

/** @param {Record<string, unknown>} object */
export const emit = (object) => `${mapLines(object, 0).join('\n')}\n`

/** Text that Helm leaves as it is. @param {string} text */
export const literal = (text) => text.replaceAll('{{', '{{ "{{" }}')

/** @param {string} condition */
export const negated = (condition) =>
  condition.startsWith('not ') ? condition.slice(4) : `not (${condition})`

/** @param {Record<string, unknown>} map @param {number} indent @returns {string[]} */
function mapLines(map, indent) {
  return Object.entries(map).flatMap(([key, value]) =>
    key.startsWith('\0')
      ? withLines(key.slice(1), indent, [`${pad(indent)}{{- toYaml . | nindent ${indent} }}`])
      : entryLines(`${scalar(key)}:`, value, indent)
  )
}

/** @param {string} prefix a key with its colon, or a dash @param {any} value @param {number} indent @returns {string[]} */
function entryLines(prefix, value, indent) {
  const start = pad(indent) + prefix
  const inner = indent + 2
  if (value === undefined) return []
  if (value instanceof Raw) return [`${start} ${value.text}`]
  if (value instanceof Block) {
    return [start, `${pad(inner)}{{- toYaml ${value.expression} | nindent ${inner} }}`]
  }
  if (value instanceof Optional) {
    return withLines(
      value.expression,
      indent,
      value.form === 'scalar'
        ? [`${start} {{ . | quote }}`]
        : [start, `${pad(inner)}{{- toYaml . | nindent ${inner} }}`]
    )
  }
  if (value instanceof If) return ifLines(value, prefix, indent)
  if (typeof value === 'string' && /^[^\0\r]*\n$/.test(value)) {
    return [
      `${start} |${value.endsWith('\n\n') ? '+' : ''}`,
      ...literal(value.slice(0, -1))
        .split('\n')
        .map((line) => (line === '' ? '' : pad(inner) + line))
    ]
  }
  if (typeof value !== 'object' || value === null) return [`${start} ${scalar(value)}`]
  if (Object.keys(value).length === 0) return [`${start} ${Array.isArray(value) ? '[]' : '{}'}`]
  if (Array.isArray(value)) return [start, ...value.flatMap((item) => entryLines('-', item, inner))]
  const lines = mapLines(value, inner)
  const [first = ''] = lines
  if (prefix !== '-' || first.trimStart().startsWith('{{')) return [start, ...lines]
  return [`${start} ${first.trimStart()}`, ...lines.slice(1)]
}

/** @param {If} node @param {string} prefix @param {number} indent */
function ifLines({ condition, then, otherwise }, prefix, indent) {
  const [yes, no] = [then, otherwise].map((value) => entryLines(prefix, value, indent))
  const end = `${pad(indent)}{{- end }}`
  if (yes?.length === 0) return [`${pad(indent)}{{- if ${negated(condition)} }}`, ...(no ?? []), end]
  const rest = no?.length === 0 ? [] : [`${pad(indent)}{{- else }}`, ...(no ?? [])]
  return [`${pad(indent)}{{- if ${condition} }}`, ...(yes ?? []), ...rest, end]
}

/** @param {string} expression @param {number} indent @param {string[]} lines */
const withLines = (expression, indent, lines) => [
  `${pad(indent)}{{- with ${expression} }}`,
  ...lines,
  `${pad(indent)}{{- end }}`
]

const pad = (/** @type {number} */ indent) => ' '.repeat(indent)

/** @param {unknown} value */
const scalar = (value) => literal(stringify(value, { lineWidth: 0, blockQuote: false }).trimEnd())
