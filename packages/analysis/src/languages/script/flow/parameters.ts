import { calleeOf, child, children, isType, type ScriptNode } from '../nodes.js'
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
    path: typed === '' ? path : typed,
    isInput: isInput && !isNumber
  }
}
