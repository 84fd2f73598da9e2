import { timedCall, type CallLimits } from '../remote/timed-call.js'
import { fromSdk, hasOldCredentials } from './s3-failure.js'
import { checkReply, type HttpRequest, type HttpResponse } from './s3-reply.js'

export type S3Sdk = typeof import('./s3-sdk.js')

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
}

export interface S3ClientOptions {
  region: string
  /** Default: Amazon. */
  endpoint?: string | undefined
  pathStyle?: boolean | undefined
  /** Default: the SDK's provider chain. */
  credentials?: S3Credentials | undefined
}

export interface S3Session {
  s3: InstanceType<S3Sdk['S3Client']>
  sdk: S3Sdk
  /** For the SDK: ends the request. */
  http: { abortSignal: AbortSignal }
}

export interface S3Api {
  /** One attempt. Failures are StorageFailures, an abort by the signal is CANCELLED. */
  call: <T>(work: (session: S3Session) => Promise<T>, limits: CallLimits) => Promise<T>
  close: () => void
}

export function createS3Api(options: S3ClientOptions): S3Api {
  let session: Promise<Omit<S3Session, 'http'>> | undefined

  async function open(): Promise<Omit<S3Session, 'http'>> {
    // The SDK warns on Node.js 20 that its future versions will not run there. This version does.
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
    const sdk = await import('./s3-sdk.js')
    return { sdk, s3: createClient(sdk, options) }
  }

  function close(): void {
    void session?.then(({ s3 }) => s3.destroy())
    session = undefined
  }

  return {
    call: async (work, limits) => {
      session ??= open()
      const opening = session
      // The SDK's signal does not end the search for credentials, which may hang at a metadata server.
      return await timedCall(
        async (abortSignal) => {
          const { s3, sdk } = await opening
          return await work({ s3, sdk, http: { abortSignal } })
        },
        limits,
        (error) => {
          const canRenew = options.credentials === undefined
          // Another client asks the provider chain again; this one keeps what it has until its stated expiry.
          if (canRenew && hasOldCredentials(error)) session = undefined
          return fromSdk(limits.doing, error, { canRenew })
        }
      )
    },
    close
  }
}

function createClient(sdk: S3Sdk, options: S3ClientOptions): S3Session['s3'] {
  const { region, endpoint, pathStyle = endpoint !== undefined, credentials } = options
  // The SDK's 50 sockets would let 50 slow downloads stop everything else.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }
  const s3 = new sdk.S3Client({
    region,
    forcePathStyle: pathStyle,
    // Retries are ours: the SDK's know no budget and do not recognize an object of their own.
    maxAttempts: 1,
    // Checksums are ours: the SDK would compute them again, and check downloads only after the last byte.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A server that does not answer it would delay each part by six seconds.
    expectContinueHeader: false,
    // AWS_ENDPOINT_URL or a profile would send the files elsewhere; S3_ENDPOINT alone decides.
    ignoreConfiguredEndpointUrls: true,
    requestHandler: { httpAgent: agent, httpsAgent: agent },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials: identityOf(credentials) })
  })
  s3.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      await checkReply(args.request as HttpRequest, result.response as HttpResponse)
      return result
    },
    // Low: next to the connection, before any other middleware reads the reply.
    { step: 'deserialize', priority: 'low', name: 'checkReply' }
  )
  return s3
}

function identityOf({ sessionToken, ...keys }: S3Credentials): {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
} {
  return { ...keys, ...(sessionToken === undefined ? {} : { sessionToken }) }
}
