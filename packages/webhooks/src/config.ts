import { Type } from '@filewright/schema'

/** Settings of the gateway, which stores endpoints, and of the delivery worker, which calls them. */
export const webhookConfig = {
  WEBHOOK_KEY: Type.Optional(
    Type.String({
      minLength: 16,
      description:
        'Encrypts the secrets of webhook endpoints in the database; the same for gateways and delivery workers. Several, separated by commas: the first encrypts, all decrypt. Without it there are no webhooks'
    })
  ),
  WEBHOOK_ALLOW_HTTP: Type.Boolean({
    default: false,
    description: 'Whether webhook endpoints may be http:// addresses'
  }),
  WEBHOOK_ALLOW_NETWORKS: Type.String({
    default: '',
    description:
      'Networks that webhooks may reach although they are not public, separated by commas, such as 10.1.0.0/16'
  })
}
