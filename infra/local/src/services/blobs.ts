import { describeBlobStore } from '@filewright/blob-store'
import type { StackOptions } from '../options.js'

/** Where the files are, for the banner. */
export function blobsNote({ gcs }: Pick<StackOptions, 'gcs'>, folder: string): string {
  if (gcs === undefined) return `Files: local disk, ${folder}`
  return `Files: Google Cloud Storage, ${describeBlobStore(gcs)}`
}
