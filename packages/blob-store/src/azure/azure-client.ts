import { timedCall, type CallLimits } from '../remote/timed-call.js'
import { fromAzureSdk } from './azure-failure.js'

export type AzureSdk = typeof import('./azure-sdk.js')
export type Container = InstanceType<AzureSdk['ContainerClient']>

export interface AzureClientOptions {
  /** Address of the storage account, such as `https://account.blob.core.windows.net`. */
  endpoint: string
  account: string
  container: string
  credentials: { accountKey: string } | { sasToken: string }
}

export interface AzureApi {
  /** One attempt. Failures are StorageFailures, an abort by the signal is CANCELLED. */
  call: <T>(
    work: (container: Container, signal: AbortSignal, sdk: AzureSdk) => Promise<T>,
    limits: CallLimits
  ) => Promise<T>
}

export function createAzureApi(options: AzureClientOptions): AzureApi {
  let session: Promise<{ container: Container; sdk: AzureSdk }> | undefined
  return {
    call: async (work, limits) => {
      session ??= openSession(options)
      const opening = session
      return await timedCall(
        async (signal) => {
          const { container, sdk } = await opening
          return await work(container, signal, sdk)
        },
        limits,
        (error) => fromAzureSdk(limits.doing, error)
      )
    }
  }
}

async function openSession(options: AzureClientOptions): Promise<{ container: Container; sdk: AzureSdk }> {
  const { endpoint, account, container, credentials } = options
  const sdk = await import('./azure-sdk.js')
  const { AnonymousCredential, ContainerClient, newPipeline, StorageSharedKeyCredential } = sdk
  const isKey = 'accountKey' in credentials
  const pipeline = newPipeline(
    isKey ? new StorageSharedKeyCredential(account, credentials.accountKey) : new AnonymousCredential(),
    // Retries are ours: the SDK's know no budget and do not recognize an object of their own.
    { retryOptions: { maxTries: 1 } }
  )
  const address = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(container)}`
  const url = isKey ? address : `${address}?${credentials.sasToken.replace(/^\?/, '')}`
  return { container: new ContainerClient(url, pipeline), sdk }
}
