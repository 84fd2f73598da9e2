import { apiRulesOf, harmlessCookies } from '../../../rules/api-rules.js'
import { words } from '../../../rules/tree-rules.js'

const rule = apiRulesOf('py', ['python'])

const off = { at: 0, is: /^false$/ }
const cookieSettings = [
  'SESSION_COOKIE_SECURE',
  'SESSION_COOKIE_HTTPONLY',
  'CSRF_COOKIE_SECURE',
  'REMEMBER_COOKIE_SECURE'
]

/** Calls of Python's libraries that are findings by themselves. */
export const pythonApiRules = [
  rule.warning('insecure-cookie', {
    sentence: 'The cookie can be read by scripts (no httponly=True) or sent over HTTP (no secure=True).',
    suggestion: 'Pass httponly=True, secure=True and samesite="Lax" to set_cookie().',
    uses: [
      ...['httponly', 'secure'].map((flag) => ({
        calls: '*.set_cookie',
        // A jar of a client takes a cookie as a whole.
        unlessLine: /\.set_cookie\(\s*(?:copy\.\w+\(|\w*cookie\(|cookie,\s*\*|\w+\s*\))/,
        where: [
          { at: flag, isOff: true as const },
          { at: 0, isnt: harmlessCookies },
          { at: 'key', isnt: harmlessCookies },
          { at: 'max_age', isnt: /^0$/ },
          { at: 'expires', isnt: /^0$/ }
        ]
      })),
      ...cookieSettings.map((setting) => ({ calls: `${setting}= *.${setting}=`, where: [off] })),
      ...cookieSettings.map((setting) => ({
        calls: '*.config.update',
        where: [{ at: setting, is: /^false$/ }]
      }))
    ]
  }),
  rule.error('unsafe-yaml-load', {
    sentence: 'yaml.load_all() and yaml.unsafe_load() can run code from the document.',
    suggestion: 'Use yaml.safe_load_all() or Loader=yaml.SafeLoader.',
    uses: [
      { calls: 'yaml.unsafe_load yaml.unsafe_load_all' },
      {
        calls: 'yaml.load_all',
        where: [
          { at: 'Loader', isAbsent: true },
          { at: 1, isAbsent: true }
        ]
      },
      ...['Loader', 1].map((at) => ({
        calls: 'yaml.load_all',
        where: [{ at, is: /^(?:yaml\.)?(?:Unsafe|Full)?Loader$/ }]
      }))
    ]
  }),
  rule.error('unverified-token', {
    ...words.unverifiedToken,
    uses: [
      { calls: 'jwt.decode jose.jwt.decode', where: [{ at: 'verify', is: /^false$/ }] },
      { calls: 'jwt.decode jose.jwt.decode', where: [{ at: 'options.verify_signature', is: /^false$/ }] },
      { calls: 'jwt.decode jose.jwt.decode', where: [{ at: 'algorithms', is: /^none$/i }] },
      { calls: 'jwt.decode jose.jwt.decode', where: [{ at: 2, is: /^false$/ }] },
      { calls: 'jose.jwt.get_unverified_claims jwt.get_unverified_claims' }
    ]
  }),
  rule.warning('weak-hash', {
    sentence: 'MD5, SHA-1 and RIPEMD are broken or outdated: two inputs with the same hash can be computed.',
    suggestion: 'Use SHA256 or SHA3_256, and argon2 or scrypt for passwords.',
    uses: [
      {
        calls: 'MD2.new MD4.new MD5.new SHA.new SHA1.new RIPEMD.new RIPEMD160.new hashes.MD5 hashes.SHA1',
        unlessLine: /etag|cache|checksum|fingerprint/i
      }
    ],
    onlyIn: /Crypto|hashes/
  }),
  rule.warning('weak-cipher', {
    sentence: 'ARC4, DES3 and CAST are too weak, and ECB mode reveals patterns in the data.',
    suggestion: 'Use AES.MODE_GCM or ChaCha20_Poly1305.',
    uses: [
      // Ruff finds the other ciphers (py/suspicious-insecure-cipher-usage).
      { calls: 'ARC4.new DES3.new CAST.new' },
      { calls: 'AES.new', where: [{ at: 1, is: /MODE_ECB$/ }] },
      { calls: 'AES.new', where: [{ at: 'mode', is: /MODE_ECB$/ }] }
    ],
    onlyIn: /Crypto/
  }),
  rule.error('unsafe-deserialization', {
    ...words.deserialize,
    uses: [
      {
        calls: 'jsonpickle.decode dill.load dill.loads cloudpickle.load cloudpickle.loads pandas.read_pickle'
      },
      { calls: 'numpy.load', where: [{ at: 'allow_pickle', is: /^True$/ }] }
    ]
  }),
  rule.error('request-with-no-cert-validation', {
    ...words.tls,
    uses: [
      { calls: '*.verify=', on: /session|client|requests/i, where: [off] },
      { calls: 'aiohttp.TCPConnector', where: [{ at: 'ssl', is: /^false$/ }] },
      { calls: 'aiohttp.TCPConnector', where: [{ at: 'verify_ssl', is: /^false$/ }] }
    ]
  }),
  rule.warning('insecure-setting', {
    sentence: 'This Django setting is unsafe in production.',
    suggestion: 'Read it from the environment, with the safe value as the default.',
    uses: [
      { calls: 'DEBUG=', where: [{ at: 0, is: /^True$/ }] },
      { calls: 'ALLOWED_HOSTS=', where: [{ at: 0, is: /^\*$/ }] },
      { calls: 'CORS_ORIGIN_ALLOW_ALL= CORS_ALLOW_ALL_ORIGINS=', where: [{ at: 0, is: /^True$/ }] },
      { calls: 'SECURE_BROWSER_XSS_FILTER= SECURE_CONTENT_TYPE_NOSNIFF= SECURE_SSL_REDIRECT=', where: [off] }
    ],
    onlyIn: /\b(?:INSTALLED_APPS|ROOT_URLCONF|MIDDLEWARE)\b/
  })
]
