import { readdir } from 'node:fs/promises'
import t from 'tap'
import { loadConfig } from '@filewright/runtime'
import { Type } from 'typebox'
import { baselineSignaturesDir, clamdConfig, renderClamdConf } from '../../src/index.js'

const paths = { socketPath: '/run/a b/clamd.sock', databaseDir: '/var/db', tempDir: '/var/tmp/$&' }

t.test('fills in the paths, quoted and literally, and leaves out what is not given', async (t) => {
  const conf = await renderClamdConf(paths)

  t.match(conf, /^LocalSocket "\/run\/a b\/clamd\.sock"$/m)
  t.match(conf, /^DatabaseDirectory "\/var\/db"$/m)
  t.ok(conf.includes('TemporaryDirectory "/var/tmp/$&"'))
  t.notMatch(conf, /^(LogFile|PidFile) /m)
  t.notMatch(conf, /^[^#]*\{\{/m)
  t.match(await renderClamdConf({ ...paths, logFile: '/l', pidFile: '/p' }), /^LogFile "\/l"$[^]*^PidFile "\/p"$/m)
})

t.test('refuses paths that clamd.conf cannot express', async (t) => {
  await t.rejects(renderClamdConf({ ...paths, tempDir: '/a"b' }), { code: 'CONFIG_INVALID', message: /TEMP_DIR/ })
  await t.rejects(renderClamdConf({ ...paths, databaseDir: '/a\nUser root' }), { code: 'CONFIG_INVALID' })
  await t.rejects(renderClamdConf({ ...paths, socketPath: `/${'x'.repeat(107)}` }), { code: 'CONFIG_INVALID', message: /107/ })
})

t.test('holds a single limit for a file and for all that is in it, or clamd would cut a member and call it clean', async (t) => {
  const conf = await renderClamdConf(paths)

  t.equal(/^MaxFileSize (.*)$/m.exec(conf)?.[1], /^MaxScanSize (.*)$/m.exec(conf)?.[1])
})

t.test('points to a folder of signature files', async (t) => {
  const names = await readdir(baselineSignaturesDir())

  t.ok(names.some((name) => name.endsWith('.ndb')))
})

t.test('reads the address of clamd from the environment', async (t) => {
  const schema = Type.Object(clamdConfig)

  t.strictSame(loadConfig(schema, { CLAMD_HOST: 'clamav' }), { CLAMD_HOST: 'clamav', CLAMD_PORT: 3310, CLAMD_SETTLE_MS: 660_000 })
  t.throws(() => loadConfig(schema, { CLAMD_PORT: '70000' }), { code: 'CONFIG_INVALID' })
})
