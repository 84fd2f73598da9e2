import t from 'tap'
import {
  compareWithClients,
  compareWithFiles,
  compareWithReceived,
  type WrittenEvent
} from '../src/harness/event-log.js'

const created: WrittenEvent = { id: 'e1', type: 'file.created', fileId: 'f', data: { restored: false } }
const trashed: WrittenEvent = { id: 'e2', type: 'file.deleted', fileId: 'f', data: { permanent: false } }
const restored: WrittenEvent = { id: 'e3', type: 'file.created', fileId: 'f', data: { restored: true } }
const rejected: WrittenEvent = { id: 'e4', type: 'file.rejected', fileId: 'g', data: {} }
const all = [created, trashed, restored, rejected]
const received = (...events: WrittenEvent[]): Map<string, WrittenEvent> =>
  new Map(events.map((event) => [event.id, event]))

t.test('received events must equal written ones, in the order of each file', async (t) => {
  t.strictSame(compareWithReceived(all, received(rejected, created, trashed, restored)), [])
  t.match(compareWithReceived(all, received(created, restored, rejected)), [/e2 .* never arrived/])
  t.match(compareWithReceived([created], received(created, trashed)), [/e2 .* without a change/])
  t.match(compareWithReceived([created, trashed], received(trashed, created)), [/e2 .* before an earlier/])
  t.match(compareWithReceived([created], received({ ...created, data: {} })), [/another content/])
})

t.test('events must lead to the stored state', async (t) => {
  const ready = { id: 'f', state: 'ready' }
  t.strictSame(compareWithFiles(all, [ready, { id: 'g', state: 'abandoned' }]), [])
  t.match(compareWithFiles([], [ready]), [/f: no event, and it is ready/])
  t.match(compareWithFiles([created], []), [/f: created, and it is not there/])
  t.match(compareWithFiles([created, trashed], [ready]), [/trashed, and it is ready/])
  t.match(compareWithFiles([created, restored], [ready]), [/cannot follow/])
  t.match(compareWithFiles([created, created], [ready]), [/cannot follow/])
})

t.test('every acknowledged change must have its event', async (t) => {
  const told = { fileId: 'f', steps: ['created' as const], mayHaveOneMore: false }
  t.strictSame(compareWithClients([created], [told]), [])
  t.strictSame(compareWithClients([created, trashed], [{ ...told, mayHaveOneMore: true }]), [])
  t.equal(compareWithClients([], [told]).length, 1)
  t.equal(compareWithClients([created, trashed], [told]).length, 1)
})
