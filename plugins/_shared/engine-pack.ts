import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Fault, foreignJson, isRecord, type ResourceHost } from '../../core/sdk/index.js'

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

/**
 * The pack of a manifest, and after it the installed packs that are `for` it. Throws a `broken` Fault that names the command when the pack is missing,
 * or is another than the manifest says.
 */
export async function installedPacks(manifest: URL, host: Pick<ResourceHost, 'program'>): Promise<Pack[]> {
  const text = await readFile(manifest, 'utf8')
  const { id } = manifestOf(text)
  const program = host.program(id)
  if (program === undefined) throw lacks(id, 'it is not installed')
  const folder = dirname(dirname(await realpath(program)))
  if ((await textOf(join(folder, 'pack.json'))) !== text) throw lacks(id, `${folder} is not what ${manifest.pathname} says`)
  const others = (await readdir(dirname(folder))).filter((name) => !name.startsWith('.')).sort()
  const found = await Promise.all(others.map((name) => packIn(join(dirname(folder), name))))
  return [packOf(folder, manifestOf(text)), ...found.flatMap((each) => (each?.for === id ? [packOf(each.folder, each)] : []))]
}

/** Throws a `broken` Fault that names the command when a file of the pack has another SHA-256 than its manifest says. */
export async function verifyPack({ id, folder }: Pack): Promise<void> {
  const { files } = manifestOf(await readFile(join(folder, 'pack.json'), 'utf8'))
  for (const { path, sha256 } of files) {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(join(folder, path))) if (chunk instanceof Uint8Array) hash.update(chunk)
    if (hash.digest('hex') !== sha256) throw lacks(id, `${join(folder, path)} has another SHA-256 than its manifest says`)
  }
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

async function packIn(folder: string): Promise<(Manifest & { readonly folder: string }) | null> {
  const text = await textOf(join(folder, 'pack.json'))
  return text === null ? null : { ...manifestOf(text), folder }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}

function lacks(id: string, why: string): Fault {
  return new Fault('broken', 'The local engine is not installed as it should be.', {
    internal: `engine pack ${id}: ${why}; npm run tools -- ${id}`,
  })
}
