import { calleeOf } from '../names.js'
import { child, children, isType, type ScriptNode } from '../nodes.js'
import type { Parameter } from '../../../flow/form.js'
import type { Lowering } from '../../../flow/lower/lowering.js'
import { declareAll } from '../../../flow/values.js'

/** Calls that register handlers of requests. */
export const routeMethods =
  /(?:^|\.)(?:app|router|server|fastify|api|routes?|\w*Router|\w*App)(?:\.route\(\))?\.(?:get|post|put|patch|delete|all|use|head|options)$/

/** Handlers of errors take the error first. */
export function handlerPaths(node: ScriptNode): string[] {
  return children(node, 'params').length === 4 ? ['', 'req', 'res'] : ['req', 'res']
}

/** `exports.handler = async (event) => …`: AWS Lambda calls it with what a client sent. */
export function lambdaPaths(node: ScriptNode): string[] {
  const [event, context] = children(node, 'params').map((each) => String(each.name))
  if (event !== 'event') return []
  const owner = node.parent
  const name = String(
    child(node, 'id')?.name ??
      child(child(owner, 'left'), 'property')?.name ??
      child(owner, 'id')?.name ??
      child(owner, 'key')?.name
  )
  return /^(?:handler|lambdaHandler)$/.test(name) || /^_?(?:context|ctx)$/.test(context ?? '')
    ? ['lambda']
    : []
}

/** Decorators of Nest by which a parameter is filled from a request. */
const inputDecorators = /^(?:Query|Param|Body|Headers|RawBody|UploadedFile|UploadedFiles)$/

export function parameter(node: ScriptNode, path: string, lower: Lowering<ScriptNode>): Parameter {
  const plain = isType(node, 'TSParameterProperty') ? child(node, 'parameter')! : node
  const declared = isType(plain, 'AssignmentPattern')
    ? child(plain, 'left')
    : isType(plain, 'RestElement')
      ? child(plain, 'argument')
      : plain
  const type = child(child(declared, 'typeAnnotation'), 'typeAnnotation')
  const typeName = String(
    child(type, 'typeName')?.name ?? child(child(type, 'typeName'), 'right')?.name ?? ''
  )
  const isInput = children(node, 'decorators').some((each) => {
    const decorator = child(each, 'expression')
    return inputDecorators.test(
      isType(decorator, 'CallExpression') ? calleeOf(decorator) : String(decorator?.name)
    )
  })
  const isNumber =
    isType(type, 'TSNumberKeyword', 'TSBooleanKeyword', 'TSBigIntKeyword') ||
    /^(?:number|Date)$/.test(typeName)
  const typed = /^(?:Next(?:Api)?|Fastify|Express|Incoming|Api)?(?:Http)?Request$|^IncomingMessage$/.test(
    typeName
  )
    ? 'req'
    : isNumber
      ? 'number'
      : ''
  return {
    target: declareAll(lower.target(declared)),
    path: typed === '' ? path.replace('lambda', 'event') : typed,
    isInput: (isInput && !isNumber) || path === 'lambda',
    // What else starts the function, such as a queue, the code does not show.
    likely: path === 'lambda' ? 'all' : []
  }
}
