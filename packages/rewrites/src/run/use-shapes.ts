import type ts from 'typescript'
import { readExpression } from './shapes/expressions.js'
import { createNames, type Names } from './shapes/names.js'
import type { Reader } from './shapes/reader.js'
import { readBody, readClass, readStatement, readStatements } from './shapes/statements.js'
import { createTypeReader } from './typed-shapes.js'

export type CodeShapes = Pick<Names, 'paramsOf' | 'free' | 'modules'>

/** Reads the code once and gathers what each value is used as. */
export function readShapes(source: ts.SourceFile): CodeShapes {
  const typeOf = createTypeReader(source)
  const names = createNames(typeOf)
  const reader: Reader = {
    source,
    typeOf,
    names,
    classes: [],
    results: [],
    read: (node, scope) => readExpression(reader, node, scope),
    readStatement: (node, scope) => {
      readStatement(reader, node, scope)
    },
    readBody: (node, scope) => readBody(reader, node, scope),
    readClass: (node, scope) => {
      readClass(reader, node, scope)
    }
  }
  readStatements(reader, source.statements, [new Map()])
  return names
}
