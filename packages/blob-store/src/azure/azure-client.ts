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
  call: <T>(work: (container: Container, signal: AbortSignal) => Promise<T>, limits: CallLimits) => Promise<T>
}

export function createAzureApi(options: AzureClientOptions): AzureApi {
  let container: Promise<Container> | undefined
  return {
    call: async (work, limits) => {
      container ??= openContainer(options)
      const opening = container
      return await timedCall(
        async (signal) => await work(await opening, signal),
        limits,
        (error) => fromAzureSdk(limits.doing, error)
      )
    }
  }
}

async function openContainer(options: AzureClientOptions): Promise<Container> {
  const { endpoint, account, container, credentials } = options
  const { AnonymousCredential, ContainerClient, newPipeline, StorageSharedKeyCredential } = await import(
    './azure-sdk.js'
  )
  const isKey = 'accountKey' in credentials
  const pipeline = newPipeline(
    isKey ? new StorageSharedKeyCredential(account, credentials.accountKey) : new AnonymousCredential(),
    // Retries are ours: the SDK's know no budget and do not recognize an object of their own.
    { retryOptions: { maxTries: 1 } }
  )
  const address = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(container)}`
  return new ContainerClient(
    isKey ? address : `${address}?${credentials.sasToken.replace(/^\?/, '')}`,
    pipeline
  )
}
