import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@filewright/runtime'

export interface Addresses {
  cdn: (id: string) => string
  download: (id: string) => string
  /** Whether a request for this id carries what `cdn` put into the address. */
  isAdmitted: (id: string, query: Record<string, unknown>) => boolean
}

export interface AddressesOptions {
  baseUrl: string
  cdnUrl: string
  clock: Clock
  /** Absent: addresses do not expire, the unguessable id is the capability. */
  signing?: { key: string, ttlSeconds: number }
}

export function createAddresses ({ baseUrl, cdnUrl, clock, signing }: AddressesOptions): Addresses {
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1000)
  const signatureOf = (key: string, id: string, expires: string): string =>
    createHmac('sha256', key).update(`${id}.${expires}`).digest('base64url')

  return {
    download: (id) => `${baseUrl}/files/${id}/download`,

    cdn: (id) => {
      const address = `${cdnUrl}/files/${id}`
      if (signing === undefined) return address
      const expires = String(nowSeconds() + signing.ttlSeconds)
      return `${address}?expires=${expires}&signature=${signatureOf(signing.key, id, expires)}`
    },

    isAdmitted: (id, { expires, signature }) => {
      if (signing === undefined) return true
      if (typeof expires !== 'string' || typeof signature !== 'string') return false
      const expected = Buffer.from(signatureOf(signing.key, id, expires))
      const given = Buffer.from(signature)
      return given.length === expected.length && timingSafeEqual(given, expected) && Number(expires) > nowSeconds()
    }
  }
}
