const REQUIRED = [20, 19]

/**
 * @param {string} version as in process.versions.node
 * @returns {string | null} one sentence when this Node is too old
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const old = major < REQUIRED[0] || (major === REQUIRED[0] && minor < REQUIRED[1])
  return old ? `Filewright needs Node ${REQUIRED.join('.')} or newer, and this is Node ${version}.` : null
}
