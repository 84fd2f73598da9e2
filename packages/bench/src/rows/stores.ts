import { randomBytes, randomUUID } from 'node:crypto'
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { Storage } from '@google-cloud/storage'
import {
  blobKeyOf,
  createAzureBlobStore,
  createGcsBlobStore,
  createS3BlobStore,
  type BlobStore
} from '@filewright/blob-store'
import { createId } from '@filewright/runtime'
import { startAzuriteServer, startGcsServer, startSwiftServer } from '@filewright/testing'
import type { BenchContext, Measurement, Row } from '../context.js'
import { spreadOf } from '../statistics.js'

const SIZE_BYTES = 1024 * 1024
const AT_ONCE = 4
/** Blobs per round and side. */
const BLOBS = 24

/** What the provider's library does by itself, in as few calls as it needs. */
interface Bare {
  upload: (key: string, bytes: Buffer) => Promise<unknown>
  download: (key: string) => Promise<Buffer>
}

interface Place {
  store: BlobStore
  bare: Bare
  stop: () => Promise<void>
}

async function openS3(): Promise<Place> {
  const { endpoint, region, credentials, stop } = await startSwiftServer()
  const bucket = `bench-${randomUUID()}`
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  const store = createS3BlobStore({ bucket, endpoint, region, credentials })
  return {
    store,
    bare: {
      upload: async (key, bytes) =>
        await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes })),
      download: async (key) => {
        const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
        return Buffer.from((await body?.transformToByteArray()) ?? [])
      }
    },
    stop: async () => {
      client.destroy()
      await store.close()
      await stop()
    }
  }
}

async function openAzure(): Promise<Place> {
  const { endpoint, account, accountKey, createContainer, stop } = await startAzuriteServer()
  const container = `bench-${randomUUID()}`
  await createContainer(container)
  const service = new BlobServiceClient(endpoint, new StorageSharedKeyCredential(account, accountKey))
  const client = service.getContainerClient(container)
  return {
    store: createAzureBlobStore({ endpoint, account, container, credentials: { accountKey } }),
    bare: {
      upload: async (key, bytes) => await client.getBlockBlobClient(key).upload(bytes, bytes.length),
      download: async (key) => await client.getBlobClient(key).downloadToBuffer()
    },
    stop
  }
}

async function openGcs(): Promise<Place> {
  const { endpoint, bucket, close } = await startGcsServer()
  const files = new Storage({ apiEndpoint: endpoint, useAuthWithCustomEndpoint: false }).bucket(bucket)
  return {
    store: createGcsBlobStore({ bucket, apiEndpoint: endpoint, anonymous: true }),
    bare: {
      upload: async (key, bytes) =>
        await files.file(key).save(bytes, { resumable: false, validation: false }),
      download: async (key) => (await files.file(key).download({ validation: false }))[0]
    },
    stop: close
  }
}

/** Blobs per second. */
async function timed(keys: readonly string[], work: (key: string) => Promise<unknown>): Promise<number> {
  const waiting = [...keys]
  const startedAt = performance.now()
  const lane = async (): Promise<void> => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) await work(key)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return (keys.length * 1_000) / (performance.now() - startedAt)
}

async function* sourceOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
}

async function readAll(store: BlobStore, key: string): Promise<void> {
  const reader = await store.open(key)
  try {
    let sizeBytes = 0
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
      sizeBytes += piece.length
    }
    if (sizeBytes !== SIZE_BYTES) throw new Error(`${key} has ${sizeBytes} bytes`)
  } finally {
    await reader.close()
  }
}

async function compare(
  { quick, rounds }: BenchContext,
  open: () => Promise<Place>,
  what: 'upload' | 'download'
): Promise<Measurement> {
  const { store, bare, stop } = await open()
  try {
    const bytes = randomBytes(SIZE_BYTES)
    const newKeys = (): string[] => Array.from({ length: quick ? 8 : BLOBS }, () => blobKeyOf(createId()))
    const stored = newKeys()
    await timed(stored, async (key) => await store.write(key, sourceOf(bytes)))
    const ofStore = async (): Promise<number> =>
      what === 'upload'
        ? await timed(newKeys(), async (key) => await store.write(key, sourceOf(bytes)))
        : await timed(stored, async (key) => await readAll(store, key))
    const ofBare = async (): Promise<number> =>
      what === 'upload'
        ? await timed(newKeys(), async (key) => await bare.upload(key, bytes))
        : await timed(stored, async (key) => {
            if ((await bare.download(key)).length !== SIZE_BYTES) throw new Error(`${key} is incomplete`)
          })
    await ofStore()
    await ofBare()
    const pairs: Array<[number, number]> = []
    for (let round = 0; round < rounds; round++) pairs.push([await ofStore(), await ofBare()])
    const { median, min, max } = spreadOf(pairs.map(([ours, theirs]) => ours / theirs))
    const [ours, theirs] = [0, 1].map((side) => spreadOf(pairs.map((pair) => pair[side]!)).median)
    return {
      value: median,
      min,
      max,
      note: `${ours?.toFixed(1)} blobs/s with the driver, ${theirs?.toFixed(1)} with the library alone`
    }
  } finally {
    await stop()
  }
}

const places = { 'S3 (Swift)': openS3, 'Azure (Azurite)': openAzure, 'Google (test server)': openGcs }

export const storeRows: Row[] = Object.entries(places).flatMap(([name, open]) =>
  (['upload', 'download'] as const).map(
    (what): Row => ({
      name: `store ${name}: ${what} 1 MiB, ${AT_ONCE} at once`,
      measure: "blobs/s of the driver ÷ of the provider's library alone",
      goal: { atLeast: 0.5 },
      run: async (context) => await compare(context, open, what)
    })
  )
)
