const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1')
const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02', 'latin1')
const DIRECTORY_END = Buffer.from('PK\x05\x06', 'latin1')
const LOCAL_HEADER_BYTES = 30
const DIRECTORY_ENTRY_BYTES = 46
const DIRECTORY_END_BYTES = 22

export function isZip(head: Buffer): boolean {
  return [LOCAL_HEADER, DIRECTORY_END].some((signature) => head.subarray(0, 4).equals(signature))
}

export interface ZipListing {
  names: string[]
  /** Whether these are all entries of the archive, not just the visible ones. */
  complete: boolean
}

/** Names from the directory at the end of the file, as far as the tail reaches. */
function namesFromDirectory(tail: Buffer): ZipListing {
  const end = tail.lastIndexOf(DIRECTORY_END)
  if (end < 0 || end + DIRECTORY_END_BYTES > tail.length) return { names: [], complete: false }
  // Counted back from the end record, so that prepended bytes do not matter.
  const start = end - tail.readUInt32LE(end + 12)
  const complete = start >= 0 && (start === end || tail.subarray(start, start + 4).equals(DIRECTORY_ENTRY))
  const names: string[] = []
  let at = complete ? start : tail.indexOf(DIRECTORY_ENTRY)
  while (at >= 0 && at + DIRECTORY_ENTRY_BYTES <= end && tail.subarray(at, at + 4).equals(DIRECTORY_ENTRY)) {
    const nameAt = at + DIRECTORY_ENTRY_BYTES
    const nameBytes = tail.readUInt16LE(at + 28)
    names.push(tail.toString('utf8', nameAt, nameAt + nameBytes))
    at = nameAt + nameBytes + tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)
  }
  return { names, complete }
}

/** Names from the local headers, as far as the head reaches. */
function namesFromHeaders(head: Buffer): string[] {
  const names: string[] = []
  let at = 0
  while (
    at >= 0 &&
    at + LOCAL_HEADER_BYTES <= head.length &&
    head.subarray(at, at + 4).equals(LOCAL_HEADER)
  ) {
    const nameAt = at + LOCAL_HEADER_BYTES
    const nameBytes = head.readUInt16LE(at + 26)
    names.push(head.toString('utf8', nameAt, nameAt + nameBytes))
    const bodyAt = nameAt + nameBytes + head.readUInt16LE(at + 28)
    const sizeFollowsBody = (head.readUInt16LE(at + 6) & 0x08) !== 0
    at = sizeFollowsBody ? head.indexOf(LOCAL_HEADER, bodyAt) : bodyAt + head.readUInt32LE(at + 18)
  }
  return names
}

/**
 * The visible entries. Local headers are used only when the directory is truncated, because a nested archive
 * would show its entries there as well.
 */
export function zipListing(head: Buffer, tail: Buffer): ZipListing {
  const { names, complete } = namesFromDirectory(tail)
  return { complete, names: complete ? names : [...namesFromHeaders(head), ...names] }
}

const ANDROID = /^(?:AndroidManifest\.xml|classes\d*\.dex|base\/dex\/classes\d*\.dex)$/
const IOS = /^Payload\/[^/]+\.app\//
// Java ignores case.
const MANIFEST = /^META-INF\/MANIFEST\.MF$/i
const WINDOWS = /^(?:AppxManifest\.xml|AppxMetadata\/AppxBundleManifest\.xml)$/

/** A ZIP that a system runs or installs: jar and war, apk and aab, ipa, appx and msix. */
export function isExecutableZip({ names, complete }: ZipListing): boolean {
  if (names.some((name) => ANDROID.test(name) || IOS.test(name) || WINDOWS.test(name))) return true
  // Source archives have a manifest too, but only a complete directory can show that there are no classes.
  return (
    names.some((name) => MANIFEST.test(name)) && (!complete || names.some((name) => /\.class$/i.test(name)))
  )
}
