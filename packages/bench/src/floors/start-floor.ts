import { startChild } from '../child.js'
import type { Floor } from '../context.js'
import type { FloorSpec } from './floor-process.js'

/** A floor, or the instant model, in its own process. */
export async function startFloor(spec: FloorSpec): Promise<Floor> {
  const { ask, pid, stop } = await startChild<FloorSpec, { origin: string }>('./floors/floor-process.js')
  return { ...(await ask(spec)), pid, stop }
}
