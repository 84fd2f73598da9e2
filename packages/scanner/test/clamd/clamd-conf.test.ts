import { readdir } from 'node:fs/promises'
import t from 'tap'
import { loadConfig } from '@filewright/runtime'
import { Type } from '@filewright/schema'
import { MAX_DEPTH, MAX_ENTRIES, MAX_UNPACKED_BYTES } from '../../src/archive-guard/budget.js'
import { baselineSignaturesDir, clamdConfig, renderClamdConf } from '../../src/index.js'

const paths = { socketPath: '/run/a b/clamd.sock', databaseDir: '/var/db', tempDir: '/var/tmp/$&' }

t.test('fills in the paths, quoted and literally, and omits settings without a path', async (t) => {
  const conf = await renderClamdConf(paths)

  t.match(conf, /^LocalSocket "\/run\/a b\/clamd\.sock"$/m)
  t.match(conf, /^DatabaseDirectory "\/var\/db"$/m)
  t.ok(conf.includes('TemporaryDirectory "/var/tmp/$&"'))
  t.notMatch(conf, /^(LogFile|PidFile) /m)
  t.notMatch(conf, /^[^#]*\{\{/m)
  t.match(
    await renderClamdConf({ ...paths, logFile: '/l', pidFile: '/p' }),
    /^LogFile "\/l"$[^]*^PidFile "\/p"$/m
  )
})

t.test('refuses paths that clamd.conf cannot express', async (t) => {
  await t.rejects(renderClamdConf({ ...paths, tempDir: '/a"b' }), {
    code: 'CONFIG_INVALID',
    message: /TEMP_DIR/
  })
  await t.rejects(renderClamdConf({ ...paths, databaseDir: '/a\nUser root' }), { code: 'CONFIG_INVALID' })
  await t.rejects(renderClamdConf({ ...paths, socketPath: `/${'x'.repeat(107)}` }), {
    code: 'CONFIG_INVALID',
    message: /107/
  })
})

t.test(
  'has limits above those of the archive guard, so clamd does not truncate files that the guard accepts',
  async (t) => {
    const conf = await renderClamdConf(paths)
    const limit = (name: string): number => {
      const [, number, unit] = new RegExp(`^${name} (\\d+)(M?)$`, 'm').exec(conf) ?? []
      return Number(number) * (unit === 'M' ? 1024 * 1024 : 1)
    }

    t.ok(limit('StreamMaxLength') > MAX_UNPACKED_BYTES)
    t.ok(limit('MaxFileSize') > MAX_UNPACKED_BYTES)
    t.ok(limit('MaxScanSize') >= limit('MaxFileSize'))
    t.ok(limit('MaxFiles') > MAX_ENTRIES)
    t.ok(limit('MaxRecursion') > MAX_DEPTH)
    t.match(conf, /^AlertExceedsMax yes$/m)
  }
)

t.test('does not decode images, and reports encrypted archives', async (t) => {
  const conf = await renderClamdConf(paths)

  t.match(conf, /^ScanImageFuzzyHash no$/m)
  t.match(conf, /^AlertEncryptedArchive yes$/m)
})

t.test('points to a folder of signature files', async (t) => {
  const names = await readdir(baselineSignaturesDir())

  t.strictSame(names.sort(), ['filewright.cfg', 'filewright.ndb'])
})

t.test('reads the address of clamd from the environment', async (t) => {
  const schema = Type.Object(clamdConfig)

  t.strictSame(loadConfig(schema, { CLAMD_HOST: 'clamav' }), {
    CLAMD_HOST: 'clamav',
    CLAMD_PORT: 3310,
    CLAMD_SETTLE_MS: 660_000
  })
  t.throws(() => loadConfig(schema, { CLAMD_PORT: '70000' }), { code: 'CONFIG_INVALID' })
})
