import { setting } from '@filewright/runtime'
import { Type, type Static, type TObject } from '@filewright/schema'
import { createAddressPolicy, parseNetworks, type AddressPolicy } from './address-policy.js'

/** Settings of the gateway, which stores endpoints, and of the delivery worker, which calls them. */
export const webhookConfig = {
  WEBHOOK_KEY: setting.optional(
    'Encrypts the secrets of webhook endpoints in the database; the same for gateways and delivery workers. Of several keys, separated by commas, the first encrypts and all decrypt. Without a key there are no webhooks',
    { minLength: 16 }
  ),
  WEBHOOK_ALLOW_PRIVATE: setting.flag(
    false,
    'Whether webhooks may reach loopback and private networks, also over http; cloud metadata addresses stay refused'
  ),
  WEBHOOK_ALLOW_HTTP: setting.flag(false, 'Whether webhook endpoints may be http:// addresses'),
  WEBHOOK_ALLOW_NETWORKS: Type.String({
    default: '',
    description: 'Private networks that webhooks may reach, separated by commas, such as 10.1.0.0/16'
  })
}

type AddressSettings = Pick<
  Static<TObject<typeof webhookConfig>>,
  'WEBHOOK_ALLOW_PRIVATE' | 'WEBHOOK_ALLOW_HTTP' | 'WEBHOOK_ALLOW_NETWORKS'
>

export const addressPolicyOf = (config: AddressSettings): AddressPolicy =>
  createAddressPolicy({
    allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
    allowHttp: config.WEBHOOK_ALLOW_HTTP,
    allowNetworks: parseNetworks(config.WEBHOOK_ALLOW_NETWORKS)
  })
