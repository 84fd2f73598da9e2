import { typedScriptLanguages } from '../../../language-groups.js'
import { calleeOf, dotted, keyOf, lastName, propertyOf } from '../names.js'
import { child, children, functionTypes, isType, textOf, type ScriptNode } from '../nodes.js'
import { closest } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { isFixed, rulesOf } from './shared.js'
import { isBesideModern } from './hashes.js'

const { visit, lint } = rulesOf('security')

export const exposureRules = [
  visit.error('unsafe-deserialization', {
    sentence: 'This deserializer can execute code embedded in its input.',
    suggestion: 'Use JSON.parse and validate the result against a schema.',
    on: 'CallExpression',
    when: (node) => {
      const callee = calleeOf(node)
      const [, options] = children(node, 'arguments')
      if (
        /^(?:unserialize|(?:\w*[sS]erializ\w*|php)\.unserialize)$/.test(callee) ||
        callee === 'funcster.deepDeserialize'
      ) {
        return true
      }
      return (
        /^(?:yaml|jsyaml|jsYaml)\.load$/.test(callee) &&
        /FULL_SCHEMA|UNSAFE/.test(dotted(propertyOf(options, 'schema')))
      )
    }
  }),
  visit.error('tls-check-disabled', {
    sentence: 'Certificate verification is disabled, so anyone on the network can intercept the connection.',
    suggestion: 'Keep verification enabled. Pass a private certificate authority with the `ca` option.',
    on: ':matches(Property, AssignmentExpression)',
    when: (node, script) => {
      if (isType(node, 'Property')) {
        const value = child(node, 'value')
        return (keyOf(node) === 'rejectUnauthorized' && value?.value === false) ||
          (keyOf(node) === 'checkServerIdentity' && doesNothing(value)) ||
          (keyOf(node) === 'NODE_TLS_REJECT_UNAUTHORIZED' && isZero(value))
          ? isAskedFor(node, script)
            ? 'doubtful'
            : true
          : false
      }
      if (isAskedFor(node, script)) return false
      const left = dotted(child(node, 'left'))
      const right = child(node, 'right')
      return (
        (lastName(left) === 'NODE_TLS_REJECT_UNAUTHORIZED' && isZero(right)) ||
        (lastName(left) === 'rejectUnauthorized' && right?.value === false)
      )
    }
  }),
  visit.warning('permissive-cors', {
    sentence: 'CORS allows every origin, so any website can call this service from a browser.',
    suggestion: 'List the allowed origins.',
    on: ':matches(CallExpression, NewExpression)',
    when: (node) => {
      const callee = lastName(calleeOf(node))
      const [first, second] = children(node, 'arguments')
      // NestFactory.create(AppModule, { cors: true }), new Server(http, { cors: { origin: '*' } })
      if (/^(?:create|Server)$/.test(callee)) {
        const cors = propertyOf(second, 'cors')
        return cors !== null && (cors.value === true || allowsAll(propertyOf(cors, 'origin')))
      }
      if (/^(?:setHeader|header|set|append)$/.test(callee)) {
        return textOf(first)?.toLowerCase() === 'access-control-allow-origin' && textOf(second) === '*'
      }
      // Without options these helpers allow every origin.
      if ((calleeOf(node) === 'cors' || callee === 'enableCors') && first === undefined) return true
      const options =
        callee === 'cors'
          ? first
          : callee === 'register' && /cors$/i.test(dotted(first))
            ? second
            : callee === 'enableCors'
              ? first
              : undefined
      return allowsAll(propertyOf(options, 'origin'))
    }
  }),
  visit.warning('permissive-cors-header', {
    sentence: 'Access-Control-Allow-Origin is `*`, so any website can call this service from a browser.',
    suggestion: 'List the allowed origins.',
    on: ':matches(Property, AssignmentExpression)',
    when: (node) =>
      /(?:^|\.)access-control-allow-origin$/i.test(
        isType(node, 'Property') ? keyOf(node) : dotted(child(node, 'left'))
      ) && textOf(child(node, 'value') ?? child(node, 'right')) === '*'
  }),
  visit.info('timing-attack', {
    sentence: 'Comparing signatures with `===` leaks through its timing how many characters match.',
    suggestion: 'Compare them with crypto.timingSafeEqual.',
    on: 'BinaryExpression[operator=/^[!=]==?$/]',
    when: (node) => {
      const names = [child(node, 'left'), child(node, 'right')].map(signatureName)
      const fixed = [child(node, 'left'), child(node, 'right')].some(
        (side) =>
          side === null || isFixed(side) || isType(side, 'UnaryExpression') || dotted(side) === 'undefined'
      )
      return (
        !fixed &&
        names.some((name) =>
          /(?:^|[_-])(?:hmac|signature(?:-256)?|digest)$|(?:Hmac|Signature|Digest)$/.test(name)
        )
      )
    }
  }),
  visit.warning('insecure-cookie', {
    sentence: 'The cookie is readable by scripts or sent over unencrypted connections.',
    suggestion: 'Set `httpOnly`, `secure` and `sameSite` on cookies.',
    on: 'Property[value.value=false]',
    when: (node) => {
      if (!/^(?:httpOnly|secure)$/.test(keyOf(node))) return false
      return (
        closest(
          node,
          (ancestor) =>
            (isType(ancestor, 'CallExpression') && /cookie|session/i.test(calleeOf(ancestor))) ||
            (isType(ancestor, 'Property') && /cookie/i.test(keyOf(ancestor))) ||
            (isType(ancestor, 'VariableDeclarator') && /cookie/i.test(String(child(ancestor, 'id')?.name)))
        ) !== null
      )
    }
  }),
  visit.error('unverified-token', {
    sentence: 'The algorithm `none` accepts tokens without a signature.',
    suggestion: 'Verify tokens with a fixed list of signature algorithms.',
    calls: /(?:^|\.)verify$/,
    when: (node) => {
      const algorithms = children(node, 'arguments')
        .map((argument) => propertyOf(argument, 'algorithms'))
        .find((value) => value !== null)
      return (
        algorithms !== undefined &&
        children(algorithms, 'elements').some((element) => textOf(element)?.toLowerCase() === 'none')
      )
    }
  }),
  visit.warning('post-message-anywhere', {
    sentence: 'postMessage with the target origin `*` sends the message to a window of any origin.',
    suggestion: 'Pass the origin of the receiving window.',
    on: 'CallExpression',
    when: (node) => {
      const [, origin] = children(node, 'arguments')
      return (
        lastName(calleeOf(node)) === 'postMessage' &&
        textOf(origin) === '*' &&
        // What a window sends to itself stays there.
        !/^(?:window|self|globalThis|_?global)\.postMessage$/.test(calleeOf(node))
      )
    }
  }),
  visit.error('xml-entities', {
    sentence: 'The XML parser expands external entities, so a document can read local files (XXE).',
    suggestion: 'Disable entity expansion.',
    on: 'Property[value.value=true]',
    when: (node) => keyOf(node) === 'noent' || keyOf(node) === 'resolveExternalEntities'
  }),
  visit.info('target-blank', {
    sentence:
      'In older browsers, a page opened with target="_blank" can navigate this one through `window.opener`.',
    suggestion: 'Add rel="noopener noreferrer" to links with target="_blank".',
    on: 'JSXOpeningElement[name.name="a"]',
    when: (node) => {
      const attributes = children(node, 'attributes')
      const valueOf = (name: string): string | null => {
        const attribute = attributes.find((each) => child(each, 'name')?.name === name)
        return attribute === undefined ? null : (textOf(child(attribute, 'value')) ?? '{}')
      }
      return valueOf('target') === '_blank' && valueOf('rel') === null && !/^[/#]/.test(valueOf('href') ?? '')
    }
  }),
  lint.warning('security/detect-disable-mustache-escape', {
    sentence: '`escapeMarkup = false` disables HTML escaping in the template engine.',
    suggestion: 'Keep escaping enabled and mark individual trusted values as safe.'
  }),
  lint.warning('security/detect-new-buffer', {
    sentence: '`new Buffer` is deprecated and can expose uninitialized memory.',
    suggestion: 'Use Buffer.from or Buffer.alloc.',
    // Not a class of the same name, and not for versions of Node.js that have nothing else.
    accept: (node, script) =>
      !isDefinedHere(child(node, 'callee'), script) &&
      closest(node, (each) => {
        const test = isType(each, 'IfStatement', 'ConditionalExpression') ? child(each, 'test') : null
        return test !== null && /\bBuffer\.(?:from|alloc)/.test(script.text(test))
      }) === null &&
      !isBesideModern(node, script)
  }),
  {
    ...visit.info('type-check-suppressed', {
      sentence: 'The double assertion `as any as T` turns off type checking for this value.',
      suggestion: 'Check the value at run time, or correct its type.',
      on: 'TSAsExpression > TSAsExpression.expression[typeAnnotation.type="TSAnyKeyword"]'
    }),
    analysisType: 'style' as const,
    languages: typedScriptLanguages
  }
]

function isZero(node: ReturnType<typeof child>): boolean {
  return textOf(node) === '0' || node?.value === 0
}

/** The user of the code chose so by an option: `if (options.insecure) …`, `case 'no-verify': …`. */
function isAskedFor(node: ScriptNode, script: ScriptContext): boolean {
  const choice = closest(node, (each) => isType(each, 'IfStatement', 'SwitchCase'), functionTypes)
  const test = child(choice, 'test')
  return (
    test !== null &&
    /insecure|unsafe|strict_?ssl|reject_?unauthorized|self_?signed|no-?verify|(?:skip|ignore|verify)_?\w*(?:ssl|tls|cert)|verify\w*\s*===?\s*false|!\s*[\w.]*\bverify\b/i.test(
      script.text(test)
    )
  )
}

const allowsAll = (origin: ScriptNode | null): boolean =>
  origin !== null && (textOf(origin) === '*' || origin.value === true)

/** `() => undefined`, `() => {}`: no error, so every certificate is accepted. */
function doesNothing(value: ScriptNode | null): boolean {
  if (!isType(value, ...functionTypes)) return false
  const body = child(value, 'body')
  return isType(body, 'BlockStatement')
    ? children(body, 'body').length === 0
    : body?.name === 'undefined' || (isType(body, 'Literal') && body.value !== false)
}

/** `hmac.digest('hex')` is a signature; the digest of a plain hash only compares contents. */
function signatureName(side: ScriptNode | null): string {
  const path = dotted(side)
  return /(?:^|\.)\w*[hH]mac(?:\(\))?(?:\.update\(\))*\.digest\(\)$/.test(path) ? 'hmac' : lastName(path)
}

function isDefinedHere(name: ScriptNode | null, script: ScriptContext): boolean {
  const definitions = name === null ? [] : (script.variableOf(name)?.defs ?? [])
  return definitions.some(({ type }) => type === 'ClassName' || type === 'FunctionName')
}
