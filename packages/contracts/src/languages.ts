/** Canonical name → every other name it goes by. Names are compared in lower case. */
const aliases = {
  javascript: ['js', 'node', 'nodejs', 'node.js', 'mjs', 'cjs', 'es6', 'ecmascript', 'esm'],
  jsx: ['javascriptreact', 'react', 'javascript-react'],
  typescript: ['ts', 'mts', 'cts', 'deno', 'bun'],
  tsx: ['typescriptreact', 'typescript-react'],
  python: ['py', 'python3', 'python2', 'py3', 'pyw', 'cpython', 'pypy'],
  go: ['golang'],
  java: ['jdk', 'openjdk'],
  rust: ['rs', 'rustlang'],
  sql: ['postgres', 'postgresql', 'psql', 'pgsql', 'plpgsql', 'sqlite', 'ansi-sql'],
  shell: ['sh', 'bash', 'zsh', 'ksh', 'dash', 'shellscript', 'shell-script', 'bourne'],
  css: ['css3', 'stylesheet'],
  html: ['htm', 'html5', 'xhtml'],

  // Known, without an analyzer of their own: the rules for every language apply.
  scss: [], sass: [], less: [], stylus: ['styl'],
  mysql: ['mariadb'], tsql: ['t-sql', 'mssql', 'sqlserver', 'transact-sql'], plsql: ['pl/sql', 'oracle'], bigquery: ['googlesql'], snowflake: [],
  c: ['c99', 'c11', 'c17', 'h'], cpp: ['c++', 'cxx', 'cc', 'hpp', 'c++11', 'c++14', 'c++17', 'c++20', 'c++23'],
  csharp: ['c#', 'cs', 'c-sharp', 'dotnet', '.net'], fsharp: ['f#', 'fs'], vbnet: ['vb', 'vb.net', 'visualbasic', 'visual-basic'],
  objectivec: ['objc', 'objective-c', 'obj-c', 'objective-c++', 'objcpp'],
  php: ['php7', 'php8'], ruby: ['rb', 'jruby', 'rails'], erb: [], kotlin: ['kt', 'kts'], swift: ['swiftui'], scala: ['sc', 'scala3'], groovy: ['gradle'],
  dart: ['flutter'], lua: ['luajit', 'luau'], perl: ['pl', 'perl5', 'raku'], r: ['rlang', 'rscript'], julia: ['jl'], matlab: ['octave'],
  haskell: ['hs'], ocaml: ['ml'], reasonml: ['reason'], elm: [], purescript: ['purs'], elixir: ['ex', 'exs'], erlang: ['erl'], gleam: [],
  clojure: ['clj', 'cljs', 'clojurescript'], lisp: ['common-lisp', 'commonlisp', 'cl'], scheme: ['scm'], racket: ['rkt'], emacslisp: ['elisp', 'emacs-lisp'],
  prolog: ['swipl'], fortran: ['f90', 'f95'], cobol: ['cbl'], pascal: ['delphi', 'objectpascal'], ada: ['adb'], d: ['dlang'], nim: [], zig: [], v: ['vlang'],
  crystal: ['cr'], odin: [], solidity: ['sol'], vyper: ['vy'], move: [], assembly: ['asm', 'nasm', 'x86asm', 'assembler'], wat: ['webassembly', 'wasm'],
  verilog: ['systemverilog', 'sv'], vhdl: [], cuda: ['cu'], opencl: [], glsl: [], hlsl: [], wgsl: [], metal: [],
  powershell: ['ps1', 'pwsh', 'ps'], batch: ['bat', 'cmd', 'dosbatch'], fish: [], nushell: ['nu'], awk: ['gawk'], tcl: [], vimscript: ['vim', 'viml'],
  vue: ['vuejs', 'vue3'], svelte: [], astro: [], angular: ['ng'], handlebars: ['hbs', 'mustache'], ejs: [], pug: ['jade'], jinja: ['jinja2', 'j2', 'twig'], liquid: [],
  json: ['json5', 'jsonc'], yaml: ['yml'], toml: [], xml: ['xsd', 'xslt', 'svg', 'plist'], ini: ['cfg', 'conf', 'properties'], dotenv: ['env', '.env'], csv: ['tsv'],
  dockerfile: ['docker', 'containerfile'], terraform: ['tf', 'hcl', 'opentofu'], bicep: [], nix: [], makefile: ['make', 'mk', 'gnumake'], cmake: [], bazel: ['starlark', 'bzl'],
  ansible: [], helm: [], nginx: ['nginxconf'], apache: ['apacheconf', 'htaccess'], graphql: ['gql'], protobuf: ['proto', 'proto3'], thrift: [], prisma: [], regex: ['regexp'],
  markdown: ['md', 'mdx'], restructuredtext: ['rst'], asciidoc: ['adoc'], latex: ['tex'], text: ['plaintext', 'txt', 'plain'], diff: ['patch'],
  apex: ['salesforce'], abap: [], gdscript: ['gd', 'godot'], actionscript: ['as3'], coffeescript: ['coffee'], livescript: ['ls'], haxe: ['hx'], smalltalk: ['st'],
  applescript: ['osascript'], autohotkey: ['ahk'], vba: ['excel-vba'], mojo: [], roc: [], ballerina: ['bal'], stata: [], sas: [], cypher: ['neo4j'], sparql: [], kql: ['kusto']
} as const satisfies Record<string, readonly string[]>

export type Language = keyof typeof aliases

export const languages = Object.keys(aliases) as readonly Language[]

const byName = new Map<string, Language>()
for (const language of languages) {
  byName.set(language, language)
  for (const alias of aliases[language]) byName.set(alias, language)
}

/** The language a developer means by `name`, or null for a name nobody uses. */
export function canonicalLanguage (name: string): Language | null {
  return byName.get(name.trim().toLowerCase()) ?? null
}
