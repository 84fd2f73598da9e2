// The chart's values as they are collected: defaults with descriptions, and from them values.yaml and values.schema.json.
import { stringify } from 'yaml'

export class Values {
  /** @type {Array<{ key: string, about: string, fallback: unknown, schema: object | undefined }>} */
  #entries = []

  /**
   * @param {string} key with dots
   * @param {string} about
   * @param {unknown} fallback
   * @param {object} [schema] where the default does not say it
   */
  add(key, about, fallback, schema) {
    const known = this.#entries.find((entry) => entry.key === key)
    if (known === undefined) this.#entries.push({ key, about, fallback, schema })
    else if (JSON.stringify(known.fallback) !== JSON.stringify(fallback)) {
      throw new Error(`${key} has two defaults: ${JSON.stringify([known.fallback, fallback])}`)
    }
    return `.Values.${key}`
  }

  /** @param {string} head */
  yaml(head) {
    const lines = [head.trimEnd()]
    /** @type {string[]} */
    let open = []
    for (const { key, about, fallback } of this.#sorted()) {
      const path = key.split('.')
      const folders = path.slice(0, -1)
      let depth = 0
      while (depth < folders.length && folders[depth] === open[depth]) depth += 1
      if (depth === 0) lines.push('')
      for (const folder of folders.slice(depth)) lines.push(`${'  '.repeat(depth++)}${folder}:`)
      open = folders
      const text = stringify({ [path.at(-1) ?? '']: fallback }, { lineWidth: 0 }).trimEnd()
      for (const line of [`# ${about}`, ...text.split('\n')]) lines.push('  '.repeat(depth) + line)
    }
    return `${lines.join('\n')}\n`
  }

  schema() {
    const root = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Values of the chart filewright',
      ...closed(),
      properties: /** @type {Record<string, any>} */ ({ global: { type: 'object' } })
    }
    for (const { key, about, fallback, schema } of this.#sorted()) {
      const path = key.split('.')
      const last = path.pop() ?? ''
      /** @type {any} */
      let parent = root
      for (const folder of path) parent = parent.properties[folder] ??= { ...closed(), properties: {} }
      parent.properties[last] = { description: about, ...(schema ?? typeOf(fallback)) }
    }
    return `${JSON.stringify(root, null, 2)}\n`
  }

  /** What belongs to one part of the product stands together, in the order of the first mention. */
  #sorted() {
    /** @type {Map<string, any>} */
    const tree = new Map()
    for (const entry of this.#entries) {
      let node = tree
      const path = entry.key.split('.')
      const last = path.pop() ?? ''
      for (const folder of path) {
        if (!node.has(folder)) node.set(folder, new Map())
        node = node.get(folder)
      }
      node.set(last, entry)
    }
    return flatten(tree)
  }
}

/** Leaves before folders. @param {Map<string, any>} node @returns {any[]} */
function flatten(node) {
  const [folders, leaves] = [
    [...node.values()].filter((each) => each instanceof Map),
    [...node.values()].filter((each) => !(each instanceof Map))
  ]
  return [...leaves, ...folders.flatMap(flatten)]
}

const closed = () => ({ type: 'object', additionalProperties: false })

/** @param {unknown} value */
function typeOf(value) {
  if (Array.isArray(value)) return { type: 'array' }
  if (value === null) return {}
  if (Number.isInteger(value)) return { type: 'integer' }
  return { type: typeof value }
}
