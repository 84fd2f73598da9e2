import { either, nothing, without, type Fact } from './facts.js'

/** What is known about names in one block. A branch has its own, which is merged when it ends. */
export class Scope {
  readonly #facts = new Map<string, Fact>()
  /** Declared here: invisible outside. */
  readonly #own = new Set<string>()
  /** Known to be safe only in here. */
  readonly #narrowed = new Set<string>()
  /** Fields known to be safe in here, as long as what they are fields of stays the same. */
  readonly #fields = new Map<
    string,
    { readonly fact: Fact; readonly owners: readonly (Fact | undefined)[] }
  >()
  readonly parent: Scope | null
  readonly #of: 'block' | 'loop' | 'function'

  constructor(parent: Scope | null, of: 'block' | 'loop' | 'function' = 'block') {
    this.parent = parent
    this.#of = of
  }

  /** Whether what is known of the name here is certain: no other function and no iteration before can change it. */
  isCertain(name: string): boolean {
    let scope: Scope | null = this
    while (scope !== null && !scope.#facts.has(name)) {
      if (scope.#of !== 'block') return false
      scope = scope.parent
    }
    while (scope !== null && scope.#of !== 'function') scope = scope.parent
    return scope !== null
  }

  get(name: string): Fact | undefined {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const fact = scope.#facts.get(name)
      if (fact !== undefined) return fact
    }
    return undefined
  }

  declare(name: string, fact: Fact): void {
    this.#own.add(name)
    this.#facts.set(name, fact)
  }

  assign(name: string, fact: Fact): void {
    this.#narrowed.delete(name)
    this.#facts.set(name, fact)
  }

  narrow(name: string, bits: number): void {
    const fact = this.get(name)
    if (fact === undefined) return
    if (!this.#facts.has(name)) this.#narrowed.add(name)
    this.#facts.set(name, without(fact, bits))
  }

  /** A field that nobody assigned here, `req.query.next`, and that a condition asked about. */
  narrowField(name: string, fact: Fact): void {
    this.#fields.set(name, { fact, owners: this.#ownersOf(name) })
  }

  narrowedField(name: string): Fact | undefined {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const known = scope.#fields.get(name)
      if (known === undefined) continue
      const owners = this.#ownersOf(name)
      return owners.every((owner, index) => owner === known.owners[index]) ? known.fact : undefined
    }
    return undefined
  }

  /** What is known of `req` and `req.query`, for `req.query.next`. */
  #ownersOf(name: string): (Fact | undefined)[] {
    const parts = name.split('.')
    return parts.slice(1).map((_part, index) => this.get(parts.slice(0, index + 1).join('.')))
  }

  /** What was assigned in here and lives on outside. */
  #changes(): Map<string, Fact> {
    return new Map([...this.#facts].filter(([name]) => !this.#own.has(name) && !this.#narrowed.has(name)))
  }

  /** Takes over what branches did that may or may not have run; null for one that never comes to its end. */
  merge(branches: readonly (Scope | null)[]): void {
    const ended = branches.filter((branch) => branch !== null)
    const isCertain = branches.length > 1
    for (const name of new Set(ended.flatMap((branch) => [...branch.#changes().keys()]))) {
      // `if not is_safe(url): url = "/"`: the value that passed the check stays safe after the if.
      const facts = ended.map((branch) => (branch.#own.has(name) ? undefined : branch.#facts.get(name)))
      const before = isCertain && facts.every((fact) => fact !== undefined) ? [] : [this.get(name) ?? nothing]
      const all = [...before, ...facts.filter((fact) => fact !== undefined)]
      this.assign(name, all.reduce(either))
    }
  }

  /** Takes over all that is known behind a branch: every other one leaves the function. */
  absorb(branch: Scope): void {
    for (const [name, fact] of branch.#facts) {
      if (branch.#own.has(name)) continue
      if (branch.#narrowed.has(name) && !this.#facts.has(name)) this.#narrowed.add(name)
      if (!branch.#narrowed.has(name)) this.#narrowed.delete(name)
      this.#facts.set(name, fact)
    }
    for (const [name, known] of branch.#fields) this.#fields.set(name, known)
  }

  /** Takes over what a function inside changed of the names out here. */
  mergeFunction(inner: Scope): void {
    for (const [name, fact] of inner.#changes()) {
      const before = this.get(name)
      if (before !== undefined) this.assign(name, either(before, fact))
    }
  }
}
