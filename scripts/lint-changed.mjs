/**
 * Which files have to be linted again. Rules that use types check a file together with everything that it imports, directly or not: a file that
 * passed is skipped until one of these files changes, or the settings of the linter, the compiler or the packages do.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** Files on which the result of every file depends. */
const SETTINGS = ['eslint.config.js', 'tsconfig.json', 'package.json', 'package-lock.json']
const LINTED = /\.[cm]?[jt]s$/
/** Ambient type declarations, which apply without an import. */
const AMBIENT = /\.d\.[cm]?ts$/
/** Any string that may be the path of a file; a false match has no effect. */
const RELATIVE = /['"`](\.{1,2}\/[^'"`\n]{1,300})['"`]/g
/** Source extensions by the extension of the import. */
const SOURCES = [
  [/\.js$/, '.ts'],
  [/\.cjs$/, '.cts'],
  [/\.mjs$/, '.mts'],
]

/**
 * The state of each file below `root` that is linted, by its path: a text that changes with whatever its linting may depend on.
 * `files` are paths of all files of the project, relative to `root`; missing ones are skipped.
 */
export function lintStates(root, files) {
  const there = new Set(files.filter((file) => existsSync(join(root, file))))
  const read = new Map()
  const about = (file) => {
    if (!read.has(file)) {
      const text = readFileSync(join(root, file), 'utf8')
      read.set(file, { hash: hashOf(text), imports: LINTED.test(file) ? importsOf(file, text, there) : [] })
    }
    return read.get(file)
  }
  const ambient = [...there].filter((file) => AMBIENT.test(file))
  const common = [...SETTINGS, ...ambient].filter((file) => there.has(file)).map((file) => `${file} ${about(file).hash}`)
  const base = hashOf([process.version, ...common.sort()].join('\n'))
  return Object.fromEntries(
    [...there]
      .filter((file) => LINTED.test(file))
      .sort()
      .map((file) => {
        const lines = [...reached(file, about)].map((each) => `${each} ${about(each).hash}`)
        return [file, hashOf([base, ...lines.sort()].join('\n'))]
      }),
  )
}

/** A file and all that it imports, directly or not. */
function reached(file, about) {
  const found = new Set([file])
  for (const each of found) for (const next of about(each).imports) found.add(next)
  return found
}

function importsOf(file, text, there) {
  const found = new Set()
  for (const [, path] of text.matchAll(RELATIVE)) {
    const target = posix.join(dirname(file), path)
    const written = SOURCES.filter(([end]) => end.test(target)).map(([end, source]) => target.replace(end, source))
    for (const each of [target, ...written]) if (there.has(each)) found.add(each)
  }
  return [...found]
}

/** The files whose state has changed since linting last passed; all without a readable record. */
export function changedSince(recordFile, states) {
  let record = {}
  try {
    if (existsSync(recordFile)) record = JSON.parse(readFileSync(recordFile, 'utf8'))
  } catch (error) {
    // A run was stopped during the write.
    if (!(error instanceof SyntaxError)) throw error
  }
  return Object.keys(states).filter((file) => record[file] !== states[file])
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('base64').slice(0, 20)
}
