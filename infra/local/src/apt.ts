import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { messageOf } from './errors.js'
import { findProgram } from './find-program.js'

const exec = promisify(execFile)
const INSTALL_TIMEOUT_MS = 10 * 60_000

/**
 * Installs without prompts. Debian starts a daemon as soon as it is installed: the policy file prevents that,
 * and under systemd the daemons are disabled for the next boot too, because the stack runs its own.
 */
const SCRIPT = `
set -u
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy" || exit 1
fi
install () { apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"; }
install "$@" || { apt-get update -o DPkg::Lock::Timeout=120 && install "$@"; } || exit 1
if [ -d /run/systemd/system ]; then
  for package in "$@"; do
    case "$package" in
      clamav-daemon) systemctl disable clamav-daemon clamav-daemon.socket clamav-freshclam ;;
      *) systemctl disable "$package" ;;
    esac
  done 2>/dev/null || true
fi
`

export interface Apt {
  install: (packages: readonly string[], signal: AbortSignal) => Promise<void>
}

/** Null where apt-get is missing or this user may not install: no root, no passwordless sudo. */
export async function findApt(): Promise<Apt | null> {
  const aptGet = findProgram(['apt-get'])
  if (aptGet === null) return null
  const prefix = await rootPrefix()
  if (prefix === null) return null
  return {
    install: async (packages, signal) => {
      const [command, ...args] = [...prefix, '/bin/sh', '-c', SCRIPT, 'filewright', ...packages]
      try {
        await exec(command ?? '/bin/sh', args, {
          signal,
          timeout: INSTALL_TIMEOUT_MS,
          maxBuffer: 64 * 1024 * 1024
        })
      } catch (error) {
        const { stderr } = error as { stderr?: string }
        const reason =
          (stderr ?? '').split('\n').find((line) => line.startsWith('E: ')) ?? messageOf(error).split('\n')[0]
        throw new Error(reason, { cause: error })
      }
    }
  }
}

async function rootPrefix(): Promise<string[] | null> {
  if (process.getuid?.() === 0) return []
  const sudo = findProgram(['sudo'])
  if (sudo === null) return null
  return await exec(sudo, ['-n', 'true'], { timeout: 5_000 }).then(
    () => [sudo, '-n'],
    () => null
  )
}
