import ts from 'typescript'
import { toPlain, type PlainShape } from '../run/shape.js'
import { declaredValues, isSimple } from './declared-values.js'
import { inQuery, methodsIn, queryFields, targetsIn } from './request-text.js'
import type { Entry } from './trace.js'
import type { ModuleText } from './module-text.js'

export interface Place {
  name: string
  /** Whether a client of the service chooses this value. */
  isClients: boolean
  /** Whether it is the request's path, which begins with a slash. */
  isTarget: boolean
  /** A slot that is no text gets only values of its type. */
  type: 'text' | 'list' | 'number' | 'flag' | 'whole'
  /** Whether nothing says that it is no string. */
  mayBeText?: boolean
  /** Other values that the code's use of it allows. */
  others: readonly string[]
  /** Other values that its declared type allows. */
  declared: readonly string[]
  /** Whether its declared type has several kinds of values. */
  isMixed?: boolean
  /** Its value where nothing fills it. */
  usual: string
}

/** The arguments of a call as a text with slots for inputs. */
export interface Arguments {
  /** `values` fills slots by number; the others get an ordinary value. */
  render: (values: ReadonlyMap<number, string>) => string
  places: readonly Place[]
  /** Whether all parameters have simple declared types. */
  isDeclared: boolean
  /** Whether the declared type of a parameter has only certain values. */
  isClosed: boolean
}

/** Parts of a request that the server sets itself, or has checked. */
const serverNames =
  /^(?:user|session|socket|connection|ip|ips|method|app|res|route|baseUrl|protocol|secure|httpVersion|file|files|log|logger|auth|account|tenant|locals|id|server)$/
const targetNames = /^(?:url|originalUrl|path)$/
/** A part of an argument that is a request. */
const requestNames = /^(?:req|request)$/
const clientNames = /^_?(?:req|request|ctx|context|event)$/
/** Request methods that return a string from the client. */
const textGetters = /^(?:get|header|param|text)$/
/** What callers pass where nothing is known of a parameter. */
export const anything = ['["x", "y"]', '{ x: ["y"] }']
const numbers = ['0', '-1', '3']
/** Names of what the code reads as an address. */
const addressNames = /^(?:url|uri|href|endpoint|origin)$|U(?:rl|ri)$/
/** What a client sends that the code takes for an address. */
const addresses = ['"/x"', '"https://x.example/"']
const MAX_PLACES = 12
const MAX_DEPTH = 4

/** A part of an argument. */
interface Part {
  shape: PlainShape
  name: string
  isClients: boolean
  depth: number
  /** The names of the objects that it is a part of, each with a dot. */
  owner: string
}

type Rendered = (values: ReadonlyMap<number, string>) => string

/** The parameters of an entry point, filled according to the code's use of them. */
export function argumentsOf({ source: text, isHandler }: Entry, module: ModuleText): Arguments {
  const node = functionWith(text, module.source)
  const places: Place[] = []

  function place(name: string, isClients: boolean, isTarget: boolean, usual: string): Rendered {
    return slot({ name, isClients, isTarget, type: 'text' }, () => usual)
  }

  function slot(
    added: Omit<Place, 'usual' | 'others' | 'declared'>,
    usual: Rendered,
    others: readonly string[] = [],
    declared: readonly string[] = []
  ): Rendered {
    if (places.filter(({ type }) => type === added.type).length >= MAX_PLACES) return usual
    const number = places.push({ ...added, others, declared, usual: usual(new Map()) }) - 1
    return (values) => values.get(number) ?? usual(values)
  }

  function valueOf(shape: PlainShape, name: string, isClients: boolean, depth: number, owner = ''): Rendered {
    const usual = usualOf({ shape, name, isClients, depth, owner })
    if (shape.isAwaited === true && !isClients) {
      const rejected = 'Promise.reject(new Error("failed"))'
      const kept: Rendered = (values) => `Promise.resolve(${usual(values)})`
      return slot({ name, isClients, isTarget: false, type: 'whole' }, kept, [], [rejected])
    }
    // A client need not send a header.
    const isHeader = isClients && owner.endsWith('headers.') && !shape.kinds.includes('function')
    const declared = isHeader ? ['undefined'] : isClients ? [] : declaredValues(shape, usual(new Map()))
    if (declared.length === 0) return usual
    const isMixed = shape.kinds.length > 1
    return slot({ name, isClients, isTarget: false, type: 'whole', isMixed }, usual, [], declared)
  }

  function usualOf(part: Part): Rendered {
    const { shape, name, isClients, depth, owner } = part
    const { kinds } = shape
    // Every value has these.
    const props = Object.fromEntries(
      Object.entries(shape.props ?? {}).filter(([key]) => !(key in Object.prototype))
    )
    const isOnly = (kind: PlainShape['kinds'][number]): boolean => kinds.length === 1 && kinds[0] === kind
    if (isOnly('regexp') && shape.isGuess !== true) return () => '/x/'
    if (kinds.includes('function')) return functionOf(part)
    const isList = kinds.includes('array') && shape.isGuess !== true
    const isOfMethods =
      kinds.length === 1 && Object.values(props).every((prop) => prop.kinds.join() === 'function')
    // Of an object of the caller, the code may call other methods elsewhere.
    if (isOfMethods && Object.keys(props).length > 0 && !isClients && depth > 0) {
      return () => `standIn(${JSON.stringify(owner + name)})`
    }
    if (Object.keys(props).length > 0 && depth < MAX_DEPTH && !isList) {
      const parts = Object.entries(props).map(
        ([key, prop]) =>
          [
            key,
            valueOf(
              prop,
              key,
              isClients || (depth === 0 && requestNames.test(key)),
              depth + 1,
              name === '' ? owner : `${owner}${name}.`
            )
          ] as const
      )
      return (values) => `{ ${parts.map(([key, value]) => `${keyText(key)}: ${value(values)}`).join(', ')} }`
    }
    if (kinds.includes('array') && depth < MAX_DEPTH) {
      const element = valueOf(shape.element ?? { kinds: [], isGuess: true }, name, isClients, depth + 1)
      const mayBeText = shape.isGuess === true && depth === 0
      const two = `[${element(new Map())}, ${element(new Map())}]`
      return slot(
        { name, isClients, isTarget: false, type: 'list', mayBeText },
        (values) => `[${element(values)}]`,
        [two]
      )
    }
    if (isOnly('dict') && depth < MAX_DEPTH) {
      const key = place(`${name} key`, isClients, false, '"x"')
      const element = valueOf(shape.element ?? { kinds: [], isGuess: true }, name, isClients, depth + 1)
      return (values) =>
        key(values) === '"x"' ? `{ x: ${element(values)} }` : `{ [${key(values)}]: ${element(values)} }`
    }
    if (isOnly('boolean')) return slot({ name, isClients, isTarget: false, type: 'flag' }, () => 'true')
    if (isOnly('number') && shape.isGuess !== true) {
      const one = JSON.stringify(shape.isExact === true ? (shape.values?.[0] ?? 1) : 1)
      return slot({ name, isClients, isTarget: false, type: 'number' }, () => one)
    }
    if (isOnly('object') && shape.isGuess !== true) return () => '{}'
    const isTarget = isClients && depth === 1 && targetNames.test(name)
    const others = isOnly('number') ? numbers : isClients ? addresses : kinds.length === 0 ? anything : []
    if (isTarget && name !== 'path') return targetOf(name)
    const [literal] = shape.isExact === true ? (shape.values ?? []) : []
    const isAddress = !isClients && addressNames.test(name) && module.js.includes('new URL(')
    const text = isTarget ? '"/x"' : isAddress ? '"https://x.example/"' : '"x"'
    if (isOnly('bigint')) return () => '1n'
    const isNumber =
      isOnly('number') || (shape.isGuess !== true && kinds.includes('number') && !kinds.includes('string'))
    const usual = literal !== undefined ? JSON.stringify(literal) : isNumber ? '1' : text
    const isText = isClients || shape.isGuess === true || kinds.length === 0 || kinds.includes('string')
    // A declared type without other strings gets none.
    if (!isText || (!isClients && shape.isExact === true)) return () => usual
    return slot({ name, isClients, isTarget, type: 'text' }, () => usual, others)
  }

  /** The address of a request, with the fields that the code reads from its query. */
  function targetOf(name: string): Rendered {
    // Requests of `fetch` have a whole address.
    const isWhole = /new URL\(\s*[\w$.]+\.url\s*\)/.test(module.js)
    const [first = '/x'] = targetsIn(module.js)
    const target = place(name, true, true, JSON.stringify(isWhole ? `https://x.example${first}` : first))
    const fields = queryFields(module.js).map(
      (field) =>
        [
          field,
          slot({ name: field, isClients: true, isTarget: false, type: 'text' }, () => '"x"', addresses)
        ] as const
    )
    return (values) => {
      const query = fields.map(([field, value]) => `${field}=${inQuery(value(values))}`).join('&')
      return query === ''
        ? target(values)
        : `${target(values)} + "?${query}"`.replace('" + "', '').replace(/ \+ ""/g, '')
    }
  }

  /** A parameter that may be left out, or that the code also takes as a list, has these values, too. */
  function wholeOf(shape: PlainShape, parameter: ts.ParameterDeclaration | undefined): Rendered {
    const name = nameOf(parameter)
    const usual = valueOf(shape, name, false, 0)
    const isObject = Object.keys(shape.props ?? {}).length > 0 && !shape.kinds.includes('array')
    const others = [
      ...(parameter?.initializer === undefined ? [] : ['undefined']),
      ...(isObject && shape.isGuess === true && module.js.includes('Array.isArray(') ? ['["x", "y"]'] : [])
    ]
    if (others.length === 0) return usual
    return slot({ name, isClients: false, isTarget: false, type: 'whole' }, usual, others)
  }

  function functionOf({ shape, name, isClients, depth, owner }: Part): Rendered {
    if (!isClients || depth === 0) return () => `standIn(${JSON.stringify(owner + (name || 'callback'))})`
    if (textGetters.test(name)) {
      const text = place(name, true, false, '"x"')
      return (values) => `() => ${text(values)}`
    }
    // Koa's context refuses a request by these.
    if (name === 'throw') return () => "() => { throw new Error('refused') }"
    if (name === 'assert') return () => "(holds) => { if (!holds) throw new Error('refused') }"
    if (name !== 'json') return () => `standIn(${JSON.stringify(name)})`
    const body = valueOf(shape.result ?? { kinds: [], isGuess: true }, 'body', true, depth + 1)
    return (values) => `async () => (${body(values)})`
  }

  const own = node?.parameters ?? []
  const isOpen = own.length === 0 && /\barguments\b/.test(text)
  const shapes: PlainShape[] = isOpen ? [1, 2, 3].map(() => ({ kinds: [], isGuess: true as const })) : []
  if (node !== undefined) {
    shapes.push(...module.shapes.paramsOf(node).map((shape, index) => toPlain(shape, nameOf(own[index]))))
  }
  const isContext = nameOf(own[0]) === 'c' && /\bc\.req\b/.test(module.js)
  const isRequest = isHandler || isContext || clientNames.test(nameOf(own[0]))
  const rendered = shapes.map((shape, index): Rendered => {
    if (!isRequest) {
      const value = wholeOf(shape, own[index])
      return own[index]?.dotDotDotToken === undefined ? value : (values) => `...${value(values)}`
    }
    if (index > 0) {
      const name = nameOf(own[index]) || 'next'
      const usual = (): string => `standIn(${JSON.stringify(name)})`
      if (own[index]?.initializer === undefined) return usual
      return slot({ name, isClients: false, isTarget: false, type: 'whole' }, usual, ['undefined'])
    }
    const props = Object.entries(shape.props ?? {})
    const ofConnection = ['connection', 'socket'].filter(
      (name) => module.js.includes(`.${name}.`) && !props.some(([known]) => known === name)
    )
    const ofClient = Object.fromEntries(props.filter(([name]) => !serverNames.test(name)))
    const ofServer = [
      ...props.map(([name]) => name).filter((name) => serverNames.test(name)),
      ...ofConnection
    ].map((name): Rendered => {
      if (name !== 'method') return () => `${name}: standIn("req.${name}")`
      const [usual = 'GET', ...others] = shape.props?.['method']?.values ?? []
      const methods = [...others, ...methodsIn(module.js), 'POST'].map((each) => JSON.stringify(each))
      const method = { name, isClients: true, isTarget: false, type: 'whole' } as const
      const rendered = slot(method, () => JSON.stringify(usual), [...new Set(methods)])
      return (values) => `method: ${rendered(values)}`
    })
    const rendered = valueOf({ ...shape, kinds: ['object'], props: ofClient }, 'req', true, 0)
    const serversPart = (values: ReadonlyMap<number, string>): string[] =>
      ofServer.map((each) => each(values))
    return Object.keys(ofClient).length > 0
      ? (values) =>
          rendered(values).replace(
            /^\{ /,
            `{ ${serversPart(values)
              .map((each) => `${each}, `)
              .join('')}`
          )
      : (values) => `{ ${serversPart(values).join(', ')} }`
  })
  return {
    places,
    isDeclared: shapes.length > 0 && shapes.every(isSimple),
    isClosed: shapes.some(({ isExact }) => isExact === true),
    render: (values) => rendered.map((each) => each(values)).join(', ')
  }
}

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key))

const nameOf = (parameter: ts.ParameterDeclaration | undefined): string =>
  parameter !== undefined && ts.isIdentifier(parameter.name) ? parameter.name.text : ''

/** The function in the code with this text; for a class its constructor. */
export function functionWith(text: string, source: ts.SourceFile): ts.SignatureDeclaration | undefined {
  const start = source.text.indexOf(text)
  let found: ts.SignatureDeclaration | undefined
  const visit = (node: ts.Node): void => {
    if (found !== undefined || node.end < start || node.pos > start + text.length) return
    if (ts.isFunctionLike(node) && node.getText(source).endsWith(text)) found = node
    else if (ts.isClassLike(node) && node.getText(source).endsWith(text)) {
      found = node.members.find((member) => ts.isConstructorDeclaration(member))
    } else ts.forEachChild(node, visit)
  }
  if (start !== -1) visit(source)
  return found
}
