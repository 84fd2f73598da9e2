/** The maintenance lines, each from the minor version that every dependency runs on. */
const LINES = [
  [20, 19],
  [22, 13]
]
/** From here on every version is supported. */
const CURRENT = 24

/** The same as `engines` of package.json says. */
export const SUPPORTED_NODE = [...LINES.map((line) => `^${line.join('.')}`), `>=${CURRENT}`].join(' || ')

/**
 * @param {string} version as in process.versions.node
 * @returns {string | null} one sentence when this Node.js is not supported
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported =
    major >= CURRENT || LINES.some(([line, oldest = 0]) => major === line && minor >= oldest)
  if (isSupported) return null
  const lines = LINES.map((line) => `${line.join('.')} or newer`).join(', ')
  return `Filewright needs Node.js ${lines}, or ${CURRENT} and later. This is Node.js ${version}.`
}
