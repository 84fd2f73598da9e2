import type { HtmlRule } from '../rule.js'
import { isOutside, rulesOf } from './shared.js'

const { tag } = rulesOf('security')

/** Without script-src, default-src decides about scripts; a nonce or a hash turns 'unsafe-inline' off. */
function allowsInjectedScript(policy: string): boolean {
  const directives = policy
    .toLowerCase()
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
  const own = directives.filter(([name]) => /^script-src(?:-elem|-attr)?$/.test(name ?? ''))
  const deciding = own.length > 0 ? own : directives.filter(([name]) => name === 'default-src')
  return deciding.some(
    (sources) =>
      sources.includes("'unsafe-eval'") ||
      (!sources.some((source) => /^'(?:nonce|sha\d+)-/.test(source)) &&
        (sources.includes("'unsafe-inline'") || sources.includes('*')))
  )
}

export const htmlSecurityRules: readonly HtmlRule[] = [
  tag.warning('inline-handler', {
    sentence:
      "The inline event handler needs a content security policy with 'unsafe-inline', which also allows injected scripts.",
    suggestion: 'Add the handler with addEventListener in a script file.',
    tags: null,
    when: ({ attributes }) => [...attributes.keys()].some((name) => /^on[a-z]+$/.test(name))
  }),
  tag.warning('javascript-address', {
    sentence:
      'A javascript: URL runs its text as code, and a content security policy has to allow inline scripts for it.',
    suggestion: 'Use a <button> with an event handler.',
    tags: 'a form iframe area',
    when: ({ attributes }) =>
      ['href', 'action', 'src'].some((name) =>
        /^\s*javascript:(?!\s*(?:void\(0\)|;)?\s*$)/i.test(attributes.get(name) ?? '')
      )
  }),
  tag.info('target-blank', {
    sentence:
      'In older browsers, the page that this link opens can navigate your page through window.opener.',
    suggestion: 'Add rel="noopener" to links with target="_blank".',
    tags: 'a',
    when: ({ attributes }) =>
      attributes.get('target') === '_blank' &&
      isOutside(attributes.get('href')) &&
      !/no(?:opener|referrer)/.test(attributes.get('rel') ?? '')
  }),
  tag.warning('insecure-resource', {
    sentence:
      'The URL uses http, so anyone on the network can read or replace what is sent, and browsers block it on https pages.',
    suggestion: 'Use https or a relative URL.',
    tags: 'script link iframe img form',
    when: ({ attributes }) =>
      ['src', 'href', 'action'].some((name) =>
        /^http:\/\/(?!localhost|127\.)/i.test(attributes.get(name) ?? '')
      )
  }),
  tag.info('missing-integrity', {
    sentence: 'The browser runs this third-party script even if it was changed on the other server.',
    suggestion: 'Add integrity with the hash of the script, and crossorigin="anonymous".',
    tags: 'script',
    when: ({ attributes }) => isOutside(attributes.get('src')) && !attributes.has('integrity')
  }),
  tag.info('iframe-without-sandbox', {
    sentence: 'Without sandbox, the embedded page can open pop-ups, submit forms and navigate your page.',
    suggestion: 'Add a sandbox attribute with the permissions that the page needs.',
    tags: 'iframe',
    when: ({ attributes }) => isOutside(attributes.get('src')) && !attributes.has('sandbox')
  }),
  tag.warning('password-by-get', {
    sentence:
      'The form sends the password by GET, so it ends up in the URL, the browser history and server logs.',
    suggestion: 'Add method="post" to the form.',
    tags: 'form',
    when: ({ attributes, line, endLine }, all) => {
      if ((attributes.get('method') ?? 'get').toLowerCase() !== 'get') return false
      return all.some(
        (each) =>
          each.name === 'input' &&
          each.attributes.get('type') === 'password' &&
          each.line >= line &&
          each.line <= endLine
      )
    }
  }),
  tag.warning('permissive-policy', {
    sentence:
      'The content security policy allows inline scripts, eval or any origin, so it does not stop injected scripts.',
    suggestion:
      "Remove 'unsafe-inline', 'unsafe-eval' and * from script-src and default-src; use nonces or hashes.",
    tags: 'meta',
    when: ({ attributes }) =>
      attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy' &&
      allowsInjectedScript(attributes.get('content') ?? '')
  }),
  tag.warning('raw-markup', {
    sentence:
      'The value is inserted as HTML without escaping, so user input in it can run as a script (XSS).',
    suggestion: 'Bind the value as text, or sanitize it first, for example with DOMPurify.',
    tags: null,
    when: ({ attributes }) =>
      ['v-html', '[innerhtml]', 'ng-bind-html-unsafe', 'x-html'].some((name) => attributes.has(name))
  })
]
