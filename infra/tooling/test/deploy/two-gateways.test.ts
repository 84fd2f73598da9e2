import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { ROOT } from '../helpers/root.js'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { services } = parse(read('infra/docker/two-gateways.yml'), { logLevel: 'silent' })
const base = parse(read('docker-compose.yml'), { merge: true }).services

t.test("only the proxy is published, on the gateway's former port", async (t) => {
  t.strictSame(services.proxy.ports, [base.gateway.ports[0]])
  t.strictSame(services.gateway.ports, [base.gateway.ports[1]], "the operators' port stays")
  t.strictSame(services['gateway-b'].ports, [])
})

t.test('the proxy resolves both gateways by one name, on a shared network', async (t) => {
  const [mount] = services.proxy.volumes
  const config = mount.split(':')[0].replace('./', '')
  t.ok(existsSync(join(ROOT, config)))
  const [, name] = /^ *set \$gateways (\S+);$/m.exec(read(config)) ?? []

  t.strictSame(services.proxy.networks, ['public'])
  for (const gateway of ['gateway', 'gateway-b']) {
    t.strictSame(services[gateway].networks, { public: { aliases: [name] } }, gateway)
  }
  t.match(services['gateway-b'].extends, { service: 'gateway' })
})

t.test('the guide replaces each gateway on its own', async (t) => {
  const guide = read('docs/operations/backup-and-upgrade.md')

  for (const gateway of ['gateway', 'gateway-b']) {
    t.match(guide, new RegExp(`^docker compose up -d --no-deps --wait ${gateway}$`, 'm'))
  }
})
