import type { Sink } from '../../../flow/tables.js'

/** Builders of statements, on which conditions and columns are set one after the other. */
const builder =
  /(?:^|\.)(?!orm\.NewCondition)(?:db|tx|conn|pool|store|client|queries|repo|database|sqlx?\.\w+|gorm\.DB|pgx\.\w+|DB|Tx|session|engine|orm|xorm\.\w+|q|query|sq|squirrel|psql|builder|goqu|bun)(?:\(\))?(?:\.\w+\(\))*\.\w+$/i

/** Without a type, net/http looks at the first bytes: a page starts with a tag, or a client chose its start. */
const page = /<\w|^\s*(?:…|$)/
/** A path starts with a slash, and a browser escapes what is in a header. */
const noPage = /\.(?:URL|Header|Host|RequestURI)\b|(?:Referer|UserAgent|Cookie|GetHeader)\(\)$/
const writers =
  '(?:w|rw|writer|resp|res|response|http\\.ResponseWriter|c\\.Writer|c\\.Response\\(\\)|(?:\\w+\\.)?\\w*Controller\\.Ctx(?:\\.ResponseWriter)?)'
const answer = new RegExp(`^${writers}$`)
const answerWriter = new RegExp(`^${writers}\\.\\w+$`)

/** The values of a prepared statement are values. */
const notPrepared = /^(?!.*(?:stmt|[pP]repare\w*\(\)))/

/** Calls of Go's libraries that do harm with a value of a client. */
export const goSinks: readonly Sink[] = [
  { kind: 'random', calls: 'http.SetCookie *.SetCookie', args: ['Value'], needs: 'input' },
  { kind: 'random', calls: '*.SetCookie', args: [1], needs: 'input' },
  { kind: 'random', calls: '*.field=', args: [1], needs: 'input', on: /[sS]ession\.Values\.field=$/ },
  {
    kind: 'sql',
    calls:
      '*.Query *.QueryRow *.Exec *.Prepare *.Raw *.MustExec *.Queryx *.QueryRowx *.NamedExec *.NamedQuery',
    needs: 'open',
    on: notPrepared
  },
  {
    kind: 'sql',
    calls: '*.QueryContext *.QueryRowContext *.ExecContext *.PrepareContext',
    args: [1],
    needs: 'open',
    on: notPrepared
  },
  // pgx takes the context first, sqlx the destination: what reads as SQL is the statement.
  {
    kind: 'sql',
    calls: '*.Query *.QueryRow *.Exec *.Select *.Get *.GetContext *.SelectContext',
    args: [1, 2],
    needs: 'open',
    on: notPrepared,
    text: /\b(?:select|insert|update|delete|from|where)\b/i
  },
  {
    kind: 'sql',
    calls: '*.Where *.Order *.OrderBy *.GroupBy *.Having *.Joins *.Select *.Raw *.Or *.And *.Not *.Table',
    needs: 'input',
    on: builder,
    text: /…|^$/,
    isPiece: true
  },
  {
    kind: 'shell',
    calls: 'exec.Command',
    args: [2],
    needs: 'any',
    given: [0, /(?:^|\/)(?:ba|z|da|a)?sh$|^cmd(?:\.exe)?$|^powershell/]
  },
  {
    kind: 'shell',
    calls: 'exec.CommandContext',
    args: [3],
    needs: 'any',
    given: [1, /(?:^|\/)(?:ba|z|da|a)?sh$|^cmd(?:\.exe)?$|^powershell/]
  },
  {
    kind: 'shell',
    calls: 'exec.Command exec.CommandContext syscall.Exec syscall.ForkExec os.StartProcess',
    args: 'all',
    needs: 'input'
  },
  {
    kind: 'path',
    calls:
      'os.Open os.OpenFile os.ReadFile os.WriteFile os.Create os.Remove os.RemoveAll os.Mkdir os.MkdirAll os.ReadDir os.Stat os.Lstat os.Readlink ioutil.ReadFile ioutil.WriteFile ioutil.ReadDir os.Chmod os.Truncate os.Chdir os.DirFS http.Dir zip.OpenReader template.ParseFiles c.File *.SendFile *.FileAttachment',
    needs: 'input'
  },
  {
    kind: 'path',
    calls: 'os.Rename os.Symlink os.Link',
    args: [0, 1],
    needs: 'input'
  },
  {
    kind: 'path',
    calls: 'c.SaveUploadedFile *.SaveUploadedFile *.SaveFile *.SaveToFile',
    args: [1],
    needs: 'input'
  },
  { kind: 'path', calls: 'http.ServeFile', args: [2], needs: 'input' },
  {
    kind: 'address',
    calls: 'http.Get http.Post http.Head http.PostForm *.Get *.Post *.Head',
    needs: 'input',
    on: /(?:^|\.)(?:http|client|httpClient|http\.Client|http\.DefaultClient|resty\.\w+\(\)|Client)(?:\.\w+\(\))*\.(?:Get|Post|Head|PostForm)$/
  },
  { kind: 'address', calls: 'http.NewRequest', args: [1], needs: 'input' },
  { kind: 'address', calls: 'http.NewRequestWithContext', args: [2], needs: 'input' },
  { kind: 'address', calls: 'httputil.NewSingleHostReverseProxy websocket.Dial rpc.Dial', needs: 'input' },
  { kind: 'address', calls: 'net.Dial net.DialTimeout tls.Dial grpc.Dial', args: [0, 1], needs: 'input' },
  { kind: 'redirect', calls: 'http.Redirect', args: [2], needs: 'input' },
  {
    kind: 'redirect',
    calls: 'c.Redirect ctx.Redirect *.Redirect',
    args: [0, 1],
    needs: 'input',
    on: /^(?:c|ctx|context|(?:\w+\.)?\w*(?:Context|Ctx|Controller))\./
  },
  { kind: 'redirect', calls: '*.Header().Set', args: [1], needs: 'input', given: [0, /^location$/i] },
  {
    kind: 'markup',
    calls: 'template.HTML template.JS template.URL template.HTMLAttr template.CSS template.JSStr',
    needs: 'any'
  },
  {
    kind: 'markup',
    calls: 'fmt.Fprintf fmt.Fprint fmt.Fprintln io.WriteString',
    args: [1],
    needs: 'input',
    text: page,
    not: noPage,
    asPage: true,
    given: [0, answer]
  },
  {
    kind: 'markup',
    calls: '*.Write *.WriteString',
    needs: 'input',
    text: page,
    not: noPage,
    asPage: true,
    on: answerWriter
  },
  {
    kind: 'markup',
    calls: '*.Data *.Blob',
    args: [2],
    needs: 'input',
    given: [1, /html/i]
  },
  {
    kind: 'markup',
    calls: '*.HTML *.HTMLBlob',
    args: [1],
    needs: 'input',
    on: /^(?:c|ctx|(?:\w+\.)?\w*Context)\./,
    text: /…|^$/
  },
  {
    kind: 'redirect',
    calls: '*.field=',
    args: [1],
    needs: 'input',
    given: [0, /^location$/i],
    on: /Header\(\)\.field=$/
  },
  { kind: 'template', calls: '*.Parse', needs: 'input', on: /template/i },
  { kind: 'header', calls: '*.Header().Set *.Header().Add', args: [0], needs: 'input' },
  {
    kind: 'cors',
    calls: '*.Header().Set *.Header().Add *.Header',
    args: [1],
    needs: 'input',
    given: [0, /^access-control-allow-origin$/i]
  },
  { kind: 'lookup', calls: 'ldap.NewSearchRequest', args: 'all', needs: 'open', text: /\(/ },
  {
    kind: 'lookup',
    calls: 'xmlpath.Compile xpath.Compile xmlquery.Find htmlquery.Find',
    args: [0, 1],
    needs: 'input'
  },
  {
    kind: 'log',
    calls: 'log.Printf log.Println log.Print log.Fatalf logger.Printf',
    needs: 'input',
    text: /…/
  }
]
