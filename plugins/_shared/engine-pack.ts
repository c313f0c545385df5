import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault, foreignJson, isRecord, type ResourceHost } from '../../core/sdk/index.js'

/** Its manifest, and its files by size and path, as `scripts/packs.mjs` writes them into each pack. */
const [PACK, CONTENTS] = ['pack.json', 'contents']
/** Files that are looked at side by side. */
const AT_ONCE = 64
const ABSENT = ['ENOENT', 'ENOTDIR', 'EACCES']

/** An installed engine pack: a folder of `.tools` with what its manifest lists. */
export interface Pack {
  readonly id: string
  /** What the manifest says for the engine, as it is; null without. */
  readonly about: unknown
  /** Absolute. */
  readonly folder: string
  /** Absolute path of a file of the pack. */
  path(name: string): string
}

/** Absolute address of a file in the source tree of a plugin, `name` relative to the plugin's folder, from the address of one of its modules. */
export function sourceFile(module: string, name: string): URL {
  const [, plugin = ''] = /\/plugins\/([^/]+)\//.exec(module.slice(module.lastIndexOf('/plugins/'))) ?? []
  const at = module.slice(0, module.lastIndexOf('/plugins/')).replace(/\/dist$/, '')
  return new URL(`${at}/plugins/${plugin}/${name}`)
}

/** Address of the manifest of a pack of the plugin that the module belongs to. */
export function packFile(module: string, id: string): URL {
  return sourceFile(module, `packs/${id}.json`)
}

/** That of an engine's manifest, and after it those that are `for` it, by name. */
export type Packs = readonly [Pack, ...Pack[]]

/** The packs of an engine at one moment. */
export interface InstalledPacks {
  /** Differs as soon as a pack was brought, replaced or removed. */
  readonly mark: string
  readonly packs: Packs
}

/**
 * The packs of an engine as they are on the disk now: a pack that is brought, replaced or removed counts from the next question on. Files are read only before
 * a process starts, and hashed again only when the file system says that they have changed.
 */
export class EnginePacks {
  readonly #manifest: URL
  readonly #host: Pick<ResourceHost, 'program' | 'log'>
  #last: InstalledPacks | null = null
  /** SHA-256 of files, each with what the file system said of the file. */
  readonly #hashes = new Map<string, { readonly stamp: string; readonly sha256: string }>()
  /** Stamps of lists of contents that were found to be true. */
  readonly #complete = new Set<string>()

  /** `manifest`: of the engine's own pack, as the plugin has it (`packFile`). */
  constructor(manifest: URL, host: Pick<ResourceHost, 'program' | 'log'>) {
    this.#manifest = manifest
    this.#host = host
  }

  /** Reads no file but manifests. Throws a `broken` Fault that names the command when the own pack is missing, or is another than the manifest says. */
  async installed(): Promise<InstalledPacks> {
    const text = await readFile(this.#manifest, 'utf8')
    const { id } = manifestOf(text)
    const program = this.#host.program(id)
    const place = program === undefined ? null : await ifThere(realpath(program))
    if (place === null) throw lacks(id, 'it is not installed')
    const folder = dirname(dirname(place))
    const all = (await readdir(dirname(folder))).filter((name) => !name.startsWith('.')).sort()
    const folders = all.map((name) => join(dirname(folder), name))
    const stamps = await Promise.all([fileURLToPath(this.#manifest), ...folders.map((each) => join(each, PACK))].map(stampOf))
    const mark = JSON.stringify([folder, all, stamps])
    if (this.#last?.mark === mark) return this.#last
    if ((await ifThere(readFile(join(folder, PACK), 'utf8'))) !== text)
      throw lacks(id, `${folder} is not what ${this.#manifest.pathname} says`)
    const found = await Promise.all(folders.map((each) => this.#manifestIn(each)))
    const others = found.flatMap((each) => (each?.for === id ? [packOf(each.folder, each)] : []))
    return (this.#last = { mark, packs: [packOf(folder, manifestOf(text)), ...others] })
  }

  /** The packs of which no file is missing or another than it should be. Throws as `assertWhole` for the own one; others are left out, which is logged. */
  async whole([own, ...others]: Packs): Promise<Packs> {
    await this.assertWhole(own)
    const found: Pack[] = []
    for (const pack of others)
      try {
        await this.assertWhole(pack)
        found.push(pack)
      } catch (error) {
        if (!Fault.is(error)) throw error
        this.#host.log('an engine pack is left out', { pack: pack.id, error: error.internal })
      }
    return [own, ...found]
  }

  /** Throws a `broken` Fault that names the file and the command when a file of the pack is missing, cut short, or has another SHA-256 than its manifest says. */
  async assertWhole({ id, folder }: Pack): Promise<void> {
    const text = await ifThere(readFile(join(folder, PACK), 'utf8'))
    if (text === null) throw lacks(id, `${folder} was removed`)
    await this.#assertComplete(id, folder)
    for (const { path, sha256 } of manifestOf(text).files) {
      const found = await this.#hashOf(join(folder, path))
      if (found !== sha256)
        throw lacks(id, `${join(folder, path)} ${found === null ? 'is missing' : 'has another SHA-256 than its manifest says'}`)
    }
  }

  /** Lists of contents that were found to be true are compared again, as after a failure. */
  recheck(): void {
    this.#complete.clear()
  }

  async #assertComplete(id: string, folder: string): Promise<void> {
    const list = join(folder, CONTENTS)
    const stamp = await stampOf(list)
    if (stamp === null) throw lacks(id, `${list} is missing`)
    if (this.#complete.has(stamp)) return
    const lines = (await readFile(list, 'utf8')).split('\n').filter((line) => line !== '')
    for (let at = 0; at < lines.length; at += AT_ONCE)
      await Promise.all(
        lines.slice(at, at + AT_ONCE).map(async (line) => {
          const [size = '', ...path] = line.split(' ')
          const found = await ifThere(stat(join(folder, path.join(' '))))
          if (found === null) throw lacks(id, `${join(folder, path.join(' '))} is missing`)
          if (String(found.size) !== size) throw lacks(id, `${join(folder, path.join(' '))} has ${found.size} bytes, not ${size}`)
        }),
      )
    this.#complete.add(stamp)
  }

  /** Null where there is no such file. */
  async #hashOf(path: string): Promise<string | null> {
    const stamp = await stampOf(path)
    if (stamp === null) return null
    const known = this.#hashes.get(path)
    if (known?.stamp === stamp) return known.sha256
    const sha256 = await ifThere(hashOf(path))
    if (sha256 === null) return null
    this.#hashes.set(path, { stamp, sha256 })
    return sha256
  }

  /** Null for a folder without a manifest that can be read. */
  async #manifestIn(folder: string): Promise<(Manifest & { readonly folder: string }) | null> {
    const text = await ifThere(readFile(join(folder, PACK), 'utf8'))
    try {
      return text === null ? null : { ...manifestOf(text), folder }
    } catch (error) {
      this.#host.log('an engine pack is left out', { folder, error: String(error) })
      return null
    }
  }
}

/** What a vendor's `probe` is where its program is a pack of a plugin: the pack compares itself with the manifest and its list of contents. */
export function packProbe(plugin: string, id: string): { readonly program: string; readonly args: readonly string[] } {
  const manifest = new URL(`../${plugin}/packs/${id}.json`, sourceFile(import.meta.url, 'engine-pack.ts'))
  return { program: id, args: ['check', fileURLToPath(manifest)] }
}

interface Manifest {
  readonly id: string
  readonly for: string | null
  readonly about: unknown
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

/** What an engine needs of a manifest; `scripts/packs.mjs` checks all of it before a pack is brought. */
function manifestOf(text: string): Manifest {
  const given = foreignJson(text)
  const { id, for: other, about = null, files = [] } = isRecord(given) ? given : {}
  if (typeof id !== 'string' || !Array.isArray(files)) throw new Error('this is no manifest of an engine pack')
  return {
    ...{ id, about, for: typeof other === 'string' ? other : null },
    files: files.filter(isRecord).map(({ path, sha256 }) => ({ path: String(path), sha256: String(sha256) })),
  }
}

function packOf(folder: string, { id, about }: Manifest): Pack {
  return { id, about, folder, path: (name) => join(folder, name) }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) if (chunk instanceof Uint8Array) hash.update(chunk)
  return hash.digest('hex')
}

/** What changes when a file is written or replaced; null where there is none. */
async function stampOf(path: string): Promise<string | null> {
  const found = await ifThere(stat(path, { bigint: true }))
  return found === null ? null : `${path} ${found.ino} ${found.size} ${found.ctimeNs}`
}

/** Null for a file that is not there or may not be read. */
async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && ABSENT.includes(error.code)) return null
    throw error
  }
}

function lacks(id: string, why: string): Fault {
  return new Fault('broken', 'The local engine is not installed as it should be.', {
    internal: `engine pack ${id}: ${why}; npm run tools -- ${id}`,
  })
}
