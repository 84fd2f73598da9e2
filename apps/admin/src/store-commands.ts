import { compareIdentity, formatMarker, parseMarker, sampleContents, type Contents } from '@filewright/domain'
import { createId } from '@filewright/runtime'
import { table, type AdminFlags, type AdminAdapters, type CommandResult } from './command.js'
import { identityDeps } from './own-store.js'
import { describeMove } from './store-move/describe-move.js'

interface Shown {
  store: string
  database: string
  store_installation: string | null
  database_installation: string | null
  same: boolean
}

async function look(adapters: AdminAdapters): Promise<Shown> {
  await adapters.stores().follow()
  const deps = identityDeps(adapters)
  const { kind } = await compareIdentity(deps)
  const marker = await deps.blobs.marker.read()
  return {
    ...deps.places,
    store_installation: marker === null ? null : (parseMarker(marker)?.installation ?? 'not readable'),
    database_installation: (await deps.installation.find())?.id ?? null,
    same: kind === 'same'
  }
}

function tableOf(shown: Shown): string {
  return table(
    ['WHAT', 'WHERE', 'INSTALLATION'],
    [
      ['database', shown.database, shown.database_installation ?? 'none'],
      ['blob store', shown.store, shown.store_installation ?? 'none']
    ]
  )
}

export async function storeShow(adapters: AdminAdapters): Promise<CommandResult> {
  const shown = await look(adapters)
  const move = await describeMove(adapters)
  const verdict = `They ${shown.same ? '' : 'do not '}belong together.`
  const advice = shown.same ? '' : ' What can be done: npm run admin -- store adopt'
  const more = move === null ? '' : `\n\n${move.text}`
  return {
    json: { ...shown, move: move?.json ?? null },
    text: `${tableOf(shown)}\n\n${verdict}${advice}${more}`,
    failed: !shown.same
  }
}

function sentenceOf({ ready, stored, blobs, owned }: Contents): string {
  return (
    `Of ${ready} files looked up in the database, ${stored} have their bytes in the blob store; ` +
    `of ${blobs} blobs looked up there, ${owned} have a record.`
  )
}

const WILL =
  'Database and blob store get one new id. No record and no bytes are removed, but any other ' +
  'installation that uses either of the two is refused from then on. ' +
  'Bytes that have no record now stay until reconcile --fix.'
const TO_DO_IT = 'Nothing was changed. To do it: npm run admin -- store adopt --yes'

/**
 * Both sides get a new id. With one side's old id, another installation that used it would share the store.
 */
export async function storeAdopt(
  adapters: AdminAdapters,
  _argument: string | undefined,
  { yes = false }: AdminFlags
): Promise<CommandResult> {
  const before = await look(adapters)
  if (before.same) {
    const text = `${tableOf(before)}\n\nThey belong together already.`
    return { json: { ...before, adopted: false }, text }
  }
  const contents = await sampleContents(identityDeps(adapters))
  if (!yes) {
    const text = [tableOf(before), sentenceOf(contents), WILL, TO_DO_IT].join('\n\n')
    return { json: { ...before, contents, adopted: false }, text, refused: true }
  }
  const identity = { installation: createId(), store: createId() }
  // After a crash in between, the two differ and every start is refused until this command is repeated.
  await adapters.blobs().marker.replace(formatMarker(identity))
  await adapters.database().installation.replace({ id: identity.installation, storeId: identity.store })
  const after = await look(adapters)
  const done = 'They belong together from now on. Next, run: npm run admin -- reconcile'
  const text = [tableOf(after), sentenceOf(contents), done].join('\n\n')
  return { json: { ...after, contents, adopted: true }, text }
}
