import type { FileToUpload } from './upload.js'

/** Files that operating systems leave in folders. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** Part of a browser's FileSystemEntry, which has no promises. */
async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return await new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })
}

async function* entriesIn(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader()
  while (true) {
    // A hundred at a time, until there are none left.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (entries.length === 0) return
    yield* entries
  }
}

async function* filesBelow(entry: FileSystemEntry, folder: string): AsyncGenerator<FileToUpload> {
  if (entry.isFile) {
    if (LITTER.has(entry.name)) return
    try {
      yield { file: await fileOf(entry as FileSystemFileEntry), folder }
    } catch {
      yield { file: new File([], entry.name), folder, isUnreadable: true }
    }
    return
  }
  const inside = folder === '' ? entry.name : `${folder}/${entry.name}`
  const children = entriesIn(entry as FileSystemDirectoryEntry)
  while (true) {
    // One folder that the browser may not read does not lose the others.
    const next = await children.next().catch(() => null)
    if (next === null) yield { file: new File([], entry.name), folder, isUnreadable: true }
    if (next === null || next.done === true) return
    yield* filesBelow(next.value, inside)
  }
}

/** Every dropped file; those in folders with their folder. */
export async function droppedFiles(items: Iterable<DataTransferItem>): Promise<FileToUpload[]> {
  // Before the first await: after that, the browser clears the list.
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry())
  const files: FileToUpload[] = []
  for (const entry of entries) {
    if (entry === null) continue
    for await (const file of filesBelow(entry, '')) files.push(file)
  }
  return files
}

/** From an input, which includes the folders if it selects one. */
export function chosenFiles(files: Iterable<File>): FileToUpload[] {
  return [...files]
    .filter(({ name }) => !LITTER.has(name))
    .map((file) => ({ file, folder: file.webkitRelativePath.split('/').slice(0, -1).join('/') }))
}
