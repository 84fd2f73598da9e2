/**
 * Answers for functions of other modules that only look at the type of a value, by their names: `is-plain-object`,
 * `_.isString`, `kind-of`. A stand-in's answer would let values pass that the function refuses, or refuse all of
 * them. The text runs in the sandbox and in reproducers, so it must not refer to anything outside itself.
 */
export function createTypeChecks(): (path: string, args: any[]) => { value: any } | null {
  const isObject = (value: any): boolean => typeof value === 'object' && value !== null
  const isPlain = (value: any): boolean =>
    isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
  const checks: Record<string, (value: any) => boolean> = {
    object: (value) => isObject(value) && !Array.isArray(value),
    plainobject: isPlain,
    array: Array.isArray,
    function: (value) => typeof value === 'function',
    string: (value) => typeof value === 'string',
    number: (value) => typeof value === 'number',
    boolean: (value) => typeof value === 'boolean',
    primitive: (value) => !isObject(value) && typeof value !== 'function',
    extendable: (value) => isObject(value) || typeof value === 'function',
    date: (value) => value instanceof Date,
    regexp: (value) => value instanceof RegExp,
    undefined: (value) => value === undefined,
    null: (value) => value === null,
    nil: (value) => value === undefined || value === null
  }
  const others: Record<string, string> = {
    obj: 'object',
    plainobj: 'plainobject',
    fn: 'function',
    func: 'function'
  }
  const kindOf = (value: any): string =>
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : value instanceof Date || value instanceof RegExp
          ? value.constructor.name.toLowerCase()
          : typeof value

  return (path, args) => {
    if (args.length === 0) return null
    const name = path.split(/[./]/).at(-1)!.replace(/[-_]/g, '').toLowerCase()
    if (name === 'typeof') return { value: path.includes('babel') ? typeof args[0] : kindOf(args[0]) }
    if (name === 'kindof' || name === 'gettype') return { value: kindOf(args[0]) }
    const [, of = ''] = /^is(\w+)$/.exec(name) ?? []
    const type = Object.hasOwn(others, of) ? others[of]! : of
    return Object.hasOwn(checks, type) ? { value: checks[type]!(args[0]) } : null
  }
}
