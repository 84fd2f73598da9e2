import t from 'tap'
import { cpuMsOf } from '@filewright/testing'
import { detect } from './samples.js'

const cases: ReadonlyArray<readonly [name: string, text: string, type: string]> = [
  ['a.m', '#import <Foundation/Foundation.h>\n@implementation A\n@end\n', 'text/x-objective-c'],
  ['a.m', 'function y = f(x)\n% doubles\ny = 2 * x;\nend\n', 'text/x-matlab'],
  ['a.m', ':- module hello.\n:- interface.\n', 'text/x-mercury'],
  ['a.m', '(* ::Package:: *)\nf[x_] := x^2\n', 'text/x-mathematica'],
  ['a.m', 'ZTEST ;a routine\n ;;1.0\n set x=1\n quit\n', 'text/x-mumps'],
  ['a.m', 'words\n', 'text/x-objective-c'],
  ['a.pp', 'unit Foo;\ninterface\nuses SysUtils;\n', 'text/x-pascal'],
  ['a.pp', "class nginx {\n  package { 'nginx': ensure => installed }\n}\n", 'text/x-puppet'],
  ['a.pl', '#!/usr/bin/perl\nuse strict;\nmy $x = 1;\n', 'text/x-perl'],
  ['a.pl', 'parent(tom, bob).\nancestor(X, Y) :- parent(X, Y).\n', 'text/x-prolog'],
  ['a.pl', 'use v6;\nsay "hi";\n', 'text/x-raku'],
  ['a.v', 'module top(input clk);\nendmodule\n', 'text/x-verilog'],
  ['a.v', 'Theorem t : forall n, n = n.\nProof. reflexivity. Qed.\n', 'text/x-coq'],
  ['a.v', 'module main\n\nfn main() {\n\tprintln("hi")\n}\n', 'text/x-vlang'],
  ['a.cl', '__kernel void add(__global int *a) {}\n', 'text/x-opencl'],
  ['a.cl', '(in-package :cl-user)\n(defun f (x) x)\n', 'text/x-common-lisp'],
  ['a.inc', '<?php\necho 1;\n', 'application/x-httpd-php'],
  ['a.inc', '{$IFDEF FPC}\nprocedure Foo;\nbegin\nend;\n', 'text/x-pascal'],
  ['a.inc', 'PORTA equ 5\n  mov ax, 1\n', 'text/x-asm'],
  ['a.inc', '#define A 1\nstatic int a;\n', 'text/x-c++'],
  ['a.inc', 'words\n', 'text/plain'],
  ['a.cls', '\\NeedsTeXFormat{LaTeX2e}\n\\ProvidesClass{a}\n', 'application/x-tex'],
  ['a.cls', 'VERSION 1.0 CLASS\r\nBEGIN\r\n', 'text/x-vb'],
  ['a.cls', 'public with sharing class Account {\n}\n', 'text/x-apex'],
  ['a.h', '#ifndef A_H\n#define A_H\nint f(void);\n#endif\n', 'text/x-c'],
  ['a.h', '#pragma once\nnamespace a {\ntemplate <typename T> class B {};\n}\n', 'text/x-c++'],
  ['a.h', '#import "B.h"\n@interface A : NSObject\n@end\n', 'text/x-objective-c'],
  ['a.hh', '<?hh\nfunction f(): void {}\n', 'text/x-hack'],
  ['a.hh', '#pragma once\nclass A;\n', 'text/x-c++'],
  ['a.ts', '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1"/>\n', 'text/vnd.trolltech.linguist'],
  ['a.ts', 'export const a = <T>(x: T): T => x\n', 'text/typescript'],
  ['a.r', 'REBOL [ Title: "x" ]\n', 'text/x-rebol'],
  ['a.r', 'x <- c(1, 2)\n', 'text/x-r'],
  ['a.t', 'use strict;\nuse Test::More;\n', 'text/x-perl'],
  ['a.t', 'put "hello"\nvar x : int\n', 'text/x-turing'],
  ['a.d', 'module a;\nimport std.stdio;\n', 'text/x-d'],
  ['a.d', 'syscall::open:entry\n{\n}\n', 'text/x-dtrace'],
  ['a.d', 'main.o: main.c \\\n  a.h\n', 'text/x-makefile'],
  ['a.fs', 'module A\nlet x = 1\n', 'text/x-fsharp'],
  ['a.fs', ': square dup * ;\n', 'text/x-forth'],
  ['a.fs', '#version 330\nuniform vec4 c;\n', 'text/x-glsl'],
  ['a.mod', 'MODULE Hello;\nEND Hello.\n', 'text/x-modula2'],
  ['go.mod', 'module example.com/a\n\ngo 1.22\n', 'text/x-go-mod'],
  ['ls.1', '.TH LS 1\n.SH NAME\n', 'text/troff'],
  ['notes.1', 'words\n', 'text/plain'],
  ['config.h.in', '#undef HAVE_A\n', 'text/x-c'],
  ['settings.json.example', '{}', 'application/json'],
  ['a.sql', 'SELECT 1;\n', 'application/sql'],
  ['a.rego', 'package a\n', 'text/x-rego'],
  ['a.feature', 'Feature: a\n', 'text/x-gherkin'],
  ['a.sml', 'val x = 1\n', 'text/x-sml'],
  ['a.purs', 'module A where\n', 'text/x-purescript'],
  ['a.sas', 'data a;\n', 'text/x-sas'],
  ['a.abap', 'REPORT a.\n', 'text/x-abap']
]

t.test('the language of a shared extension is detected from the text, with a default', async (t) => {
  for (const [name, text, type] of cases) {
    t.strictSame(
      await detect(Buffer.from(text), name),
      { type, kind: 'code' },
      `${name}: ${JSON.stringify(text.slice(0, 40))}`
    )
  }
})

t.test('the patterns are fast for any text', async (t) => {
  const extensions = [...new Set(cases.map(([name]) => name.slice(name.lastIndexOf('.'))))]
  const units = [
    '\n',
    ' ',
    '\t;',
    'a',
    'a ',
    'a(',
    '%',
    '(*',
    '/*',
    '<',
    'module a (\n',
    'class a\n',
    'match a ',
    ': a',
    'x:',
    'begin\n',
    '{',
    'P1 1 1 #\n',
    '#define a_width 1 '
  ]
  for (const extension of extensions) {
    const cpuMs = await cpuMsOf(async () => {
      for (const unit of units) {
        t.equal(
          (await detect(Buffer.alloc(100_000, unit), `a${extension}`))?.kind,
          'code',
          `${JSON.stringify(unit)} as ${extension}`
        )
      }
    })
    t.ok(cpuMs < 5_000, `${extension} took ${cpuMs} ms of work`)
  }
})
