import { execFileSync } from 'node:child_process'
import t from 'tap'
import { inspect } from './samples.js'

async function charsetOf(
  content: Buffer,
  name = 'a.txt',
  chunkBytes?: number
): Promise<string | null | undefined> {
  const found = await inspect(content, name, chunkBytes)
  return 'rejection' in found ? undefined : found.charset
}

/** Encodes some lines of the text with another implementation. */
function encoded(text: string, charset: string): Buffer {
  return execFileSync('iconv', ['-f', 'utf-8', '-t', charset], { input: text.repeat(4) })
}

const french =
  'Le système de fichiers déjà monté sera vérifié à la prochaine exécution ; où que ça marche très bien. '
const russian = 'Файловая система будет проверена при следующем запуске, если она не была отключена. '
const japanese =
  'ファイルシステムは次回の起動時に検査されます。正しくアンマウントされていない場合があります。'

const named: ReadonlyArray<readonly [text: string, charset: string, name?: string]> = [
  [french, 'utf-8'],
  [french, 'windows-1252'],
  [french, 'iso-8859-1', 'windows-1252'],
  [french, 'utf-16le'],
  [french, 'utf-16be'],
  [french, 'utf-16'],
  [french, 'utf-32'],
  ['Systém souborů bude při příštím spuštění zkontrolován, pokud nebyl správně odpojen. ', 'iso-8859-2'],
  [russian, 'windows-1251'],
  [russian, 'koi8-r'],
  [russian, 'ibm866'],
  [russian, 'iso-8859-5'],
  [russian, 'utf-16le'],
  [japanese, 'shift_jis'],
  [japanese, 'euc-jp'],
  [japanese, 'iso-2022-jp'],
  [japanese, 'utf-16le'],
  [japanese, 'utf-16be'],
  ['文件系统将在下次启动时进行检查，如果没有正确卸载的话。请稍候片刻。', 'utf-16le'],
  ['파일 시스템은 다음 시작 시 검사됩니다. ', 'utf-16be'],
  ['文件系统将在下次启动时进行检查，如果没有正确卸载的话。请稍候片刻。', 'gb18030'],
  ['檔案系統將在下次啟動時進行檢查，如果沒有正確卸載的話。請稍候片刻。', 'big5'],
  ['파일 시스템은 다음 시작 시 검사됩니다. 올바르게 마운트 해제되지 않은 경우입니다. ', 'euc-kr'],
  ['파일 시스템은 다음 시작 시 검사됩니다. ', 'iso-2022-kr']
]

t.test('names the charset of text that iconv wrote, at any chunk boundaries', async (t) => {
  for (const [text, charset, name = charset] of named) {
    const content = encoded(text, charset)
    for (const chunkBytes of [65_536, 1, 100]) {
      t.equal(await charsetOf(content, 'a.txt', chunkBytes), name, `${charset} by ${chunkBytes}`)
    }
  }
})

t.test('finds the letters after a megabyte of ASCII', async (t) => {
  t.equal(
    await charsetOf(Buffer.concat([Buffer.alloc(1_000_000, 'words\n'), encoded(russian, 'koi8-r')])),
    'koi8-r'
  )
})

t.test('returns unknown-8bit if a few letters match many charsets', async (t) => {
  for (const text of ['caf\xe9', 'A\xa6B\xa6C\xa6D', '\xa9 2001 Jos\xe9']) {
    t.equal(await charsetOf(Buffer.from(text, 'latin1')), 'unknown-8bit', text)
  }
})

t.test('trusts a text that names its charset, if its bytes are valid in it', async (t) => {
  const declared: ReadonlyArray<readonly [name: string, text: string, charset: string]> = [
    ['a.xml', '<?xml version="1.0" encoding="ISO-8859-2"?><a>\xe9</a>', 'iso-8859-2'],
    [
      'a.html',
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head>\xe9',
      'windows-1251'
    ],
    ['a.html', '<meta charset="koi8-r">\xe9', 'koi8-r'],
    ['a.css', '@charset "windows-1250";\n/* \xe9 */', 'windows-1250'],
    ['a.py', '#!/usr/bin/python\n# -*- coding: latin-1 -*-\n"\xe9"', 'iso-8859-1'],
    ['a.el', ';; -*- coding: iso-8859-2-unix -*-\n\xe9', 'iso-8859-2'],
    ['a.po', 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=ISO-8859-9\\n"\n\xe9', 'iso-8859-9'],
    ['a.html', '<meta charset="utf-8">\xe9', 'unknown-8bit'],
    ['a.html', '<meta charset="no-such-charset">\xe9', 'unknown-8bit'],
    ['a.html', '<meta charset="euc-jp">\xe9 alone', 'unknown-8bit'],
    ['a.html', '<meta charset="windows-1251">only ASCII', 'utf-8']
  ]
  for (const [name, text, charset] of declared) {
    t.equal(await charsetOf(Buffer.from(text, 'latin1'), name), charset, text)
  }
})

t.test('terminal colours and resets are not mistaken for Japanese', async (t) => {
  t.equal(await charsetOf(Buffer.from('\x1b[31mred\x1b(B\x1b[m $B text')), 'utf-8')
})

t.test('files that are not text have no charset', async (t) => {
  t.equal(await charsetOf(Buffer.from('%PDF-1.7\n%\xe9\xe9\xe9', 'latin1')), null)
})
