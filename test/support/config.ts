import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../core/config/load.js'
import type { Config, KnownNames } from '../../core/config/types.js'
import { ConfigError, type ConfigProblem } from '../../core/problems/errors.js'
import { packageRoot } from '../../core/runtime/root.js'

/** A folder of its own with a capstan.yml, removed again by `done`. */
export interface ConfigFolder {
  readonly folder: string
  load(yaml: string | null, env?: Record<string, string>): Config
  /** The problems of a configuration that must not load. */
  refuse(yaml: string | null, env?: Record<string, string>): readonly ConfigProblem[]
  done(): void
}

export function configFolder(): ConfigFolder {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-config-'))
  mkdirSync(join(folder, 'work'))
  const load: ConfigFolder['load'] = (yaml, env = {}) => {
    if (yaml !== null) writeFileSync(join(folder, 'capstan.yml'), yaml)
    return loadConfig({ file: yaml === null ? null : join(folder, 'capstan.yml'), env, root: packageRoot(), cwd: folder })
  }
  return {
    folder,
    load,
    refuse: (yaml, env) => {
      try {
        load(yaml, env)
      } catch (error) {
        if (error instanceof ConfigError) return error.problems
        throw error
      }
      throw new Error('this configuration should have been refused')
    },
    done: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A configuration from variables alone, for tests of other parts. */
export function configFrom(env: Record<string, string> = {}): Config {
  return loadConfig({ file: null, env, root: packageRoot() })
}

export const nobody: KnownNames = { vendors: [], plugins: [], ports: [], prices: new Map(), serving: new Map(), programs: [] }
