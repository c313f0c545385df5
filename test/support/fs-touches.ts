import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const READS = [
  ...['access', 'accessSync', 'createReadStream', 'existsSync', 'lstat', 'lstatSync', 'open', 'openSync', 'opendir', 'opendirSync'],
  ...['readFile', 'readFileSync', 'readdir', 'readdirSync', 'readlink', 'readlinkSync', 'realpath', 'realpathSync', 'stat', 'statSync'],
] as const

/** The functions of `node:fs` that this process calls meanwhile for paths that contain a text, each as `name path`. */
export async function fsTouches(part: string, work: () => Promise<unknown>): Promise<string[]> {
  const touched: string[] = []
  const undo = [fs, fs.promises].flatMap((module) =>
    READS.flatMap((name) => {
      const original: unknown = Reflect.get(module, name)
      if (typeof original !== 'function') return []
      const watched = function (this: unknown, ...given: unknown[]): unknown {
        const path = String(given[0])
        if (path.includes(part)) touched.push(`${name} ${path}`)
        return Reflect.apply(original, this, given)
      }
      Reflect.set(module, name, Object.assign(watched, original))
      return [() => Reflect.set(module, name, original)]
    }),
  )
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    for (const each of undo) each()
    syncBuiltinESMExports()
  }
  return touched
}
