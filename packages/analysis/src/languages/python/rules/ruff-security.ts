import { ruffRulesOf } from './shared.js'

const certificates = 'Leave certificate checks on.'
const xml = 'Parse XML with defusedxml.'
const hash = 'Use hashlib.sha256, or a password hash such as argon2 or scrypt for passwords.'
const cipher = 'Use AES-GCM or ChaCha20-Poly1305.'
const evaluate = 'Use ast.literal_eval or json.loads, or a table of allowed operations.'
const load = 'Use json, or check a signature before unpickling.'

export const ruffSecurityRules = ruffRulesOf('security', [
  ['S102', 'exec-builtin', 'error', 'exec runs text as code, with every right this program has.', evaluate],
  [
    'S103',
    'bad-file-permissions',
    'warning',
    'The file is made writable or executable for everyone.',
    'Give only the rights that are needed, such as 0o600.'
  ],
  [
    'S104',
    'bind-all-interfaces',
    'info',
    'The service listens on every network interface.',
    'Listen on the interface that is meant, or take it from the configuration.'
  ],
  [
    'S202',
    'tarfile-unsafe-members',
    'warning',
    'An archive can write files outside the folder it is unpacked into.',
    'Pass filter="data" to extractall.'
  ],
  [
    'S201',
    'flask-debug-true',
    'error',
    'The debug mode lets a visitor run code on the server.',
    "Switch the debug mode on from the environment, on a developer's machine only."
  ],
  ['S301', 'suspicious-pickle-usage', 'warning', 'Unpickling runs code that hides in the data.', load],
  ['S302', 'suspicious-marshal-usage', 'warning', 'marshal is not made for data from outside.', load],
  [
    'S304',
    'suspicious-insecure-cipher-usage',
    'error',
    'This cipher no longer protects what it encrypts.',
    cipher
  ],
  [
    'S305',
    'suspicious-insecure-cipher-mode-usage',
    'error',
    'ECB mode shows patterns of the text it encrypts.',
    cipher
  ],
  [
    'S306',
    'suspicious-mktemp-usage',
    'warning',
    'Another program can take the name before the file is opened.',
    'Use tempfile.NamedTemporaryFile or mkstemp.'
  ],
  [
    'S307',
    'suspicious-eval-usage',
    'error',
    'eval runs text as code, with every right this program has.',
    evaluate
  ],
  ['S312', 'suspicious-telnet-usage', 'warning', 'Telnet sends passwords in plain text.', 'Use SSH.'],
  ['S313', 'suspicious-xmlc-element-tree-usage', 'warning', 'The XML parser is open to entity attacks.', xml],
  ['S314', 'suspicious-xml-element-tree-usage', 'warning', 'The XML parser is open to entity attacks.', xml],
  ['S315', 'suspicious-xml-expat-reader-usage', 'warning', 'The XML parser is open to entity attacks.', xml],
  ['S317', 'suspicious-xml-sax-usage', 'warning', 'The XML parser is open to entity attacks.', xml],
  ['S318', 'suspicious-xml-mini-dom-usage', 'warning', 'The XML parser is open to entity attacks.', xml],
  ['S319', 'suspicious-xml-pull-dom-usage', 'warning', 'The XML parser is open to entity attacks.', xml],
  ['S321', 'suspicious-ftp-lib-usage', 'warning', 'FTP sends passwords in plain text.', 'Use SFTP or HTTPS.'],
  [
    'S323',
    'suspicious-unverified-context-usage',
    'error',
    "The check of the server's certificate is switched off.",
    certificates
  ],
  [
    'S324',
    'hashlib-insecure-hash-function',
    'warning',
    'MD5 and SHA-1 are broken: two inputs with the same hash can be made.',
    hash
  ],
  [
    'S501',
    'request-with-no-cert-validation',
    'error',
    "The check of the server's certificate is switched off, so anyone on the way can read along.",
    certificates
  ],
  ['S502', 'ssl-insecure-version', 'error', 'This version of TLS is broken.', 'Use TLS 1.2 or newer.'],
  ['S503', 'ssl-with-bad-defaults', 'error', 'This version of TLS is broken.', 'Use TLS 1.2 or newer.'],
  [
    'S505',
    'weak-cryptographic-key',
    'error',
    'The key is too short.',
    'Use at least 2048 bits for RSA, 224 for elliptic curves.'
  ],
  [
    'S506',
    'unsafe-yaml-load',
    'error',
    'This YAML loader can run code that hides in the document.',
    'Use yaml.safe_load.'
  ],
  [
    'S507',
    'ssh-no-host-key-verification',
    'error',
    'The host key of the server is not checked.',
    'Load the known host keys and reject others.'
  ],
  [
    'S609',
    'unix-command-wildcard-injection',
    'warning',
    'File names that the wildcard finds can act as options of the command.',
    'Put -- before the wildcard, or list the files in Python.'
  ],
  [
    'S612',
    'logging-config-insecure-listen',
    'error',
    'Anyone who can connect can change the logging, which runs code.',
    'Pass a verify function.'
  ],
  [
    'S701',
    'jinja2-autoescape-false',
    'warning',
    'The templates do not escape values.',
    'Pass autoescape=select_autoescape().'
  ],
  [
    'S702',
    'mako-templates',
    'warning',
    'Mako templates do not escape values by default.',
    'Pass default_filters=["h"].'
  ]
])
