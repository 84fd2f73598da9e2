import { apiRulesOf, harmlessCookies } from '../../../rules/api-rules.js'
import { words } from '../../../rules/tree-rules.js'

const rule = apiRulesOf('go', ['go'])

const cookieFlags = ['HttpOnly', 'Secure'] as const
const cookie = {
  sentence: 'This cookie is readable by scripts or is sent over plain HTTP.',
  suggestion: 'Set HttpOnly and Secure on the cookie.'
}

/** Calls of Go's libraries that are findings by themselves. */
export const goApiRules = [
  rule.warning('weak-cipher', {
    ...words.weakCipher,
    uses: [
      {
        calls:
          'des.NewCipher des.NewTripleDESCipher rc4.NewCipher cipher.NewECBEncrypter cipher.NewECBDecrypter'
      }
    ]
  }),
  rule.warning('token-secret', {
    ...words.secretKey,
    uses: [
      ...[
        '*.SignedString sessions.NewCookieStore cookie.NewStore memstore.NewStore securecookie.New aes.NewCipher middleware.JWT echojwt.JWT csrf.Protect',
        'hmac.New'
      ].map((calls, at) => ({
        calls,
        where: [
          { at, isText: true as const },
          { at, isnt: /^.{0,2}$/s }
        ]
      })),
      ...['SigningKey', 'SecretKey'].map((at) => ({
        calls: 'middleware.JWTWithConfig echojwt.WithConfig jwtware.New',
        where: [{ at, of: 0, isText: true as const }]
      }))
    ]
  }),
  rule.error('host-key-unchecked', {
    sentence: 'ssh.InsecureIgnoreHostKey accepts any host key, so an attacker can impersonate the server.',
    suggestion: 'Use knownhosts.New or ssh.FixedHostKey.',
    uses: [{ calls: 'ssh.InsecureIgnoreHostKey' }]
  }),
  rule.error('weak-key', {
    sentence: 'RSA keys shorter than 2048 bits can be broken.',
    suggestion: 'Generate a key of at least 2048 bits.',
    uses: [{ calls: 'rsa.GenerateKey', where: [{ at: 1, below: 2048 }] }]
  }),
  rule.warning('insecure-grpc', {
    sentence: 'grpc.WithInsecure disables TLS, so the connection is not encrypted.',
    suggestion: 'Use grpc.WithTransportCredentials with TLS credentials.',
    uses: [{ calls: 'grpc.WithInsecure' }]
  }),
  rule.error('root-served', {
    sentence: 'http.Dir("/") exposes every file on the server.',
    suggestion: 'Serve only the directory that holds the public files.',
    uses: [{ calls: 'http.Dir', where: [{ at: 0, is: /^\/$/ }] }]
  }),
  rule.warning('file-permissions', {
    sentence: 'These permissions let every user write to the file.',
    suggestion: 'Use narrower permissions, such as 0o600.',
    uses: ['os.WriteFile os.OpenFile ioutil.WriteFile', 'os.Mkdir os.MkdirAll os.Chmod'].map(
      (calls, index) => ({
        calls,
        where: [{ at: 2 - index, is: /^0o?\d?[0-7][0-7][2367]$|^(?:os|fs)\.ModePerm$/ }]
      })
    )
  }),
  rule.warning('insecure-cookie', {
    ...cookie,
    uses: [
      ...cookieFlags.flatMap((flag) => [
        {
          calls: 'http.SetCookie',
          where: [
            { at: flag, of: 1, isAbsent: true as const },
            { at: 'Name', of: 1, isnt: harmlessCookies },
            // An empty value deletes the cookie.
            { at: 'Value', of: 1, isnt: /^$/ }
          ]
        },
        {
          calls: '*.SetCookie',
          where: [
            { at: flag, of: 0, isAbsent: true as const },
            { at: 'Name', of: 0, isnt: harmlessCookies },
            { at: 'Value', of: 0, isnt: /^$/ },
            { at: 1, isAbsent: true as const }
          ]
        },
        {
          calls: '*.Options=',
          on: /sess|store|cookie/i,
          where: [
            { at: flag, of: 0, isAbsent: true as const },
            { at: 'MaxAge', of: 0, isnt: /^-/ }
          ]
        }
      ]),
      { calls: '*.HttpOnly= *.Secure=', on: /cookie|opt/i, where: [{ at: 0, is: /^false$/ }] },
      // gin: name, value, maxAge, path, domain, secure, httpOnly
      ...[5, 6].map((at) => ({
        calls: '*.SetCookie',
        where: [
          { at, is: /^false$/ },
          { at: 0, isnt: harmlessCookies },
          { at: 1, isnt: /^$/ }
        ]
      })),
      ...['HTTPOnly', 'Secure'].map((flag) => ({
        calls: '*.Cookie',
        on: /^(?:c|ctx|fiber\.Ctx)\./,
        where: [
          { at: flag, of: 0, isAbsent: true as const },
          { at: 'Name', of: 0, isnt: harmlessCookies }
        ]
      }))
    ]
  })
]
