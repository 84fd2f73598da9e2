/** Signs of a language, weighted by how rare they are elsewhere. A sign counts up to three times. */
export const languageSigns: ReadonlyArray<readonly [language: string, weight: number, sign: RegExp]> = [
  // The shebang line.
  ['shell', 30, /^#!.*\b(ba|z|da|k)?sh\b/g],
  ['python', 30, /^#!.*\bpython/g],
  ['javascript', 30, /^#!.*\b(node|deno|bun)\b/g],
  ['perl', 30, /^#!.*\bperl/g],
  ['ruby', 30, /^#!.*\bruby/g],
  ['r', 30, /^#!.*\bRscript/g],
  ['html', 20, /^\s*(<!--[^>]*-->\s*)?(<!doctype html|<html\b)/gi],
  ['xml', 30, /^\s*<\?xml/g],
  ['xml', 8, /^<[\w:-]+ [^>]*xmlns[:=]/gm],
  ['php', 30, /^\s*<\?(php|=)/g],
  ['php', 10, /<\?php\b/g],
  ['diff', 12, /^(diff --git |@@ -\d+(,\d+)? \+\d+|--- .*\n\+\+\+ )/gm],

  // Scripts. TypeScript adds to JavaScript, and JSX to both; detect-language.ts sums them up.
  [
    'typescript',
    4,
    /^[ \t]*(export )?(default )?(declare |abstract )?(interface|enum|namespace) \w+(<[^>\n]*>)?( extends [^{\n]+)? ?\{/gm
  ],
  ['typescript', 4, /^[ \t]*(export )?(declare )?type \w+(<[^=\n]*>)? =/gm],
  ['typescript', 4, /^(import|export) type |\bimport \{ type |\bas const\b|\bsatisfies [A-Z]/gm],
  [
    'typescript',
    3,
    /[\w)\]}]\??: ?(readonly )?(string|number|boolean|void|unknown|never|any|null|undefined)\b/g
  ],
  ['typescript', 3, /\)\s*: [A-Z]\w*(<[^>\n]+>)?(\[\])?( \||\s*(=>|\{))/g],
  ['typescript', 3, /[(,]\s*\w+\??: [A-Z]\w*[<[,)\s]/g],
  [
    'typescript',
    3,
    /\b(const|let) \w+: [\w{[(<][^=\n]*=|\b\w+ as [A-Z{]|\buse(State|Ref)<|\bRecord<|\bPromise<|\bArray<\w/g
  ],
  ['typescript', 4, /\}: (\{|[A-Z]\w*[)<.])|\bReact\.\w+<|\w<typeof |\w!(\.|\))|\bkeyof \w/g],
  ['typescript', 2, /^[ \t]*(public|private|protected|readonly) (static |async |readonly )*\w+\??[:(<]/gm],
  ['javascript', 2, /\b(const|let|var) [\w${[][^=\n;]*= /g],
  ['javascript', 2, /\) => |\b\w+ => |===|!==|\bundefined\b/g],
  [
    'javascript',
    2,
    /\bfunction\*? ?[\w$]* ?\([^)\n]*\) ?\{|\brequire\(['"]|\bmodule\.exports\b|\bconsole\.\w+\(/g
  ],
  ['javascript', 3, /^(export|import) (default |const |async |function |class |\{|\*|[\w$]+[, ]|['"])/gm],
  [
    'javascript',
    2,
    /\b(document|window)\.\w+|\bnew Promise\(|\basync \(|\bawait \w+[.(]|['"]use (strict|client)['"]/g
  ],
  ['jsx', 3, /(return|=>|[(?:&]) ?\(?\s*<([A-Z]\w*(\.\w+)*|[a-z]+)[\s/>][^;]/g],
  ['jsx', 3, /<\/[A-Z]\w*(\.\w+)*>|\b(className|onClick|onChange|htmlFor)=[{"]|<>|<\/>|=\{\{?[\w(.!]/g],

  // Markup and style sheets.
  [
    'html',
    3,
    /<\/?(div|span|p|a|body|head|script|section|ul|li|table|form|input|h[1-6]|meta|link|img)\b[^>]*>/gi
  ],
  ['vue', 14, /^<template>\s*$|^<script( setup)?( lang="ts")?( setup)?>\s*$[\s\S]*^<template/gm],
  ['svelte', 12, /\{#(if|each|await) |\{:else|\bon:\w+=\{|^\s*export let \w+/gm],
  ['css', 3, /^[ \t]*[^{}\n;=()]*[\w\])*][ \t]*\{[ \t]*\n?[ \t]*(--)?[a-z-]+[ \t]*:[^;{}\n]+[;}\n]/gm],
  [
    'css',
    3,
    /^[ \t]+(color|background(-color)?|margin(-\w+)?|padding(-\w+)?|display|width|height|font(-\w+)?|border(-\w+)?|position):[ \t]?[^;{}\n]+;/gm
  ],
  ['css', 5, /^[ \t]*@(media|import|font-face|keyframes|supports|charset|tailwind|layer)\b/gm],
  [
    'scss',
    6,
    /^[ \t]*\$[\w-]+[ \t]*:[^=\n]+;|^[ \t]*@(mixin|include|use|forward|extend|if|each|function|return)\b.*[;{]/gm
  ],
  ['scss', 4, /^[ \t]*&([:.-][\w:().-]+|[ \t]*[>+~]?[ \t]*\S*)[ \t]*\{|#\{\$[\w-]+\}/gm],
  [
    'less',
    7,
    /^[ \t]*@(?!media|import|charset|font-face|keyframes|supports|layer|tailwind)[\w-]+[ \t]*:[^{}\n]+;|^[ \t]*\.[\w-]+(\([^)]*\))?;/gm
  ],
  ['markdown', 4, /^#{2,6} \S|^```|\[[^\]\n]+\]\([^)\n]+\)|^(=|-){4,}$/gm],
  ['markdown', 4, /^\s*# \S.*\n\s*\n/g],
  ['markdown', 1, /^# \S|^[*-] \w|^> \w|\*\*\w/gm],

  // Languages with distinctive blocks.
  ['python', 5, /^[ \t]*(async )?def \w+\(.*[:,(][ \t]*$|^class \w+(\([\w., ]*\))?:\s*$/gm],
  ['python', 4, /^[ \t]*(from [\w.]+ import |import \w+(\.\w+)*( as \w+)?[ \t]*$)/gm],
  [
    'python',
    3,
    /^[ \t]*((if|for|while|elif|except|with) [^{}\n]+|else|try|finally):[ \t]*$|\bself\.\w+|"""|\b(None|True|False)\b/gm
  ],
  [
    'ruby',
    5,
    /^[ \t]*(def (self\.)?\w+[?!=]?(\(.*\))?[ \t]*$|require(_relative)? ['"]|module [A-Z][\w:]*[ \t]*$|class [A-Z]\w*( < [\w:]+)?[ \t]*$|attr_\w+ :)/gm
  ],
  ['ruby', 3, /\bdo( \|[^|\n]+\|)?[ \t]*$|^[ \t]*end[ \t]*$|:\w+ => |\bputs |\.nil\?|^[ \t]*@\w+ \|?\|?= /gm],
  [
    'lua',
    5,
    /^[ \t]*local (function )?[\w, ]+( ?=|\()|\bthen[ \t]*$|^[ \t]*function [\w.:]+\(.*\)[ \t]*$|~= /gm
  ],
  ['lua', 1, /^[ \t]*end[ \t)]*$|^--/gm],
  [
    'perl',
    6,
    /^[ \t]*(use (strict|warnings|v?5)|my [$@%(]|our [$@%]|sub \w+[^\n]*\{|package [\w:]+;)|=~ |\$\w+->\{|@_\b/gm
  ],
  ['php', 5, /^[ \t]*(namespace [\w\\]+;|use [A-Z]\w*\\[\w\\]+;)|\$this->|\bfunction \w+\([^)\n]*\$\w+/gm],
  [
    'shell',
    4,
    /^[ \t]*(fi|done|esac|set -[eux]+|export \w+=.*|elif .*; then|if \[.*|echo .*)[ \t]*(;.*)?$|"\$\{?\w+[}":%#/]|\$\(\w+|\]; then/gm
  ],
  [
    'powershell',
    7,
    /\b(Write-(Host|Output|Verbose)|Get-\w+|Set-\w+|New-Object|Param\()|\s-(eq|ne|like|match) |\[(string|Parameter|CmdletBinding)\b/gim
  ],
  ['r', 5, /^[ \t]*[\w.]+ <- |\blibrary\(\w+\)|<- function\(|\b(data\.frame|ggplot|c)\("/gm],

  // Languages with braces.
  ['go', 12, /^package \w+[ \t]*$/gm],
  [
    'go',
    4,
    /^func (\(\w+ \*?\w+\) )?\w+\(|:= |^import \($|\berr != nil\b|\bchan \w+|^type \w+ (struct|interface) \{/gm
  ],
  [
    'rust',
    7,
    /\bfn \w+(<[^>\n]*>)?\(|\blet mut \w|^[ \t]*impl(<[^>\n]*>)? \w|\b(println|vec|assert_eq|format|write)!|^[ \t]*#!?\[\w+|^[ \t]*(pub )?(use|mod) [\w:]+(::[{\w*]|;)|&(mut )?self\b|&'\w+ /gm
  ],
  [
    'java',
    5,
    /^import (static )?[\w.]+(\.\*)?;[ \t]*$|^package [\w.]+;|@Override\b|System\.(out|err)\.|\bpublic static void main\(String/gm
  ],
  [
    'java',
    3,
    /\b(public|private|protected) (static |final |abstract |synchronized )*(class|interface|enum|void|int|boolean|long|[A-Z]\w*(<[^>\n]*>)?) \w+/gm
  ],
  [
    'csharp',
    6,
    /^[ \t]*using (static )?[A-Z][\w.]*( = [\w.]+)?;|^[ \t]*namespace [\w.]+[ \t]*[;{]?[ \t]*$|\{ get; (private )?(set|init)?|\bConsole\.(Write|Read)/gm
  ],
  [
    'csharp',
    2,
    /\b(public|private|protected|internal) (static |override |virtual |async |sealed |partial |readonly )*(class|void|string|int|bool|var|Task|[A-Z]\w*(<[^>\n]*>)?) \w+/gm
  ],
  [
    'kotlin',
    8,
    /\bfun (<[^>\n]+> )?([\w.]+\.)?\w+\(|\b(data|sealed|open) class \w|\bvar \w+: \w+\??|\bobject : |\?\.let|\bwhen \(/g
  ],
  [
    'swift',
    6,
    /\bfunc \w+(<[^>\n]*>)?\([^)\n]*\)[^;\n]*\{|^import (Foundation|UIKit|SwiftUI|Swift\w*|Combine)|\b(guard|if) let \w|\b(let|var) \w+: \[?[A-Z]|\binit\(|\bextension [A-Z]\w*|@objc|@IB\w+/gm
  ],
  [
    'scala',
    6,
    /^[ \t]*(case )?object [A-Z]\w*|\bdef \w+(\[[^\]\n]+\])?(\([^\n]*\))?(: [\w[\], ]+)? =[ \t]*(\{?[ \t]*$|\S)|\bcase class \w|^import [\w.]+\.(_|\{)|\bextends \w+ with /gm
  ],
  [
    'dart',
    7,
    /^import '(package|dart):|^[ \t]*(final|late) [A-Z]\w*\??(<[^>\n]+>)? \w+|@override\b|\bvoid main\(\)|\bWidget build\(|^library [\w.]+;/gm
  ],
  ['c', 6, /^[ \t]*#[ \t]*(include[ \t]*[<"][\w/.-]+\.h[>"]|ifndef |ifdef |define |endif)/gm],
  [
    'c',
    3,
    /\b(typedef )?struct \w+ [*{]|^(static |const |unsigned |extern )*(int|void|char|size_t|long|uint\d+_t) \*{0,2}\w+\(|\b(malloc|sizeof|printf|free|memcpy)\(|\w->\w/gm
  ],
  [
    'cpp',
    9,
    /\bstd::(string|vector|cout|cerr|endl|unique_ptr|shared_ptr|map|set|pair|move|size_t|ostream|function|array)\b|^[ \t]*#include <[a-z_]+>[ \t]*$|\btemplate ?<|^[ \t]*(public|private|protected):[ \t]*$|\bnamespace \w+ ?\{|^using namespace |\b(virtual|constexpr|nullptr|static_cast|dynamic_cast)\b/gm
  ],
  [
    'graphql',
    7,
    /^(extend )?(type|input|interface|schema|enum|union|scalar) \w* ?.*\{?[ \t]*\n[ \t]+\w+(\([^)]*\))?: \[?\w+[\]!]*[ \t]*$|^(query|mutation|fragment|subscription)\b[^\n]*\{[ \t]*$/gm
  ],

  // Data and settings.
  [
    'sql',
    8,
    /^[ \t]*(select\b[^;{]+?\bfrom\b|insert (ignore )?into\b|update \w+ set\b|delete from\b|create (or replace )?(temp(orary)? )?(unique )?(table|index|view|function|database|trigger|procedure|type|extension|schema)\b|alter (table|database)\b|drop (table|view|database|function)\b)/gim
  ],
  [
    'yaml',
    5,
    /^[\w."'/-]+:([ \t]+[^{};\n]*[^{};,\n])?$|^[ \t]+-?[ \t]?[\w."'-]+:([ \t]+[^{};\n]*[^{};,\n])?$|^---[ \t]*$/gm
  ],
  ['yaml', 1, /^[ \t]*- [\w"'./-]+$/gm],
  ['toml', 6, /^\[\[?[\w."-]+\]\]?[ \t]*$\n(#.*\n)*[\w"-]+ = ["[{\dtf]|^[\w-]+ = ("|\[|\{ ?\w+ =)/gm],
  ['ini', 6, /^\[[^\]\n"]+\][ \t]*$|^[\w.]+ ?= ?[^"'{[(;\n][^{};(]*$|^;/gm],
  ['dockerfile', 8, /^FROM \S+([ \t]+AS \S+)?[ \t]*$|^(RUN|COPY|WORKDIR|ENTRYPOINT|CMD|EXPOSE|ENV|ADD) \S/gm],
  ['makefile', 8, /^[\w.%/$() -]+:([^=\n].*)?\n\t\S|^\.PHONY:|^[A-Z_]+ ?[:?+]?= ?\$\(/gm]
]
