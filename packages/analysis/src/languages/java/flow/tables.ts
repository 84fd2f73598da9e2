import { filledByBrowser, type Tables } from '../../../flow/tables.js'

const request =
  '(?:request|req|httpRequest|servletRequest|httpServletRequest|HttpServletRequest|ServletRequest|WebRequest|NativeWebRequest|HttpRequest)'
const response =
  /(?:^|\.)(?:getWriter\(\)|getOutputStream\(\)|out|writer|pw|PrintWriter|ServletOutputStream|JspWriter)\.\w+$/

/** What Java's frameworks and libraries do with values. */
export const javaTables: Tables = {
  serves:
    /\b(?:javax|jakarta)\.(?:servlet|ws\.rs|faces|jws)\b|\borg\.springframework\.(?:web|http|stereotype\.Controller|context\.request|graphql|messaging)\b|\bio\.(?:javalin|micronaut\.http|vertx|quarkus|undertow|ktor)\b|\bspark\.|\bplay\.mvc\b|\bcom\.sun\.net\.httpserver\b|\bHttpServletRequest\b|\bServletRequest\b|@(?:(?:Rest)?Controller|(?:Get|Post|Put|Patch|Delete|Request)Mapping|Path|GET|POST|WebServlet)\b|\bAPIGateway\w*Event\b/,
  sources: [
    {
      path: new RegExp(
        `(?:^|\\.)${request}\\.get(?:Parameter|ParameterValues|ParameterMap|ParameterNames|InputStream|Reader|Part|Parts)\\(\\)$`
      ),
      kinds: 'all',
      isRequest: true
    },
    {
      path: new RegExp(
        `(?:^|\\.)${request}\\.get(?:Header|Headers|HeaderNames|QueryString|PathInfo|RequestURI|RequestURL|Cookies|ServletPath|RemoteUser)\\(\\)$`
      ),
      kinds: 'all',
      likely: filledByBrowser,
      isRequest: true
    },
    {
      path: /(?:^|\.)(?:Cookie|cookie|theCookie)\.getValue\(\)$|^MultipartFile\.(?:getOriginalFilename|getBytes|getInputStream)\(\)$|(?:^|\.)(?:file|upload|multipartFile)\.getOriginalFilename\(\)$/,
      kinds: 'all',
      isRequest: true
    },
    // AWS Lambda behind API Gateway.
    {
      path: /^APIGateway\w*Event\.get(?:Body|QueryStringParameters|PathParameters|Headers|MultiValue\w+)\(\)$/,
      kinds: 'all',
      isRequest: true
    },
    // The maker of an archive chooses the names of its members.
    { path: /(?:^|\.)(?:Zip|Jar|Tar|Archive)\w*Entry\.getName\(\)$/, kinds: ['path'] },
    {
      path: /(?:^|\.)(?:(?:new:)?(?:Random|ThreadLocalRandom|SplittableRandom)(?:\(\)|\.current\(\))?\.next\w+|Math\.random|RandomUtils\.next\w+|RandomStringUtils\.random\w*)\(\)$/,
      kinds: ['random']
    },
    { path: /^args$|^Scanner\.nextLine\(\)$/, kinds: ['sql', 'shell'], likely: 'all' }
  ],
  requests: new RegExp(`^${request}$`),
  sinks: [
    {
      kind: 'sql',
      calls:
        '*.executeQuery *.executeUpdate *.execute *.executeLargeUpdate *.addBatch *.prepareStatement *.prepareCall *.nativeSQL *.createQuery *.createNativeQuery *.createSQLQuery *.queryForObject *.queryForList *.queryForMap *.queryForRowSet *.queryForInt *.queryForLong *.batchUpdate *.rawQuery *.execSQL *.createStatement *.newQuery new:PreparedStatementCreatorFactory new:CallableStatementCreatorFactory',
      needs: 'open'
    },
    // Digests are updated and other collections are queried as well: the text must read as SQL.
    {
      kind: 'sql',
      calls: '*.query *.update *.where *.sql',
      needs: 'open',
      text: /\b(?:select|insert|update|delete|from|where|call|and|or|like)\b|[=<>]/i
    },
    {
      kind: 'sql',
      calls: '*.query *.update *.sql',
      needs: 'input',
      on: /jdbc|template|session|entityManager/i
    },
    {
      kind: 'sql',
      calls: 'Restrictions.sqlRestriction *.sqlRestriction DSL.condition',
      needs: 'open',
      isPiece: true
    },
    {
      kind: 'session',
      calls: '*.setAttribute *.putValue',
      args: [0, 1],
      needs: 'input',
      on: /session/i
    },
    { kind: 'random', calls: '*.setAttribute *.putValue', args: [1], needs: 'input', on: /session/i },
    { kind: 'random', calls: 'new:Cookie *.setValue', args: [0, 1], needs: 'input', on: /cookie/i },
    {
      kind: 'sql',
      calls:
        '*.executeQuery *.executeUpdate *.execute *.prepareStatement *.prepareCall *.createQuery *.createNativeQuery *.queryForObject *.queryForList *.queryForMap *.queryForRowSet *.queryForLong *.batchUpdate *.addBatch',
      needs: 'input'
    },
    { kind: 'shell', calls: '*.exec', needs: 'open', on: /untime/ },
    { kind: 'shell', calls: '*.exec', args: [0, 1], needs: 'input', on: /untime/ },
    {
      kind: 'shell',
      calls: 'new:ProcessBuilder ProcessBuilder.command *.command',
      args: [0, 1, 2, 3],
      needs: 'input'
    },
    {
      kind: 'shell',
      calls: 'new:ProcessBuilder',
      args: [2],
      needs: 'any',
      given: [0, /(?:^|\/)(?:ba|z|da)?sh$|^cmd(?:\.exe)?$|^powershell/]
    },
    { kind: 'code', calls: '*.eval', needs: 'input', on: /engine|script/i },
    {
      kind: 'code',
      calls: '*.parseExpression *.evaluate *.forName *.loadClass *.createValueExpression',
      needs: 'input',
      on: /parser|expression|Class|loader|ognl|mvel|shell/i
    },
    {
      kind: 'path',
      calls:
        'new:File new:FileInputStream new:FileOutputStream new:FileReader new:FileWriter new:RandomAccessFile Paths.get Path.of *.getResourceAsStream *.getRealPath new:ZipFile new:FileSystemResource',
      args: [0, 1],
      needs: 'input'
    },
    {
      kind: 'path',
      calls:
        'Files.readAllBytes Files.readString Files.newInputStream Files.newOutputStream Files.write Files.delete Files.copy Files.lines Files.newBufferedReader Files.deleteIfExists *.resolve *.transferTo',
      needs: 'input'
    },
    {
      kind: 'address',
      calls: 'new:URL URI.create new:URI new:HttpGet new:HttpPost HttpRequest.newBuilder Jsoup.connect',
      needs: 'input'
    },
    {
      kind: 'address',
      calls: '*.getForObject *.getForEntity *.postForObject *.postForEntity *.exchange *.uri *.url',
      needs: 'input',
      on: /rest|client|request|http|builder/i
    },
    { kind: 'redirect', calls: '*.sendRedirect new:RedirectView', needs: 'input' },
    // The name of a view in Spring.
    {
      kind: 'redirect',
      calls: 'return new:ModelAndView *.setViewName',
      needs: 'input',
      text: /^redirect:\/?…/
    },
    { kind: 'redirect', calls: '*.setLocation *.location', needs: 'input' },
    {
      kind: 'redirect',
      calls: '*.setHeader *.addHeader *.header *.add *.set *.put',
      args: [1],
      needs: 'input',
      given: [0, /^location$/i]
    },
    {
      kind: 'markup',
      calls: '*.print *.println *.write *.append *.printf *.format',
      args: [0, 1, 2, 3],
      needs: 'input',
      on: response
    },
    {
      kind: 'header',
      calls: '*.setHeader *.addHeader',
      args: [1],
      needs: 'input',
      given: [0, /^(?!location$|access-control-allow-origin$)/i],
      on: /response|resp|res/i
    },
    {
      kind: 'cors',
      calls: '*.setHeader *.addHeader',
      args: [1],
      needs: 'input',
      given: [0, /^access-control-allow-origin$/i]
    },
    {
      kind: 'lookup',
      calls: '*.search',
      args: [0, 1],
      needs: 'open',
      on: /(?:^|\.)(?:\w*[cC]tx|\w*[cC]ontext|idc|ldap\w*|InitialDirContext|DirContext|LdapContext)\.search$/
    },
    {
      kind: 'lookup',
      calls: '*.search',
      args: [1],
      needs: 'input',
      on: /(?:^|\.)(?:\w*[cC]tx|\w*[cC]ontext|idc|ldap\w*|InitialDirContext|DirContext|LdapContext)\.search$/
    },
    {
      kind: 'lookup',
      calls: '*.evaluate *.compile *.lookup',
      needs: 'input',
      on: /(?:^|\.)(?:xp|xpath|XPath|ctx|context|InitialContext|Context|xPath)\.\w+$/
    },
    { kind: 'regex', calls: 'Pattern.compile', needs: 'input' },
    { kind: 'template', calls: 'new:Template', args: [1], needs: 'input' },
    { kind: 'template', calls: '*.evaluate', args: [3], needs: 'input', on: /velocity/i },
    { kind: 'template', calls: '*.mergeTemplate', needs: 'input', on: /velocity/i },
    // An engine gets the template, FreeMarker's `Template` only the data for it.
    { kind: 'template', calls: '*.process', needs: 'input', on: /engine/i },
    {
      kind: 'deserialize',
      calls:
        'new:ObjectInputStream new:XMLDecoder new:HessianInput new:Hessian2Input SerializationUtils.deserialize',
      needs: 'input'
    },
    // Fastjson 1 makes objects of the classes that a document names.
    {
      kind: 'deserialize',
      calls: 'JSON.parse JSON.parseObject JSONObject.parse JSONObject.parseObject',
      needs: 'input',
      isAlone: true,
      onlyIn: /^import com\.alibaba\.fastjson\./
    },
    {
      kind: 'log',
      calls: '*.trace *.debug *.info *.warn *.error *.fine *.warning *.severe',
      needs: 'input',
      on: /(?:^|\.)log(?:ger)?(?:\(\))?\.\w+$/i,
      text: /…/
    }
  ],
  cleaners: [
    {
      calls:
        'Integer.parseInt Integer.valueOf Long.parseLong Long.valueOf Double.parseDouble Boolean.parseBoolean UUID.fromString *.length *.size *.hashCode *.equals *.equalsIgnoreCase *.contains *.startsWith *.indexOf *.isEmpty LocalDate.parse Instant.parse *.matches',
      kinds: 'all'
    },
    {
      calls: 'FilenameUtils.getName *.getFileName FilenameUtils.getBaseName FilenameUtils.getExtension',
      kinds: ['path']
    },
    {
      calls:
        'StringEscapeUtils.escapeHtml4 StringEscapeUtils.escapeHtml StringEscapeUtils.escapeHtml3 HtmlUtils.htmlEscape Encode.forHtml Encode.forHtmlAttribute Encode.forHtmlContent *.encodeForHTML *.encodeForHTMLAttribute Jsoup.clean *.sanitize HtmlEscapers.htmlEscaper().escape ESAPI.encoder().encodeForHTML',
      kinds: ['markup', 'template']
    },
    {
      calls: 'URLEncoder.encode UriUtils.encode Encode.forUriComponent',
      kinds: ['address', 'redirect', 'markup', 'header', 'path']
    },
    { calls: '*.encodeForSQL', kinds: ['sql'] },
    { calls: '*.encodeForLDAP *.encodeForXPath Encode.forXmlAttribute', kinds: ['lookup'] },
    { calls: '*.replace *.replaceAll', given: [0, /^['"]$/], kinds: ['lookup'] },
    { calls: '*.replace *.replaceAll', given: [0, /^<$/], kinds: ['markup'] },
    { calls: 'Pattern.quote', kinds: ['regex'] }
  ],
  cleanNames:
    /^(?:\w*(?:[eE]scape|[sS]anitiz|[qQ]uote|[vV]alidate|[sS]afe[A-Z]|[wW]hitelist|[aA]llowlist|encodeFor)\w*|clean[A-Z]\w*)$/,
  carriers:
    'String.format String.valueOf String.join *.formatted *.concat *.trim *.strip *.toLowerCase *.toUpperCase *.substring *.replace *.replaceAll *.split *.toString *.getBytes *.toCharArray *.append *.insert *.get *.getOrDefault *.nextElement *.next *.iterator *.readLine *.orElse *.orElseThrow *.orElseGet *.stream *.collect *.map *.filter *.findFirst *.toArray *.asList *.getParameter *.getValue *.getTheParameter *.normalize *.toPath *.toAbsolutePath *.getKey *.keySet *.entrySet *.values *.elements *.toURI *.openStream *.getPath *.build *.decode *.readValue *.fromJson *.parseObject *.remove *.first *.last Arrays.asList List.of Set.of Map.of Optional.of Optional.ofNullable Objects.requireNonNull Objects.toString URLDecoder.decode Base64.getDecoder().decode Base64.decodeBase64 Base64.encodeBase64 new:String new:StringBuilder new:StringBuffer new:File new:BufferedReader new:InputStreamReader new:ByteArrayInputStream new:StringReader Paths.get Path.of new:URL new:URI URI.create new:ArrayList new:HashMap new:FileInputStream Files.newInputStream new:BufferedInputStream new:Scanner new:ProcessBuilder IOUtils.toString StringUtils.trim HttpRequest.newBuilder *.resolve',
  leaves: 'System.exit',
  guards:
    /^(?:contains|containsKey|matches|startsWith|equals|equalsIgnoreCase|isValid\w*|isAllowed\w*|isSafe\w*|valid\w*|allowed\w*|check\w*|anyMatch|isInstance|find)$/,
  fixedNames: /^(?:[A-Z][A-Z0-9_]+|null)$/
}
