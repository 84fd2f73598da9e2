import { bucketProviderOf, describeBlobStore, type BucketProvider } from '@filewright/blob-store'
import type { StackOptions } from '../options.js'

const NAMES: Record<BucketProvider, string> = {
  gcs: 'Google Cloud Storage',
  s3: 'S3',
  azure: 'Azure Blob Storage'
}

/** Where the files are, for the banner. */
export function blobsNote({ bucket }: Pick<StackOptions, 'bucket'>, folder: string): string {
  const provider = bucket === undefined ? undefined : bucketProviderOf(bucket)
  if (bucket === undefined || provider === undefined) return `Files: local disk, ${folder}`
  return `Files: ${NAMES[provider]}, ${describeBlobStore(bucket)}`
}
