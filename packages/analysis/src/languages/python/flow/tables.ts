import { filledByBrowser, type Tables } from '../../../flow/tables.js'

/** Headers of an answer, which are assigned one by one. */
const headers = /(?:^|[._])(?:headers?|response|resp)(?:\.field=)?$/i

/** What Python's frameworks and libraries do with values. */
export const pythonTables: Tables = {
  serves:
    /^[ \t]*(?:from|import)[ \t]+(?:flask|django|rest_framework|fastapi|starlette|aiohttp|tornado|bottle|sanic|quart|falcon|pyramid|webob|werkzeug|litestar|cherrypy|web|webapp2|ninja|flask_\w+|connexion|responder|blacksheep|robyn|socketserver|http\.server|wsgiref|odoo)\b|\bRequestHandler\b|\bHttpResponse\w*\(|^[ \t]*@[\w.]+\.(?:route|get|post|put|patch|delete|websocket)\(|\brequest\.(?:GET|POST|FILES|args|form|get_json|match_info|query_params)\b|\bdef \w+\(\s*_?event\b[^)]{0,200},\s*_?(?:context|ctx)\b/m,
  sources: [
    {
      path: /(?:^|\.)(?:request|req)\.(?:args|form|values|json|data|files|GET|POST|FILES|query_params|get_json\(\)|get_data\(\)|body(?:\(\))?|json\(\)|form\(\)|query_string|query|match_info|post\(\)|text\(\)|stream|params|matchdict)$/,
      kinds: 'all',
      isRequest: true
    },
    // The route decides whether a `/` can be in them.
    {
      path: /(?:^|\.)(?:request|req)\.(?:view_args|path_params)$/,
      kinds: 'all',
      likely: ['path'],
      isRequest: true
    },
    {
      path: /(?:^|\.)(?:request|req)\.(?:headers|cookies|META|COOKIES|url|full_path|path|rel_url|referrer)$/,
      kinds: 'all',
      likely: filledByBrowser,
      isRequest: true
    },
    {
      path: /(?:^|\.)(?:get_argument|get_arguments|get_query_argument|get_body_argument|get_cookie)\(\)$/,
      kinds: 'all',
      isRequest: true
    },
    {
      path: /^event\.(?:queryStringParameters|pathParameters|body|headers|multiValueQueryStringParameters)$/,
      kinds: 'all',
      isRequest: true
    },
    // The maker of an archive chooses the names of its members.
    { path: /(?:^|\.)(?:infolist|namelist|getmembers|getnames)\(\)(?:\.\[\])?$/, kinds: ['path'] },
    {
      path: /^sys\.argv$|^input\(\)$|^raw_input\(\)$/,
      kinds: ['sql', 'shell', 'code', 'deserialize', 'template'],
      // Who starts a program can run any other as well.
      likely: 'all'
    },
    {
      path: /^random\.(?:random|randint|randrange|choices?|sample|getrandbits|uniform|randbytes|\w+variate|gauss|triangular)\(\)$/,
      kinds: ['random']
    },
    {
      path: /(?:^|\.)recv\(\)$/,
      kinds: ['sql', 'shell', 'code', 'deserialize', 'template']
    }
  ],
  requests: /^(?:flask\.|self\.)?(?:request|req)$/,
  sinks: [
    {
      kind: 'sql',
      calls:
        '*.execute *.executemany *.executescript *.raw *.mogrify *.fetch *.fetchrow *.fetchval *.fetch_all *.fetch_one *.query *.read_sql *.read_sql_query *.from_statement *.text text *.RawSQL RawSQL *.extra *.execute_sql *.exec_driver_sql *.sql *.copy_expert',
      args: [0, 'query', 'sql', 'statement', 'where', 'select', 'tables'],
      needs: 'open'
    },
    {
      kind: 'sql',
      calls: '*.execute *.executemany *.executescript *.raw *.RawSQL',
      needs: 'input',
      on: /(?:cur|cursor|conn|connection|db|database|session|engine|objects|sql|c|con|client)(?:\(\))?\.\w+$|RawSQL/i
    },
    {
      kind: 'sql',
      calls: 'text sqlalchemy.text sqlalchemy.sql.text *.extra RawSQL *.RawSQL',
      args: [0, 'where', 'select', 'order_by'],
      needs: 'input',
      text: /…/,
      isPiece: true
    },
    {
      kind: 'sql',
      calls: '*.order_by *.having *.group_by *.filter *.distinct',
      needs: 'input',
      on: /quer|session|select|stmt/i,
      text: /…/
    },
    {
      kind: 'nosql',
      calls:
        '*.find *.find_one *.find_one_and_update *.find_one_and_delete *.delete_one *.delete_many *.update_one *.update_many *.count_documents *.aggregate',
      needs: 'input',
      on: /(?:collection|db|mongo|users|orders|posts|accounts)\w*(?:\[\])?\.\w+$|mongo/i
    },
    { kind: 'session', calls: '*.field=', args: [0, 1], needs: 'input', on: /(?:^|\.)\w*session\.field=$/ },
    { kind: 'random', calls: '*.field=', args: [1], needs: 'input', on: /(?:^|\.)\w*session\.field=$/ },
    { kind: 'random', calls: '*.set_cookie', args: [1, 'value'], needs: 'input' },
    {
      kind: 'shell',
      calls:
        'os.system os.popen os.popen2 os.popen3 os.popen4 popen2.popen2 commands.getoutput commands.getstatusoutput subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell *.subprocess_shell pty.spawn',
      needs: 'any'
    },
    {
      kind: 'shell',
      calls:
        'subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen Popen *.run_command *.Popen *.check_output',
      args: [0, 'args'],
      needs: 'any',
      given: ['shell', /^fixed$/]
    },
    {
      kind: 'shell',
      calls:
        'subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen os.execl os.execle os.execv os.execve os.execlp os.execlpe os.execvp os.execvpe os.spawnl os.spawnle os.spawnv os.spawnve os.spawnlp os.spawnlpe os.spawnvp os.spawnvpe os.posix_spawn os.posix_spawnp os.startfile asyncio.create_subprocess_exec',
      args: 'all',
      needs: 'input'
    },
    {
      kind: 'shell',
      calls: '*.exec_command *.run *.sudo *.local',
      needs: 'open',
      on: /(?:ssh|client|conn|connection|fabric|ctx|c)\.(?:exec_command|run|sudo|local)$|paramiko|invoke/i
    },
    {
      kind: 'code',
      calls:
        'importlib.import_module __import__ ImageMath.eval ImageMath.unsafe_eval compile globals().get code.InteractiveConsole exec_module runpy.run_path',
      needs: 'input'
    },
    {
      kind: 'deserialize',
      calls:
        'pickle.load pickle.loads pickle.Unpickler _pickle.loads cPickle.load cPickle.loads cPickle.Unpickler marshal.load marshal.loads shelve.open shelve.DbfilenameShelf dill.load dill.loads dill.Unpickler cloudpickle.load cloudpickle.loads jsonpickle.decode jsonpickle.loads joblib.load torch.load pandas.read_pickle',
      args: [0, 'file', 'data', 'bytes_object', 'string', 'filename', 'f', 'filepath_or_buffer'],
      needs: 'input',
      unless: 'weights_only'
    },
    {
      kind: 'deserialize',
      calls: 'numpy.load',
      args: [0, 'file'],
      needs: 'input',
      given: ['allow_pickle', /^fixed$/]
    },
    {
      kind: 'path',
      calls:
        'open io.open codecs.open send_file flask.send_file FileResponse *.FileResponse os.remove os.unlink os.listdir os.rmdir os.mkdir os.makedirs os.stat os.open os.scandir os.path.exists os.path.isfile os.path.getsize os.chmod shutil.rmtree shutil.copy shutil.copyfile shutil.move shutil.copytree os.walk os.rename os.replace aiofiles.open tempfile.NamedTemporaryFile zipfile.ZipFile tarfile.open tarfile.TarFile.open bz2.open gzip.open lzma.open os.fdopen *.static_file static_file *.StreamingHttpResponse',
      args: [0, 1, 'path', 'filename'],
      needs: 'input'
    },
    {
      kind: 'path',
      calls: '*.read_text *.read_bytes *.write_text *.write_bytes *.unlink *.rmdir *.iterdir *.extract',
      needs: 'input',
      args: ['this', 0]
    },
    { kind: 'path', calls: '*.exists *.open *.is_file *.stat *.rename', needs: 'input', args: ['this'] },
    { kind: 'path', calls: '*.save', needs: 'input', on: /file|upload|image|photo|doc/i },
    {
      kind: 'path',
      calls: 'send_from_directory flask.send_from_directory',
      args: [0, 'directory'],
      needs: 'input'
    },
    {
      kind: 'address',
      calls:
        'requests.get requests.post requests.put requests.patch requests.delete requests.head requests.options httpx.get httpx.post httpx.put httpx.delete httpx.stream httpx.head urllib.request.urlopen urllib.request.urlretrieve urllib.request.Request urllib2.urlopen urllib.urlopen urlopen urllib3.request aiohttp.request wget.download pycurl.URL',
      args: [0, 'url'],
      needs: 'input'
    },
    { kind: 'address', calls: 'requests.request httpx.request', args: [1, 'url'], needs: 'input' },
    {
      kind: 'address',
      calls: '*.get *.post *.put *.head *.fetch *.request *.urlopen',
      args: [0, 1, 'url'],
      needs: 'input',
      on: /^(?:requests\.Session\(\)|requests\.session\(\)|session|client|http|httpx\.\w*Client\(\)|aiohttp\.ClientSession\(\)|urllib3\.PoolManager\(\)|http_client)\.\w+$/i
    },
    {
      kind: 'redirect',
      calls:
        'redirect flask.redirect *.redirect HttpResponseRedirect django.http.HttpResponseRedirect HttpResponsePermanentRedirect RedirectResponse *.RedirectResponse *.HTTPFound',
      args: [0, 'url', 'location'],
      needs: 'input'
    },
    {
      kind: 'redirect',
      calls:
        'Response *.Response make_response flask.make_response HttpResponse *.HttpResponse JSONResponse return',
      args: ['Location'],
      needs: 'input'
    },
    {
      kind: 'redirect',
      calls: '*.field=',
      args: [1],
      needs: 'input',
      given: [0, /^location$/i],
      on: headers
    },
    { kind: 'markup', calls: 'mark_safe django.utils.safestring.mark_safe *.mark_safe', needs: 'any' },
    {
      kind: 'markup',
      calls:
        'Markup markupsafe.Markup flask.Markup SafeString SafeText format_html django.utils.html.format_html',
      needs: 'open'
    },
    {
      kind: 'markup',
      calls:
        'make_response flask.make_response HttpResponse *.HttpResponse HTMLResponse *.HTMLResponse HttpResponseBadRequest *.HttpResponseBadRequest HttpResponseNotFound *.HttpResponseNotFound HttpResponseForbidden HttpResponseServerError',
      args: [0, 'content', 'response'],
      needs: 'input'
    },
    {
      kind: 'markup',
      calls: 'Response *.Response',
      args: [0, 'response'],
      needs: 'input',
      text: /<|^…+$/,
      proof: /</
    },
    {
      kind: 'markup',
      calls: '*.write',
      needs: 'input',
      on: /^(?:self|response|resp|res)\.(?:write|out\.write|response\.write)$/,
      text: /<|^…*$/,
      // A record goes out as JSON.
      proof: /</
    },
    {
      kind: 'template',
      calls:
        'render_template_string flask.render_template_string Template jinja2.Template *.from_string mako.template.Template django.template.Template Environment().from_string',
      args: [0, 'source'],
      needs: 'open'
    },
    {
      kind: 'template',
      calls: 'render_template_string flask.render_template_string jinja2.Template *.from_string',
      needs: 'input'
    },
    {
      kind: 'regex',
      calls: 're.compile re.match re.search re.fullmatch re.sub re.findall re.split re.finditer',
      needs: 'input',
      // `self.re` is a compiled expression, whose methods take the text.
      on: /^re\.\w+$/
    },
    {
      kind: 'lookup',
      calls: '*.search_s *.search_ext_s *.search',
      args: [0, 1, 2, 'search_filter'],
      needs: 'open',
      on: /ldap|conn/i,
      text: /[(&|]?\w+=/
    },
    {
      kind: 'lookup',
      calls: '*.xpath *.findall *.findtext *.iterfind *.find *.XPath',
      needs: 'input',
      on: /tree|root|etree|xml|doc/i
    },
    { kind: 'lookup', calls: 'elementpath.select elementpath.iter_select', args: [1], needs: 'input' },
    {
      kind: 'log',
      calls:
        'logging.info logging.warning logging.error logging.debug logging.critical logging.exception logger.info logger.warning logger.error logger.debug log.info log.warning log.error app.logger.info app.logger.warning app.logger.error current_app.logger.info',
      needs: 'input',
      text: /…/
    },
    {
      kind: 'log',
      calls: '*.info *.warning *.warn *.error *.debug *.critical *.exception',
      needs: 'input',
      on: /(?:^|[._])(?:log|logger|logging)(?:\(\))?\.\w+$/i,
      text: /…/
    }
  ],
  cleaners: [
    {
      calls:
        'int float bool len ord hash uuid.UUID UUID Decimal datetime.strptime datetime.fromisoformat date.fromisoformat hashlib.sha256 *.hexdigest *.isdigit *.isalnum *.index *.find *.count *.startswith *.check_password',
      kinds: 'all'
    },
    {
      calls: 'secure_filename werkzeug.utils.secure_filename os.path.basename basename',
      kinds: ['path', 'shell', 'header']
    },
    {
      calls:
        'safe_join flask.safe_join werkzeug.utils.safe_join werkzeug.security.safe_join django.utils._os.safe_join',
      kinds: ['path']
    },
    {
      calls:
        'html.escape escape markupsafe.escape flask.escape django.utils.html.escape conditional_escape bleach.clean cgi.escape nh3.clean format_html',
      kinds: ['markup', 'template']
    },
    { calls: 'shlex.quote pipes.quote', kinds: ['shell'] },
    {
      calls: 'quote quote_plus urlencode urllib.parse.quote urllib.parse.quote_plus urllib.parse.urlencode',
      kinds: ['address', 'redirect', 'markup', 'header', 'path', 'shell', 'log']
    },
    { calls: 're.escape', kinds: ['regex', 'shell'] },
    { calls: 'url_for flask.url_for reverse django.urls.reverse', kinds: ['redirect', 'address', 'markup'] },
    {
      calls:
        'sql.Identifier sql.Literal sql.SQL psycopg2.sql.SQL psycopg2.sql.Identifier psycopg.sql.SQL psycopg.sql.Identifier quote_ident psycopg2.extensions.quote_ident *.quote_name *.quote_identifier *.literal_column adapt',
      kinds: ['sql']
    },
    {
      calls: 'json.dumps jsonify flask.jsonify repr',
      kinds: ['header', 'markup', 'log', 'path', 'address', 'redirect']
    },
    // The response is a file or a page of its own, not a string that holds the argument.
    {
      calls:
        'send_file flask.send_file send_from_directory flask.send_from_directory FileResponse *.FileResponse render_template flask.render_template',
      kinds: ['markup']
    },
    { calls: '*.replace', given: [0, /^['"]$/], kinds: ['lookup'] },
    { calls: '*.replace', given: [0, /^<$/], kinds: ['markup'] },
    { calls: 'ast.literal_eval', kinds: ['code'] },
    { calls: 'str', kinds: ['nosql'] }
  ],
  cleanNames:
    /^(?:\w*(?:escape|sanitiz|quote|validate|safe_join|secure_|whitelist|allowlist|clean)\w*|is_safe\w*|url_has_allowed\w*|resolve_inside\w*|model_validate|parse_obj)$/,
  carriers:
    're.findall re.finditer re.search re.match re.split re.sub *.group *.groups *.groupdict min max round abs sum str bytes *.format *.join *.replace *.strip *.lstrip *.rstrip *.lower *.upper *.split *.encode *.decode *.get *.getlist *.pop *.title *.splitlines *.partition *.values *.items *.keys *.copy *.read *.to_dict *.get_json *.dict *.model_dump *.casefold *.removeprefix *.removesuffix os.path.join os.path.abspath os.path.realpath os.path.normpath os.path.expanduser posixpath.join urljoin urllib.parse.urljoin urllib.parse.unquote urllib.parse.unquote_plus urllib.parse.urlsplit urllib.parse.urlparse urlparse unquote base64.b64decode base64.b64encode base64.urlsafe_b64decode json.loads Path pathlib.Path PurePath *.joinpath *.resolve list tuple set dict sorted reversed map filter zip enumerate next iter io.BytesIO BytesIO StringIO io.StringIO textwrap.dedent dedent string.Template *.substitute *.safe_substitute *.as_posix',
  leaves: 'abort flask.abort bottle.abort sys.exit exit quit os._exit',
  guards:
    /^(?:includes|isdigit|isalnum|isnumeric|isidentifier|isalpha|match|fullmatch|search|is_relative_to|is_safe\w*|is_valid\w*|is_allowed\w*|validate\w*|valid\w*|allowed\w*|check\w*|url_has_allowed_host_and_scheme|isinstance|any|all|issubset)$/,
  fixedNames: /^(?:[A-Z][A-Z0-9_]+|__file__|__name__|settings|BASE_DIR)$/
}
