import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { Test } from 'tap'
import { startSwiftServer } from '@filewright/testing'

export interface S3TestServer {
  endpoint: string
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string }
}

export interface S3TestBucket extends S3TestServer {
  bucket: string
}

/** The server that S3_TEST_ENDPOINT names, or OpenStack Swift. */
export async function s3TestServer(t: Test): Promise<S3TestServer> {
  const { S3_TEST_ENDPOINT: endpoint, S3_TEST_KEY, S3_TEST_SECRET } = process.env
  if (endpoint !== undefined) {
    const credentials = { accessKeyId: S3_TEST_KEY ?? '', secretAccessKey: S3_TEST_SECRET ?? '' }
    return { endpoint, region: 'us-east-1', credentials }
  }
  const server = await startSwiftServer()
  t.teardown(async () => await server.stop())
  return server
}

/** Returns a new bucket at each call. */
export function createS3TestBuckets(t: Test): () => Promise<S3TestBucket> {
  let server: Promise<S3TestServer> | undefined
  return async () => {
    server ??= s3TestServer(t)
    return await makeBucket(await server)
  }
}

export async function makeBucket({ endpoint, region, credentials }: S3TestServer): Promise<S3TestBucket> {
  const bucket = `filewright-${randomUUID()}`
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return { endpoint, region, credentials, bucket }
}
