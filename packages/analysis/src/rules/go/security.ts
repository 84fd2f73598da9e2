import { ancestor, below, endsOf, hasText, isQuotedSql, isSqlConcatenation, isString, kindOf, literalOf, named, remember, textOf } from '../../tree/nodes.js'
import { createOrigins } from '../../tree/scope.js'
import type { TreeNode } from '../../tree/tree.js'
import { looksLikeSql } from '../../text/sql-text.js'
import { treeRulesOf, words } from '../tree-rules.js'

const rule = treeRulesOf('go', 'go', 'security')

/** What a client sent, as net/http, gin, echo, chi and mux hand it over. */
const input = /\br\.(?:URL\.(?:Query\(\)|Path|RawQuery)|FormValue|PostFormValue|PathValue|Form\b|Header\.Get)|\breq\.(?:URL\.|FormValue|PathValue)|\bc\.(?:Param|Query|FormValue|QueryParam|PostForm|DefaultQuery)\(|\bmux\.Vars\(|\bchi\.URLParam\(/
const cleaned = /filepath\.Base\(|path\.Base\(|strconv\.|url\.(?:Path|Query)Escape\(|html\.EscapeString\(|filepath\.IsLocal/

export const callee = remember((call: TreeNode): string => endsOf(call.field('function')))
export const args = remember((call: TreeNode): TreeNode[] => named(call.field('arguments')))

const functions = ['function_declaration', 'method_declaration', 'func_literal']

const origins = createOrigins('short_var_declaration', (declared) => ({ names: named(declared.field('left')).map(textOf), value: declared.field('right') }))

/** The expression itself, and what a local name in it was made from. */
function withOrigin (node: TreeNode | undefined): string {
  return node === undefined ? '' : [node.text(), ...origins(node, ancestor(node, functions))].join('\n')
}

function isInput (node: TreeNode | undefined): boolean {
  const text = withOrigin(node)
  return input.test(text) && !cleaned.test(text)
}

function isDynamic (node: TreeNode | undefined): boolean {
  if (node === undefined || isString(node)) return false
  if (kindOf(node) === 'binary_expression') return below(node, 'identifier').length > 0
  return /^fmt\.Sprintf\(/.test(node.text()) || (kindOf(node) === 'identifier' && /fmt\.Sprintf\(|"\s*\+|\+\s*"/.test(withOrigin(node).slice(node.text().length)))
}

export const goSecurityRules = [
  rule('sql-concatenation', 'error', words.sql, 'binary_expression', (node) => isSqlConcatenation(node, 'binary_expression')),
  rule('sql-format', 'error', words.sql, 'call_expression', (node) => {
    const [format, ...values] = args(node)
    return callee(node) === 'fmt.Sprintf' && isString(format ?? null) && looksLikeSql(literalOf(format!)) && /%[svq]/.test(format!.text()) && values.some((value) => !/^[A-Z]\w*$|(?:placeholders?|columns?)$/.test(value.text()) && !isQuotedSql(value))
  }),
  rule('shell-concatenation', 'error', words.shell, 'call_expression', (node) => {
    const list = args(node)
    const first = callee(node) === 'exec.CommandContext' ? 1 : 0
    return /^exec\.Command(?:Context)?$/.test(callee(node)) && /^"(?:\/bin\/)?(?:ba|z)?sh"$/.test(textOf(list[first] ?? null)) && literalOf(list[first + 1] ?? null) === '-c' && (isDynamic(list[first + 2]) || isInput(list[first + 2]))
  }),
  rule('weak-hash', 'warning', words.weakHash, 'call_expression', (node) => /^(?:md5|sha1)\.(?:New|Sum)$/.test(callee(node))),
  rule('weak-cipher', 'error', words.weakCipher, 'call_expression', (node) => /^(?:des\.New(?:TripleDES)?Cipher|rc4\.NewCipher|cipher\.NewECB\w*)$/.test(callee(node))),
  rule('tls-check-disabled', 'error', words.tls, 'keyed_element', (node) => /^InsecureSkipVerify:\s*true$/.test(node.text())),
  rule('tls-old-version', 'warning', { sentence: 'This version of TLS is broken.', suggestion: 'Use TLS 1.2 or newer.' }, 'keyed_element', (node) => /^MinVersion:\s*tls\.Version(?:SSL30|TLS10|TLS11)$/.test(node.text())),
  rule('permissive-cors', 'warning', words.cors, ['call_expression', 'keyed_element'], (node) => kindOf(node) === 'keyed_element'
    ? /^(?:AllowedOrigins|AllowOrigins):\s*\[\]string\{\s*"\*"\s*\}$|^AllowAllOrigins:\s*true$/.test(node.text())
    : /\.(?:Set|Add|Header)$/.test(callee(node)) && /^"access-control-allow-origin"$/i.test(textOf(args(node)[0] ?? null)) && literalOf(args(node)[1] ?? null) === '*'),
  rule('unescaped-template', 'error', words.markup, 'call_expression', (node) => {
    const list = args(node)
    if (/^template\.(?:HTML|JS|URL|HTMLAttr|CSS)$/.test(callee(node))) return list[0] !== undefined && !isString(list[0]) && !hasText(list[0], /sanitize|policy|escape/i)
    return /^fmt\.Fprint(?:f|ln)?$/.test(callee(node)) && /^(?:w|rw|writer|c\.Writer)$/.test(textOf(list[0] ?? null)) && hasText(list[1] ?? null, /<\w+/) && list.slice(2).some(isInput)
  }),
  rule('text-template', 'warning', { sentence: 'text/template does not escape values, and this file serves pages.', suggestion: 'Import html/template.' }, 'import_spec', (node) =>
    literalOf(node.field('path')) === 'text/template', { only: /"net\/http"/ }),
  rule('path-traversal', 'error', words.path, 'call_expression', (node) => {
    const at = callee(node) === 'http.ServeFile' ? 2 : 0
    return /^(?:os\.(?:Open|OpenFile|ReadFile|WriteFile|Create|Remove|RemoveAll)|ioutil\.(?:ReadFile|WriteFile)|http\.ServeFile|c\.(?:File|SendFile))$/.test(callee(node)) && isInput(args(node)[at])
  }),
  rule('request-from-input', 'error', words.requestAddress, 'call_expression', (node) => /^(?:http|client)\.(?:Get|Post|Head)$/.test(callee(node)) && isInput(args(node)[0])),
  rule('open-redirect', 'error', words.redirect, 'call_expression', (node) => callee(node) === 'http.Redirect' && isInput(args(node)[2])),
  rule('insecure-random', 'warning', words.random, 'call_expression', (node) => {
    if (!/^rand\.(?:Int\w*|Read|Float\w*|Uint\w*|Perm)$/.test(callee(node))) return false
    const name = textOf(ancestor(node, ['function_declaration', 'method_declaration'])?.field('name') ?? null)
    return /token|secret|password|key|session|nonce|otp|salt/i.test(name)
  }, { only: /"math\/rand(?:\/v2)?"/ }),
  rule('file-permissions', 'warning', { sentence: 'The file is made writable for everyone.', suggestion: 'Give only the rights that are needed, such as 0600.' }, 'call_expression', (node) =>
    /^os\.(?:WriteFile|OpenFile|Mkdir|MkdirAll|Chmod)$/.test(callee(node)) && /^0o?\d?[0-7][0-7][2367]$/.test(textOf(args(node).at(-1) ?? null)))
]
