import type { Kind } from '../../../flow/kinds.js'
import { filledByBrowser, type Tables } from '../../../flow/tables.js'

const request =
  // A context of another kind has a path and a method `get` as well.
  '(?!context\\.(?:get\\(\\)|path$|url$|header\\(\\)|headers?$|param\\(\\)))(?:req|request|ctx|context|_req|httpRequest|c)(?:\\.req|\\.request|\\.raw)?'

/** Parts of the address are always text: no filter of a document database can hide in them. */
const textKinds: readonly Kind[] = [
  'sql',
  'shell',
  'code',
  'path',
  'address',
  'redirect',
  'markup',
  'template',
  'header',
  'regex',
  'deserialize',
  'log',
  'property',
  'cors',
  'lookup'
]

/** What JavaScript's frameworks and libraries do with values. */
export const scriptTables: Tables = {
  serves: new RegExp(
    [
      // Modules
      `(?:from|require\\(|import)\\s*["'](?:node:)?(?:https?|http2|express[\\w-]*|koa[\\w-]*|@koa/[\\w-]+|fastify|@fastify/[\\w-]+|@?hapi(?:/[\\w-]+)?|restify|next(?:/[\\w/-]+)?|@nestjs/common|hono(?:/[\\w/-]+)?|polka|connect|h3|micro|itty-router|@sveltejs/kit|@remix-run/[\\w-]+|aws-lambda|@feathersjs/[\\w-]+|@adonisjs/[\\w-]+|@trpc/server|@loopback/rest|firebase-functions[\\w/-]*)["']`,
      // Handlers that are registered or have the parameters of one
      '\\b(?:app|router|server|fastify|api|routes?|\\w*Router|\\w*App)(?:\\.route\\([^)\\n]{0,200}\\))?\\s*\\.(?:get|post|put|patch|delete|all|use|head|options)\\(',
      '\\b_?(?:req|request)\\b[^(){}\\n]{0,60},\\s*_?(?:res|resp|response|reply|h|rep)\\b',
      '\\b(?:ctx|context)\\s*(?::\\s*(?:\\w+\\.)?\\w*Context\\b|,\\s*next\\b)|\\bctx\\.(?:body|response)\\b',
      '\\b(?:NextRequest|NextApiRequest|FastifyRequest|IncomingMessage)\\b|@(?:Query|Body|Param)\\(',
      '\\bexport\\s+(?:default\\s+)?(?:async\\s+)?function\\s+(?:GET|POST|PUT|PATCH|DELETE|handler|loader|action|middleware)\\b',
      '\\bhandler\\s*=\\s*(?:async\\b)?|\\bcreateServer\\('
    ].join('|')
  ),
  sources: [
    { path: /^Math\.random\(\)$|^(?:_|lodash)\.random\(\)$/, kinds: ['random'] },
    // A request that is made has an address as well.
    {
      path: /^request\.(?:url|headers?|path|body)$/,
      kinds: [
        'sql',
        'shell',
        'code',
        'path',
        'redirect',
        'markup',
        'template',
        'regex',
        'nosql',
        'property',
        'cors'
      ],
      isRequest: true
    },
    {
      path: new RegExp(`^(?:this\\.)?${request}\\.(?:params|param\\(\\)|pathParameters)$`),
      kinds: textKinds,
      isRequest: true
    },
    {
      path: new RegExp(
        `^(?:this\\.)?${request}\\.(?:path|url|originalUrl|hostname|headers?(?:\\(\\))?|get\\(\\)|nextUrl|cookies|signedCookies|header\\(\\))$`
      ),
      kinds: textKinds,
      likely: filledByBrowser,
      isRequest: true
    },
    {
      // The body of a context is the answer, that of its request is the client's.
      path: new RegExp(
        `^(?!ctx\\.body$)(?:this\\.)?${request}\\.(?:query(?:\\(\\))?|body|rawBody|files?|json\\(\\)|text\\(\\)|formData\\(\\)|queries\\(\\)|parseBody\\(\\))$`
      ),
      kinds: 'all',
      isRequest: true
    },
    {
      path: /^event\.(?:queryStringParameters|multiValueQueryStringParameters|pathParameters|body|headers)$/,
      kinds: 'all',
      isRequest: true
    },
    {
      path: /^(?:window\.|document\.|self\.|globalThis\.)?location\.(?:search|hash)$|^(?:window\.)?document\.referrer$|^window\.name$|(?:^|\.)use(?:SearchParams|Params)\(\)|^router\.query$|(?:^|\.)useRouter\(\)\.query$/,
      kinds: ['sql', 'shell', 'code', 'redirect', 'markup', 'template', 'regex', 'property']
    },
    // The address of this page is where the visitor is already; what is taken out of it may be another one.
    {
      path: /^(?:window\.|document\.|self\.|globalThis\.)?location\.(?:href|pathname)$|^(?:window\.)?document\.(?:URL|documentURI|baseURI)$/,
      kinds: ['sql', 'shell', 'code', 'redirect', 'markup', 'template', 'regex', 'property'],
      // Browsers encode `<` and quotes in it.
      likely: ['redirect', 'markup']
    },
    {
      path: /^(?:window\.|document\.|self\.|globalThis\.)?location$/,
      kinds: ['sql', 'shell', 'code', 'markup', 'template', 'regex', 'property']
    },
    // The maker of an archive chooses the names of its members.
    { path: /(?:^|\.)(?:entry|zipEntry|\[\])\.(?:fileName|entryName)$/, kinds: ['path'] },
    // Who starts a program may name the module that it loads.
    { path: /^process\.argv$/, kinds: ['sql', 'shell'], likely: 'all' }
  ],
  requests: /^(?:req|request|ctx\.req|ctx\.request)$/,
  sinks: [
    { kind: 'random', calls: '*.cookie *.setCookie', args: [1], needs: 'input' },
    { kind: 'random', calls: '*.field=', args: [1], needs: 'input', on: /(?:^|\.)session\.field=$/ },
    {
      kind: 'sql',
      calls:
        '*.query *.execute *.raw *.queryRaw *.$queryRawUnsafe *.$executeRawUnsafe *.exec *.prepare *.run *.all *.get *.each *.one *.none *.any *.many *.oneOrNone *.manyOrNone *.unsafe *.whereRaw *.orderByRaw *.havingRaw *.selectRaw *.joinRaw *.literal *.batch',
      args: [0, 'text', 'sql'],
      needs: 'open',
      text: /\b(?:select|insert|update|delete|drop|alter|create|where|from|order by|and|or|set|exec|call|truncate|with|values|union)\b|^…$/i
    },
    {
      kind: 'sql',
      calls: '*.$queryRawUnsafe *.$executeRawUnsafe *.whereRaw *.orderByRaw *.havingRaw *.joinRaw *.literal',
      needs: 'open',
      isPiece: true
    },
    {
      kind: 'sql',
      calls: '*.query *.execute *.raw',
      needs: 'input',
      on: /(?:db|conn|connection|client|pool|knex|sequelize|pg|mysql\w*|sql|database|repository|manager|dataSource)(?:\(\))?\.\w+$/i
    },
    {
      kind: 'nosql',
      calls:
        '*.find *.findOne *.findOneAndUpdate *.findOneAndDelete *.findOneAndReplace *.deleteOne *.deleteMany *.updateOne *.updateMany *.replaceOne *.countDocuments *.count *.remove *.update *.aggregate *.distinct *.exists',
      needs: 'input',
      without: 'where',
      on: /(?:^|\.)(?:[A-Z]\w*|\w*[Cc]ollection(?:\(\))?|db\.\w+|\w*(?:Model|Repo|Users?|Orders?|Posts?|Accounts?|Products?|Col|Db))\.\w+$/
    },
    {
      kind: 'nosql',
      calls: '*.find *.findOne *.where *.count *.update *.remove',
      args: ['$where'],
      needs: 'any'
    },
    { kind: 'nosql', calls: '*.$where', needs: 'any' },
    {
      kind: 'shell',
      calls:
        'exec execSync child_process.exec child_process.execSync cp.exec cp.execSync childProcess.exec childProcess.execSync shelljs.exec shell.exec execa.command execa.shell execa.shellSync execaCommand execaCommandSync execAsync execPromise promisify().exec',
      needs: 'open'
    },
    {
      kind: 'shell',
      calls:
        'spawn spawnSync execFile execFileSync child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync cp.spawn cp.spawnSync cp.execFile cp.execFileSync execa',
      args: [1],
      needs: 'any',
      given: [0, /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$|^cmd(?:\.exe)?$|^powershell(?:\.exe)?$/]
    },
    {
      kind: 'shell',
      calls:
        'spawn spawnSync execFile execFileSync child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync cp.spawn cp.spawnSync execa',
      args: [0, 1],
      needs: 'open',
      given: ['shell', /^(?:fixed|\/.*)$/]
    },
    {
      kind: 'shell',
      calls:
        'spawn spawnSync execFile execFileSync child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync cp.spawn cp.spawnSync execa',
      needs: 'input'
    },
    {
      kind: 'code',
      calls: 'require import',
      needs: 'input',
      // Loaders of browsers take a configuration and a list.
      isAlone: true
    },
    {
      kind: 'code',
      calls:
        'mathjs.eval mathjs.evaluate math.eval math.evaluate safeEval *.globalEval setTimeout setInterval new:Script vm.Script *.addInitScript',
      needs: 'input'
    },
    {
      kind: 'code',
      calls: '*.run *.runInContext new:VMScript',
      needs: 'open',
      on: /(?:^|\.)(?:new:)?(?:\w*VM|VM2|vm2?|sandbox|Sandbox|s)(?:\(\))?\.\w+$|VMScript/
    },
    {
      kind: 'code',
      calls: '*.evaluate *.evaluateHandle *.$eval *.evaluateOnNewDocument',
      needs: 'open',
      on: /page|frame|Runtime|browser|context/i
    },
    {
      kind: 'path',
      calls:
        'readFile readFileSync writeFile writeFileSync createReadStream createWriteStream unlink unlinkSync appendFile appendFileSync readdir readdirSync rmSync fs.readFile fs.readFileSync fs.writeFile fs.writeFileSync fs.createReadStream fs.createWriteStream fs.unlink fs.unlinkSync fs.rm fs.rmSync fs.rmdir fs.rmdirSync fs.readdir fs.readdirSync fs.open fs.openSync fs.stat fs.statSync fs.lstat fs.access fs.accessSync fs.existsSync fs.exists fs.appendFile fs.appendFileSync fs.mkdir fs.mkdirSync fs.readlink fs.chmod promises.readFile promises.writeFile promises.unlink promises.readdir promises.stat promises.open promises.rm promises.access fsp.readFile fsp.writeFile fsp.unlink fsp.readdir fsp.stat fsp.open fsp.rm fsPromises.readFile fsPromises.writeFile fs-extra.readFile fs-extra.remove fs-extra.readJson fse.readFile fse.remove',
      needs: 'input'
    },
    {
      kind: 'path',
      calls:
        'fs.rename fs.renameSync fs.copyFile fs.copyFileSync fs.cp fs.symlink fs.link promises.rename promises.copyFile fsp.rename fsp.copyFile',
      args: [0, 1],
      needs: 'input'
    },
    {
      kind: 'path',
      calls: '*.sendFile *.sendfile *.download',
      needs: 'input',
      // What lies outside of the root is refused.
      unless: 'root',
      on: /(?:res|response|reply|ctx)\b/
    },
    {
      kind: 'address',
      calls:
        'fetch axios got request needle superagent ky node-fetch undici.request undici.fetch axios.get axios.post axios.put axios.patch axios.delete axios.head axios.request got.get got.post got.stream http.get http.request https.get https.request request.get request.post needle.get superagent.get superagent.post ky.get ky.post httpService.get httpService.post *.goto *.navigate wkhtmltopdf wkhtmltoimage.generate new:WebSocket',
      args: [0, 'url', 'uri', 'baseURL', 'host', 'hostname'],
      needs: 'input'
    },
    {
      kind: 'redirect',
      calls: '*.redirect',
      args: [0, 1],
      needs: 'input',
      on: /(?:res|response|reply|ctx|c|NextResponse|Response)(?:\.\w+\(\))*\.redirect$/
    },
    { kind: 'redirect', calls: 'redirect *.location', needs: 'input' },
    {
      kind: 'redirect',
      calls: '*.setHeader *.header *.set',
      args: [1],
      needs: 'input',
      given: [0, /^location$/i]
    },
    { kind: 'redirect', calls: '*.writeHead', args: ['Location', 'location'], needs: 'input' },
    { kind: 'redirect', calls: '*.set new:Response return', args: ['Location'], needs: 'input' },
    {
      kind: 'redirect',
      calls: '*.field=',
      args: [1],
      needs: 'input',
      given: [0, /^location$/i],
      on: /headers?(?:\.field=)?$/i
    },
    {
      kind: 'redirect',
      calls:
        'location= *.location= location.href= location.assign location.replace window.open *.location.href= *.location.assign *.location.replace',
      needs: 'input'
    },
    { kind: 'markup', calls: '*.innerHTML= *.outerHTML= *.srcdoc=', needs: 'any' },
    { kind: 'markup', calls: 'document.write document.writeln', needs: 'any' },
    { kind: 'markup', calls: '*.insertAdjacentHTML', args: [1], needs: 'any' },
    { kind: 'markup', calls: 'new:SafeString *.SafeString', needs: 'open' },
    {
      kind: 'markup',
      calls: '*.createContextualFragment *.setHTMLUnsafe $.parseHTML jQuery.parseHTML',
      needs: 'any'
    },
    { kind: 'markup', calls: 'jsx.dangerouslySetInnerHTML=', args: ['__html'], needs: 'any' },
    {
      kind: 'markup',
      calls: '*.html *.append *.prepend *.after *.before *.wrap *.wrapAll *.replaceWith *.appendTo',
      needs: 'open',
      on: /(?:^|\.)(?:\$|jQuery)\(\)|^\$\w+\./,
      text: /<|^…?$/
    },
    {
      kind: 'markup',
      calls: '*.html *.append *.prepend *.after *.before *.wrap *.wrapAll *.replaceWith',
      needs: 'input',
      on: /(?:^|\.)(?:\$|jQuery)\(\)|^\$\w+\./
    },
    // It begins with #: jQuery takes only what begins with < for markup.
    // What begins with <, which the first release of 2013 made the only thing that it takes for markup.
    { kind: 'markup', calls: '$ jQuery', needs: 'input', not: /(?:^|\.)location\.hash$/, proof: /^\s*</ },
    { kind: 'markup', calls: '*.setContent *.setDocumentContent', args: [0, 'html'], needs: 'input' },
    {
      kind: 'markup',
      calls:
        '*.bypassSecurityTrustHtml *.bypassSecurityTrustScript *.bypassSecurityTrustUrl *.bypassSecurityTrustResourceUrl *.bypassSecurityTrustStyle *.trustAsHtml *.trustAsJs *.trustAsUrl *.trustAsResourceUrl',
      needs: 'any'
    },
    { kind: 'markup', calls: 'jsx.href= jsx.src= jsx.srcDoc=', needs: 'input' },
    {
      kind: 'markup',
      calls: '*.send *.write *.end *.html *.type',
      needs: 'input',
      on: /(?:^|\.)(?:res|response|reply|c)(?:\.\w+\(\))*\.\w+$/,
      text: /<|^…*$/,
      not: /JSON\.stringify\(\)$|(?:req|request)\.(?:params|query|headers|cookies|signedCookies)$/,
      proof: /</,
      takesObjects: true,
      asPage: true
    },
    // Express sends a text as a page unless another type is set.
    {
      kind: 'markup',
      calls: '*.send',
      needs: 'input',
      on: /(?:^|\.)(?:res|response)(?:\.status\(\))?\.send$/,
      text: /…/,
      not: /(?:req|request)\.(?:params|query|headers|cookies|signedCookies)$/,
      takesObjects: true,
      asPage: true
    },
    { kind: 'markup', calls: 'ctx.body= context.body= ctx.response.body=', needs: 'input', text: /<\w/ },
    {
      kind: 'template',
      calls:
        'ejs.render ejs.compile pug.render pug.compile handlebars.compile Handlebars.compile nunjucks.renderString mustache.render Mustache.render _.template lodash.template doT.template dot.template eta.render eta.renderString',
      needs: 'input'
    },
    { kind: 'template', calls: '*.render', needs: 'input', on: /(?:res|response|reply)\.render$/ },
    { kind: 'regex', calls: 'new:RegExp RegExp', needs: 'input' },
    {
      kind: 'deserialize',
      calls: 'v8.deserialize unserialize serialize.unserialize node-serialize.unserialize',
      needs: 'input'
    },
    {
      kind: 'header',
      calls: '*.setHeader *.header *.set *.append',
      args: [0],
      needs: 'input',
      // Names of headers are fixed in most records.
      takesObjects: true,
      on: /(?:res|response|reply|ctx)(?:\.\w+\(\))*\.\w+$/
    },
    {
      kind: 'cors',
      calls: '*.setHeader *.header *.set *.append',
      args: [1],
      needs: 'input',
      given: [0, /^access-control-allow-origin$/i]
    },
    {
      kind: 'log',
      calls: 'console.log console.info console.warn console.error console.debug',
      needs: 'input',
      text: /…/,
      // The first argument is a format only if values follow it.
      given: [1, /^/]
    },
    { kind: 'property', calls: '*.[]=', needs: 'input' },
    { kind: 'lookup', calls: 'xpath.select xpath.select1 xpath.evaluate *.xpath', needs: 'input' },
    {
      kind: 'lookup',
      calls: '*.search',
      args: [1, 'filter'],
      needs: 'open',
      on: /ldap|client/i,
      text: /[(&|]?\w+=/
    }
  ],
  fills: [
    { calls: 'Object.assign _.assign _.extend _.merge lodash.assign lodash.merge $.extend', from: 1, to: 0 }
  ],
  answerTypes: [
    { calls: '*.set *.setHeader *.header', args: [1], given: [0, /^content-type$/i] },
    { calls: '*.type *.contentType' },
    { calls: '*.set *.writeHead', args: ['Content-Type', 'content-type'] }
  ],
  cleaners: [
    {
      calls:
        'Number parseInt parseFloat Number.parseInt Number.parseFloat BigInt Boolean Math.floor Math.round Math.min Math.max Math.abs Math.trunc new:Date Date *.getTime *.indexOf *.test *.includes *.startsWith *.charCodeAt *.toFixed crypto.randomUUID uuid.v4 new:ObjectId ObjectId *.digest *.verify jwt.verify jsonwebtoken.verify',
      kinds: 'all'
    },
    { calls: 'path.basename basename', kinds: ['path', 'shell', 'markup', 'address'] },
    // Nothing behind the last dot of a name is a separator.
    { calls: 'path.extname extname', kinds: ['path'] },
    {
      calls: 'encodeURIComponent encodeURI querystring.escape',
      kinds: ['address', 'redirect', 'markup', 'path', 'shell', 'header', 'sql']
    },
    { calls: 'JSON.stringify', kinds: ['code', 'nosql', 'header', 'address', 'redirect', 'path'] },
    { calls: 'String *.toString *.trim', kinds: ['nosql', 'property'] },
    // pg-format's marks for names and literals, and the question marks of MySQL, quote; %s does not.
    {
      calls:
        'format pgFormat pg-format pg.format mysql.format mysql2.format sqlstring.format SqlString.format',
      kinds: ['sql'],
      given: [0, /^(?:[^%]|%[ILd%])*$/]
    },
    {
      calls:
        'mysql.escape mysql2.escape connection.escape pool.escape conn.escape db.escape client.escapeLiteral client.escapeIdentifier *.escapeId *.escapeIdentifier *.escapeLiteral *.quote *.wrap *.columnize *.parameter *.parameterize knex.ref',
      kinds: ['sql']
    },
    {
      calls:
        'DOMPurify.sanitize sanitizeHtml sanitize-html xss he.encode he.escape _.escape lodash.escape escapeHtml escape-html validator.escape marked.parseInline',
      kinds: ['markup', 'template']
    },
    // `__proto__` is a word, and so is the name of a host in the same network.
    {
      calls: 'keepWordCharacters',
      kinds: ['nosql', ...textKinds.filter((kind) => kind !== 'property' && kind !== 'address')]
    },
    { calls: 'new:URL', kinds: ['markup'] },
    { calls: 'shellQuote.quote shell-quote.quote shellescape shell-escape', kinds: ['shell'] }
  ],
  cleanNames:
    /^(?:\w*(?:[eE]scape|[sS]anitiz|[pP]urify|[qQ]uote|[vV]alidate|[sS]afe[A-Z]|[wW]hitelist|[aA]llowlist|[eE]ncodeFor)\w*|clean\w*|slugify|kebabCase|camelCase|safeParse|resolveInside\w*|assert\w+|parseAsync)$/,
  // A path without its host leads nowhere else.
  cleanFields: [
    { path: /(?:^|\.)new:URL\(\)\.(?:search|hash)$/, kinds: ['redirect'] },
    // The steps up are resolved in it, too.
    { path: /(?:^|\.)new:URL\(\)\.pathname$/, kinds: ['redirect', 'path'] },
    // Who links to this site gets its visitor back, and nobody else's.
    { path: /\.(?:headers?|get\(\)|header\(\))\.referr?er$/i, kinds: ['redirect'] }
  ],
  carriers:
    'String *.toString *.trim *.toLowerCase *.toUpperCase *.slice *.substring *.substr *.replace *.replaceAll *.split *.join *.concat *.padStart *.padEnd *.repeat *.at *.get *.getAll *.normalize *.filter *.map *.flatMap *.reverse *.sort *.flat *.pop *.shift *.entries *.values *.keys *.then *.toLocaleLowerCase decodeURIComponent decodeURI unescape atob btoa path.join path.resolve path.normalize join resolve util.format JSON.parse JSON.stringify Buffer.from Object.assign Object.values Object.keys Object.entries Object.fromEntries Array.from Array.of Promise.resolve Promise.all new:URL URL new:URLSearchParams URLSearchParams url.parse url.resolve querystring.parse qs.parse new:String structuredClone _.merge lodash.merge format _.get new:Buffer new:Request new:Array *.match *.matchAll *.exec *.getInstance',
  objects:
    'Object.assign Object.create Object.entries Object.fromEntries Object.getOwnPropertyNames Object.groupBy Object.keys Object.values Array Array.from Array.of Promise.all Promise.allSettled Reflect.ownKeys *.map *.flatMap *.filter *.flat *.split *.entries *.keys *.values *.matchAll *.sort *.reverse *.splice *.toSorted *.toReversed *.toSpliced _.pick _.omit _.keyBy _.groupBy _.mapValues lodash.pick lodash.omit querystring.parse qs.parse',
  leaves: 'process.exit process.abort ctx.throw',
  guards:
    /^(?:includes|has|hasOwn|hasOwnProperty|test|match|exec|indexOf|isIn|isInteger|isSafeInteger|isNaN|isFinite|isUUID|isURL|isValid\w*|isAllowed\w*|isSafe\w*|is[A-Z]\w*|valid\w*|check\w*|allow\w*|can[A-Z]\w*|matches|some|every|find)$/,
  // What the program runs on, and the site that a page belongs to.
  fixedPaths:
    /^process\.(?:version|versions\.\w+|platform|arch|pid|ppid)$|^(?:(?:window|document|self|globalThis)\.)?location\.(?:protocol|host|hostname|origin|port)$/,
  fixedNames: /^(?:[A-Z][A-Z0-9_]+|__dirname|__filename|undefined|NaN|Infinity)$/
}
