/**
 * Extensions that several languages share, with patterns for each. The first matching pattern decides; a file
 * that matches none has the extension's default type. Patterns match words at the start of a line and stay
 * within it, so no text can make them slow.
 */
type Clue = readonly [pattern: RegExp, type: string]

const XML: Clue = [/^\s*<(?:\?xml|!DOCTYPE|!ENTITY|!--|[a-z][\w:]*[\s>])/i, 'application/xml']
const C_PREPROCESSOR = /^[ \t]*#[ \t]*(?:include\s*["<]|define\s|ifn?def\s|pragma\s)/m
const OBJECTIVE_C: readonly Clue[] = [
  [/^[ \t]*(?:@(?:interface|implementation|protocol|property|end|class|import)\b)/m, 'text/x-objective-c'],
  [/^[ \t]*(?:#import\s)/m, 'text/x-objective-c']
]
const RAKU: readonly Clue[] = [
  [/^[ \t]*(?:use v6|my class|unit (?:class|module|role|grammar))/m, 'text/x-raku'],
  [/^[ \t]*(?:(?:multi )?sub \w+\s*\(\s*[$@%:]|role \w+ |module \w+(?:::\w+)* ?\{)/m, 'text/x-raku'],
  [/^[ \t]*(?:plan \d+;$)/m, 'text/x-raku']
]
const RAKU_6: Clue = [/^#!.*\bperl6|^[ \t]*use v6\b/m, 'text/x-raku']
const FORTH: Clue = [/^: \S+ /m, 'text/x-forth']
const PASCAL: readonly Clue[] = [
  [/^[ \t]*(?:\{\$|(?:unit|program|library)\s+\w+\s*;)/im, 'text/x-pascal'],
  [/^[ \t]*(?:(?:uses|begin|implementation|interface|initialization)\s*$|uses\s+\w)/im, 'text/x-pascal'],
  [/^[ \t]*(?:(?:procedure|function)\s+[\w.]+\s*[(:;]|end[.;]\s*$)/im, 'text/x-pascal']
]
const PROLOG: Clue = [/^(?![ \t]*[#%])[^"'\n]*:-(?:\s|$)/m, 'text/x-prolog']
const VISUAL_BASIC: readonly Clue[] = [
  [/^(?:VERSION \d|Attribute VB_|(?:Public|Private) (?:Sub|Function|Const|Type) )/m, 'text/x-vb']
]

const clues: Readonly<Record<string, readonly Clue[]>> = {
  as: [
    [/^[ \t]*(?:package\b[^;\n]*\{?$|import [\w.]+\.\*?)/m, 'text/x-actionscript'],
    [/^[ \t]*(?:(?:public|private|internal|dynamic|final) (?:class|function|var)\b)/m, 'text/x-actionscript'],
    [/^[ \t]*(?:#include ")/m, 'text/x-actionscript'],
    [/^[ \t]*(?:void|int|uint|float|bool|string) \w+\s*\(|@\w+|&(?:in|out)\b/m, 'text/x-angelscript']
  ],
  cl: [
    [/^[ \t]*\((?:def\w*|in-package|let|setf|eval-when|require|use-package|load)\b/im, 'text/x-common-lisp'],
    [/^[ \t]*class\s+\w+(?:\s+inherits\s+\w+)?\s*\{/m, 'text/x-cool'],
    [/\b(?:__)?kernel\s+(?:\w+\s+)?void\b|\b__(?:global|local|constant)\b/m, 'text/x-opencl'],
    [/^[ \t]*(?:\/\*|\/\/|#)|^[ \t]*(?:float|int|double|void|typedef)\d?\b/m, 'text/x-opencl']
  ],
  cls: [
    [
      /^[^%\n]*\\(?:ProvidesClass|NeedsTeXFormat|LoadClass|documentclass|DeclareOption)\b/m,
      'application/x-tex'
    ],
    ...VISUAL_BASIC,
    [/^Class\s+[\w.%]+\s*(?:Extends\b|\[|\{|$)/m, 'text/x-objectscript'],
    [/^[ \t]*(?:USING\s+[\w.*]+\s*\.)/im, 'text/x-openedge'],
    [/^[ \t]*(?:CLASS\s+[\w.]+(?:\s+INHERITS\s+[\w.]+)?[^{\n]*:\s*$)/im, 'text/x-openedge'],
    [/^[ \t]*(?:(?:DEFINE|METHOD)\s+(?:PUBLIC|PRIVATE|PROTECTED)\b)/im, 'text/x-openedge'],
    [
      /^[ \t]*(?:(?:public|private|global|abstract|virtual|with sharing|without sharing)\s+)*class\s+\w+/im,
      'text/x-apex'
    ]
  ],
  d: [
    [/^[ \t]*(?:(?:public |static |private )?import\s+[\w.]+\s*[;:,=]|module\s+[\w.]+\s*;)/m, 'text/x-d'],
    [/^(?:#pragma\s+D\s|#!\S*dtrace|(?:\w*:){3}\w*|(?:tick|profile)-\w+|dtrace:::\w+)/m, 'text/x-dtrace'],
    [/^(?:provider\s+\w+\s*\{)/m, 'text/x-dtrace'],
    [/^[\w./$()-]+\s*:(?:\s*\\$|\s+[\w./-]+)/m, 'text/x-makefile']
  ],
  e: [
    [/^[ \t]*(?:class|deferred class|feature|note|indexing|inherit|create)\s*(?:\{|$|\w)/m, 'text/x-eiffel'],
    [/^[ \t]*(?:--|include |(?:global )?(?:procedure|function|constant) )/m, 'text/x-euphoria'],
    [/^[ \t]*(?:def \w+|pragma\.)/m, 'text/x-e']
  ],
  ex: [
    [/^[ \t]*(?:@moduledoc|defmodule\s|defp?\s|import\s+[A-Z]|use\s+[A-Z])/m, 'text/x-elixir'],
    [/^[ \t]*(?:--|include |(?:global )?(?:procedure|function|constant) )/m, 'text/x-euphoria']
  ],
  f: [FORTH],
  for: [FORTH],
  fr: [[/^[ \t]*(?:import|module|package|data|type)\s+\w/m, 'text/x-frege'], FORTH],
  fs: [
    [/^[ \t]*(?:(?:open|module|namespace|let|type)\s|#light|\[<)/m, 'text/x-fsharp'],
    FORTH,
    [/^[ \t]*(?:#version|precision|uniform|varying|in vec|out vec|void main\s*\()/m, 'text/x-glsl'],
    [/^[ \t]*#(?:include|pragma)\b|__attribute__\s*\(\(kernel/m, 'text/x-renderscript']
  ],
  g: [
    [/^[GMNT]\d+(?:\s|$)/m, 'text/x-gcode'],
    [/^[ \t]*(?:#|\w+\s*:=)|\bfunction\s*\(/m, 'text/x-gap']
  ],
  gs: [
    [/^[ \t]*(?:uses\s+[\w.]+|package\s+[\w.]+\s*$)/m, 'text/x-gosu'],
    [/^[ \t]*(?:function\s+\w+\s*\(|var\s+\w+|const\s+\w+|let\s+\w+|\/\*\*)/m, 'text/javascript'],
    [/^[ \t]*(?:init|def\s+\w+\s*\(|class\s+\w+\s*:)/m, 'text/x-genie']
  ],
  h: [
    ...OBJECTIVE_C,
    [/^[ \t]*(?:template\s*<|class\s+\w+[^;\n]*$)/m, 'text/x-c++'],
    [/^[ \t]*(?:(?:inline\s+)?namespace(?:\s+[\w:]+)?\s*(?:\{|$))/m, 'text/x-c++'],
    [/^[ \t]*(?:using\s+(?:namespace\s|\w+(?:::|\s*=)))/m, 'text/x-c++'],
    [/^[ \t]*(?:(?:public|private|protected)(?:\s+\w+)?\s*:\s*$|enum\s+class\s)|\bstd::\w/m, 'text/x-c++'],
    [/\b(?:constexpr|noexcept|static_cast<|explicit\s+\w+\s*\()/m, 'text/x-c++'],
    [
      /^[ \t]*#\s*include\s*<(?:string|vector|map|set|memory|iostream|algorithm|utility|cstd\w+)>/m,
      'text/x-c++'
    ],
    [/^[ \t]*virtual\s+~?\w/m, 'text/x-c++']
  ],
  hh: [[/^<\?hh|^[ \t]*<<__\w+|^[ \t]*namespace\s+[\w\\]+;|^(?:async )?function\s+\w+\s*\(/m, 'text/x-hack']],
  inc: [
    [/<\?(?:php|=|\s)/, 'application/x-httpd-php'],
    [/^[ \t]*(?:inherit\s+\S)/m, 'text/x-bitbake'],
    [
      /^[ \t]*(?:(?:DEPENDS|SRC_URI|DESCRIPTION|LICENSE|EXTRA_OECONF|RDEPENDS)\S*\s*[?+:.]?=)/m,
      'text/x-bitbake'
    ],
    [/^[ \t]*(?:do_\w+\s*\(\))/m, 'text/x-bitbake'],
    [/^[ \t]*#(?:declare|macro|local|version|default)\b/m, 'text/x-povray'],
    [/^[ \t]*(?:(?:native|forward|stock|public)\s+[\w:]+\s*[\w:[\]]*\s*\()/m, 'text/x-pawn'],
    [/^[ \t]*(?:#pragma\s+(?:semicolon|newdecls|library|reqlib|rational))/m, 'text/x-pawn'],
    [/^[ \t]*(?:#if defined _\w+_included|enum struct\s|methodmap\s|#tryinclude)/m, 'text/x-pawn'],
    [/^[ \t]*(?:#include\s|#ifn?def\s|#define\s|#pragma\s|namespace\s|static\s|class\s+\w+)/m, 'text/x-c++'],
    [/^[ \t]*(?:template\s*<)/m, 'text/x-c++'],
    [/^[ \t]*(?:include\s*\("|if\s*\(description\)|local_var\s|global_var\s)/m, 'text/x-nasl'],
    ...PASCAL,
    [/^[ \t]*(?:%?(?:include|macro|define|ifn?def)\s)/im, 'text/x-asm'],
    [/^[ \t]*(?:\w+:?\s+(?:equ|macro|d[bwdq]|dc\.[bwl]|rs\.[bwl])\b)/im, 'text/x-asm'],
    [/^[ \t]*(?:\.(?:macro|include|equ|org|byte|word|globa?l|if|section)\b)/im, 'text/x-asm'],
    [/^[ \t]*(?:(?:mov|lda|ldx|jsr|push|move(?:m|q)?(?:\.[bwl])?)\s)/im, 'text/x-asm'],
    [/^[ \t]*<(?:!--|!doctype|html|div|table|p|ul|a|script|link|meta|h\d)\b/im, 'text/html'],
    [/^[ \t]*(?:SELECT|INSERT|CREATE|DROP|ALTER|UPDATE|SET)\s+[\w@`]/im, 'application/sql'],
    [/^[\w.-]+\s*(?:[:?+]?=|:\s)/m, 'text/x-makefile']
  ],
  j: [
    [/^[ \t]*(?:@(?:implementation|import|end)\b)/m, 'text/x-objective-j'],
    [/^\.(?:class|method|source|super|bytecode)\b/m, 'text/x-jasmin'],
    [/^[ \t]*(?:function\s+\w+\s+takes|globals|endfunction|library|scope|native)\b/m, 'text/x-jass']
  ],
  l: [
    [/^%[%{}]|^%(?:option|x|s)\b/m, 'text/x-lex'],
    [/^[ \t]*\((?:def\w*|in-package|de|load|setq)\b|^[ \t]*;/im, 'text/x-common-lisp'],
    [/^\.(?:TH|SH|Dd|Dt|\\")/m, 'text/troff']
  ],
  m: [
    ...OBJECTIVE_C,
    [/^:- (?:module|import_module|interface)\b/m, 'text/x-mercury'],
    [/^[ \t]*\(\*|^[ \t]*Begin(?:Package|TestSection)\[|^\w+\[[^\]]*_[^\]]*\]\s*:?=/m, 'text/x-mathematica'],
    [/^\w+\s*:\s*module\s*\{|^[ \t]*include\s+"[^"]+\.m";/m, 'text/x-limbo'],
    [/^[ \t]*;\s|^(?!end\b)%?\w+(?:\([^)]*\))?\s+;/m, 'text/x-mumps'],
    [/^[ \t]*(?:%|function\b|classdef\b|end\s*;?\s*$|clc\b|clear\b|close all)/m, 'text/x-matlab'],
    [/^[ \t]*(?:for\s+\w+\s*=)/m, 'text/x-matlab'],
    FORTH,
    [/^[ \t]+(?:[sSdDnNqQwWiI]|set|do|new|quit|write|if)\s/m, 'text/x-mumps'],
    [C_PREPROCESSOR, 'text/x-objective-c']
  ],
  ml: [
    [/^[ \t]*(?:structure|signature|datatype|infixr?)\s+\w+/m, 'text/x-sml'],
    [/^[ \t]*(?:let|module|open|type|exception)\b|\blet rec\b/m, 'text/x-ocaml'],
    [/\bmatch\s+[\s\S]{1,80}?\swith\b/m, 'text/x-ocaml']
  ],
  mod: [
    XML,
    [/^[ \t]*(?:(?:DEFINITION|IMPLEMENTATION)\s+)?MODULE\s+\w+\s*;/m, 'text/x-modula2'],
    [/^[ \t]*(?:NEURON|UNITS|PARAMETER|ASSIGNED|BREAKPOINT|INITIAL|COMMENT)\b\s*(?:\{|$)/m, 'text/x-nmodl'],
    [/^[ \t]*(?:param|set|var|minimize|maximize|subject to)\s+\w/m, 'text/x-ampl'],
    [/^(?:module\s+\S+\s*$|go \d+\.\d+)/m, 'text/x-go-mod']
  ],
  pl: [
    RAKU_6,
    [/^#!.*\bperl/m, 'text/x-perl'],
    [
      /^[ \t]*(?:use\s+(?:strict|warnings|[A-Z]\w*(?:::\w+)*|\d|constant|lib|vars|base|parent)\b)/m,
      'text/x-perl'
    ],
    [/^[ \t]*(?:package\s+\w+|require\s+["'\w]|sub\s+\w+\s*(?:\{|$)|my\s*[$@%(])/m, 'text/x-perl'],
    [/^[ \t]*(?:=(?:pod|head\d|cut))/m, 'text/x-perl'],
    ...RAKU,
    PROLOG,
    [/^#!.*\b(?:swipl|prolog|yap)\b|^[a-z]\w*\([^)\n]*\)\.\s*$/m, 'text/x-prolog']
  ],
  pm: [
    RAKU_6,
    [/^[ \t]*(?:package\s+\w|use\s+(?:strict|warnings|Exporter)\b|our\s+[$@%])/m, 'text/x-perl'],
    ...RAKU
  ],
  pp: [
    ...PASCAL,
    [/^[ \t]*(?:(?:class|define|node)\s+[\w:'"]+|include\s+[\w:]+|import\s+['"])/m, 'text/x-puppet'],
    [/^[ \t]*(?:\w+\s*\{\s*['"$\w[][^;\n]*:\s*$)|=>/m, 'text/x-puppet']
  ],
  pro: [
    PROLOG,
    [/^[ \t]*(?:TEMPLATE|SOURCES|HEADERS|QT|TARGET|CONFIG|SUBDIRS|include\s*\()\s*[+=-]?/m, 'text/x-qmake'],
    [/^[ \t]*(?:pro|function|compile_opt|on_error|common)\s+\w+\s*(?:,|$)|^;\+/im, 'text/x-idl'],
    [/^-?(?:keep|dont|assume|optim|flattenp)\w*\s/m, 'text/x-proguard']
  ],
  r: [
    [/\bREBOL\s*\[/i, 'text/x-rebol'],
    [/^[ \t]*(?:resource|data|type|include)\s+['"$]|^[ \t]*#include\s+["<]\w+\.r\b/m, 'text/x-rez']
  ],
  re: [[/^[ \t]*#\s*(?:include|define|if)|^[ \t]*(?:\/\*!re2c|template\s*<)/m, 'text/x-c++']],
  rs: [XML, [/^[ \t]*#(?:include|pragma)\b|__attribute__\s*\(\(kernel/m, 'text/x-renderscript']],
  s: [[/^[ \t]*;/m, 'text/x-asm']],
  sc: [
    [/^[ \t]*(?:\+?\s*[A-Z]\w*\s*(?::\s*[A-Z]\w*)?\s*\{\s*$)/m, 'text/x-supercollider'],
    [/^[ \t]*(?:\*\w+\s*\{\s*(?:\|arg\b)?|SynthDef\s*\(|\^\w+)/m, 'text/x-supercollider'],
    [/(?:\bSynthDef|\.ar\(|\.kr\()/m, 'text/x-supercollider']
  ],
  t: [
    RAKU_6,
    [/^[ \t]*(?:use\s+(?:strict|warnings|Test::\w+|[A-Z]\w+(?:::\w+)*)\b|package\s+\w)/m, 'text/x-perl'],
    [/^[ \t]*(?:my\s*[$@%(].*=.*(?:->|\bshift\b)|require\s+["'\w])/m, 'text/x-perl'],
    ...RAKU,
    [/^[ \t]*(?:terra\s|local\s+\w+\s*=|require\s*[("])/m, 'text/x-terra'],
    [
      /^[ \t]*(?:var|const|procedure|function|proc|fcn|put|get|module|process|import)\s+\w+\s*(?::|\(|,|$)/m,
      'text/x-turing'
    ],
    [/:=|^[ \t]*put\s+"/m, 'text/x-turing'],
    [/<%/, 'text/x-ejs']
  ],
  ts: [[/^\s*(?:<\?xml|<!DOCTYPE TS\b|<TS\b)/, 'text/vnd.trolltech.linguist']],
  tsx: [[/^\s*<\?xml/, 'application/xml']],
  v: [
    [/\bendmodule\b|^[ \t]*`(?:timescale|define|include|ifn?def|default_nettype)\b/m, 'text/x-verilog'],
    [
      /^[ \t]*(?:module|primitive)\s+\w+\s*(?:#?\(|;|$)[\s\S]{0,4000}?\b(?:input|output|wire|reg)\b/m,
      'text/x-verilog'
    ],
    [
      /^[ \t]*(?:Require|From|Theorem|Lemma|Definition|Inductive|Fixpoint|Proof|Section|Notation)\b/m,
      'text/x-coq'
    ],
    [/^[ \t]*(?:Ltac|Record|Hypothesis|Variables?|Axiom|Export|Import|Global|Local)\b/m, 'text/x-coq'],
    [/\bQed\.|^\(\*/m, 'text/x-coq'],
    [/^(?:pub\s+)?(?:fn|struct|enum|interface|type|const)\s+[\w(]|^import\s+[\w.]+/m, 'text/x-vlang'],
    [/^module\s+\w+\s*$|\bprintln\(/m, 'text/x-vlang']
  ],
  x: [
    [/^%[%{]|^%option\b/m, 'text/x-lex'],
    [/^[ \t]*(?:program|version|const|typedef|struct|union|enum)\s+\w+/m, 'text/x-rpc'],
    [/^%(?:hook|end|ctor|orig)\b/m, 'text/x-logos']
  ]
}

/** `ls.1`, `open.3pm` */
const MANUAL_SECTION = /^[1-9n](?:in|m|p|pm|qt|x|ssl|posix)?$/
const ROFF = /^['.](?:\\"|TH\b|Dd\b|SH\b|so\s|de\s|ds\s)/m

/** The start of a file shows its language; more would only cost time. */
const CLUE_CHARS = 16_384

/**
 * The language of a text whose extension is shared; undefined where the extension has one owner or the text
 * is inconclusive.
 */
export function typeByClues(extension: string, text: string): string | undefined {
  const start = text.slice(0, CLUE_CHARS)
  if (MANUAL_SECTION.test(extension)) return ROFF.test(start) ? 'text/troff' : undefined
  if (!Object.hasOwn(clues, extension)) return undefined
  return clues[extension]?.find(([pattern]) => pattern.test(start))?.[1]
}
