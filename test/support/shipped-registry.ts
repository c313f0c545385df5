import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Registry } from '../../core/loader/types.js'
import { packageRoot } from '../../core/runtime/root.js'
import { load } from './loader.js'

const firstParty = fileURLToPath(new URL('../../plugins', import.meta.url))

/** The bundled plugins in their default orders, with nothing configured and no program installed: the same on every machine. */
export async function shippedRegistry(): Promise<Registry> {
  const defaults = JSON.parse(readFileSync(join(packageRoot(), 'config/waterfall.json'), 'utf8')) as Record<string, readonly string[]>
  return await load({ firstParty, sourceFolder: join(packageRoot(), 'plugins'), config: { defaults } })
}
