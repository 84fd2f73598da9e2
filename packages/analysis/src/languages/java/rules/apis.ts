import { apiRulesOf } from '../../../rules/api-rules.js'
import { words } from '../../../rules/tree-rules.js'

const rule = apiRulesOf('java', ['java'])

/** Calls of Java's libraries that are findings by themselves. */
export const javaApiRules = [
  rule.warning('weak-hash', {
    ...words.weakHash,
    uses: [
      { calls: 'MessageDigest.getInstance', where: [{ at: 0, is: /^(?:MD[245]|SHA-?1)$/i }] },
      {
        calls:
          'DigestUtils.md5 DigestUtils.md5Hex DigestUtils.sha1 DigestUtils.sha1Hex DigestUtils.sha DigestUtils.shaHex'
      },
      {
        calls:
          'DigestUtils.getMd2Digest DigestUtils.getMd5Digest DigestUtils.getSha1Digest DigestUtils.getShaDigest Hashing.md5 Hashing.sha1'
      }
    ]
  }),
  rule.warning('weak-cipher', {
    ...words.weakCipher,
    uses: [
      {
        calls: 'Cipher.getInstance',
        where: [{ at: 0, is: /^(?:DES|DESede|RC[24]|Blowfish|ARCFOUR)\b|\/ECB\/|^AES$/i }]
      },
      {
        calls: 'KeyGenerator.getInstance SecretKeyFactory.getInstance',
        where: [{ at: 0, is: /^(?:DES|DESede|RC[24]|Blowfish|ARCFOUR)$/i }]
      }
    ]
  }),
  rule.error('no-cipher', {
    ...words.weakCipher,
    sentence: 'NullCipher does not encrypt anything.',
    uses: [{ calls: 'new:NullCipher' }]
  }),
  rule.warning('insecure-cookie', {
    sentence: 'This cookie is readable by scripts or is sent over plain HTTP.',
    suggestion: 'Call setHttpOnly(true) and setSecure(true) before adding the cookie.',
    uses: ['httpOnly', 'secure'].map((flag) => ({
      calls: '*.addCookie',
      where: [
        { at: flag, of: 0, isAbsent: true as const },
        { at: 'maxAge', of: 0, isnt: /^0$/ }
      ]
    }))
  }),
  rule.warning('literal-password', {
    sentence: 'The database password is a string literal, so anyone who can read the code can use it.',
    suggestion: 'Read the password from the environment or a secret store, and change this one.',
    uses: [
      {
        calls: 'DriverManager.getConnection',
        where: [
          { at: 2, isText: true },
          { at: 2, isnt: /^$/ },
          // A database in memory belongs to this program alone.
          { at: 0, isnt: /^jdbc:(?:h2|hsqldb):mem:|^jdbc:derby:memory:/ }
        ]
      }
    ],
    onlyIn: /DriverManager/
  }),
  rule.warning('unsafe-deserialization', {
    ...words.deserialize,
    uses: [
      { calls: 'Yaml.load Yaml.loadAll new:Yaml().load' },
      { calls: 'XStream.fromXML new:XStream().fromXML' },
      { calls: 'ObjectMapper.enableDefaultTyping ObjectMapper.activateDefaultTyping' },
      { calls: 'SerializationUtils.deserialize HessianInput.readObject Hessian2Input.readObject' },
      { calls: 'Kryo.setRegistrationRequired', where: [{ at: 0, is: /^false$/ }] },
      { calls: '*.setAutoTypeSupport', where: [{ at: 0, is: /^true$/ }] },
      ...[1, 2].map((at) => ({
        calls: 'JSON.parse JSON.parseObject',
        where: [{ at, is: /Feature\.Support(?:NonPublicField|AutoType)$/ }]
      }))
    ],
    onlyIn: /^(?![\s\S]*(?:SafeConstructor|allowTypes|setupDefaultSecurity|addPermission))/
  })
]
