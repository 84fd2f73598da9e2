import { setting } from '@filewright/runtime'
import type { Static, TObject } from '@filewright/schema'
import { GOOGLE_ENDPOINT } from './gcs-client.js'

export const gcsConfig = {
  GCS_BUCKET: setting.optional('Google Cloud Storage bucket that holds the blobs; wins over BLOB_DIR', {
    minLength: 3
  }),
  GCS_API_ENDPOINT: setting.optional(
    'Address of a private endpoint, proxy or emulator of Google Cloud Storage; default ' +
      `${GOOGLE_ENDPOINT}. It gets the application default credentials, so it must be https ` +
      'unless GCS_ANONYMOUS is set',
    { pattern: '^https?://' }
  ),
  GCS_ANONYMOUS: setting.flag(false, 'Show GCS_API_ENDPOINT no credentials, as emulators want it'),
  STORAGE_EMULATOR_HOST: setting.optional(
    'Never used. With GCS_BUCKET and without GCS_API_ENDPOINT the process refuses to start, ' +
      'because it is not clear which server is meant'
  )
}

type GcsConfig = Partial<Static<TObject<typeof gcsConfig>>>

/** What is wrong with the combination of settings, or null. */
export function problemOfGcs(config: GcsConfig): string | null {
  const { GCS_API_ENDPOINT: endpoint, GCS_ANONYMOUS: anonymous = false } = config
  if (endpoint === undefined) {
    if (anonymous) return 'GCS_ANONYMOUS needs GCS_API_ENDPOINT, because Google itself asks for credentials'
    if (config.STORAGE_EMULATOR_HOST === undefined) return null
    return (
      'STORAGE_EMULATOR_HOST is set but never used: to use an emulator, set GCS_API_ENDPOINT to its ' +
      'address and GCS_ANONYMOUS=true; to use Google, unset STORAGE_EMULATOR_HOST'
    )
  }
  if (!URL.canParse(endpoint)) return 'GCS_API_ENDPOINT must be an address, like https://storage.example.com'
  const { protocol, origin, username, password, search, hash } = new URL(endpoint)
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    return 'GCS_API_ENDPOINT must hold no user name, password, query or fragment'
  }
  if (anonymous && origin === GOOGLE_ENDPOINT) return 'GCS_ANONYMOUS cannot be used with Google itself'
  if (anonymous || protocol === 'https:') return null
  return (
    'GCS_API_ENDPOINT must be https, or anybody on the way could read the access token; ' +
    'for an emulator, which needs no credentials, set GCS_ANONYMOUS=true'
  )
}

/** For people. */
export function gcsPlaceOf(config: GcsConfig): string {
  const { GCS_BUCKET: bucket = '', GCS_API_ENDPOINT: endpoint = GOOGLE_ENDPOINT } = config
  // A password in the URL is refused, and must not be shown even then.
  const address = endpoint.replace(/\/\/[^/]*@/, '//')
  return `bucket ${bucket} at ${address}${config.GCS_ANONYMOUS === true ? ', without credentials' : ''}`
}
