import { join } from 'node:path'
import { needRestart } from '../config/need-restart.js'
import type { Config } from '../config/types.js'
import type { PluginFolders } from '../diagnosis/changed-plugins.js'
import { type Resources, settingsInForce } from '../dispatch/resources.js'
import type { Sandbox } from '../exec/types.js'
import type { RegistryHolder } from '../loader/holder.js'
import { knownNames } from '../loader/registry.js'
import { loadPlugins } from '../loader/load.js'
import type { Registry } from '../loader/types.js'
import { ConfigError } from '../problems/errors.js'
import { Problem } from '../problems/problem.js'
import { systemClock, type Clock } from '../runtime/clock.js'
import { ulid } from '../runtime/id.js'
import type { Log } from '../runtime/log-events.js'
import { packageRoot } from '../runtime/root.js'
import type { SettingsWatch } from '../store/settings-watch.js'
import type { SettingsStore } from '../store/types.js'
import type { OpenedParts } from './open-parts.js'

interface PluginLoadsDeps extends Pick<OpenedParts, 'config' | 'clock' | 'log'> {
  /** Reads the configuration again. */
  readonly reread: () => Config
  readonly sandbox: Sandbox
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

  /** Loads the plugins and checks their configuration against their declarations. Throws ConfigError, PluginError. */
  async load(): Promise<Registry> {
    const { config, reread, sandbox, clock, log } = this.#deps
    const began = this.#inUse === null ? this.#loadedAt : clock.now()
    const now = reread()
    const loaded = await loadPlugins({
      config: now,
      programs: (name) => sandbox.program(name),
      thirdParty: now.settings.plugin_folders,
      clock: systemClock,
      log,
      before: this.#inUse?.guests ?? [],
      cacheFolder: join(now.settings.data, 'cache'),
      lockFile: join(packageRoot(), 'plugins.lock'),
    })
    const known = knownNames(loaded)
    const problems = now.problems(known)
    const errors = problems.filter(({ level }) => level === 'error')
    if (errors.length > 0) throw new ConfigError(errors)
    for (const { where, message } of problems) log('configuration-warning', `${where}: ${message}`)
    this.#inUse = loaded
    this.#loadedAt = began
    this.#waiting = needRestart(config, now, known.programs)
    if (this.#waiting.length > 0) log('restart-needed', 'changed settings need a restart', { settings: this.#waiting })
    return loaded
  }
}

interface ReloadParts {
  readonly load: () => Promise<Registry>
  readonly resources: Resources
  readonly holder: RegistryHolder
  readonly log: Log
}

/** Replaces plugins and configuration by a new load. On failure the old state stays, and it throws `conflict`. */
export async function reloadPlugins({ load, resources, holder, log }: ReloadParts): Promise<void> {
  try {
    const loaded = await load()
    const closeRetired = resources.renew(settingsInForce(loaded))
    const left = holder.swap(loaded, async (code) => [...(await resources.leave(code)), ...(await closeRetired())])
    // Running calls may keep their plugins for minutes: the reload does not wait for them.
    void left.then((failures) => {
      for (const { message } of failures)
        log('resource-not-closed', 'a resource of a replaced plugin could not be closed', { error: message })
    })
    log('reloaded', 'plugins and configuration reloaded', { version: holder.current.version })
  } catch (error) {
    log('reload-failed', 'the reload failed; the old state stays', { error: String(error) })
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem('conflict', `The reload failed and the old state stays: ${reason}`, { cause: error })
  }
}

/** Serialises an action. Calls during a run share one further run after it, which sees all changes made before them. */
export function oneAtATime(action: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    const run = action()
    last = Promise.allSettled([run])
    return run
  }
  return () => (next ??= last.then(begin))
}

/** Setting with the newest request to reload. */
const NAME = 'reload'

/** Reloads requested by the administrator: done here at once, and by every other replica within seconds. */
export class Reloads {
  readonly #store: SettingsStore
  readonly #reload: () => Promise<void>
  readonly #clock: Clock
  readonly #log: Log
  /** The newest request this gateway has handled; undefined before the first check, which handles none. */
  #followed: string | null | undefined = undefined

  constructor(store: SettingsStore, watch: SettingsWatch, about: { clock: Clock; reload: () => Promise<void>; log: Log }) {
    this.#store = store
    this.#reload = about.reload
    this.#clock = about.clock
    this.#log = about.log
    watch.on(() => this.#check())
  }

  /** Reloads this gateway, then notifies the others. Throws what the reload throws, and then notifies none. */
  async request(): Promise<void> {
    await this.#reload()
    const id = ulid(this.#clock.now())
    this.#followed = id
    await this.#store.put(NAME, id)
  }

  async #check(): Promise<void> {
    const newest = await this.#store.get(NAME)
    if (newest === this.#followed) return
    const first = this.#followed === undefined
    this.#followed = newest
    if (first || newest === null) return
    this.#log('reload-requested', 'reloading, as requested on another replica')
    // The failure has been logged and the old state stays; a retry would fail again.
    await this.#reload().catch(() => undefined)
  }
}
