import type { Test } from 'tap'
import type { Sandbox } from './sandbox.js'
import { FILE_ID, honest, placesIn, replaced, valueAt, type Path } from './server.js'

export const COMMANDS = '\u001b]0;pwned\u0007\u001b[2J\u009b31m\u007f\u0000\u0008'
export const BIDI = '\u202egpj.exe\u2066x\u2069'
const HALF = 'x\ud800x'
export const EVIL = `${COMMANDS}${BIDI}${HALF}`
export const WRONG_KINDS = [null, {}, [], true, -1, 1.5, 'x'.repeat(300)]
const OUTSIDE = [
  '../../../pwned',
  '/../../../pwned.',
  '/tmp/filewright-pwned',
  '..',
  '.',
  '',
  'a/../../../pwned',
  '..\\..\\pwned',
  'a\u0000b'
]

export const everyPoison = { anywhere: [EVIL, COMMANDS, BIDI, HALF, ...WRONG_KINDS], inText: OUTSIDE }
export const fewPoisons = { anywhere: [EVIL, null], inText: ['/../../../pwned.', '..'] }

/** Which commands request which response. */
export const asking: Array<[Path, string[][]]> = [
  ['/api/projects', [['ls'], ['ls', '--json']]],
  [
    '/api/folders',
    [
      ['ls', 'p'],
      ['sync', 'fw:p/x', 'target'],
      ['rm', '-r', 'p/nothing']
    ]
  ],
  [
    '/api/files',
    [
      ['ls', 'p'],
      ['ls', 'p', '--long'],
      ['ls', 'p', '--search', 'a', '--json'],
      ['get', 'p/a.txt', '-o', 'target/'],
      ['sync', 'fw:p', 'target'],
      ['sync', 'fw:p', 'target', '--dry-run'],
      ['sync', 'fw:p', 'target', '--json'],
      ['sync', 'up', 'fw:p', '--delete', '--dry-run'],
      ['rm', '--recursive', 'p'],
      ['rm', 'p/a.txt'],
      ['mv', 'p/a.txt', 'p/b.txt']
    ]
  ],
  ['/api/recalls', [['recalls'], ['recalls', 'p', '--json'], ['ls', 'p'], ['sync', 'fw:p', 'target']]],
  ['/api/files/:id/receipt', [['receipt', FILE_ID, '-o', '-']]],
  [
    '/api/files/:id',
    [
      ['get', FILE_ID, '-o', 'target'],
      ['get', FILE_ID, '-o', 'target', '--json'],
      ['get', FILE_ID, '-o', '-'],
      ['trash', 'restore', FILE_ID]
    ]
  ],
  [
    '/api/files/upload',
    [
      ['upload', 'a.js', '--to', 'p'],
      ['upload', 'a.js', '--to', 'p', '--json']
    ]
  ],
  [
    '/api/trash',
    [
      ['trash', 'ls', 'p'],
      ['trash', 'ls', 'p', '--json']
    ]
  ],
  ['/api/ai/models', [['models'], ['models', '--json']]],
  [
    '/api/ai/analyze',
    [
      ['analyze', 'a.js'],
      ['analyze', 'a.js', '--json'],
      ['analyze', 'a.js', '--format', 'sarif'],
      ['analyze', 'a.js', '--format', 'github']
    ]
  ],
  ['/api/ai/analyze/batch', [['analyze', 'a.js', '--no-model']]],
  [
    '/api/ai/optimize',
    [
      ['optimize', 'a.js'],
      ['optimize', 'a.js', '--json']
    ]
  ],
  [
    '/api/ai/generate',
    [
      ['generate', 'x'],
      ['generate', 'x', '--json'],
      ['generate', 'x', '-o', 'target/x.js']
    ]
  ]
]

const folders = { folders: [{ name: 'f', files: 1, bytes: 1 }] }

/** Puts each hostile value into each field of each response, and runs each command that requests it. */
export function testFields(
  t: Test,
  sandbox: Sandbox,
  poisons: { anywhere: unknown[]; inText: string[] }
): void {
  const { hostile, assertHarmless } = sandbox
  for (const [path, commands] of asking) {
    t.test(`no field of ${path} reaches a terminal or another folder`, async (t) => {
      const base = path === '/api/folders' ? folders : honest[path]
      const noFiles = { '/api/files': { ...honest['/api/files'], files: [] } }
      let runs = 0
      for (const place of placesIn(base)) {
        const isText = typeof valueAt(base, place) === 'string'
        for (const poison of [...poisons.anywhere, ...(isText ? poisons.inText : [])]) {
          for (const args of commands) {
            hostile.say({
              ...(path === '/api/folders' ? noFiles : {}),
              [path]: replaced(base, place, poison)
            })
            await assertHarmless(t, args, `${place.join('.')} = ${JSON.stringify(poison)}`)
            runs++
          }
        }
      }
      t.ok(runs >= 10, `${runs} runs`)
    })
  }
}
