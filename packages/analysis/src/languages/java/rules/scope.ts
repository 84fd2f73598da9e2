import { ancestor, kindOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { countsIn, namesIn } from '../../../tree/scope.js'
import type { TreeNode } from '../../../tree/tree.js'

export const methods = ['method_declaration', 'constructor_declaration', 'lambda_expression', 'class_body']

export const inLoop = remember((node: TreeNode) =>
  ancestor(node, ['for_statement', 'enhanced_for_statement', 'while_statement', 'do_statement'], methods)
)

const strings = /\bString\s+(\w+)\b/g

export const notSelected = /(?<![\w.])\w+/g

/** Names that a method gives away or closes itself, statement by statement. */
function released(text: string): ReadonlySet<string> {
  const passed = text.split(';').flatMap((statement) => {
    const at = statement.search(/return|new \w/)
    return at === -1 ? [] : [...namesIn(statement.slice(at), /\((\w+)\b/g)]
  })
  const last = text.indexOf('finally')
  return new Set([
    ...passed,
    ...namesIn(text, /return (\w+)\s*(?:;|\.onClose\()/g),
    ...namesIn(text, /try\s*\(\s*(\w+)/g),
    ...namesIn(text, /\bthis\.\w+\s*=\s*(\w+)\s*;/g),
    ...(last === -1 ? [] : namesIn(text.slice(last), /\b(\w+)\.close/g))
  ])
}

/** Names declared as boxed numbers and as nothing else. */
function boxedIn(text: string): ReadonlySet<string> {
  const declarations = [...text.matchAll(/\b(\w+)\s+(\w+)\s*[=,;:)]/g)].filter(
    ([, type]) => type !== 'return'
  )
  // `Integer a = 1, b = 2;` declares two.
  const listed = Array.from(
    text.matchAll(/\b(?:Integer|Long|Short|Byte|Double|Float|Character)\s+\w+[^;(){},]*,([^;(){}]*);/g),
    ([, rest = '']) => [...namesIn(`,${rest}`, /,\s*(\w+)/g)]
  ).flat()
  const isBoxed = (type = ''): boolean => /^(?:Integer|Long|Short|Byte|Double|Float|Character)$/.test(type)
  const others = new Set(declarations.filter(([, type]) => !isBoxed(type)).map(([, , name = '']) => name))
  const boxed = declarations.filter(([, type]) => isBoxed(type)).map(([, , name = '']) => name)
  return new Set([...boxed, ...listed].filter((name) => !others.has(name)))
}

/** What a method says about the names in it, read once for all of them. */
const factsOf = remember((scope: TreeNode) => {
  const text = scope.text()
  return {
    strings: namesIn(text, strings),
    declared: namesIn(text, /\w[>\]]?\s+(\w+)\s*[,)=;:]/g),
    texts: namesIn(text, /\b(?:String|var) (\w+)\s*=\s*(?:"|String)/g),
    lists: namesIn(text, /\b(?:Array|Linked)?List<\w+> (\w+)\b/g),
    optionals: namesIn(text, /\bOptional<(?:[^<>;]|<[^<>;]*>)*>\s+(\w+)/g),
    asked: namesIn(text, /\b(\w+)\.is(?:Present|Empty)\(/g),
    threads: namesIn(text, /Thread (\w+)\s*=/g),
    boxed: boxedIn(text),
    released: released(text),
    words: countsIn(text, notSelected)
  }
})

export const scopeOf = remember((node: TreeNode) => {
  const scope = ancestor(node, ['method_declaration', 'constructor_declaration'])
  return scope === null ? null : factsOf(scope)
})

const fieldsOf = remember((body: TreeNode) => {
  const fields = named(body).filter((each) => kindOf(each) === 'field_declaration')
  return {
    names: new Set(fields.map((each) => textOf(each.field('declarator')?.field('name')))),
    strings: namesIn(fields.map(textOf).join('\n'), strings)
  }
})

/** The fields of the class around a node. */
export function fieldsAround(node: TreeNode): ReturnType<typeof fieldsOf> | null {
  const body = ancestor(node, ['class_body'])
  return body === null ? null : fieldsOf(body)
}
