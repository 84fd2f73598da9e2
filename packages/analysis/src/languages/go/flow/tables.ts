import { filledByBrowser, type Tables } from '../../../flow/tables.js'
import { goSinks } from './sinks.js'

/** What Go's frameworks and libraries do with values. */
export const goTables: Tables = {
  serves:
    /"(?:net\/http|github\.com\/(?:gin-gonic\/gin|labstack\/echo(?:\/v\d+)?|gofiber\/fiber(?:\/v\d+)?|go-chi\/chi(?:\/v\d+)?|gorilla\/mux|kataras\/iris(?:\/v\d+)?|julienschmidt\/httprouter|valyala\/fasthttp|beego\/beego[\w/]*|aws\/aws-lambda-go\/events))"|\*http\.Request\b|\*gin\.Context\b|\becho\.Context\b|\*fiber\.Ctx\b|\bevents\.(?:APIGateway|ALB|LambdaFunctionURL)/,
  sources: [
    {
      path: /^(?:r|req|request|http\.Request|c\.Request|ctx\.Request|c\.Request\(\))\.(?:URL\.Query\(\)|FormValue\(\)|PostFormValue\(\)|PathValue\(\)|Form|PostForm|MultipartForm|Body|FormFile\(\))$/,
      kinds: 'all',
      isRequest: true
    },
    {
      path: /^(?:r|req|request|http\.Request|c\.Request|ctx\.Request|c\.Request\(\))\.(?:URL(?:\.(?:Path|RawQuery|String\(\)|RequestURI\(\)))?|Header|Host|RequestURI|Referer\(\)|UserAgent\(\)|Cookie\(\))$/,
      kinds: 'all',
      likely: filledByBrowser,
      isRequest: true
    },
    {
      path: /^(?:c|ctx|context|(?:\w+\.)?\w*(?:Context|Ctx))\.(?:(?:Query|PostForm|Form)(?!Int|Bool|Float|Optional)\w*|DefaultQuery|DefaultPostForm|GetQuery|GetPostForm|Body|BodyRaw|GetRawData|URLParam|PathParam)\(\)$/,
      kinds: 'all',
      isRequest: true
    },
    {
      path: /^(?:c|ctx|context|(?:\w+\.)?\w*(?:Context|Ctx))\.(?:GetHeader|Cookies?|Path|Get)\(\)$/,
      kinds: 'all',
      likely: filledByBrowser,
      isRequest: true
    },
    // What a framework reads from a request into a variable.
    {
      path: /^(?:request|(?:c|ctx|context|(?:\w+\.)?\w*(?:Context|Ctx|Controller))\.\w+\(?\)?)\(&\)$/,
      kinds: 'all',
      isRequest: true
    },
    // Beego: an application's controllers embed the framework's.
    {
      path: /^(?:\w+\.)?\w*Controller\.(?:GetStrings?|Input\(\)|GetFile\(\)|Ctx\.Input\.(?:Query|Param|RequestBody|Header|Data)|Ctx\.Request\.(?:Form|Body|PostForm))(?:\(\))?$/,
      kinds: 'all',
      isRequest: true
    },
    {
      path: /^(?:\w+\.)?\w*Controller\.Ctx\.(?:Request\.(?:URL|Header|Host|RequestURI|Referer\(\)|UserAgent\(\)|Cookie\(\))|GetCookie\(\)|Input\.(?:Cookie|Host|Referer|URL|URI)\(\))$/,
      kinds: 'all',
      likely: filledByBrowser,
      isRequest: true
    },
    // fasthttp.
    {
      path: /^(?:ctx|c|fasthttp\.RequestCtx)\.(?:(?:QueryArgs|PostArgs)\(\)\.Peek|PostBody|FormValue|UserValue)\(\)$/,
      kinds: 'all',
      isRequest: true
    },
    // AWS Lambda behind API Gateway, a load balancer or an address of its own.
    {
      path: /^events\.(?:APIGateway\w*|ALBTargetGroup|LambdaFunctionURL)Request\.(?:Body|QueryStringParameters|PathParameters|Headers|RawQueryString|RawPath)$/,
      kinds: 'all',
      isRequest: true
    },
    // Whether a `/` can be in a segment of the path depends on the route and the settings of the router.
    {
      path: /^(?:c|ctx|context|(?:\w+\.)?\w*(?:Context|Ctx))\.(?:Params?|PathParam)\(\)$|^mux\.Vars\(\)$|^chi\.URLParam\(\)$|^(?:p|ps|params|httprouter\.Params)\.ByName\(\)$/,
      kinds: 'all',
      likely: ['path'],
      isRequest: true
    },
    {
      path: /^rand\.(?:Intn|IntN|Int\d\w*|Uint\w*|Float\d+|Perm|N)\(\)$|^rand\.New\(\)\.\w+\(\)$/,
      kinds: ['random']
    },
    // The maker of an archive chooses the names of its members.
    {
      path: /^zip\.(?:OpenReader|NewReader)\(\)\.File$|^zip\.(?:File|Reader\.File)$|^tar\.(?:NewReader\(\)|Reader)\.Next\(\)$/,
      kinds: ['path']
    },
    { path: /^os\.Args$|^flag\.(?:String|Arg|Args)\(\)$/, kinds: ['sql', 'shell'], likely: 'all' }
  ],
  requests: /^(?:r|req|request|http\.Request)$/,
  fills: [
    { calls: '*.Decode *.ReadJSON *.Read *.ReadFull', from: 'this', to: 0 },
    { calls: 'json.Unmarshal xml.Unmarshal yaml.Unmarshal toml.Unmarshal bson.Unmarshal', from: 0, to: 1 },
    { calls: 'render.DecodeJSON render.DecodeXML mapstructure.Decode', from: 0, to: 1 },
    { calls: 'schema.NewDecoder().Decode *.Decode', from: 1, to: 0 },
    { calls: 'io.Copy io.CopyN', from: 1, to: 0 },
    { calls: 'io.ReadFull io.ReadAtLeast fmt.Sscan fmt.Sscanln', from: 0, to: 1 },
    { calls: 'fmt.Sscanf', from: 0, to: 2 },
    { calls: '*.ReadFrom', from: 0, to: 'this' },
    {
      calls:
        '*.Bind *.BindJSON *.BindQuery *.BindForm *.BindUri *.BindXML *.BindWith *.ShouldBind *.ShouldBindJSON *.ShouldBindQuery *.ShouldBindUri *.ShouldBindXML *.ShouldBindWith *.ShouldBindBodyWith *.MustBindWith *.BodyParser *.QueryParser *.ParamsParser *.ReadForm *.ReadQuery *.ParseForm *.ShouldBindBodyWithJSON',
      from: 'request',
      to: 0
    }
  ],
  answerTypes: [
    {
      calls: '*.Header().Set *.Header().Add *.Header *.SetHeader *.SetContentType',
      args: [1],
      given: [0, /^content-type$/i]
    }
  ],
  sinks: goSinks,
  cleaners: [
    {
      calls:
        'strconv.Atoi strconv.ParseInt strconv.ParseUint strconv.ParseFloat strconv.ParseBool strconv.Itoa uuid.Parse uuid.MustParse time.Parse len int int64 int32 uint *.QueryInt *.ParamsInt strings.Index strings.HasPrefix strings.Contains strings.Count bcrypt.GenerateFromPassword',
      kinds: 'all'
    },
    { calls: 'filepath.Base path.Base', kinds: ['path', 'shell', 'header'] },
    // Nothing behind the last dot of a name is a separator.
    { calls: 'filepath.Ext path.Ext', kinds: ['path'] },
    { calls: 'securejoin.SecureJoin', kinds: ['path'] },
    {
      calls: 'url.QueryEscape url.PathEscape',
      kinds: ['address', 'redirect', 'markup', 'header', 'path', 'shell', 'log']
    },
    {
      calls: 'html.EscapeString template.HTMLEscapeString template.JSEscapeString *.Sanitize',
      kinds: ['markup', 'template']
    },
    { calls: 'regexp.QuoteMeta', kinds: ['shell'] },
    { calls: 'ldap.EscapeFilter', kinds: ['lookup'] },
    { calls: 'pq.QuoteIdentifier pq.QuoteLiteral pgx.Identifier *.Sanitize', kinds: ['sql'] },
    { calls: 'strconv.Quote json.Marshal', kinds: ['log', 'header', 'markup'] }
  ],
  cleanNames:
    /^(?:\w*(?:[eE]scape|[sS]anitiz|[qQ]uote|[vV]alidate|[sS]afe[A-Z]|[wW]hitelist|[aA]llowlist)\w*|[cC]leanPath|[sS]lugify)$/,
  carriers:
    'fmt.Sprintf fmt.Sprint fmt.Sprintln fmt.Errorf strings.Join strings.Replace strings.ReplaceAll strings.TrimSpace strings.Trim strings.TrimPrefix strings.TrimSuffix strings.TrimLeft strings.TrimRight strings.ToLower strings.ToUpper strings.Split strings.Fields strings.SplitN strings.SplitAfter strings.Cut strings.CutPrefix strings.CutSuffix strings.TrimFunc strings.ToValidUTF8 strings.Repeat strings.Title strings.NewReader bytes.NewBufferString bytes.NewBuffer bytes.NewReader bytes.TrimSpace bufio.NewReader bufio.NewScanner io.LimitReader io.NopCloser json.NewDecoder xml.NewDecoder yaml.NewDecoder gob.NewDecoder path.Dir filepath.Dir filepath.ToSlash filepath.Rel os.ExpandEnv html.UnescapeString hex.DecodeString path.Join filepath.Join filepath.Clean path.Clean filepath.Abs filepath.FromSlash url.Parse url.QueryUnescape url.PathUnescape io.ReadAll ioutil.ReadAll base64.StdEncoding.DecodeString base64.URLEncoding.DecodeString base64.RawURLEncoding.DecodeString append *.Get *.String *.Text *.Values *.Bytes',
  leaves: 'panic os.Exit log.Fatal log.Fatalf log.Fatalln log.Panic log.Panicf runtime.Goexit',
  guards:
    /^(?:Contains|HasPrefix|MatchString|Match|IsLocal|IsValid\w*|IsAllowed\w*|isValid\w*|isAllowed\w*|isSafe\w*|[vV]alid\w*|[aA]llowed\w*|Has|includes|ContainsFunc|IsAbs|[cC]heck\w*)$/,
  cleanFields: [{ path: /\.(?:RawQuery|Fragment)$/, kinds: ['redirect', 'address'] }],
  fixedNames: /^(?:[A-Z][A-Z0-9_]{2,}|nil|iota)$/
}
