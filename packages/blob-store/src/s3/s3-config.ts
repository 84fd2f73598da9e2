import { setting } from '@filewright/runtime'
import { Type, type Static, type TObject } from '@filewright/schema'
import type { S3BlobStoreOptions } from './s3-blob-store.js'

export const s3Config = {
  S3_BUCKET: setting.optional(
    'Bucket of Amazon S3 or a compatible server that holds the blobs; wins over BLOB_DIR',
    { minLength: 3 }
  ),
  S3_REGION: setting.optional(
    "The bucket's region, like eu-central-1; needed for Amazon, us-east-1 with S3_ENDPOINT"
  ),
  S3_ENDPOINT: setting.optional(
    'Address of a compatible server, like https://minio.example.com; default Amazon S3',
    { pattern: '^https?://' }
  ),
  S3_ALLOW_HTTP: setting.flag(
    false,
    'Accept an S3_ENDPOINT without TLS: everybody on the way can read and delay the files'
  ),
  S3_PATH_STYLE: Type.Optional(
    Type.Boolean({
      description:
        'Name the bucket in the path instead of the host name; default true with S3_ENDPOINT, else false'
    })
  ),
  S3_ACCESS_KEY_ID: setting.optional(
    "Access key; without it the SDK's default chain: AWS_* variables, profile, workload or instance identity"
  ),
  S3_SECRET_ACCESS_KEY: setting.optional('Secret of S3_ACCESS_KEY_ID'),
  S3_SESSION_TOKEN: setting.optional('Session token of a temporary S3_ACCESS_KEY_ID'),
  S3_TAGS: setting.flag(
    false,
    'Tag objects with their project and file id, for lifecycle rules; needs s3:PutObjectTagging'
  ),
  S3_SSE: setting.optional(
    "Encryption at rest: AES256, aws:kms or aws:kms:dsse; default the bucket's own setting",
    { pattern: '^(AES256|aws:kms|aws:kms:dsse)$' }
  ),
  S3_SSE_KMS_KEY_ID: setting.optional("Key for S3_SSE=aws:kms; default the account's own key")
}

export type S3Config = Partial<Static<TObject<typeof s3Config>>>

// Amazon's rules. Compatible servers accept these names, too.
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z]{2,4}(-[a-z]+)+-\d+$/

/** What is wrong with the combination of settings, or null. */
export function problemOfS3(config: S3Config): string | null {
  if (config.S3_BUCKET === undefined) return problemWithoutBucket(config)
  if (!BUCKET.test(config.S3_BUCKET)) {
    return 'S3_BUCKET must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens'
  }
  return problemOfEndpoint(config) ?? problemOfCredentials(config) ?? problemOfEncryption(config)
}

function problemWithoutBucket(config: S3Config): string | null {
  const given = Object.keys(s3Config).find(
    (key) => ![undefined, false].includes(config[key as keyof S3Config] as undefined)
  )
  return given === undefined ? null : `${given} is set, but S3_BUCKET is not: set both or neither`
}

function problemOfEndpoint({
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_ALLOW_HTTP: http
}: S3Config): string | null {
  if (endpoint === undefined) {
    if (region === undefined) {
      return "S3_REGION is required for Amazon S3: the bucket's region, like eu-central-1"
    }
    return REGION.test(region) ? null : "S3_REGION must be a region's code, like eu-central-1"
  }
  if (!URL.canParse(endpoint)) return 'S3_ENDPOINT must be an address, like https://minio.example.com'
  const { protocol, pathname, username, password, search, hash } = new URL(endpoint)
  if (username !== '' || password !== '' || search !== '' || hash !== '' || pathname !== '/') {
    return 'S3_ENDPOINT must hold no user name, password, path, query or fragment'
  }
  if (protocol === 'https:' || http === true) return null
  return (
    'S3_ENDPOINT must be https, or anybody on the way could read the files; ' +
    'for a server in a network that you trust, set S3_ALLOW_HTTP=true'
  )
}

function problemOfCredentials(config: S3Config): string | null {
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret, S3_SESSION_TOKEN: token } = config
  if (id !== undefined && secret === undefined) return 'S3_ACCESS_KEY_ID needs S3_SECRET_ACCESS_KEY'
  if (secret !== undefined && id === undefined) return 'S3_SECRET_ACCESS_KEY needs S3_ACCESS_KEY_ID'
  if (token !== undefined && id === undefined) return 'S3_SESSION_TOKEN needs S3_ACCESS_KEY_ID'
  return null
}

function problemOfEncryption({ S3_SSE: sse, S3_SSE_KMS_KEY_ID: key }: S3Config): string | null {
  if (key === undefined || sse?.startsWith('aws:kms') === true) return null
  return 'S3_SSE_KMS_KEY_ID needs S3_SSE=aws:kms or S3_SSE=aws:kms:dsse'
}

/** For people. */
export function s3PlaceOf({
  S3_BUCKET: bucket = '',
  S3_ENDPOINT: endpoint,
  S3_REGION: region = ''
}: S3Config): string {
  // A password in the URL is refused, and must not be shown even then.
  const place = endpoint === undefined ? `Amazon S3 in ${region}` : endpoint.replace(/\/\/[^/]*@/, '//')
  return `bucket ${bucket} at ${place}`
}

/** Of settings without a problem. */
export function s3OptionsOf(config: S3Config): Omit<S3BlobStoreOptions, 'bucket'> {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_SSE: algorithm } = config
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined
  return {
    region: config.S3_REGION ?? 'us-east-1',
    endpoint: config.S3_ENDPOINT,
    pathStyle: config.S3_PATH_STYLE,
    credentials: hasKeys
      ? { accessKeyId, secretAccessKey, sessionToken: config.S3_SESSION_TOKEN }
      : undefined,
    tags: config.S3_TAGS,
    encryption: algorithm === undefined ? undefined : { algorithm, kmsKeyId: config.S3_SSE_KMS_KEY_ID }
  }
}
