import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { auditReport } from '../scripts/release/audit.mjs'
import { buildRelease } from '../scripts/release/build.mjs'
import { prepare } from '../scripts/release/prepare.mjs'
import { verify } from '../scripts/release/verify.mjs'
import { Failure, runMain } from './lib/failure.mjs'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const USAGE = `Usage: npm run release -- prepare 1.0.0
       npm run release -- audit --out audit.json
       npm run release -- build --tag v1.0.0 --out <folder> [--audit audit.json] [--images yes|no] [--unsigned]
       npm run release -- verify <folder> --signers <file> [--signer <name>] [--tag v1.0.0] [--commit <hash>]
build signs with the OpenSSH key in RELEASE_KEY. docs/operations/releases.md says more.`

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        tag: { type: 'string' },
        out: { type: 'string' },
        audit: { type: 'string' },
        images: { type: 'string', default: 'auto' },
        unsigned: { type: 'boolean', default: false },
        signers: { type: 'string' },
        signer: { type: 'string' },
        commit: { type: 'string' }
      }
    })
  } catch (error) {
    throw new Failure(`${/** @type {Error} */ (error).message}\n${USAGE}`)
  }
}

const say = (/** @type {string} */ line) => {
  process.stdout.write(`${line}\n`)
}

await runMain(async () => {
  const { values, positionals } = readArguments()
  const { tag, out, audit, images, unsigned, signers, signer, commit } = values
  const [command, argument] = positionals
  const here = process.env['INIT_CWD'] ?? process.cwd()
  const path = (/** @type {string} */ name) => resolve(here, name)
  if (command === 'prepare' && argument !== undefined) {
    await prepare(ROOT, argument)
    say(`Next: git commit -am "chore: release ${argument}", git tag -s v${argument}`)
  } else if (command === 'audit' && out !== undefined) {
    writeFileSync(path(out), `${JSON.stringify(await auditReport(ROOT), null, 2)}\n`)
  } else if (command === 'build' && tag !== undefined && out !== undefined && isChoice(images)) {
    const key = process.env['RELEASE_KEY'] || undefined
    if (key === undefined && !unsigned) {
      throw new Failure('RELEASE_KEY is not set: it is the key that signs, or use --unsigned')
    }
    await buildRelease(ROOT, {
      tag,
      out: path(out),
      key: unsigned ? undefined : key,
      auditReport: audit === undefined ? undefined : path(audit),
      images,
      say
    })
  } else if (command === 'verify' && argument !== undefined && signers !== undefined) {
    const expected = {
      signers: path(signers),
      ...(signer && { signer }),
      ...(tag && { tag }),
      ...(commit && { commit })
    }
    const { files, commit: built } = await verify(path(argument), expected)
    say(`${files} files are those that were signed, built from ${built}`)
  } else throw new Failure(USAGE)
})

/** @param {string} images @returns {images is 'auto' | 'yes' | 'no'} */
function isChoice(images) {
  return ['auto', 'yes', 'no'].includes(images)
}
