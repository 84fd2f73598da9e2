import type { Route } from 'playwright-core'
import { poll, type RunningStack } from '@filewright/testing'
import { admin } from '../../../src/index.js'
import type { Operation, Scene } from './scene.js'

/** What happens to the user in the middle of an operation. */
export interface Interruption {
  name: string
  /** @param held the operation's request, which has not been sent yet */
  hit: (scene: Scene, stack: RunningStack, held: Route | undefined) => Promise<void>
  /** What the user reads. */
  says?: RegExp
  /** Ends the cause. */
  heal: (scene: Scene, stack: RunningStack) => Promise<void>
  /** Whether it can happen to this operation; default to each. */
  concerns?: (operation: Operation) => boolean
  /** Whether an operation is sent only after the interruption, if it has no request that could be held. */
  isMetBySending?: boolean
}

const nothing = async (): Promise<void> => {}
const sends = ({ request }: Operation): boolean => request !== undefined
const goOn = async (held: Route | undefined): Promise<void> => {
  // The page may be gone, and the request with it.
  await held?.continue().catch(() => {})
}

export const interruptions: readonly Interruption[] = [
  {
    name: 'the gateway is killed',
    hit: async (_scene, stack, held) => {
      process.kill(stack.pid('gateway') ?? 0, 'SIGKILL')
      await goOn(held)
    },
    heal: async ({ client }) => {
      await poll(async () => (await client.service().catch(() => null)) !== null, { timeoutMs: 180_000 })
    }
  },
  {
    name: 'the network is cut',
    hit: async ({ page }, _stack, held) => {
      await page.context().setOffline(true)
      await goOn(held)
    },
    says: /Reconnecting|connection to the service (is|was) lost/,
    heal: async ({ page }) => {
      await page.context().setOffline(false)
    }
  },
  {
    name: 'the response is lost',
    concerns: sends,
    hit: async (_scene, _stack, held) => {
      await held?.fetch().catch(() => {})
      await held?.abort('connectionreset').catch(() => {})
    },
    heal: nothing
  },
  {
    name: 'the token expires',
    isMetBySending: true,
    // As the service responds from then on. A real revocation takes a minute until every gateway knows it.
    hit: async ({ page, token }, _stack, held) => {
      const refusal = { status: 401, json: { error: 'Unauthorized' } }
      await page.route('**/api/**', async (route) => {
        if (route.request().headers()['authorization'] === `Bearer ${token}`) await route.fulfill(refusal)
        else await route.fallback()
      })
      await held?.fulfill(refusal)
    },
    says: /no longer accepts your token/,
    heal: nothing
  },
  {
    name: 'the quota is full',
    isMetBySending: true,
    concerns: ({ usesQuota }) => usesQuota === true,
    hit: async ({ project }, stack, held) => {
      await admin(stack.dataDir, 'project', 'quota', project, '--max-bytes', '1')
      await goOn(held)
    },
    heal: async ({ project }, stack) => {
      await admin(stack.dataDir, 'project', 'quota', project, '--max-bytes', 'none')
    }
  },
  {
    name: 'the rate limit is reached',
    concerns: sends,
    hit: async (_scene, _stack, held) => {
      await held?.fulfill({
        status: 429,
        headers: { 'retry-after': '2' },
        json: { error: 'Too many requests, try again later' }
      })
    },
    says: /Rate limit reached/,
    heal: nothing
  },
  {
    name: 'the page is reloaded',
    hit: async ({ page }, _stack, held) => {
      const loaded = page.waitForEvent('load', { timeout: 15_000 }).catch(() => {})
      // A user who is asked stays.
      const asked = page.waitForEvent('dialog', { timeout: 15_000 }).then(
        async (dialog) => {
          await dialog.dismiss()
        },
        () => {}
      )
      void page.reload().catch(() => {})
      await Promise.race([loaded, asked])
      await goOn(held)
    },
    heal: nothing
  },
  {
    name: 'Back is pressed',
    hit: async ({ page }, _stack, held) => {
      await page.evaluate('history.back()')
      await poll(async () => page.url().endsWith('#/service'))
      await goOn(held)
    },
    heal: async ({ page }) => {
      await page.evaluate('history.forward()')
      await poll(async () => !page.url().endsWith('#/service'))
    }
  }
]
