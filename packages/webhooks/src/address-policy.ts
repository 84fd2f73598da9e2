import { BlockList, isIP, isIPv4 } from 'node:net'
import { AppError } from '@filewright/runtime'

/** The addresses to which deliveries may go. */
export interface AddressPolicy {
  isAllowed: (address: string) => boolean
  allowsHttp: boolean
}

export interface AddressPolicyOptions {
  /** Networks that are allowed although they are not public, such as `10.1.0.0/16`. */
  allowNetworks?: string[]
  allowHttp?: boolean
  /** Allows loopback and private networks, also over http. */
  allowPrivate?: boolean
}

const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7'
]

/** A metadata service of a cloud, in a private IPv6 network. */
const METADATA_IPV6 = ['fd00:ec2::/32']

/**
 * Ranges that IANA's registries do not list as global, and addresses at which clouds serve credentials to
 * their machines.
 */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4'
]

/**
 * Everything else in IPv6 is refused: loopback, unique local, link-local, multicast, and every form that
 * carries an IPv4 address (mapped, NAT64).
 */
const GLOBAL_IPV6 = ['2000::/3']

/** Teredo and other protocol assignments, documentation, 6to4. */
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

export function createAddressPolicy({
  allowNetworks = [],
  allowHttp = false,
  allowPrivate = false
}: AddressPolicyOptions = {}): AddressPolicy {
  const allowed = listOf(allowNetworks)
  const metadata = listOf(METADATA_IPV6)
  const local = listOf(allowPrivate ? PRIVATE : [])
  const refused = listOf([...REFUSED_IPV4, ...REFUSED_IPV6])
  const global = listOf(GLOBAL_IPV6)

  return {
    allowsHttp: allowHttp || allowPrivate,
    isAllowed: (address) => {
      // A zone names a network interface of this machine.
      if (isIP(address) === 0 || address.includes('%')) return false
      const family = isIPv4(address) ? 'ipv4' : 'ipv6'
      if (allowed.check(address, family)) return true
      if (metadata.check(address, family)) return false
      if (local.check(address, family)) return true
      if (refused.check(address, family)) return false
      return family === 'ipv4' || global.check(address, family)
    }
  }
}

/** `10.0.0.0/8, fd00::/8` */
export function parseNetworks(text: string): string[] {
  const networks = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
  listOf(networks)
  return networks
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [, address = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(network) ?? []
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const length = Number(bits)
    if (isIP(address) === 0 || length > (family === 'ipv4' ? 32 : 128)) {
      throw new AppError('CONFIG_INVALID', `${network} is not a network such as 10.0.0.0/8`)
    }
    list.addSubnet(address, length, family)
  }
  return list
}
