import { isCatastrophicRegex } from '../../text/regex-danger.js'
import { ancestor, below, hasText, isString, kindOf, literalOf, named, remember, textOf, unreachableAfter } from '../../tree/nodes.js'
import type { TreeNode } from '../../tree/tree.js'
import { neverUsed, treeRulesOf, words } from '../tree-rules.js'
import { args, method, receiver } from './security.js'

const performance = treeRulesOf('java', 'java', 'performance')
const bug = treeRulesOf('java', 'java', 'bugs')
const style = treeRulesOf('java', 'java', 'style')

const methods = ['method_declaration', 'constructor_declaration', 'lambda_expression', 'class_body']
const inLoop = remember((node) => ancestor(node, ['for_statement', 'enhanced_for_statement', 'while_statement', 'do_statement'], methods))

/** Source literals double their backslashes. */
function patternOf (node: TreeNode | null): string {
  return literalOf(node).replace(/\\\\/g, '\\')
}

const scopeText = remember((node) => textOf(ancestor(node, ['method_declaration', 'constructor_declaration'])))

/** A name declared as String in the method or the class around it, or a call that gives a text. */
function isText (node: TreeNode | null): boolean {
  if (node === null) return false
  if (kindOf(node) === 'method_invocation') return /^(?:toString|trim|strip|substring|toLowerCase|toUpperCase|getName|concat|replace)$/.test(method(node))
  if (!/^(?:this\.)?\w+$/.test(node.text())) return false
  const declaration = new RegExp(`\\bString\\s+${node.text().replace('this.', '')}\\b`)
  return declaration.test(scopeText(node)) || (!new RegExp(`\\w[>\\]]?\\s+${node.text()}\\s*[,)=;:]`).test(scopeText(node)) && declaration.test(fieldsText(node)))
}

/** The fields of the class around a node. */
function fieldsText (node: TreeNode): string {
  return named(ancestor(node, ['class_body'])).filter((each) => kindOf(each) === 'field_declaration').map(textOf).join('\n')
}

function isBoxed (name: string, scope: string): boolean {
  const types = [...scope.matchAll(new RegExp(`\\b(\\w+)\\s+${name}\\s*[=,;:)]`, 'g'))].map((match) => match[1]!).filter((type) => type !== 'return')
  return types.length > 0 && types.every((type) => /^(?:Integer|Long|Short|Byte|Double|Float|Character)$/.test(type))
}

function count (text: string, name: string): number {
  return text.match(new RegExp(`(?<![\\w.])${name}\\b`, 'g'))?.length ?? 0
}

export const javaPerformanceRules = [
  performance('string-building-in-loop', 'warning', { ...words.stringLoop, suggestion: 'Use a StringBuilder.' }, 'assignment_expression', (node) => {
    if (inLoop(node) === null) return false
    const name = textOf(node.field('left'))
    const grows = textOf(node.field('operator')) === '+=' || textOf(node.field('right')).startsWith(`${name} + `)
    return grows && /^\w+$/.test(name) && new RegExp(`\\b(?:String|var) ${name}\\s*=\\s*(?:"|String)`).test(scopeText(node)) && !new RegExp(`String ${name}\\b`).test(textOf(inLoop(node)))
  }),
  performance('query-in-loop', 'warning', words.queryLoop, 'method_invocation', (node) => inLoop(node) !== null && kindOf(inLoop(node)) !== 'while_statement' &&
    ((/^(?:findById|findOne|getOne|findBy\w+|queryForObject|queryForList|executeQuery|getReferenceById)$/.test(method(node)) && /repo|dao|template|statement|stmt|mapper|entityManager|^em$/i.test(receiver(node))) || (method(node) === 'find' && /^(?:em|entityManager|session)$/.test(receiver(node))))),
  performance('regex-in-loop', 'info', words.regexLoop, 'method_invocation', (node) => inLoop(node) !== null && ((receiver(node) === 'Pattern' && method(node) === 'compile' && isString(args(node)[0] ?? null)) || (/^(?:matches|replaceAll)$/.test(method(node)) && /[\\[*+?]/.test(literalOf(args(node)[0] ?? null))))),
  performance('catastrophic-regex', 'warning', words.regex, 'method_invocation', (node) => /^(?:compile|matches|replaceAll|replaceFirst|split)$/.test(method(node)) && isString(args(node)[0] ?? null) && isCatastrophicRegex(`${patternOf(args(node)[0] ?? null)}$`)),
  performance('boxed-constructor', 'info', { sentence: 'A new object is made for a value that could be shared.', suggestion: 'Use valueOf, or the literal.' }, 'object_creation_expression', (node) => /^(?:Integer|Long|Double|Float|Boolean|Short|Byte|Character)$/.test(textOf(node.field('type'))) || (textOf(node.field('type')) === 'String' && isString(args(node)[0] ?? null))),
  performance('key-set-lookup', 'info', { sentence: 'Every value is looked up although the map can give both.', suggestion: 'Walk over entrySet.' }, 'enhanced_for_statement', (node) => {
    const match = /^([\w.]+)\.keySet\(\)$/.exec(textOf(node.field('value')))
    return match !== null && textOf(node.field('body')).includes(`${match[1]}.get(${textOf(node.field('name'))})`)
  }),
  performance('size-check', 'info', { sentence: 'The size is computed only to learn whether there is anything.', suggestion: 'Use isEmpty.' }, 'binary_expression', (node) => /\.(?:size|length)\(\)\s*(?:==|>|!=)\s*0$/.test(node.text())),
  performance('list-contains-in-loop', 'info', { sentence: 'A list is searched from its start for every element of another one.', suggestion: 'Put the list into a HashSet once and look elements up there.' }, 'method_invocation', (node) => {
    const name = receiver(node)
    return method(node) === 'contains' && inLoop(node) !== null && /^\w+$/.test(name) && new RegExp(`\\b(?:Array|Linked)?List<\\w+> ${name}\\b`).test(scopeText(node))
  })
]

export const javaBugRules = [
  bug('swallowed-error', 'warning', words.swallowed, 'catch_clause', (node) => named(node.field('body')).length === 0 && !/^ignored?$|^expected$/.test(textOf(below(node, 'catch_formal_parameter')[0]?.field('name') ?? null))),
  bug('string-identity', 'error', { sentence: '== compares the identity of texts, not their characters.', suggestion: 'Use equals.' }, 'binary_expression', (node) => /^[!=]=$/.test(textOf(node.field('operator'))) && (
    [node.field('left'), node.field('right')].some(isString) || [node.field('left'), node.field('right')].every((side) => isText(side)))),
  bug('boxed-identity', 'error', { sentence: '== compares the identity of boxed numbers, which differs for equal ones above 127.', suggestion: 'Use equals, or primitive types.' }, 'binary_expression', (node) => /^[!=]=$/.test(textOf(node.field('operator'))) &&
    [node.field('left'), node.field('right')].every((side) => kindOf(side) === 'identifier' && isBoxed(textOf(side), scopeText(side!)))),
  bug('remove-in-loop', 'error', { sentence: 'The list is changed while the loop walks over it, which throws.', suggestion: 'Use removeIf, or an iterator and its remove.' }, 'enhanced_for_statement', (node, tree) => {
    const name = textOf(node.field('value'))
    const body = node.field('body')
    if (!/^\w+$/.test(name) || body === null || !new RegExp(`\\b(?:(?:Array|Linked)?List|(?:Linked)?(?:Hash)?Set|TreeSet|Collection)<[^;=()]*>\\s+${name}\\b`).test(tree.source.text)) return false
    if (new RegExp(`\\b${name}\\s*=\\s*new (?:CopyOnWrite|Concurrent)`).test(tree.source.text)) return false
    const removal = below(body, 'method_invocation').find((call) => method(call) === 'remove' && receiver(call) === name && ancestor(call, methods, ['enhanced_for_statement']) === null)
    // What leaves the loop afterwards is safe.
    return removal !== undefined && !/\b(?:break|return|throw)\b/.test(body.text().slice(removal.range().start.index - body.range().start.index)) ? removal : false
  }, { only: /\.remove\(/ }),
  bug('unreachable', 'warning', words.unreachable, ['return_statement', 'throw_statement', 'break_statement', 'continue_statement'], (node) => kindOf(node.parent()) === 'block' ? unreachableAfter(node, /^$/) : false),
  bug('off-by-one', 'error', words.offByOne, 'for_statement', (node) => {
    const match = /^(\w+)\s*<=\s*([\w.]+?)\.(?:length(?:\(\))?|size\(\))$/.exec(textOf(node.field('condition')))
    const body = textOf(node.field('body'))
    return match !== null && [`${match[2]}[${match[1]}]`, `${match[2]}.get(${match[1]})`, `${match[2]}.charAt(${match[1]})`].some((access) => body.includes(access))
  }),
  bug('resource-leak', 'warning', { ...words.leak, suggestion: 'Open it in a try-with-resources statement.' }, 'local_variable_declaration', (node) => {
    const declarator = node.field('declarator')
    const value = textOf(declarator?.field('value') ?? null)
    const name = textOf(declarator?.field('name') ?? null)
    const opens = /^new (?:File(?:Input|Output)Stream|FileReader|FileWriter|BufferedReader|BufferedWriter|PrintWriter|Scanner|Socket|ServerSocket|RandomAccessFile|ZipFile|JarFile|ObjectInputStream|ObjectOutputStream|BufferedInputStream|BufferedOutputStream|InputStreamReader|OutputStreamWriter|DataInputStream|DataOutputStream|GZIPInputStream|GZIPOutputStream|PrintStream)\(|^Files\.(?:newInputStream|newOutputStream|newBufferedReader|newBufferedWriter|lines|list|walk|newDirectoryStream)\(|^\w+\.(?:openStream|getInputStream|getOutputStream)\(|^(?:DriverManager|dataSource)\.getConnection\(|^\w*[cC]onn\w*\.(?:prepareStatement|createStatement)\(/.test(value)
    const scope = scopeText(node)
    return opens && !/System\.in/.test(value) && !new RegExp(`return ${name}\\s*;|(?:return|new \\w+)[^;]*\\(${name}\\b|finally[\\s\\S]*\\b${name}\\.close|try\\s*\\(\\s*${name}`).test(scope)
  }),
  bug('equals-without-hash-code', 'warning', { sentence: 'equals is defined and hashCode is not, so hash maps lose such objects.', suggestion: 'Define hashCode over the same fields.' }, 'class_body', (node) => {
    const names = named(node).filter((each) => kindOf(each) === 'method_declaration').map((each) => `${textOf(each.field('name'))}${textOf(each.field('parameters')).replace(/\s+\w+\)$/, ')')}`)
    return names.includes('equals(Object)') && !names.includes('hashCode()') ? named(node).find((each) => kindOf(each) === 'method_declaration' && textOf(each.field('name')) === 'equals')!.field('name') : false
  }),
  bug('return-in-finally', 'error', { sentence: 'Leaving a finally block drops the error or the result of the try block.', suggestion: 'Do not return or throw inside finally.' }, 'finally_clause', (node) => below(node, 'return_statement')[0] ?? false),
  bug('optional-get', 'warning', { sentence: 'get throws when the Optional is empty.', suggestion: 'Use orElseThrow, orElse or ifPresent.' }, 'method_invocation', (node) => {
    if (method(node) !== 'get' || args(node).length > 0) return false
    const name = receiver(node)
    return /\.(?:findFirst|findAny|findById|max|min)\(.*\)$/s.test(name) || (/^\w+$/.test(name) && new RegExp(`Optional<[^=;]*> ${name}\\b`).test(scopeText(node)) && !new RegExp(`${name}\\.is(?:Present|Empty)\\(`).test(scopeText(node)))
  }),
  bug('ignored-result', 'warning', { sentence: 'Texts never change: the result of this call is lost.', suggestion: 'Assign the result.' }, 'expression_statement', (node) => {
    const call = named(node)[0]
    return call !== undefined && kindOf(call) === 'method_invocation' && /^(?:trim|replace|replaceAll|toUpperCase|toLowerCase|substring|concat|strip)$/.test(method(call)) && /^\w+$/.test(receiver(call)) && !/builder|buffer|^sb$/i.test(receiver(call))
  }),
  bug('thread-run', 'error', { sentence: 'run works in the current thread; no new one starts.', suggestion: 'Call start.' }, 'method_invocation', (node) => method(node) === 'run' && (/^new Thread\(/.test(receiver(node)) || new RegExp(`Thread ${receiver(node).replace(/\W/g, '.')}\\s*=`).test(scopeText(node)))),
  bug('shared-date-format', 'warning', { sentence: 'SimpleDateFormat is not safe to share between threads.', suggestion: 'Use DateTimeFormatter.' }, 'field_declaration', (node) => /\bstatic\b/.test(node.text()) && /\bSimpleDateFormat\b/.test(textOf(node.field('type')))),
  bug('mutable-static', 'warning', { sentence: 'Anyone can change this static field.', suggestion: 'Make it final or private.' }, 'field_declaration', (node) => /^public static (?!final)/.test(node.text())),
  bug('decimal-from-double', 'warning', { sentence: 'The double is already inexact before it becomes a BigDecimal.', suggestion: 'Pass the number as text.' }, 'object_creation_expression', (node) => textOf(node.field('type')) === 'BigDecimal' && kindOf(args(node)[0] ?? null) === 'decimal_floating_point_literal'),
  bug('fallthrough', 'warning', { sentence: 'A case runs on into the next one.', suggestion: 'End the case with break or return, or use arrows.' }, 'switch_block_statement_group', (node) => {
    const statements = named(node).filter((each) => kindOf(each) !== 'switch_label')
    const last = statements.at(-1)
    return last !== undefined && node.next() !== null && kindOf(node.next()) === 'switch_block_statement_group' && !/\b(?:break|return|throw|continue|yield)\b[^;]*;\s*\}?\s*$/.test(last.text()) ? last : false
  }),
  bug('self-compare', 'error', words.selfCompare, ['binary_expression', 'assignment_expression'], (node) => /^(?:==|!=|<|>|<=|>=|=)$/.test(textOf(node.field('operator'))) && /^\w+$/.test(textOf(node.field('left'))) && textOf(node.field('left')) === textOf(node.field('right'))),
  bug('unused-import', 'warning', words.unusedImport, 'import_declaration', (node, tree) => {
    if (/\*|\bstatic\b/.test(node.text())) return false
    const name = /(\w+)\s*;$/.exec(node.text())?.[1] ?? ''
    return name !== '' && count(tree.source.text.replace(/^import .*$/gm, ''), name) === 0
  }, neverUsed('imported', (node) => /(\w+)\s*;$/.exec(node.text())?.[1] ?? '')),
  bug('unused-variable', 'warning', words.unused, 'local_variable_declaration', (node) => {
    const name = textOf(node.field('declarator')?.field('name') ?? null)
    return name !== '' && kindOf(node.parent()) !== 'for_statement' && count(scopeText(node), name) === 1
  }, neverUsed('declared', (node) => textOf(node.field('declarator')?.field('name') ?? null))),
  bug('unused-field', 'info', words.unused, 'field_declaration', (node, tree) => {
    const name = textOf(node.field('declarator')?.field('name') ?? null)
    return /^private\b/.test(node.text()) && !/@|serialVersionUID/.test(node.text()) && tree.source.text.split(new RegExp(`\\b${name}\\b`)).length === 2 && !/@(?:Data|Getter|Value|Entity|Builder)\b/.test(tree.source.text)
  }, neverUsed('declared', (node) => textOf(node.field('declarator')?.field('name') ?? null))),
  bug('shadowed-field', 'info', { sentence: 'A local name hides a field.', suggestion: 'Give the local name another name.' }, 'local_variable_declaration', (node) => {
    const name = textOf(node.field('declarator')?.field('name') ?? null)
    const body = ancestor(node, ['class_body'])
    return body !== null && named(body).some((each) => kindOf(each) === 'field_declaration' && textOf(each.field('declarator')?.field('name') ?? null) === name)
  }),
  bug('catch-throwable', 'warning', { sentence: 'Catching Throwable also catches errors that nothing can handle.', suggestion: 'Catch the exceptions you expect.' }, 'catch_clause', (node) => hasText(below(node, 'catch_type')[0] ?? null, /^Throwable$/)),
  bug('print-stack-trace', 'info', { sentence: 'The error is printed and then forgotten.', suggestion: 'Log the error with its context, or let it pass.' }, 'catch_clause', (node) => /^\{\s*\w+\.printStackTrace\(\);\s*\}$/.test(textOf(node.field('body'))))
]

export const javaStyleRules = [
  style('class-name', 'info', { sentence: 'The name of a class starts with a small letter or has underscores.', suggestion: 'Use PascalCase for classes.' }, ['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'], (node) => /^[a-z]|_/.test(textOf(node.field('name')))),
  style('method-name', 'info', { sentence: 'The name of a method starts with a capital or has underscores.', suggestion: 'Use camelCase for methods.' }, 'method_declaration', (node) => /^[A-Z]|^[a-z]+_/.test(textOf(node.field('name'))) && !/@Test/.test(node.text())),
  style('constant-name', 'info', { sentence: 'A constant is not named in capitals.', suggestion: 'Use UPPER_CASE for constants.' }, 'field_declaration', (node) => /\bstatic final\b|\bfinal static\b/.test(node.text()) && /[a-z]/.test(textOf(node.field('declarator')?.field('name') ?? null)) && !/^(?:logger|log|serialVersionUID)$/i.test(textOf(node.field('declarator')?.field('name') ?? null)) && /^(?:int|long|double|float|boolean|String|char)$/.test(textOf(node.field('type')))),
  style('wildcard-import', 'info', { sentence: 'A wildcard import hides where names come from.', suggestion: 'Import the classes you use.' }, 'import_declaration', (node) => /\.\*;$/.test(node.text()) && !/static/.test(node.text())),
  style('missing-braces', 'info', { sentence: 'A branch on a line of its own has no braces.', suggestion: 'Put the branch into braces.' }, 'if_statement', (node) => {
    const body = node.field('consequence')
    return body !== null && kindOf(body) !== 'block' && body.range().start.line > node.range().start.line
  }),
  style('raw-type', 'info', { sentence: 'A collection is used without the type of its elements.', suggestion: 'Name the type of the elements.' }, 'local_variable_declaration', (node) => /^(?:List|Map|Set|ArrayList|HashMap|HashSet|Collection)$/.test(textOf(node.field('type')))),
  style('boolean-compare', 'info', words.booleanCompare, 'binary_expression', (node) => /^[!=]=$/.test(textOf(node.field('operator'))) && /^(?:true|false)$/.test(textOf(node.field('right')))),
  style('old-collection', 'info', { sentence: 'This class locks on every call and has long been replaced.', suggestion: 'Use ArrayList, HashMap, ArrayDeque or StringBuilder.' }, 'object_creation_expression', (node) => /^(?:Vector|Hashtable|Stack|StringBuffer)(?:<|$)/.test(textOf(node.field('type')))),
  style('else-after-return', 'info', words.elseReturn, 'if_statement', (node) => {
    const last = named(node.field('consequence')).at(-1)
    const alternative = node.field('alternative')
    return kindOf(last ?? null) === 'return_statement' && kindOf(alternative) === 'block' && kindOf(node.parent()) !== 'if_statement' ? alternative : false
  }),
  style('parameters', 'info', words.parameters, 'method_declaration', (node) => named(node.field('parameters')).length > 6)
]
