import { setting } from '@filewright/runtime'
import type { Static, TObject } from '@filewright/schema'
import type { AzureBlobStoreOptions } from './azure-blob-store.js'
import type { AzureClientOptions } from './azure-client.js'

export const azureConfig = {
  AZURE_CONTAINER: setting.optional(
    'Container of Azure Blob Storage that holds the blobs; wins over BLOB_DIR',
    { minLength: 3 }
  ),
  AZURE_ACCOUNT: setting.optional("Name of the container's storage account"),
  AZURE_ACCOUNT_KEY: setting.optional('Key of AZURE_ACCOUNT, in base64; or AZURE_SAS_TOKEN'),
  AZURE_SAS_TOKEN: setting.optional(
    'Shared access signature of the container, with the permissions rwdl; or AZURE_ACCOUNT_KEY'
  ),
  AZURE_TAGS: setting.flag(
    false,
    'Tag blobs with their project and file id, for lifecycle rules; AZURE_SAS_TOKEN then needs the permission t'
  ),
  AZURE_ENDPOINT: setting.optional(
    'Address of the storage account, for a sovereign cloud, a private endpoint or the emulator; ' +
      'default https://<AZURE_ACCOUNT>.blob.core.windows.net',
    { pattern: '^https?://' }
  ),
  AZURE_ALLOW_HTTP: setting.flag(
    false,
    'Accept an AZURE_ENDPOINT without TLS: everybody on the way can read and delay the files'
  )
}

export type AzureConfig = Partial<Static<TObject<typeof azureConfig>>>

const CONTAINER = /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/
const ACCOUNT = /^[a-z0-9]{3,24}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** What is wrong with the combination of settings, or null. */
export function problemOfAzure(config: AzureConfig): string | null {
  const { AZURE_CONTAINER: container, AZURE_ACCOUNT: account } = config
  if (container === undefined) return problemWithoutContainer(config)
  if (!CONTAINER.test(container)) {
    return 'AZURE_CONTAINER must be the name of a container: 3 to 63 lower-case letters, digits and single hyphens'
  }
  if (account === undefined) return 'AZURE_CONTAINER needs AZURE_ACCOUNT, the name of its storage account'
  if (!ACCOUNT.test(account)) return 'AZURE_ACCOUNT must be 3 to 24 lower-case letters and digits'
  return problemOfCredentials(config) ?? problemOfEndpoint(config)
}

function problemWithoutContainer(config: AzureConfig): string | null {
  const given = Object.keys(azureConfig).find(
    (key) => ![undefined, false].includes(config[key as keyof AzureConfig] as undefined)
  )
  return given === undefined ? null : `${given} is set, but AZURE_CONTAINER is not: set both or neither`
}

function problemOfCredentials({ AZURE_ACCOUNT_KEY: key, AZURE_SAS_TOKEN: sas }: AzureConfig): string | null {
  if (key !== undefined && sas !== undefined) {
    return 'AZURE_ACCOUNT_KEY and AZURE_SAS_TOKEN are both set: unset one of them'
  }
  if (sas !== undefined) {
    return /(^|[?&])sig=/.test(sas) ? null : 'AZURE_SAS_TOKEN must be a shared access signature: sv=…&sig=…'
  }
  if (key === undefined) return 'AZURE_CONTAINER needs AZURE_ACCOUNT_KEY or AZURE_SAS_TOKEN'
  return BASE64.test(key) ? null : 'AZURE_ACCOUNT_KEY must be base64, as Azure shows it'
}

function problemOfEndpoint({ AZURE_ENDPOINT: endpoint, AZURE_ALLOW_HTTP: http }: AzureConfig): string | null {
  if (endpoint === undefined) return null
  if (!URL.canParse(endpoint)) {
    return 'AZURE_ENDPOINT must be an address, like https://account.blob.core.windows.net'
  }
  const { protocol, username, password, search, hash } = new URL(endpoint)
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    return 'AZURE_ENDPOINT must hold no user name, password, query or fragment'
  }
  if (protocol === 'https:' || http === true) return null
  return (
    'AZURE_ENDPOINT must be https, or anybody on the way could read the files; ' +
    'for the emulator or a network that you trust, set AZURE_ALLOW_HTTP=true'
  )
}

function endpointOf({ AZURE_ENDPOINT: endpoint, AZURE_ACCOUNT: account = '' }: AzureConfig): string {
  return endpoint ?? `https://${account}.blob.core.windows.net`
}

/** For people. */
export function azurePlaceOf(config: AzureConfig): string {
  // A password in the URL is refused, and must not be shown even then.
  const address = endpointOf(config).replace(/\/\/[^/]*@/, '//')
  return `container ${config.AZURE_CONTAINER ?? ''} at ${address}`
}

/** Of settings without a problem. */
export function azureOptionsOf(
  config: AzureConfig
): AzureClientOptions & Pick<AzureBlobStoreOptions, 'tags'> {
  const { AZURE_ACCOUNT_KEY: accountKey, AZURE_SAS_TOKEN: sasToken = '' } = config
  return {
    endpoint: endpointOf(config),
    account: config.AZURE_ACCOUNT ?? '',
    container: config.AZURE_CONTAINER ?? '',
    tags: config.AZURE_TAGS,
    credentials: accountKey === undefined ? { sasToken } : { accountKey }
  }
}
