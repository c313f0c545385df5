import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The mutations of a project: `{ id, file, from, to, specs, note?, equivalent? }` each, and `{ id, reason }` of those whose code is gone.
 * `from` is a text of `file`; `specs` are compiled spec files below dist, the smallest first; `equivalent` says why nothing can be seen of it.
 */
export function readMutations(root, file = join(root, 'test', 'mutations.json')) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Why a mutation cannot be made in the code as it is now; null when it can. */
export function staleness(root, { file, from, to, specs, equivalent }) {
  const path = join(root, file)
  if (!existsSync(path)) return `there is no ${file}`
  const times = readFileSync(path, 'utf8').split(from).length - 1
  if (times !== 1) return `its text is there ${times} times`
  if (from === to) return 'it changes nothing'
  const missing = specs.filter((spec) => !existsSync(join(root, spec.replace(/\.js$/, '.ts'))) && !existsSync(join(root, 'dist', spec)))
  if (missing.length > 0) return `there is no ${missing.join(', ')}`
  return specs.length === 0 && equivalent === undefined ? 'no spec is named' : null
}

/** What a file belongs to: `core/store`, `plugins/emails`, or its one folder. */
export function areaOf(file) {
  return file.split('/').slice(0, -1).slice(0, 2).join('/')
}
