import { inflated } from './inflate.js'
import type { Budget } from './budget.js'
import { createForwardReader } from './forward-reader.js'
import { heldContent, type Guards } from './guard-result.js'
import { Refusal, tolerateDamage } from './refusals.js'
import { memberOf, readerOf, sequential, type MemberReader } from './sequential-reader.js'
import { DEFLATED, STORED } from './zip-nested.js'

const LOCAL_SIGNATURE = Buffer.from('504b0304', 'hex')
const LOCAL_BYTES = 30
const UNKNOWN = [0, 0xffffffff]

/**
 * Passes on the files that a lenient unpacker finds in a damaged ZIP. Such an unpacker reads the local
 * headers and needs no directory. The WebAssembly build of 7-Zip crashes on such archives.
 */
export async function salvageZip(
  zip: Buffer,
  { budget, guards }: { budget: Budget; guards: Pick<Guards, 'member'> }
): Promise<void> {
  for (
    let at = zip.indexOf(LOCAL_SIGNATURE);
    at !== -1 && at + LOCAL_BYTES <= zip.length;
    at = zip.indexOf(LOCAL_SIGNATURE, at + 4)
  ) {
    budget.countEntry()
    const method = zip.readUInt16LE(at + 8)
    if (method !== STORED && method !== DEFLATED) throw new Refusal('ZipDamagedMethod')
    const start = at + LOCAL_BYTES + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
    const sizeBytes = zip.readUInt32LE(at + 18)
    const end = method === DEFLATED || UNKNOWN.includes(sizeBytes) ? zip.length : start + sizeBytes
    const packed = readerOfBytes(zip.subarray(start, end))
    if (method === STORED) await guards.member(packed, { unseen: true })
    else await guardInflated(packed, { budget, guards })
  }
}

async function guardInflated(
  packed: MemberReader,
  { budget, guards }: { budget: Budget; guards: Pick<Guards, 'member'> }
): Promise<void> {
  const chunks = inflated(packed)
  try {
    await tolerateDamage(
      async () => await guards.member(memberOf(readerOf(chunks, budget.unpack), Infinity), { unseen: true })
    )
  } finally {
    await chunks.return()
  }
}

function readerOfBytes(bytes: Buffer): MemberReader {
  return memberOf(sequential(createForwardReader(heldContent(bytes))), bytes.length)
}
