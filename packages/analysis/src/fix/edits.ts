export interface Edit {
  start: number
  end: number
  text: string
  ruleId: string
  description: string
  /** Edits with the same group are made together or not at all. */
  group?: number
}

/** Applies what does not overlap, first come first served; what is left out gets its turn in the next round. */
export function applyEdits (text: string, edits: readonly Edit[]): { text: string, applied: Edit[] } {
  const groups = new Map<string, Edit[]>()
  for (const [index, edit] of edits.entries()) {
    const key = edit.group === undefined ? `e${index}` : `g${edit.group}`
    groups.set(key, [...groups.get(key) ?? [], edit])
  }
  const taken: Edit[] = []
  const applied: Edit[] = []
  for (const group of groups.values()) {
    // Touching counts as overlapping: two insertions at one place have no order.
    if (group.some((edit) => taken.some((other) => edit.start <= other.end && other.start <= edit.end))) continue
    taken.push(...group)
    applied.push(group[0]!)
  }
  let result = text
  for (const edit of taken.sort((a, b) => b.start - a.start)) result = result.slice(0, edit.start) + edit.text + result.slice(edit.end)
  return { text: result, applied }
}
