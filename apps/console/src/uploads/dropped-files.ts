import type { FileToUpload } from './upload-queue.js'

/** What systems leave in folders without being asked. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** Of a browser's FileSystemEntry, which has no promises. */
async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return await new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })
}

async function* entriesIn(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader()
  while (true) {
    // A hundred at a time, until there are none.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (entries.length === 0) return
    yield* entries
  }
}

async function* filesBelow(entry: FileSystemEntry, folder: string): AsyncGenerator<FileToUpload> {
  if (entry.isFile) {
    if (!LITTER.has(entry.name)) yield { file: await fileOf(entry as FileSystemFileEntry), folder }
    return
  }
  const inside = folder === '' ? entry.name : `${folder}/${entry.name}`
  for await (const child of entriesIn(entry as FileSystemDirectoryEntry)) yield* filesBelow(child, inside)
}

/** Every file that was dropped, those in folders with the folder they lie in. */
export async function droppedFiles(items: Iterable<DataTransferItem>): Promise<FileToUpload[]> {
  // Before the first await: afterwards the browser has forgotten them.
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry())
  const files: FileToUpload[] = []
  for (const entry of entries) {
    if (entry === null) continue
    for await (const file of filesBelow(entry, '')) files.push(file)
  }
  return files
}

/** Of an input, which names the folders if it was asked for one. */
export function chosenFiles(files: Iterable<File>): FileToUpload[] {
  return [...files]
    .filter(({ name }) => !LITTER.has(name))
    .map((file) => ({ file, folder: file.webkitRelativePath.split('/').slice(0, -1).join('/') }))
}
