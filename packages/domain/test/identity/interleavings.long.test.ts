import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { blobKeyOf } from '@filewright/blob-store'
import { establishIdentity, type IdentityDeps } from '../../src/identity/establish.js'
import { formatMarker, parseMarker } from '../../src/identity/identity.js'

t.setTimeout(600_000)

/** The state of database and store. Every gateway operation reads or changes it in one step. */
interface World {
  record: { id: string; storeId: string | null } | null
  marker: string | null
  /** Ids of ready files, which have their bytes in the store. */
  files: string[]
}

interface Operation {
  gateway: number
  run: () => void
}

/** Ids are fixed per gateway, so that the same choices lead to the same state. */
const idOf = (letter: string, gateway: number): string => `${letter.repeat(21)}${gateway}`

/** Starts `count` gateways whose operations wait in `pending` until the test runs them. */
function startGateways(world: World, count: number) {
  const pending: Operation[] = []
  /** What each gateway has seen so far, which determines what it does next. */
  const seen: string[] = Array.from({ length: count }, () => '')
  const outcomes: string[] = []

  function startGateway(gateway: number): void {
    const operation = async <Result>(name: string, effect: () => Result): Promise<Result> =>
      await new Promise((resolve) => {
        pending.push({
          gateway,
          run: () => {
            const result = effect()
            seen[gateway] += `${name}=${JSON.stringify(result)};`
            resolve(result)
          }
        })
      })
    const none = { mirrorId: null, moveId: null }
    const find = () => (world.record === null ? null : { ...world.record, ...none })
    const unexpected = async (): Promise<never> => {
      throw new Error('not part of a start')
    }
    const deps: IdentityDeps = {
      installation: {
        find: async () => await operation('find', find),
        claim: async () =>
          await operation('claim', () => {
            world.record ??= { id: idOf('i', gateway), storeId: null }
            return { ...world.record, ...none }
          }),
        bindStore: async (storeId) =>
          await operation('bind', () => {
            if (world.record !== null) world.record.storeId ??= storeId
            return find()
          }),
        sampleReadyKeys: async () => await operation('sample', () => world.files.map((id) => blobKeyOf(id))),
        replace: unexpected,
        noteSweep: unexpected
      },
      files: {
        findStates: async (ids) =>
          await operation('states', () => {
            const known = ids.filter((id) => world.files.includes(id))
            return new Map(known.map((id) => [id, 'ready' as const]))
          })
      },
      blobs: {
        marker: {
          read: async () => await operation('read', () => world.marker),
          create: async (text) =>
            await operation('create', () => {
              if (world.marker !== null) return false
              const installation = parseMarker(text)?.installation ?? ''
              world.marker = formatMarker({ installation, store: idOf('s', gateway) })
              return true
            }),
          replace: unexpected
        },
        stat: async () => await operation('stat', () => ({ sizeBytes: 1, modifiedAt: new Date(0) })),
        list: async function* () {
          const stored = await operation('list', () => [...world.files])
          for (const id of stored) yield { key: blobKeyOf(id), sizeBytes: 1, modifiedAt: new Date(0) }
        }
      },
      places: { store: 'store', database: 'database' }
    }

    async function run(): Promise<void> {
      const identity = await establishIdentity(deps)
      outcomes[gateway] = formatMarker(identity)
      // A gateway with an identity accepts uploads while the others still start.
      await operation('upload', () => world.files.push(idOf('f', gateway)))
    }
    run().catch((error: unknown) => {
      outcomes[gateway] = String(error)
    })
  }

  for (let gateway = 0; gateway < count; gateway++) startGateway(gateway)
  return { pending, seen, outcomes }
}

/**
 * Runs every possible order of the gateways' operations by replaying prefixes. An order that reaches a known
 * state is not continued: what follows has been tried.
 */
async function runEveryOrder(start: World, count: number, check: (outcomes: string[]) => void) {
  const statesSeen = new Set<string>()
  const prefixes: number[][] = [[]]
  let orders = 0
  for (let prefix = prefixes.pop(); prefix !== undefined; prefix = prefixes.pop()) {
    const world = structuredClone(start)
    const { pending, seen, outcomes } = startGateways(world, count)
    const choices: number[] = []
    for (;;) {
      await nextTurn()
      if (pending.length === 0) {
        orders++
        check(outcomes)
        break
      }
      const isReplaying = choices.length < prefix.length
      if (!isReplaying) {
        const state = JSON.stringify([world, seen, pending.map(({ gateway }) => gateway)])
        if (statesSeen.has(state)) break
        statesSeen.add(state)
        for (const [other, { gateway }] of pending.entries()) {
          // All gateways are identical, so the first operation may always be gateway 0's.
          if (other > 0 && (choices.length > 0 || gateway === 0)) prefixes.push([...choices, other])
        }
      }
      const choice = prefix[choices.length] ?? 0
      choices.push(choice)
      pending.splice(choice, 1)[0]?.run()
    }
  }
  return { orders, states: statesSeen.size }
}

const claimed = { id: idOf('i', 9), storeId: null }
const marker = formatMarker({ installation: claimed.id, store: idOf('s', 9) })
const starts: Record<string, World> = {
  'a new database and a new store': { record: null, marker: null, files: [] },
  'a start that crashed before it marked the store': { record: claimed, marker: null, files: [] },
  'a start that crashed before it bound the store': { record: claimed, marker, files: [] }
}

for (const [name, start] of Object.entries(starts)) {
  t.test(`two gateways agree in every order of their operations, on ${name}`, async (t) => {
    const { orders, states } = await runEveryOrder(start, 2, (outcomes) => {
      const identities = new Set(outcomes)
      if (identities.size !== 1 || parseMarker([...identities][0] ?? '') === null) {
        throw new Error(`the gateways do not agree: ${outcomes.join(' | ')}`)
      }
    })

    t.ok(orders > 1, `${orders} orders end differently, ${states} states`)
  })
}
