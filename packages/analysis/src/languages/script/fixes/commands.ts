import type { ScriptContext } from '../context.js'
import { keyOf } from '../names.js'
import { child, children, functionTypes, isType, spanOf, type ScriptNode } from '../nodes.js'
import { walk } from '../walk.js'
import type { Edit } from '../../../fix/edits.js'
import { sqlPiecesOf } from './sql.js'
import { createScriptValues, type ScriptValues } from './values.js'
import type { SqlPiece } from '../../../fix/sql-parameters.js'

type Word = SqlPiece<ScriptNode>[]

/** What only a shell understands. */
const shellSigns = /[|&;<>()$`\\*?[\]#~{}!\n\r\t]/
/** Commands of the shell itself, and those that are scripts on Windows and need one. */
const needsShell =
  /^(?:alias|bg|cd|command|echo|eval|exec|exit|export|fg|hash|printf|pwd|read|set|source|test|time|type|ulimit|umask|unset|wait|dir|del|copy|move|start|call|npm|npx|yarn|pnpm|bower|gulp|grunt|tsc|eslint|ng|vue|next|expo|code|mvn|gradle|gatsby|firebase|serverless|lerna|nx|turbo|webpack|vite|jest|mocha|prettier|rimraf)$/
const maxWords = 40

/** The words of a command, as a shell would part them; null where a shell might do anything else. */
function wordsOf(pieces: readonly SqlPiece<ScriptNode>[], values: ScriptValues): Word[] | null {
  const words: Word[] = []
  let word: Word | null = null
  let quote = ''
  const add = (piece: SqlPiece<ScriptNode>): void => {
    word ??= []
    const last = word.at(-1)
    if ('text' in piece && last !== undefined && 'text' in last) {
      word[word.length - 1] = { text: last.text + piece.text }
    } else word.push(piece)
  }
  for (const piece of pieces) {
    if ('value' in piece) {
      // Without quotes a value may be several words, or none.
      if (quote === '' && !values.isNumber(piece.value)) return null
      add(piece)
      continue
    }
    if (shellSigns.test(piece.text)) return null
    for (const sign of piece.text) {
      if (quote === '' && sign === ' ') {
        if (word !== null) words.push(word)
        word = null
      } else if (/["']/.test(sign) && (quote === '' || quote === sign)) {
        quote = quote === '' ? sign : ''
        add({ text: '' })
      } else add({ text: sign })
    }
  }
  if (quote !== '') return null
  if (word !== null) words.push(word)
  return words.length > maxWords ? null : words.map((each) => withoutEmpty(each))
}

function withoutEmpty(word: Word): Word {
  const full = word.filter((piece) => 'value' in piece || piece.text !== '')
  return full.length === 0 ? [{ text: '' }] : full
}

function wordText(word: Word, script: ScriptContext, values: ScriptValues): string | null {
  const [first] = word
  if (word.length === 1 && first !== undefined) {
    if ('text' in first) return /['\\]/.test(first.text) ? null : `'${first.text}'`
    const text = script.text(first.value)
    if (values.isText(first.value)) return text
    return script.isDeclaredAnywhere('String') ? null : `String(${text})`
  }
  if (word.some((piece) => 'text' in piece && /[`\\$]/.test(piece.text))) return null
  return `\`${word.map((piece) => ('text' in piece ? piece.text : `\${${script.text(piece.value)}}`)).join('')}\``
}

/** Only options and a callback: what else stands there is not known. */
function hasPlainRest(args: readonly ScriptNode[], isSync: boolean): boolean {
  const rest = isType(args[0], 'ObjectExpression') ? args.slice(1) : args
  const options = isType(args[0], 'ObjectExpression') ? children(args[0], 'properties') : []
  return (
    options.every((each) => isType(each, 'Property') && each.computed !== true && keyOf(each) !== 'shell') &&
    (rest.length === 0 || (!isSync && rest.length === 1 && isType(rest[0], ...functionTypes)))
  )
}

/** Commands with a fixed program, started without a shell in between. */
export function* startedWithoutShell(root: ScriptNode, script: ScriptContext): Generator<Edit> {
  const values = createScriptValues(script)
  for (const call of walk(root)) {
    const callee = isType(call, 'CallExpression') ? child(call, 'callee') : null
    const imported = callee === null ? null : values.importOf(callee)
    if (imported?.module !== 'child_process' || !/^exec(?:Sync)?$/.test(imported.name)) continue
    const isSync = imported.name === 'execSync'
    const [command, ...rest] = children(call, 'arguments')
    const pieces = command === undefined ? null : sqlPiecesOf(command)
    if (command === undefined || pieces === null || !pieces.some((piece) => 'value' in piece)) continue
    const words = wordsOf(pieces, values)
    const [program, ...given] = words ?? []
    const [name] = program ?? []
    if (program?.length !== 1 || name === undefined || !('text' in name)) continue
    if (!/^[\w./-]+$/.test(name.text) || needsShell.test(name.text.replace(/^.*\//, ''))) continue
    const texts = given.map((each) => wordText(each, script, values))
    if (texts.includes(null) || !hasPlainRest(rest, isSync)) continue
    const named = isSync ? 'execFileSync' : 'execFile'
    const renamed = renameOf(callee!, imported.name, named, script)
    if (renamed === null) continue
    const edit = {
      ruleId: 'js/shell-injection',
      description: `Started the program without a shell (${named}).`,
      group: {}
    }
    yield { ...edit, ...spanOf(command), text: `'${name.text}', [${texts.join(', ')}]` }
    for (const each of renamed) yield { ...edit, ...each }
  }
}

type Renaming = Pick<Edit, 'start' | 'end' | 'text'>

/** The edits by which a call goes to another function of the module; null where it cannot be reached. */
function renameOf(callee: ScriptNode, from: string, to: string, script: ScriptContext): Renaming[] | null {
  if (isType(callee, 'MemberExpression')) {
    return [{ ...spanOf(child(callee, 'property')!), text: to }]
  }
  const variable = script.variableOf(callee)
  const definition = variable?.defs[0]
  if (variable === null || definition === undefined || callee.name !== from) return null
  const called = { ...spanOf(callee), text: to }
  const place = definition.name
  const specifier = place.parent
  const isPlain =
    (isType(specifier, 'ImportSpecifier') && child(specifier, 'imported')?.name === from) ||
    (isType(specifier, 'Property') && specifier.shorthand === true)
  if (!isPlain || specifier == null) return null
  const siblings = children(specifier.parent, isType(specifier, 'Property') ? 'properties' : 'specifiers')
  const nameOf = (each: ScriptNode): unknown => (child(each, 'local') ?? child(each, 'value'))?.name
  const uses = variable.references.filter((reference) => reference.init !== true).length
  const isThere = siblings.some((each) => nameOf(each) === to)
  // A name of the author's in between would be called instead.
  if (!isThere && variable.scope.set.has(to)) return null
  if (isThere) return uses > 1 ? [called] : null
  const { range } = specifier
  return [called, { start: range[0], end: range[1], text: uses > 1 ? `${from}, ${to}` : to }]
}
