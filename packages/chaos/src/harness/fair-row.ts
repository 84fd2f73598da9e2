import { aiSender, startFairCell, type AiSender, type FairCell } from './fair-cell.js'
import { contest, type Load, type Small } from './contest.js'
import type { Row, RowContext } from './row.js'
import type { Subject } from './subject.js'

export interface FairStage extends RowContext, FairCell {
  /** The greedy token's requests to the AI endpoints. */
  ask: AiSender
  /** The modest token's client. */
  modestly: Subject
}

interface FairRow extends Pick<Row, 'name' | 'target' | 'counts'> {
  promises?: readonly string[]
  samples: { quick: number; full: number }
  env?: NodeJS.ProcessEnv
  /** The greedy token's loads, each with the modest token's requests beside it. */
  loads: (stage: FairStage) => Promise<Array<{ load: Load; small: Omit<Small, 'samples'> }>>
}

/** A row that measures one token's small requests while another token sends a load. */
export function fairRow({ samples, env, loads, promises = ['P8', 'P14'], ...row }: FairRow): Row {
  return {
    ...row,
    promises,
    comparesTimes: true,
    run: async (context) => {
      const { rig, tally, profile, after, say } = context
      const fair = await startFairCell(rig, env)
      const { cell, modest, hangMs } = fair
      after(cell.stop)
      const modestly = cell.subject({ token: modest.token, hangMs, onFault: tally.violate })
      for (const { load, small } of await loads({ ...context, ...fair, ask: aiSender(fair), modestly })) {
        await contest({ load, small: { ...small, samples: samples[profile] }, profile, tally, say })
      }
    }
  }
}
