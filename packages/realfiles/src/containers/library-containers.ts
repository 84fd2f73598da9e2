import { createRequire } from 'node:module'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import AdmZip from 'adm-zip'
import archiver from 'archiver'
import { gzipSync as fflateGzip, strToU8, zipSync } from 'fflate'
import JSZip from 'jszip'
import { create } from 'tar'
import { pack } from 'tar-stream'
import { ZipFile } from 'yazl'
import { infectedFiles, infectedText, type Container } from './container.js'

type Files = Record<string, string | Buffer>
export type Packer = (files: Files) => Promise<Buffer>

async function byArchiver(files: Files, format: 'zip' | 'tar', options: object): Promise<Buffer> {
  const archive = archiver(format, options)
  for (const [name, bytes] of Object.entries(files)) archive.append(bytes, { name })
  void archive.finalize()
  return await buffer(archive)
}

async function byJszip(
  files: Files,
  streamFiles: boolean,
  compression: 'STORE' | 'DEFLATE'
): Promise<Buffer> {
  const archive = new JSZip()
  for (const [name, bytes] of Object.entries(files)) archive.file(name, bytes)
  return await archive.generateAsync({ type: 'nodebuffer', streamFiles, compression })
}

async function byYazl(files: Files, forceZip64Format: boolean): Promise<Buffer> {
  const archive = new ZipFile()
  for (const [name, bytes] of Object.entries(files)) archive.addBuffer(Buffer.from(bytes), name)
  archive.end({ forceZip64Format, comment: '' })
  return await buffer(archive.outputStream)
}

async function byTar(files: Files, options: { gzip: boolean; portable: boolean }): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-tar-'))
  try {
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    return await buffer(create({ cwd: folder, ...options }, Object.keys(files)))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function byTarStream(files: Files): Promise<Buffer> {
  const archive = pack()
  for (const [name, bytes] of Object.entries(files)) archive.entry({ name }, Buffer.from(bytes))
  archive.finalize()
  return await buffer(archive)
}

function byAdmZip(files: Files): Buffer {
  const archive = new AdmZip()
  for (const [name, bytes] of Object.entries(files)) archive.addFile(name, Buffer.from(bytes))
  return archive.toBuffer()
}

function byFflate(files: Files, level: 0 | 6): Buffer {
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes)])), {
      level
    })
  )
}

/** Archives written by npm libraries. */
export const packers: Array<{ name: string; file: string; pack: Packer }> = [
  { name: 'archiver, zip', file: 'a.zip', pack: async (files) => await byArchiver(files, 'zip', {}) },
  {
    name: 'archiver, zip, Zip64 forced',
    file: 'a.zip',
    pack: async (files) => await byArchiver(files, 'zip', { forceZip64: true })
  },
  {
    name: 'archiver, tar.gz',
    file: 'a.tar.gz',
    pack: async (files) => await byArchiver(files, 'tar', { gzip: true })
  },
  { name: 'jszip', file: 'a.zip', pack: async (files) => await byJszip(files, false, 'DEFLATE') },
  { name: 'jszip, stored', file: 'a.zip', pack: async (files) => await byJszip(files, false, 'STORE') },
  { name: 'jszip, streamed', file: 'a.zip', pack: async (files) => await byJszip(files, true, 'DEFLATE') },
  { name: 'yazl', file: 'a.zip', pack: async (files) => await byYazl(files, false) },
  { name: 'yazl, Zip64 forced', file: 'a.zip', pack: async (files) => await byYazl(files, true) },
  { name: 'adm-zip', file: 'a.zip', pack: async (files) => byAdmZip(files) },
  { name: 'fflate', file: 'a.zip', pack: async (files) => byFflate(files, 6) },
  { name: 'fflate, stored', file: 'a.zip', pack: async (files) => byFflate(files, 0) },
  {
    name: 'tar',
    file: 'a.tar',
    pack: async (files) => await byTar(files, { gzip: false, portable: false })
  },
  {
    name: 'tar, portable, gzip',
    file: 'a.tgz',
    pack: async (files) => await byTar(files, { gzip: true, portable: true })
  },
  { name: 'tar-stream', file: 'a.tar', pack: byTarStream }
]

const bytes = (name: string, file: string, make: () => Uint8Array): Container => ({
  name: `npm: ${name}`,
  file,
  needs: [],
  make: async () => Buffer.from(make())
})

interface CompoundFiles {
  utils: { cfb_new: () => unknown; cfb_add: (file: unknown, path: string, content: Buffer) => void }
  write: (file: unknown, options: { type: 'buffer' }) => Buffer
}
// Its types need the browser's types, so the used part is declared above.
const CFB = createRequire(import.meta.url)('cfb') as CompoundFiles

/** An OLE file, as Office wrote them until 2007, by the library under SheetJS. */
export function compoundFile(streams: Record<string, Buffer>): Buffer {
  const file = CFB.utils.cfb_new()
  for (const [path, content] of Object.entries(streams)) CFB.utils.cfb_add(file, path, content)
  return CFB.write(file, { type: 'buffer' })
}

export const libraryContainers: Container[] = [
  ...packers.map(
    ({ name, file, pack }): Container => ({
      name: `npm: ${name}`,
      file,
      needs: [],
      make: async () => await pack(infectedFiles())
    })
  ),
  bytes('fflate, gzip', 'notes.txt.gz', () => fflateGzip(strToU8(infectedText()))),
  bytes('zlib, gzip', 'notes.txt.gz', () => gzipSync(infectedText())),
  bytes('zlib, brotli', 'notes.txt.br', () => brotliCompressSync(infectedText())),
  bytes('zlib, deflate', 'notes.txt.zz', () => deflateSync(infectedText())),
  bytes('cfb, .doc', 'a.doc', () =>
    compoundFile({
      '/WordDocument': Buffer.alloc(4096),
      '/ObjectPool/_1/\u0001Ole10Native': Buffer.from(infectedText())
    })
  ),
  bytes('cfb, .xls', 'a.xls', () =>
    compoundFile({ '/Workbook': Buffer.alloc(4096), '/MBD0001/Package': Buffer.from(infectedText()) })
  ),
  bytes('cfb, .msg', 'a.msg', () =>
    compoundFile({
      '/__properties_version1.0': Buffer.alloc(64),
      '/__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.from(infectedText())
    })
  )
]
