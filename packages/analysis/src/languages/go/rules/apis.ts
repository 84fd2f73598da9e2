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
  rule('weak-cipher', 'error', words.weakCipher, [
    {
      calls:
        'des.NewCipher des.NewTripleDESCipher rc4.NewCipher cipher.NewECBEncrypter cipher.NewECBDecrypter'
    }
  ]),
  rule(
    'host-key-unchecked',
    'error',
    {
      sentence: "The server's SSH host key is not verified.",
      suggestion: 'Use knownhosts.New and reject unknown keys.'
    },
    [{ calls: 'ssh.InsecureIgnoreHostKey' }]
  ),
  rule(
    'weak-key',
    'error',
    {
      sentence: 'The RSA key is shorter than 2048 bits.',
      suggestion: 'Generate keys of at least 2048 bits.'
    },
    [{ calls: 'rsa.GenerateKey', where: [{ at: 1, below: 2048 }] }]
  ),
  rule(
    'insecure-grpc',
    'warning',
    { sentence: 'The gRPC connection is not encrypted.', suggestion: 'Use transport credentials with TLS.' },
    [{ calls: 'grpc.WithInsecure' }]
  ),
  rule(
    'root-served',
    'error',
    {
      sentence: 'The file server exposes every file of the machine.',
      suggestion: 'Serve one directory.'
    },
    [{ calls: 'http.Dir', where: [{ at: 0, is: /^\/$/ }] }]
  ),
  rule(
    'file-permissions',
    'warning',
    {
      sentence: 'The file or directory is writable for every user of the machine.',
      suggestion: 'Grant only the permissions that are needed, such as 0o600.'
    },
    ['os.WriteFile os.OpenFile ioutil.WriteFile', 'os.Mkdir os.MkdirAll os.Chmod'].map((calls, index) => ({
      calls,
      where: [{ at: 2 - index, is: /^0o?\d?[0-7][0-7][2367]$|^(?:os|fs)\.ModePerm$/ }]
    }))
  ),
  rule('insecure-cookie', 'warning', cookie, [
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
  ])
]
