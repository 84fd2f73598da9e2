import { StreamLanguage, type StreamParser } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

type Load = () => Promise<Extension>

const script =
  (options: { jsx?: boolean; typescript?: boolean }): Load =>
  async () =>
    (await import('@codemirror/lang-javascript')).javascript(options)

const stream =
  (load: () => Promise<StreamParser<unknown>>): Load =>
  async () =>
    StreamLanguage.define(await load())

const clike = async () => await import('@codemirror/legacy-modes/mode/clike')
const css = async () => await import('@codemirror/legacy-modes/mode/css')

/** By the service's language names. Each is a separate chunk, loaded on demand. */
const languages: Record<string, Load> = {
  javascript: script({}),
  jsx: script({ jsx: true }),
  typescript: script({ typescript: true }),
  tsx: script({ jsx: true, typescript: true }),
  python: async () => (await import('@codemirror/lang-python')).python(),
  css: async () => (await import('@codemirror/lang-css')).css(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  vue: async () => (await import('@codemirror/lang-html')).html(),
  svelte: async () => (await import('@codemirror/lang-html')).html(),
  json: async () => (await import('@codemirror/lang-json')).json(),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
  go: stream(async () => (await import('@codemirror/legacy-modes/mode/go')).go),
  rust: stream(async () => (await import('@codemirror/legacy-modes/mode/rust')).rust),
  java: stream(async () => (await clike()).java),
  c: stream(async () => (await clike()).c),
  cpp: stream(async () => (await clike()).cpp),
  csharp: stream(async () => (await clike()).csharp),
  kotlin: stream(async () => (await clike()).kotlin),
  scala: stream(async () => (await clike()).scala),
  dart: stream(async () => (await clike()).dart),
  scss: stream(async () => (await css()).sCSS),
  less: stream(async () => (await css()).less),
  shell: stream(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell),
  sql: stream(async () => (await import('@codemirror/legacy-modes/mode/sql')).pgSQL),
  ruby: stream(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby),
  swift: stream(async () => (await import('@codemirror/legacy-modes/mode/swift')).swift),
  lua: stream(async () => (await import('@codemirror/legacy-modes/mode/lua')).lua),
  perl: stream(async () => (await import('@codemirror/legacy-modes/mode/perl')).perl),
  r: stream(async () => (await import('@codemirror/legacy-modes/mode/r')).r),
  powershell: stream(async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell),
  yaml: stream(async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml),
  toml: stream(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml),
  xml: stream(async () => (await import('@codemirror/legacy-modes/mode/xml')).xml),
  dockerfile: stream(async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile),
  diff: stream(async () => (await import('@codemirror/legacy-modes/mode/diff')).diff)
}

/** A language without highlighting rules is shown as plain text. */
export async function highlightingOf(language: string): Promise<Extension> {
  return (await languages[language]?.()) ?? []
}
