import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@filewright/runtime'

export interface Addresses {
  cdn: (id: string) => string
  download: (id: string) => string
  list: (query: URLSearchParams) => string
  trash: (query: URLSearchParams) => string
  /**
   * The seconds for which the address remains valid. Infinity if addresses do not expire; 0 or less if it has
   * expired.
   */
  secondsLeft: (id: string, query: Record<string, unknown>) => number
}

export interface AddressesOptions {
  baseUrl: string
  cdnUrl: string
  clock: Clock
  /** Absent: addresses do not expire, and the unguessable id is the capability. */
  signing?: { key: string; ttlSeconds: number }
}

export function createAddresses({ baseUrl, cdnUrl, clock, signing }: AddressesOptions): Addresses {
  const nowSeconds = (): number => clock.now().getTime() / 1000
  const signatureOf = (key: string, id: string, expires: string): string =>
    createHmac('sha256', key).update(`${id}.${expires}`).digest('base64url')

  return {
    download: (id) => `${baseUrl}/files/${id}/download`,

    list: (query) => `${baseUrl}/api/files?${query.toString()}`,

    trash: (query) => `${baseUrl}/api/trash?${query.toString()}`,

    cdn: (id) => {
      const address = `${cdnUrl}/files/${id}`
      if (signing === undefined) return address
      const expires = String(Math.floor(nowSeconds()) + signing.ttlSeconds)
      return `${address}?expires=${expires}&signature=${signatureOf(signing.key, id, expires)}`
    },

    secondsLeft: (id, { expires, signature }) => {
      if (signing === undefined) return Infinity
      if (typeof expires !== 'string' || typeof signature !== 'string') return 0
      const expected = Buffer.from(signatureOf(signing.key, id, expires))
      const given = Buffer.from(signature)
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
      return isSigned ? Number(expires) - nowSeconds() : 0
    }
  }
}
