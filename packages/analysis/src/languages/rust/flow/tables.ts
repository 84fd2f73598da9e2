import { filledByBrowser, type Tables } from '../../../flow/tables.js'

/** What Rust's frameworks and libraries do with values. */
export const rustTables: Tables = {
  serves: /\b(?:actix_web|axum|rocket|warp|hyper|tide|poem|salvo|HttpRequest|lambda_http)\b/,
  sources: [
    {
      path: /^(?:req|request|http_req)\.(?:query_string\(\)|match_info\(\)|param\(\)|body\(\)|query\(\))$/,
      kinds: 'all',
      isRequest: true
    },
    {
      path: /^(?:req|request|http_req)\.(?:uri\(\)|path\(\)|headers\(\)|cookie\(\)|url\(\))$/,
      kinds: 'all',
      likely: filledByBrowser,
      isRequest: true
    },
    { path: /^(?:std\.)?env\.args\(\)/, kinds: ['sql', 'shell'], likely: 'all' }
  ],
  sinks: [
    {
      kind: 'sql',
      calls:
        'sqlx.query sqlx.query_as sqlx.query_scalar sqlx.raw_sql query query_as query_scalar diesel.sql_query sql_query *.execute *.query *.query_one *.query_opt *.prepare *.batch_execute *.simple_query *.query_row *.query_map *.execute_batch *.fetch_all *.exec *.query_drop *.exec_drop *.query_first *.query_iter Statement.from_string',
      needs: 'open'
    },
    { kind: 'sql', calls: 'Statement.from_string', args: [1], needs: 'open' },
    {
      kind: 'shell',
      calls: '*.arg *.args',
      needs: 'any',
      on: /Shell\.new\(\)\.arg\(\)\.arg$|Shell\.new\(\)\.args$/
    },
    { kind: 'shell', calls: 'Command.new', needs: 'input' },
    { kind: 'shell', calls: '*.arg *.args', needs: 'input', on: /Command\.new\(\)/ },
    {
      kind: 'path',
      calls:
        'fs.read fs.read_to_string fs.write fs.remove_file fs.remove_dir_all fs.create_dir_all fs.read_dir fs.copy fs.rename fs.File.open File.open File.create NamedFile.open NamedFile.open_async fs.metadata OpenOptions.new().open',
      args: [0, 1],
      needs: 'input'
    },
    {
      kind: 'address',
      calls: 'reqwest.get reqwest.blocking.get ureq.get ureq.post surf.get',
      needs: 'input'
    },
    {
      kind: 'address',
      calls: '*.get *.post *.put *.head',
      needs: 'input',
      on: /(?:^|\.)(?:client|http_client|reqwest\.Client\.new\(\)|Client\.new\(\))\.\w+$/
    },
    {
      kind: 'redirect',
      calls: 'Redirect.to Redirect.temporary Redirect.permanent Redirect.found',
      needs: 'input'
    },
    {
      kind: 'redirect',
      calls: '*.insert_header *.append_header *.header',
      args: [0, 1],
      needs: 'input',
      given: [0, /^location$/i]
    },
    {
      kind: 'markup',
      calls: 'Html RawHtml PreEscaped html.RawHtml response.Html axum.response.Html',
      needs: 'open'
    },
    { kind: 'markup', calls: 'Html RawHtml PreEscaped', needs: 'input' },
    { kind: 'markup', calls: '*.body', needs: 'input', on: /HttpResponse/, text: /<\w/ },
    { kind: 'regex', calls: 'fancy_regex.Regex.new', needs: 'input' },
    { kind: 'template', calls: 'Tera.one_off *.render_str *.render_template', needs: 'input' }
  ],
  cleaners: [
    {
      calls:
        '*.len *.parse *.is_empty *.contains *.starts_with *.is_some *.is_ok *.count Uuid.parse_str *.as_u64 *.to_digit *.eq *.cmp *.try_into',
      kinds: 'all'
    },
    { calls: '*.file_name', kinds: ['path'] },
    {
      calls:
        'encode_text html_escape.encode_text html_escape.encode_safe ammonia.clean askama_escape.escape v_htmlescape.escape encode_minimal',
      kinds: ['markup']
    },
    {
      calls: 'urlencoding.encode form_urlencoded.byte_serialize',
      kinds: ['address', 'redirect', 'markup', 'path']
    },
    { calls: 'shell_escape.escape shlex.try_quote shlex.quote', kinds: ['shell'] },
    { calls: 'regex.escape', kinds: ['regex'] },
    { calls: 'quote_identifier quote_literal', kinds: ['sql'] }
  ],
  cleanNames: /^(?:\w*(?:escape|sanitiz|quote|validate|safe_|allowlist)\w*|clean_\w+)$/,
  carriers:
    'String.from *.to_string *.to_owned *.clone *.into *.as_str *.as_ref *.trim *.to_lowercase *.to_uppercase *.replace *.split *.join *.concat *.unwrap *.unwrap_or *.unwrap_or_default *.unwrap_or_else *.expect *.ok *.get *.into_inner *.into_owned *.collect *.iter *.into_iter *.map *.as_bytes *.into_bytes *.to_vec *.as_deref *.cloned *.next *.nth *.push *.ok_or *.ok_or_else Path.new PathBuf.from *.to_path_buf *.display *.and_then *.context *.map_err *.borrow *.to_str *.to_string_lossy Some Ok Box.new Arc.new Cow.from Url.parse *.canonicalize *.filter *.query *.as_path *.bytes *.text',
  guards:
    /^(?:contains|contains_key|starts_with|is_match|is_valid\w*|is_allowed\w*|is_safe\w*|valid\w*|all|any|check_\w+|is_\w+)$/,
  fixedNames: /^(?:[A-Z][A-Z0-9_]+|None|std|sqlx|fs|tokio|Command|File|reqwest)$/
}
