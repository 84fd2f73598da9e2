import { flaskDebug, ruffRulesOf } from './shared.js'

export const ruffSecurityRules = ruffRulesOf('security', [
  [
    'S102',
    'exec-builtin',
    'error',
    'exec() runs a string as code with all rights of this process.',
    'Use a table of allowed operations, or ast.literal_eval() for data.'
  ],
  [
    'S103',
    'bad-file-permissions',
    'warning',
    'The file mode gives every user of the machine write or execute permission.',
    'Use a stricter mode, such as 0o600 or 0o644.'
  ],
  [
    'S104',
    'bind-all-interfaces',
    'info',
    'The server listens on all network interfaces.',
    'Bind to 127.0.0.1, or read the address from the configuration.'
  ],
  [
    'S202',
    'tarfile-unsafe-members',
    'warning',
    'extractall() lets a crafted archive write files outside the target directory.',
    'Pass filter="data" to extractall().'
  ],
  ['S201', 'flask-debug-true', 'error', flaskDebug.sentence, flaskDebug.suggestion],
  [
    'S301',
    'suspicious-pickle-usage',
    'warning',
    'Unpickling untrusted data can run any code.',
    'Use JSON, or verify a signature before you unpickle.'
  ],
  [
    'S302',
    'suspicious-marshal-usage',
    'warning',
    'marshal is not safe against malicious or malformed data.',
    'Use JSON for data from outside the program.'
  ],
  [
    'S304',
    'suspicious-insecure-cipher-usage',
    'warning',
    'This cipher is broken or too weak to protect data.',
    'Use AES-GCM or ChaCha20-Poly1305.'
  ],
  [
    'S305',
    'suspicious-insecure-cipher-mode-usage',
    'warning',
    'ECB mode encrypts equal blocks to equal output, which reveals patterns in the data.',
    'Use AES-GCM or ChaCha20-Poly1305.'
  ],
  [
    'S306',
    'suspicious-mktemp-usage',
    'warning',
    'Another process can create the file between tempfile.mktemp() and open().',
    'Use tempfile.NamedTemporaryFile() or mkstemp().'
  ],
  [
    'S307',
    'suspicious-eval-usage',
    'error',
    'eval() runs a string as code with all rights of this process.',
    'Use ast.literal_eval() or json.loads() for data, or a table of allowed operations.'
  ],
  ['S312', 'suspicious-telnet-usage', 'warning', 'Telnet sends passwords and data unencrypted.', 'Use SSH.'],
  [
    'S313',
    'suspicious-xmlc-element-tree-usage',
    'warning',
    'xml.etree.cElementTree is vulnerable to XML entity expansion attacks.',
    'Use defusedxml.ElementTree.'
  ],
  [
    'S314',
    'suspicious-xml-element-tree-usage',
    'warning',
    'xml.etree.ElementTree is vulnerable to XML entity expansion attacks.',
    'Use defusedxml.ElementTree.'
  ],
  [
    'S315',
    'suspicious-xml-expat-reader-usage',
    'warning',
    'xml.sax.expatreader is vulnerable to XML entity expansion attacks.',
    'Use defusedxml.expatreader.'
  ],
  [
    'S317',
    'suspicious-xml-sax-usage',
    'warning',
    'xml.sax is vulnerable to XML entity expansion attacks.',
    'Use defusedxml.sax.'
  ],
  [
    'S318',
    'suspicious-xml-mini-dom-usage',
    'warning',
    'xml.dom.minidom is vulnerable to XML entity expansion attacks.',
    'Use defusedxml.minidom.'
  ],
  [
    'S319',
    'suspicious-xml-pull-dom-usage',
    'warning',
    'xml.dom.pulldom is vulnerable to XML entity expansion attacks.',
    'Use defusedxml.pulldom.'
  ],
  [
    'S321',
    'suspicious-ftp-lib-usage',
    'warning',
    'FTP sends passwords and data unencrypted.',
    'Use SFTP, HTTPS or ftplib.FTP_TLS.'
  ],
  [
    'S323',
    'suspicious-unverified-context-usage',
    'error',
    'ssl._create_unverified_context() turns certificate verification off, so anyone on the network can read and change the traffic.',
    'Use ssl.create_default_context(); pass cafile for your own CA.'
  ],
  [
    'S324',
    'hashlib-insecure-hash-function',
    'warning',
    'MD5 and SHA-1 are broken: two inputs with the same hash can be computed.',
    'Use SHA-256, argon2 or scrypt for passwords, or pass usedforsecurity=False.'
  ],
  [
    'S501',
    'request-with-no-cert-validation',
    'error',
    'verify=False turns certificate verification off, so anyone on the network can read and change the traffic.',
    'Remove verify=False; pass the path of your own CA if you need one.'
  ],
  [
    'S502',
    'ssl-insecure-version',
    'error',
    'The call selects a broken version of SSL or TLS.',
    'Use TLS 1.2 or newer, for example through ssl.create_default_context().'
  ],
  [
    'S503',
    'ssl-with-bad-defaults',
    'error',
    'The default argument selects a broken version of SSL or TLS.',
    'Use ssl.PROTOCOL_TLS_CLIENT or PROTOCOL_TLS_SERVER as the default.'
  ],
  [
    'S505',
    'weak-cryptographic-key',
    'error',
    'The key is too short to resist an attack.',
    'Use at least 2048 bits for RSA and DSA, and 224 bits for elliptic curves.'
  ],
  [
    'S506',
    'unsafe-yaml-load',
    'error',
    'yaml.load() without a safe loader can run code from the document.',
    'Use yaml.safe_load() or Loader=yaml.SafeLoader.'
  ],
  [
    'S507',
    'ssh-no-host-key-verification',
    'error',
    'The SSH client accepts unknown host keys, so another machine can pose as the server.',
    'Load the known host keys and use paramiko.RejectPolicy.'
  ],
  [
    'S609',
    'unix-command-wildcard-injection',
    'warning',
    'The shell expands * to file names, and the command treats a name that starts with - as an option.',
    'Put -- before the wildcard, or pass the result of glob.glob() as an argument list.'
  ],
  [
    'S612',
    'logging-config-insecure-listen',
    'error',
    'logging.config.listen() without verify runs code from anyone who can connect to the port.',
    'Pass a verify function that checks a signature.'
  ],
  [
    'S701',
    'jinja2-autoescape-false',
    'warning',
    'Without autoescape, Jinja2 puts values into HTML unescaped, which allows cross-site scripting.',
    'Pass autoescape=select_autoescape().'
  ],
  [
    'S702',
    'mako-templates',
    'warning',
    'Mako puts values into HTML unescaped by default, which allows cross-site scripting.',
    'Pass default_filters=["h"].'
  ]
])
