import { describeBlobStore } from '@filewright/blob-store'
import type { StackOptions } from '../options.js'

/** Where the files are, for the banner. */
export function blobsNote({ bucket }: Pick<StackOptions, 'bucket'>, folder: string): string {
  if (bucket === undefined) return `Files: local disk, ${folder}`
  const provider = bucket.S3_BUCKET === undefined ? 'Google Cloud Storage' : 'S3'
  return `Files: ${provider}, ${describeBlobStore(bucket)}`
}
