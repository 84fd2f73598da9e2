import t from 'tap'
import { createIo, paint, type Streams } from '../src/io.js'
import { printTable, shortened, widthOf } from '../src/table.js'

function printed(shell: Pick<Streams, 'isOutTerminal' | 'hasColor' | 'columns'>): string {
  let text = ''
  const io = createIo({
    ...shell,
    env: {},
    cwd: '/',
    isTerminal: shell.isOutTerminal,
    write: (shown) => {
      text += shown
    },
    writeBytes: async () => {},
    writeNote: () => {},
    ask: async () => '',
    readAll: async () => ''
  })
  printTable(
    io,
    [{ header: 'name', isFlexible: true }, { header: 'size', isRight: true }, { header: 'id' }],
    [
      ['notes.md', '8.3 KB', paint('dim', 'first')],
      ['a file with a very long name and spaces.txt', '12 B', paint('dim', 'second')],
      ['日本語.txt', '1 B', paint('dim', 'third')]
    ]
  )
  return text
}

t.test('a terminal gets headers and columns that line up, also for wide characters', async (t) => {
  const lines = printed({ isOutTerminal: true, hasColor: false, columns: 80 }).trimEnd().split('\n')

  t.equal(lines[0], `NAME${' '.repeat(43)}SIZE  ID`)
  for (const line of lines) {
    t.equal(widthOf(line.slice(0, line.search(/ (?:ID|first|second|third)$/))), 52, line)
  }
})

t.test('only the flexible column is cut where the terminal is too narrow', async (t) => {
  const lines = printed({ isOutTerminal: true, hasColor: false, columns: 40 }).trimEnd().split('\n')

  for (const line of lines) t.ok(widthOf(line) <= 40, line)
  t.match(lines[2], /^a file with .*… +12 B {2}second$/)
})

t.test('colours only where they are wanted', async (t) => {
  t.match(printed({ isOutTerminal: true, hasColor: true, columns: 80 }), '\u001b[2mfirst\u001b[0m')
  t.notMatch(printed({ isOutTerminal: true, hasColor: false, columns: 80 }), '\u001b')
})

t.test('a program gets whole cells with tabs between them, without headers', async (t) => {
  t.equal(
    printed({ isOutTerminal: false, hasColor: false, columns: 20 }),
    'notes.md\t8.3 KB\tfirst\na file with a very long name and spaces.txt\t12 B\tsecond\n日本語.txt\t1 B\tthird\n'
  )
})

t.test('a long cell is cut between characters, never inside one', async (t) => {
  t.equal(shortened('short', 5), 'short')
  t.equal(shortened('longer', 5), 'long…')
  t.equal(shortened('日本語', 4), '日…')
})
