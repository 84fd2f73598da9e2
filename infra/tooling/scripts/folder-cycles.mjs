/**
 * @typedef {object} Import
 * @property {string} from a file
 * @property {string} to a file
 */
/**
 * @typedef {object} FolderCycle
 * @property {string} folders the parent and its folders that import each other: `packages/a/src: x, y`
 * @property {Import[]} imports between those folders
 */

/**
 * Finds sibling folders that import each other, directly or through others. A folder includes everything
 * below it, so `http/a.ts → modules/b/c.ts → http/d.ts` is a cycle although no file is in one. Files
 * beside the folders, such as `index.ts`, are not counted.
 * @param {readonly Import[]} imports inside one workspace's src
 * @returns {FolderCycle[]}
 */
export function folderCycles(imports) {
  /** @type {Map<string, Map<string, Set<string>>>} the imported folders, by parent and importing folder */
  const graphs = new Map()
  /** @type {Array<Import & { parent: string, a: string, b: string }>} */
  const crossings = []
  for (const { from, to } of imports) {
    const crossing = siblingsOf(from, to)
    if (crossing === null) continue
    const { parent, a, b } = crossing
    crossings.push({ from, to, ...crossing })
    const graph = graphs.get(parent) ?? new Map()
    graphs.set(parent, graph.set(a, (graph.get(a) ?? new Set()).add(b)))
  }
  return [...graphs].flatMap(([parent, graph]) =>
    cyclesIn(graph).map((circle) => ({
      folders: `${parent}: ${circle.join(', ')}`,
      imports: crossings
        .filter((each) => each.parent === parent && circle.includes(each.a) && circle.includes(each.b))
        .map(({ from, to }) => ({ from, to }))
    }))
  )
}

/**
 * The sibling folders at which the two paths diverge; null if one of the files is beside the other's folder.
 * @param {string} from
 * @param {string} to
 */
function siblingsOf(from, to) {
  const [one, other] = [from.split('/').slice(0, -1), to.split('/').slice(0, -1)]
  const at = one.findIndex((name, i) => name !== other[i])
  const [a, b] = [one[at], other[at]]
  return a === undefined || b === undefined ? null : { parent: one.slice(0, at).join('/'), a, b }
}

/**
 * The groups of folders that all reach each other.
 * @param {Map<string, Set<string>>} graph
 */
function cyclesIn(graph) {
  /** @param {string} start */
  const reachedFrom = (start) => {
    const reached = new Set(graph.get(start))
    // Iterating over a set includes elements that are added meanwhile.
    for (const folder of reached) for (const next of graph.get(folder) ?? []) reached.add(next)
    return reached
  }
  const reached = new Map([...graph.keys()].map((folder) => [folder, reachedFrom(folder)]))
  /** @type {Map<string, string[]>} */
  const circles = new Map()
  for (const [folder, theirs] of reached) {
    if (!theirs.has(folder)) continue
    const circle = [...theirs].filter((other) => reached.get(other)?.has(folder)).sort()
    circles.set(circle.join(), circle)
  }
  return [...circles.values()]
}

/**
 * Reports cycles that are not in the list, and entries of the list that are no longer cycles.
 * @param {readonly FolderCycle[]} cycles
 * @param {readonly string[]} known
 */
export function complaintsAbout(cycles, known) {
  const unknown = cycles.filter(({ folders }) => !known.includes(folders))
  const gone = known.filter((entry) => !cycles.some(({ folders }) => folders === entry))
  return [
    ...unknown.map(({ folders, imports }) =>
      [
        `Folders that import each other in ${folders}`,
        ...imports.map(({ from, to }) => `  ${from} → ${to}`)
      ].join('\n')
    ),
    ...gone.map((entry) => `No cycle any more: ${entry}. Remove it from KNOWN_CYCLES.`)
  ]
}
