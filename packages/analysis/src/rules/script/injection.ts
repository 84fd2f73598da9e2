import type { ScriptContext } from '../../script/context.js'
import { bare, calleeOf, child, children, closest, contains, dotted, functionTypes, isType, keyOf, lastName, propertyOf, quasiText, textOf, type ScriptNode } from '../../script/nodes.js'
import { looksLikeSql, quotesSql } from '../../text/sql-text.js'
import { isDynamicText, isFixed, pieces, rulesOf } from './shared.js'

const { visit, lint } = rulesOf('security')

const shellCalls = /^(?:exec|execSync|(?:child_process|cp|childProcess|shell|shelljs)\.(?:exec|execSync))$/
const spawnCalls = /^(?:spawn|spawnSync|execFile|execFileSync|(?:child_process|cp|childProcess)\.(?:spawn|spawnSync|execFile|execFileSync)|execa|execa\.command)$/
const sanitized = /(?:sanitize|purify|escape|encode)/i
const placeholders = /^(?:placeholders?|params?Sql|marks)$/i

export const injectionRules = [
  visit('sql-concatenation', 'error', {
    sentence: 'SQL is put together from strings, so a value can change the statement.',
    suggestion: 'Pass values as query parameters instead of building SQL from strings.'
  }, ':matches(TemplateLiteral, BinaryExpression[operator="+"])', (node) => {
    if (isType(node.parent, 'TaggedTemplateExpression')) return false
    if (isType(node.parent, 'BinaryExpression') && node.parent.operator === '+') return false
    const found = pieces(node)
    if (found === null) return false
    const text = found.texts.join('${}')
    return looksLikeSql(text) && found.dynamic.some((part) => !isFixed(part) && !isQuoted(part) && !placeholders.test(lastName(dotted(part))))
  }),
  visit('prototype-pollution', 'error', {
    sentence: 'A client chooses the name of the property that is written: `__proto__` would change every object.',
    suggestion: 'Use a Map, or accept only names from a list.'
  }, 'AssignmentExpression[left.type="MemberExpression"][left.computed=true]', (node, script) => {
    const key = bare(child(child(node, 'left'), 'property'))
    const target = bare(child(child(node, 'left'), 'object'))
    if (key === null || isType(key, 'Literal')) return false
    if (script.isInput(key)) return !isBare(target, script)
    // Copying every property of what a client sent, its own names included.
    const loop = isType(key, 'Identifier') ? closest(node, (ancestor) => isType(ancestor, 'ForInStatement') && contains(child(ancestor, 'left')!, (inner) => isType(inner, 'Identifier') && inner.name === key.name), functionTypes) : null
    return loop !== null && script.isInput(child(loop, 'right')) && !isBare(target, script)
  }),
  visit('shell-concatenation', 'error', {
    sentence: 'A shell command is put together from strings, so a value can run other commands.',
    suggestion: 'Call the program with an argument list (execFile or spawn) and without a shell.'
  }, 'CallExpression', (node, script) => {
    const callee = calleeOf(node)
    const [command, second, third] = children(node, 'arguments')
    if (command === undefined) return false
    if (shellCalls.test(callee) && callee !== 'exec') return isDynamicText(command, script.initOf) || script.isInput(command)
    if (callee === 'exec') return isDynamicText(command, script.initOf) || script.isInput(command)
    if (!spawnCalls.test(callee)) return false
    const options = isType(third, 'ObjectExpression') ? third : isType(second, 'ObjectExpression') ? second : null
    const usesShell = propertyOf(options, 'shell')?.value === true || /^(?:sh|bash|cmd|\/bin\/(?:ba)?sh)$/.test(textOf(command) ?? '')
    if (!usesShell) return false
    if (isDynamicText(command, script.initOf)) return true
    return isType(second, 'ArrayExpression') && children(second, 'elements').some((element) => isDynamicText(element, script.initOf))
  }),
  visit('inner-html', 'error', {
    sentence: 'Markup is written into the page from a value, so a visitor\'s text can run as script.',
    suggestion: 'Use textContent, or sanitize the markup before it is inserted.'
  }, 'AssignmentExpression[left.type="MemberExpression"]', (node) => {
    if (!/^(?:innerHTML|outerHTML|srcdoc)$/.test(lastName(dotted(child(node, 'left'))))) return false
    const right = bare(child(node, 'right'))
    return right !== null && isRawMarkup(right)
  }),
  visit('document-write', 'error', {
    sentence: 'Markup is written into the page from a value, so a visitor\'s text can run as script.',
    suggestion: 'Use textContent, or sanitize the markup before it is inserted.'
  }, 'CallExpression', (node) => {
    const callee = calleeOf(node)
    const markup = children(node, 'arguments')
    if (/^document\.write(?:ln)?$/.test(callee)) return markup[0] !== undefined && isRawMarkup(markup[0])
    return lastName(callee) === 'insertAdjacentHTML' && markup[1] !== undefined && isRawMarkup(markup[1])
  }),
  visit('dangerously-set-inner-html', 'error', {
    sentence: 'dangerouslySetInnerHTML puts a value into the page as markup, so a visitor\'s text can run as script.',
    suggestion: 'Render the value as text, or sanitize it before it becomes markup.'
  }, 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', (node) => {
    const html = propertyOf(bare(child(child(node, 'value'), 'expression')), '__html')
    return html === null || isRawMarkup(html)
  }),
  visit('unescaped-template', 'error', {
    sentence: 'A client\'s input goes into a page without being escaped.',
    suggestion: 'Render pages with a template engine that escapes, or escape the value first.'
  }, 'CallExpression', (node, script) => {
    const callee = calleeOf(node)
    const [body, options] = children(node, 'arguments')
    if (/(?:^|\.)(?:res|response|reply)(?:\.\w+\(\))*\.(?:send|write|end)$/.test(callee)) {
      const found = pieces(body ?? null)
      return found !== null && /<\w/.test(found.texts.join('')) && found.dynamic.some((part) => script.isInput(part))
    }
    if (lastName(callee) === 'compile') return propertyOf(options ?? null, 'noEscape')?.value === true
    return false
  }),
  visit('safe-string', 'warning', {
    sentence: 'The template engine is told not to escape this value.',
    suggestion: 'Let the template escape the value, or sanitize it first.'
  }, 'NewExpression', (node) => {
    const [value] = children(node, 'arguments')
    return lastName(calleeOf(node)) === 'SafeString' && value !== undefined && isRawMarkup(value)
  }),
  lint('no-eval', 'error', {
    sentence: 'eval runs text as code, with every right this program has.',
    suggestion: 'Parse the data (JSON.parse) or look the operation up in a table instead of evaluating text.'
  }),
  visit('implied-eval', 'error', {
    sentence: 'A timer is given text that it runs as code.',
    suggestion: 'Pass a function to the timer.'
  }, 'CallExpression', (node) => {
    const [code] = children(node, 'arguments')
    return /^(?:window\.|globalThis\.)?(?:setTimeout|setInterval|execScript)$/.test(calleeOf(node)) && code !== undefined && (textOf(code) !== null || pieces(code) !== null)
  }),
  lint('no-new-func', 'error', {
    sentence: 'The Function constructor runs text as code.',
    suggestion: 'Parse the data (JSON.parse) or look the operation up in a table instead of evaluating text.'
  }),
  visit('run-in-context', 'error', {
    sentence: 'The vm module is no sandbox: code it runs can reach the rest of the program.',
    suggestion: 'Do not run untrusted code in this process.'
  }, 'CallExpression', (node) => {
    const [code] = children(node, 'arguments')
    return /(?:^|\.)runIn(?:New|This)?Context$/.test(calleeOf(node)) && textOf(code) === null
  }),
  lint('no-script-url', 'error', {
    sentence: 'A javascript: address runs its text as code.',
    suggestion: 'Attach an event handler instead of a javascript: address.'
  }),
  visit('query-object-from-input', 'error', {
    sentence: 'A client\'s object is used as a database filter, so it can hold query operators.',
    suggestion: 'Build the filter from single, checked fields.'
  }, 'CallExpression', (node, script) => {
    const [filter] = children(node, 'arguments')
    if (!/\.(?:find|findOne|findOneAndUpdate|findOneAndDelete|deleteOne|deleteMany|updateOne|updateMany|countDocuments)$/.test(calleeOf(node)) || filter === undefined) return false
    if (/^(?:req|request|ctx\.request)\.(?:body|query)$/.test(dotted(filter))) return true
    return isType(filter, 'ObjectExpression') && children(filter, 'properties').some((property) => keyOf(property) === '$where' && textOf(child(property, 'value')) === null)
  }),
  visit('regexp-from-input', 'error', {
    sentence: 'A regular expression is made from a client\'s input, so it can be made to run for ever.',
    suggestion: 'Escape the input before it becomes part of a pattern, or compare plain text.'
  }, 'NewExpression[callee.name="RegExp"]', (node, script) => script.isInput(children(node, 'arguments')[0] ?? null))
]

/** Quoted by a driver, or by pg-format's marks for names and literals. */
function isQuoted (part: ScriptNode): boolean {
  const call = bare(part)
  if (!isType(call, 'CallExpression')) return false
  const format = textOf(children(call, 'arguments')[0])
  return quotesSql(calleeOf(call)) || (/^(?:format|pgFormat|pg\.format)$/.test(calleeOf(call)) && format !== null && /%[IL]/.test(format) && !/%s/.test(format))
}

function isRawMarkup (start: NonNullable<ReturnType<typeof bare>>): boolean {
  const node = bare(start)
  if (node === null || textOf(node) !== null || isFixed(node)) return false
  if (isType(node, 'CallExpression')) return !sanitized.test(calleeOf(node))
  if (isType(node, 'TemplateLiteral')) return children(node, 'expressions').some(isRawMarkup) && quasiText(node) !== ''
  if (isType(node, 'ConditionalExpression')) return isRawMarkup(child(node, 'consequent')!) || isRawMarkup(child(node, 'alternate')!)
  const found = pieces(node)
  if (found !== null) return found.dynamic.some(isRawMarkup)
  return !sanitized.test(dotted(node)) && !isType(node, 'Literal')
}

/** An object without a prototype has none to pollute, and a list only takes numbers. */
function isBare (target: ScriptNode | null, script: ScriptContext): boolean {
  const made = isType(target, 'Identifier') ? bare(script.initOf(target)) : target
  return isType(made, 'ArrayExpression', 'NewExpression') || (isType(made, 'CallExpression') && /^(?:Object\.create|structuredClone|Buffer\.\w+)$/.test(calleeOf(made)))
}
