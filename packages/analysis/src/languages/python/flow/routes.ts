import { textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'

/** What decorators say about a function that answers requests. */
export interface Route {
  /** The result of the function goes out as a page; FastAPI makes JSON of it. */
  readonly isPage: boolean
  /** Parameters that the framework makes numbers of. */
  readonly numbers: ReadonlySet<string>
  isInput(name: string, type: string, value: string): boolean
  /** Whether the parameter is one segment of the request path, in which no `/` can be. */
  isSegment(name: string): boolean
}

const decorated = /^@[\w.]*\.(route|get|post|put|patch|delete|api_route|websocket)\(/
const noInput = /^(?:Request|Response|Session|AsyncSession|BackgroundTasks|Depends|WebSocket)\b/

/** Flask fills the names in the address, FastAPI every parameter that depends on nothing. */
export function routeOf(decorators: readonly TreeNode[]): Route {
  const text = decorators.map(textOf).find((each) => decorated.test(each)) ?? ''
  if (text === '') return { isPage: false, numbers: new Set(), isInput: () => false, isSegment: () => false }
  const fromAddress = new Set(
    Array.from(
      text.matchAll(/<(?:(?:string|path|any):)?(\w+)>|\{(\w+)(?::path)?\}/g),
      (match) => match[1] ?? match[2]!
    )
  )
  const wholePaths = new Set(
    Array.from(text.matchAll(/<path:(\w+)>|\{(\w+):path\}/g), (match) => match[1] ?? match[2]!)
  )
  const numbers = new Set(Array.from(text.matchAll(/<(?:int|float|uuid):(\w+)>/g), (match) => match[1]!))
  const isFlask = decorated.exec(text)![1] === 'route' || /<\w/.test(text)
  return {
    isPage: isFlask,
    numbers,
    isInput: (name, type, value) =>
      fromAddress.has(name) ||
      (!isFlask &&
        type !== '' &&
        !noInput.test(type) &&
        !/^(?:Annotated\[.*)?(?:Depends|Security)\(/.test(value) &&
        !/Depends\(/.test(type)),
    // WSGI and ASGI servers decode the path before it is matched, so `%2F` ends a segment as well.
    isSegment: (name) => fromAddress.has(name) && !wholePaths.has(name)
  }
}
