import t from 'tap'
import { chosenFiles, droppedFiles } from '../../src/uploads/dropped-files.js'

const BATCH = 2

/** As browsers provide them: entries with callbacks, a few at a time. */
function entryOf(name: string, children?: FileSystemEntry[]): FileSystemEntry {
  if (children === undefined) {
    return {
      name,
      isFile: true,
      file: (done: (file: File) => void) => {
        done(new File([], name))
      }
    } as unknown as FileSystemEntry
  }
  let read = 0
  const readEntries = (done: (entries: FileSystemEntry[]) => void): void => {
    done(children.slice(read, (read += BATCH)))
  }
  return { name, isFile: false, createReader: () => ({ readEntries }) } as unknown as FileSystemEntry
}

const itemOf = (entry: FileSystemEntry | null) =>
  ({ kind: 'file', webkitGetAsEntry: () => entry }) as DataTransferItem

t.test('a dropped folder yields every file below it, with its folder', async (t) => {
  const photos = entryOf('photos', [
    entryOf('1.png'),
    entryOf('2.png'),
    entryOf('.DS_Store'),
    entryOf('2026', [entryOf('3.png'), entryOf('empty', [])])
  ])

  const files = await droppedFiles([itemOf(photos), itemOf(entryOf('a.txt')), itemOf(null)])

  t.strictSame(
    files.map(({ file, folder }) => [folder, file.name]),
    [
      ['photos', '1.png'],
      ['photos', '2.png'],
      ['photos/2026', '3.png'],
      ['', 'a.txt']
    ]
  )
})

t.test('a chosen folder is recognized by the paths of its files', async (t) => {
  const inFolder = Object.assign(new File([], 'b.txt'), { webkitRelativePath: 'docs/old/b.txt' })
  const alone = Object.assign(new File([], 'a.txt'), { webkitRelativePath: '' })

  t.strictSame(
    chosenFiles([inFolder, alone]).map(({ folder }) => folder),
    ['docs/old', '']
  )
})
