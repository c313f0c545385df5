import { join } from 'node:path'
import { needRestart } from '../config/need-restart.js'
import type { Config } from '../config/types.js'
import type { PluginFolders } from '../diagnosis/changed-plugins.js'
import type { Sandbox } from '../exec/types.js'
import { knownNames } from '../loader/known-names.js'
import { loadPlugins } from '../loader/load.js'
import type { Registry } from '../loader/types.js'
import { ConfigError } from '../problems/errors.js'
import { systemClock, type Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { packageRoot } from '../runtime/root.js'

interface PluginLoadsDeps {
  readonly config: Config
  /** Reads the configuration again. */
  readonly reread: () => Config
  readonly sandbox: Sandbox
  readonly clock: Clock
  readonly log: Log
}

/** Loads the plugins by the current configuration: at the start and at each reload. */
export class PluginLoads {
  readonly #deps: PluginLoadsDeps
  #inUse: Registry | null = null
  #loadedAt = performance.timeOrigin
  #waiting: readonly string[] = []

  constructor(deps: PluginLoadsDeps) {
    this.#deps = deps
  }

  /** Names of settings that had changed when the configuration was last read and require a restart. */
  needRestart(): readonly string[] {
    return this.#waiting
  }

  /** Where the plugins in use were read from, and when. */
  folders(): PluginFolders {
    const { plugin_folders: own } = this.#deps.config.settings
    return { bundled: join(packageRoot(), 'plugins'), startedAt: performance.timeOrigin, own, loadedAt: this.#loadedAt }
  }

  /** Throws ConfigError, PluginError. */
  async load(): Promise<Registry> {
    const { config, reread, clock, log } = this.#deps
    const began = this.#inUse === null ? this.#loadedAt : clock.now()
    const now = reread()
    const loaded = await this.#loadAll(now)
    this.#inUse = loaded
    this.#loadedAt = began
    this.#waiting = needRestart(config, now, knownNames(loaded).programs)
    if (this.#waiting.length > 0) log('restart-needed', 'changed settings need a restart', { settings: this.#waiting })
    return loaded
  }

  /** Loads the plugins and checks their configuration against their declarations. */
  async #loadAll(config: Config): Promise<Registry> {
    const { sandbox, log } = this.#deps
    const registry = await loadPlugins({
      config,
      programs: (name) => sandbox.program(name),
      thirdParty: config.settings.plugin_folders,
      clock: systemClock,
      log,
      before: this.#inUse?.guests ?? [],
      cacheFolder: join(config.settings.data, 'cache'),
      lockFile: join(packageRoot(), 'plugins.lock'),
    })
    const problems = config.problems(knownNames(registry))
    const errors = problems.filter(({ level }) => level === 'error')
    if (errors.length > 0) throw new ConfigError(errors)
    for (const { where, message } of problems) log('configuration-warning', `${where}: ${message}`)
    return registry
  }
}
