import { flaskDebug, ruffRulesOf } from './shared.js'

const security = ruffRulesOf('security')

export const ruffSecurityRules = [
  security.error('exec-builtin', {
    code: 'S102',
    sentence: 'exec() runs a string as code with all rights of this process.',
    suggestion: 'Use a table of allowed operations, or ast.literal_eval() for data.'
  }),
  security.warning('bad-file-permissions', {
    code: 'S103',
    sentence: 'The file mode gives every user of the machine write or execute permission.',
    suggestion: 'Use a stricter mode, such as 0o600 or 0o644.'
  }),
  security.info('bind-all-interfaces', {
    code: 'S104',
    sentence: 'The server listens on all network interfaces.',
    suggestion: 'Bind to 127.0.0.1, or read the address from the configuration.'
  }),
  security.warning('tarfile-unsafe-members', {
    code: 'S202',
    sentence: 'extractall() lets a crafted archive write files outside the target directory.',
    suggestion: 'Pass filter="data" to extractall().'
  }),
  security.error('flask-debug-true', { code: 'S201', ...flaskDebug }),
  security.warning('suspicious-pickle-usage', {
    code: 'S301',
    sentence: 'Unpickling untrusted data can run any code.',
    suggestion: 'Use JSON, or verify a signature before you unpickle.'
  }),
  security.warning('suspicious-marshal-usage', {
    code: 'S302',
    sentence: 'marshal is not safe against malicious or malformed data.',
    suggestion: 'Use JSON for data from outside the program.'
  }),
  security.warning('suspicious-insecure-cipher-usage', {
    code: 'S304',
    sentence: 'This cipher is broken or too weak to protect data.',
    suggestion: 'Use AES-GCM or ChaCha20-Poly1305.'
  }),
  security.warning('suspicious-insecure-cipher-mode-usage', {
    code: 'S305',
    sentence: 'ECB mode encrypts equal blocks to equal output, which reveals patterns in the data.',
    suggestion: 'Use AES-GCM or ChaCha20-Poly1305.'
  }),
  security.warning('suspicious-mktemp-usage', {
    code: 'S306',
    sentence: 'Another process can create the file between tempfile.mktemp() and open().',
    suggestion: 'Use tempfile.NamedTemporaryFile() or mkstemp().'
  }),
  security.error('suspicious-eval-usage', {
    code: 'S307',
    sentence: 'eval() runs a string as code with all rights of this process.',
    suggestion: 'Use ast.literal_eval() or json.loads() for data, or a table of allowed operations.'
  }),
  security.warning('suspicious-telnet-usage', {
    code: 'S312',
    sentence: 'Telnet sends passwords and data unencrypted.',
    suggestion: 'Use SSH.'
  }),
  security.warning('suspicious-xmlc-element-tree-usage', {
    code: 'S313',
    sentence: 'xml.etree.cElementTree is vulnerable to XML entity expansion attacks.',
    suggestion: 'Use defusedxml.ElementTree.'
  }),
  security.warning('suspicious-xml-element-tree-usage', {
    code: 'S314',
    sentence: 'xml.etree.ElementTree is vulnerable to XML entity expansion attacks.',
    suggestion: 'Use defusedxml.ElementTree.'
  }),
  security.warning('suspicious-xml-expat-reader-usage', {
    code: 'S315',
    sentence: 'xml.sax.expatreader is vulnerable to XML entity expansion attacks.',
    suggestion: 'Use defusedxml.expatreader.'
  }),
  security.warning('suspicious-xml-sax-usage', {
    code: 'S317',
    sentence: 'xml.sax is vulnerable to XML entity expansion attacks.',
    suggestion: 'Use defusedxml.sax.'
  }),
  security.warning('suspicious-xml-mini-dom-usage', {
    code: 'S318',
    sentence: 'xml.dom.minidom is vulnerable to XML entity expansion attacks.',
    suggestion: 'Use defusedxml.minidom.'
  }),
  security.warning('suspicious-xml-pull-dom-usage', {
    code: 'S319',
    sentence: 'xml.dom.pulldom is vulnerable to XML entity expansion attacks.',
    suggestion: 'Use defusedxml.pulldom.'
  }),
  security.warning('suspicious-ftp-lib-usage', {
    code: 'S321',
    sentence: 'FTP sends passwords and data unencrypted.',
    suggestion: 'Use SFTP, HTTPS or ftplib.FTP_TLS.'
  }),
  security.error('suspicious-unverified-context-usage', {
    code: 'S323',
    sentence:
      'ssl._create_unverified_context() turns certificate verification off, so anyone on the network can read and change the traffic.',
    suggestion: 'Use ssl.create_default_context(); pass cafile for your own CA.'
  }),
  security.warning('hashlib-insecure-hash-function', {
    code: 'S324',
    sentence: 'MD5 and SHA-1 are broken: two inputs with the same hash can be computed.',
    suggestion: 'Use SHA-256, argon2 or scrypt for passwords, or pass usedforsecurity=False.'
  }),
  security.error('request-with-no-cert-validation', {
    code: 'S501',
    sentence:
      'verify=False turns certificate verification off, so anyone on the network can read and change the traffic.',
    suggestion: 'Remove verify=False; pass the path of your own CA if you need one.'
  }),
  security.error('ssl-insecure-version', {
    code: 'S502',
    sentence: 'The call selects a broken version of SSL or TLS.',
    suggestion: 'Use TLS 1.2 or newer, for example through ssl.create_default_context().'
  }),
  security.error('ssl-with-bad-defaults', {
    code: 'S503',
    sentence: 'The default argument selects a broken version of SSL or TLS.',
    suggestion: 'Use ssl.PROTOCOL_TLS_CLIENT or PROTOCOL_TLS_SERVER as the default.'
  }),
  security.error('weak-cryptographic-key', {
    code: 'S505',
    sentence: 'The key is too short to resist an attack.',
    suggestion: 'Use at least 2048 bits for RSA and DSA, and 224 bits for elliptic curves.'
  }),
  security.error('unsafe-yaml-load', {
    code: 'S506',
    sentence: 'yaml.load() without a safe loader can run code from the document.',
    suggestion: 'Use yaml.safe_load() or Loader=yaml.SafeLoader.'
  }),
  security.error('ssh-no-host-key-verification', {
    code: 'S507',
    sentence: 'The SSH client accepts unknown host keys, so another machine can pose as the server.',
    suggestion: 'Load the known host keys and use paramiko.RejectPolicy.'
  }),
  security.warning('unix-command-wildcard-injection', {
    code: 'S609',
    sentence:
      'The shell expands * to file names, and the command treats a name that starts with - as an option.',
    suggestion: 'Put -- before the wildcard, or pass the result of glob.glob() as an argument list.'
  }),
  security.error('logging-config-insecure-listen', {
    code: 'S612',
    sentence: 'logging.config.listen() without verify runs code from anyone who can connect to the port.',
    suggestion: 'Pass a verify function that checks a signature.'
  }),
  security.warning('jinja2-autoescape-false', {
    code: 'S701',
    sentence:
      'Without autoescape, Jinja2 puts values into HTML unescaped, which allows cross-site scripting.',
    suggestion: 'Pass autoescape=select_autoescape().'
  }),
  security.warning('mako-templates', {
    code: 'S702',
    sentence: 'Mako puts values into HTML unescaped by default, which allows cross-site scripting.',
    suggestion: 'Pass default_filters=["h"].'
  })
]
