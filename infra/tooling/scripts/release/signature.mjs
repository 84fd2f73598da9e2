// Signatures of OpenSSH: `ssh-keygen -Y`, which Linux, macOS and Windows bring.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../bin/lib/failure.mjs'

/** A signature for another purpose is not one for a release. */
const NAMESPACE = 'filewright-release'

/** Writes `<file>.sig`. @param {string} file @param {string} key an OpenSSH private key without a passphrase */
export function sign(file, key) {
  const folder = mkdtempSync(join(tmpdir(), 'filewright-release-'))
  try {
    const keyFile = join(folder, 'key')
    writeFileSync(keyFile, `${key.trim()}\n`, { mode: 0o600 })
    execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-f', keyFile, '-n', NAMESPACE, file], { stdio: 'pipe' })
  } catch (error) {
    const { stderr, message } = /** @type {Error & { stderr?: Buffer }} */ (error)
    throw new Failure(`ssh-keygen did not sign: ${String(stderr ?? message).trim()}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} file @param {string} signer @param {string} allowedSigners the file with their public keys */
export function checkSignature(file, signer, allowedSigners) {
  const { status, stderr, error } = spawnSync(
    'ssh-keygen',
    ['-Y', 'verify', '-q', '-f', allowedSigners, '-I', signer, '-n', NAMESPACE, '-s', `${file}.sig`],
    { input: readFileSync(file), encoding: 'utf8' }
  )
  if (status !== 0) {
    throw new Failure(`the signature of ${file} is not good: ${error?.message ?? stderr.trim()}`)
  }
}
