import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openEntries, entriesOpenToOtherUsers } from '../src/harness/open-entries.js'

/**
 * tap's own folders may be inaccessible to others, which would hide everything below, so modes are set here
 * one by one.
 */
function folderWith(t: Test, modes: Record<string, number>): string {
  const root = t.testdir({ closed: { file: '' }, open: { file: '', secret: '' } })
  for (const [path, mode] of Object.entries({
    closed: 0o700,
    'closed/file': 0o666,
    open: 0o755,
    'open/file': 0o644,
    'open/secret': 0o600,
    ...modes
  })) {
    chmodSync(join(root, path), mode)
  }
  return root
}

t.test('lists entries that others can read or change, but none inside an inaccessible folder', async (t) => {
  const root = folderWith(t, { '.': 0o711 })

  const open = await openEntries(root)

  t.strictSame(open, [`${join(root, 'open')} has mode 755`, `${join(root, 'open', 'file')} has mode 644`])
})

t.test('finds nothing below a folder of mode 700, whatever modes are there', async (t) => {
  const root = folderWith(t, { '.': 0o700 })

  t.strictSame(await openEntries(root), [])
  const seen = await entriesOpenToOtherUsers(root)
  if (seen !== undefined) t.strictSame(seen, [])
})

t.test('reports entries that are open only to the group', async (t) => {
  const root = folderWith(t, { '.': 0o750, open: 0o750, 'open/file': 0o660 })

  t.strictSame(
    await openEntries(root),
    [root, join(root, 'open'), join(root, 'open', 'file')].map(
      (path) => `${path} has mode ${path.endsWith('file') ? '660' : '750'}`
    )
  )
})
