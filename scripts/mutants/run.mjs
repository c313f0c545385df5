import { staleness } from './list.mjs'
import { runSpec } from './spec.mjs'

/** A mutant may take so many times as long as what is not mutated, and so many milliseconds more; then it counts as killed. */
const LONGER = 5
const MORE_MS = 20_000

/**
 * Makes the mutations one by one in the trees, each tree by itself, and runs the specs of each until one fails. `onResult` gets
 * `{ mutation, state, why, ms }`; `state` is killed, survived, equivalent, stale (it cannot be made) or broken (its specs fail without it).
 */
export async function runMutations(root, mutations, { trees, onResult, onBase = () => undefined }) {
  const left = [...mutations]
  const bases = new Map()
  const results = []

  /** A spec without any mutation, once for all; the tree must be as it was. */
  const baseOf = (tree, spec) => {
    if (!bases.has(spec))
      bases.set(
        spec,
        runSpec(tree, spec).then((base) => {
          onBase(spec, base)
          return base
        }),
      )
    return bases.get(spec)
  }

  const judge = async (tree, mutation) => {
    const stale = staleness(root, mutation)
    if (stale !== null) return { state: 'stale', why: stale }
    if (mutation.equivalent !== undefined) return { state: 'equivalent', why: mutation.equivalent }
    for (const spec of mutation.specs) {
      tree.restore()
      const base = await baseOf(tree, spec)
      if (base.failed !== null || base.passed === 0)
        return {
          state: 'broken',
          why: `without it ${spec} ${base.failed === null ? 'runs no test' : `fails: ${base.failed}`}\n${base.text}`,
        }
      try {
        tree.put(mutation)
      } catch (error) {
        return { state: 'stale', why: `its text is no program: ${error.message}` }
      }
      const { failed, timedOut, loaded } = await runSpec(tree, spec, base.ms * LONGER + MORE_MS)
      if (failed === null) continue
      return { state: 'killed', why: timedOut ? `timed out: ${spec}` : loaded ? failed : `${spec} did not get to its end: ${failed}` }
    }
    return { state: 'survived', why: mutation.specs.join(', ') }
  }

  const work = async (tree) => {
    for (let mutation = left.shift(); mutation !== undefined; mutation = left.shift()) {
      const began = performance.now()
      const result = { mutation, ...(await judge(tree, mutation)), ms: performance.now() - began }
      results.push(result)
      onResult(result)
    }
    tree.restore()
  }

  await Promise.all(trees.map(work))
  return results
}
