import { gzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { ZipFile } from 'yazl'

/**
 * The antivirus industry's harmless test file, assembled at run time so that no scanner reports this source.
 */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join(
  ''
)

export async function zip(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const file = new ZipFile()
  for (const [name, content] of Object.entries(entries)) file.addBuffer(Buffer.from(content), name)
  file.end()
  return await buffer(file.outputStream)
}

export async function tarGz(entries: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of Object.entries(entries)) archive.entry({ name }, Buffer.from(content))
  archive.finalize()
  return gzipSync(await buffer(archive))
}

export const elf = Buffer.concat([Buffer.from('7f454c46020101000000000000000000', 'hex'), Buffer.alloc(240)])
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
