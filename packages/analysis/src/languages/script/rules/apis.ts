import { scriptLanguages } from '../../../language-groups.js'
import { apiRulesOf, harmlessCookies } from '../../../rules/api-rules.js'
import { words } from '../../../rules/tree-rules.js'

const rule = apiRulesOf('js', scriptLanguages)

const flags = ['httpOnly', 'secure']
const responses = /(?:^|\.)(?:res|response|reply|rep)(?:\.\w+\(\))*\.\w+$/

/** Calls of JavaScript's libraries that are findings by themselves. */
export const scriptApiRules = [
  rule.warning('insecure-cookie', {
    sentence: 'This cookie is readable by scripts or is sent over plain HTTP.',
    suggestion: 'Set httpOnly, secure and sameSite on the cookie.',
    uses: [
      ...flags.map((flag) => ({
        calls: '*.cookie *.setCookie',
        on: responses,
        where: [
          { at: 0, isnt: harmlessCookies },
          { at: flag, of: 2, isAbsent: true as const }
        ]
      })),
      ...flags.map((flag) => ({
        calls: '*.cookies.set cookies().set',
        where: [
          { at: 0, isnt: harmlessCookies },
          { at: 1, isnt: /^$/ },
          { at: flag, of: 2, isAbsent: true as const }
        ]
      })),
      ...flags.map((flag) => ({
        calls: 'hono/cookie.setCookie',
        where: [
          { at: 1, isnt: harmlessCookies },
          { at: flag, of: 3, isAbsent: true as const }
        ]
      })),
      { calls: 'express-session @fastify/session', where: [{ at: 'cookie.secure', of: 0, isAbsent: true }] }
    ]
  }),
  rule.warning('weak-cipher', {
    ...words.weakCipher,
    suggestion: 'Use aes-256-gcm with a fresh random nonce for every message.',
    uses: [
      { calls: 'crypto.createCipher crypto.createDecipher' },
      {
        calls:
          'CryptoJS.DES.encrypt CryptoJS.TripleDES.encrypt CryptoJS.RC4.encrypt crypto-js.DES.encrypt crypto-js.TripleDES.encrypt crypto-js.RC4.encrypt CryptoJS.DES.decrypt crypto-js.DES.decrypt'
      },
      {
        calls: 'crypto.createCipheriv crypto.createDecipheriv createCipheriv createDecipheriv',
        where: [{ at: 0, is: /^(?:des|rc[24]|bf|idea|seed|cast)|-ecb$/i }]
      }
    ]
  }),
  rule.error('unverified-token', {
    ...words.unverifiedToken,
    uses: [
      { calls: 'jsonwebtoken.verify jwt.verify', where: [{ at: 'algorithms', of: 2, is: /^none$/i }] },
      { calls: 'jsonwebtoken.verify jwt.verify', where: [{ at: 1, is: /^(?:|null|undefined|false)$/ }] }
    ]
  }),
  rule.warning('weak-hash', {
    ...words.weakHash,
    uses: [
      {
        calls:
          'md5 blueimp-md5 js-md5 sha1 js-sha1 crypto-js.MD5 crypto-js.SHA1 crypto-js/md5 crypto-js/sha1',
        where: [{ at: 0, is: /passw|pwd|secret|token|credential/i }]
      }
    ]
  }),
  rule.error('unsafe-deserialization', {
    ...words.deserialize,
    uses: [
      { calls: 'node-serialize.unserialize serialize-to-js.deserialize funcster.deepDeserialize cryo.parse' }
    ]
  })
]
