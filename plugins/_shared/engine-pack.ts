import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault, foreignJson, isRecord, type ResourceHost } from '../../core/sdk/index.js'

/** The manifest, and the list of files with size and path, as `scripts/packs.mjs` writes them into each pack. */
const [PACK, CONTENTS] = ['pack.json', 'contents']
/** Files hashed in parallel. */
const AT_ONCE = 64
const ABSENT = ['ENOENT', 'ENOTDIR', 'EACCES']

/** An installed engine pack: a folder of `.tools` with the files its manifest lists. */
export interface Pack {
  readonly id: string
  /** Engine-specific data of the manifest, unchecked; null without any. */
  readonly about: unknown
  /** Absolute path. */
  readonly folder: string
  /** Absolute path of a file of the pack. */
  path(name: string): string
}

/** URL of a file in the source tree of a plugin; `name` is relative to the plugin's folder, `module` is the URL of one of its modules. */
export function sourceFile(module: string, name: string): URL {
  const [, plugin = ''] = /\/plugins\/([^/]+)\//.exec(module.slice(module.lastIndexOf('/plugins/'))) ?? []
  const at = module.slice(0, module.lastIndexOf('/plugins/')).replace(/\/dist$/, '')
  return new URL(`${at}/plugins/${plugin}/${name}`)
}

/** URL of the manifest of a pack in the plugin of this module. */
export function packFile(module: string, id: string): URL {
  return sourceFile(module, `packs/${id}.json`)
}

/** The engine's own pack first, then the packs that are `for` it, by name. */
export type Packs = readonly [Pack, ...Pack[]]

/** The packs of an engine at one moment. */
export interface InstalledPacks {
  /** Changes whenever a pack is installed, replaced or removed. */
  readonly mark: string
  readonly packs: Packs
}

/**
 * The packs of an engine as they are on disk now: a pack that is installed, replaced or removed takes effect with the
 * next request. Files are read only before a process starts, and hashed again only when their metadata has changed.
 */
export class EnginePacks {
  readonly #manifest: URL
  readonly #host: Pick<ResourceHost, 'program' | 'log'>
  #last: InstalledPacks | null = null
  /** SHA-256 of files with the file metadata at the time of hashing. */
  readonly #hashes = new Map<string, { readonly stamp: string; readonly sha256: string }>()
  /** Stamps of content lists that were verified. */
  readonly #complete = new Set<string>()

  /** `manifest`: that of the engine's own pack in the plugin (`packFile`). */
  constructor(manifest: URL, host: Pick<ResourceHost, 'program' | 'log'>) {
    this.#manifest = manifest
    this.#host = host
  }

  /**
   * Reads only manifests. Throws a `broken` Fault that names the install command when the engine's own pack is
   * missing or does not match the manifest.
   */
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

  /**
   * The packs whose files are complete and unchanged. Throws as `assertWhole` for the engine's own pack; other
   * damaged packs are left out and logged.
   */
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

  /**
   * Throws a `broken` Fault that names the file and the install command when a file of the pack is missing,
   * truncated, or has a wrong SHA-256.
   */
  async assertWhole({ id, folder }: Pack): Promise<void> {
    const text = await ifThere(readFile(join(folder, PACK), 'utf8'))
    if (text === null) throw lacks(id, `${folder} was removed`)
    await this.#assertComplete(id, folder)
    for (const { path, sha256 } of manifestOf(text).files) {
      const found = await this.#hashOf(join(folder, path))
      if (found !== sha256)
        throw lacks(id, `${join(folder, path)} ${found === null ? 'is missing' : 'has a SHA-256 other than in its manifest'}`)
    }
  }

  /** Verified content lists are verified again, such as after a failure. */
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

  /** Null when the file does not exist. */
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

  /** Null for a folder without a readable manifest. */
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

/** The `probe` of a vendor whose program is a pack of a plugin: the pack is compared with its manifest and content list. */
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

/** The manifest fields that an engine needs; `scripts/packs.mjs` checks all of them before a pack is installed. */
function manifestOf(text: string): Manifest {
  const given = foreignJson(text)
  const { id, for: other, about = null, files = [] } = isRecord(given) ? given : {}
  if (typeof id !== 'string' || !Array.isArray(files)) throw new Error('this is not a manifest of an engine pack')
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

/** Changes when a file is written or replaced; null when it does not exist. */
async function stampOf(path: string): Promise<string | null> {
  const found = await ifThere(stat(path, { bigint: true }))
  return found === null ? null : `${path} ${found.ino} ${found.size} ${found.ctimeNs}`
}

/** Null for a file that does not exist or cannot be read. */
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
