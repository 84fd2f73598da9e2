import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const READ = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    names = archive.namelist()
    short = len(names) <= 100
    print(json.dumps([[name, archive.read(name).decode('latin1') if short else ''] for name in names]))
`

/** The names and the content of an archive, as Python reads it; fails if a checksum is wrong. */
export async function readZip(bytes: Buffer): Promise<Array<[name: string, content: string]>> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-zip-'))
  try {
    const path = join(folder, 'a.zip')
    await writeFile(path, bytes)
    const { stdout } = await promisify(execFile)('python3', ['-c', READ, path], { maxBuffer: 2 ** 26 })
    return JSON.parse(stdout) as Array<[string, string]>
  } finally {
    await rm(folder, { recursive: true })
  }
}
