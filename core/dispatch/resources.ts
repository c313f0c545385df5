import { rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { withSpace, jobFolder } from '../exec/job-folder.js'
import { PROXY_URL } from '../exec/network.js'
import type { Sandbox } from '../exec/types.js'
import type { Registry } from '../loader/types.js'
import { type CleanUp, cleanUpAll } from '../runtime/answered.js'
import { type Clock, systemClock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import {
  Fault,
  openResource,
  type ResidentProgram,
  type Resource,
  type ResourceHost,
  ResourceTable,
  type SettingValues,
} from '../sdk/index.js'

type Settings = Readonly<Record<string, unknown>>

/** A host for one resource, and its clean-up. */
type HostOf = (id: string, settings: Settings) => { host: ResourceHost; cleanUp: () => Promise<void> }

interface Uses {
  readonly users: Set<object>
  readonly drop: CleanUp
  /** Removes it from the table and returns how to close it. */
  readonly take: () => (() => Promise<void>) | undefined
  /** The handler or provider whose settings it was opened with. */
  readonly opener: object
  readonly settings: Settings
}

/** Long-lived resources of plugins (a browser): opened on first use, one of each, closed on reload and stop. */
export class Resources {
  readonly #table = new ResourceTable()
  readonly #uses = new Map<object, Uses>()
  /** Resources whose settings have changed and which earlier calls may still use. */
  readonly #retired = new Set<() => Promise<void>>()
  /** Current settings by handler or provider; empty before the first reload, when the given ones apply. */
  #settings: ReadonlyMap<object, Settings> = new Map()
  readonly #hostOf: HostOf
  readonly #clock: Clock
  #closed = false

  constructor(hostOf: HostOf, clock: Clock = systemClock) {
    this.#hostOf = hostOf
    this.#clock = clock
  }

  /**
   * Returns the resource, opening it on first use. After an opening that failed or exceeded 30 seconds (a Fault `busy`),
   * the next use tries again. `user`: the handler or provider that uses it; without one it stays open until the stop.
   * `given`: the settings its call began with; it is opened with the current ones if a reload changed them.
   */
  use<R>(resource: Resource<R>, given: Settings, user: object = resource): Promise<R> {
    if (this.#closed) return Promise.reject(new Error(`resource ${resource.id} was requested after the stop`))
    const known = this.#table.get(resource)
    const settings = this.#settings.get(user) ?? given
    this.#note(resource, user, settings)
    if (known !== undefined) return known
    const { host, cleanUp } = this.#hostOf(resource.id, settings)
    const opening = open(resource, host)
    const value = withinLimit(opening, resource, this.#clock)
    this.#table.set(resource, value, async () => {
      const [settled] = await Promise.allSettled([value])
      if (settled.status === 'fulfilled') await resource.close?.(settled.value)
      else void closeLate(resource, { opening, host, cleanUp })
      await cleanUp()
    })
    return value.catch(async (error: unknown) => {
      // Another use may have replaced it already.
      if (this.#table.get(resource) === value) await this.forget(resource)
      throw error
    })
  }

  /**
   * Sets the current settings by handler or provider. Resources with other settings are retired; the next use opens new
   * ones. Call the returned function once all earlier calls have ended: it closes the retired resources, and resolves
   * to an error for each whose closing failed or exceeded five seconds.
   */
  renew(settings: ReadonlyMap<object, Settings>): () => Promise<Error[]> {
    this.#settings = settings
    const closings: CleanUp[] = []
    for (const [resource, uses] of this.#uses) {
      const now = settings.get(uses.opener)
      if (now === undefined || isDeepStrictEqual(now, uses.settings)) continue
      const close = uses.take()
      this.#uses.delete(resource)
      if (close === undefined) continue
      this.#retired.add(close)
      const [name] = uses.drop
      closings.push([name, () => (this.#retired.delete(close) ? close() : undefined)])
    }
    return () => cleanUpAll(closings)
  }

  /** Drops a broken resource, so that the next use opens a new one. */
  async forget<R>(resource: Resource<R>): Promise<void> {
    this.#uses.delete(resource)
    await this.#table.take(resource)?.()
  }

  /**
   * Closes the resources that only this code has used; no call may still run it. Resolves to an error for each whose
   * closing failed or exceeded five seconds.
   */
  async leave(code: ReadonlySet<object>): Promise<Error[]> {
    const closings: CleanUp[] = []
    for (const { users, drop } of this.#uses.values()) {
      for (const gone of code) users.delete(gone)
      if (users.size === 0) closings.push(drop)
    }
    return await cleanUpAll(closings)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#uses.clear()
    const retired = [...this.#retired]
    this.#retired.clear()
    await Promise.allSettled([...this.#table.takeAll(), ...retired].map((close) => close()))
  }

  #note<R>(resource: Resource<R>, user: object, settings: Settings): void {
    const drop: CleanUp = [`closing resource ${resource.id}`, () => this.forget(resource)]
    const take = () => this.#table.take(resource)
    const uses = this.#uses.get(resource) ?? { users: new Set(), drop, take, opener: user, settings }
    uses.users.add(user)
    this.#uses.set(resource, uses)
  }
}

/** Most milliseconds that opening a resource may take. */
const OPENING_MS = 30_000

/** Opens a resource; rejects where the plugin's function throws. */
async function open<R>(resource: Resource<R>, host: ResourceHost): Promise<R> {
  return await openResource(resource, host)
}

/** The opened resource, or a Fault `busy` after 30 seconds. */
async function withinLimit<R>(opening: Promise<R>, { id }: Resource<R>, clock: Clock): Promise<R> {
  let stop = (): void => undefined
  const late = new Promise<never>((_resolve, reject) => {
    const internal = `resource ${id} has not opened within ${OPENING_MS} ms`
    stop = clock.after(OPENING_MS, () => reject(new Fault('busy', 'A part of the provider did not start in time.', { internal })))
  })
  try {
    return await Promise.race([opening, late])
  } finally {
    stop()
  }
}

/** Closes a resource that opens after its time limit; a failure is logged. Never rejects. */
async function closeLate<R>(
  resource: Resource<R>,
  { opening, host, cleanUp }: { opening: Promise<R>; host: ResourceHost; cleanUp: () => Promise<void> },
): Promise<void> {
  const [late] = await Promise.allSettled([opening])
  if (late.status === 'rejected') return
  try {
    await resource.close?.(late.value)
    await cleanUp()
  } catch (error) {
    host.log('a resource that opened too late could not be closed', { error: String(error) })
  }
}

/** Hosts for resources; the folders of each are deleted when it is closed. */
export function resourceHosts(parts: { sandbox: Sandbox; log: Log }): HostOf {
  const { sandbox, log } = parts
  return (id, settings) => {
    const folders: string[] = []
    const residents = new Set<ResidentProgram>()
    const folder = async (): Promise<string> => {
      const made = await jobFolder()
      folders.push(made)
      return made
    }
    return {
      host: {
        program: (name) => sandbox.program(name),
        launcher: async (program, options) =>
          await withSpace(async () => await sandbox.launcher(program, { ...options, folder: await folder(), proxied: true })),
        start: async (program, args, options) => {
          const resident = await sandbox.start(program, args, options)
          residents.add(resident)
          void resident.ended.then(() => residents.delete(resident))
          return resident
        },
        proxyUrl: PROXY_URL,
        folder,
        settings,
        log: (message, fields) => log('plugin', message, { ...fields, resource: id }),
      },
      cleanUp: async () => {
        for (const resident of residents) resident.kill()
        await Promise.all([...residents].map(({ ended }) => ended))
        await Promise.all(folders.map((made) => rm(made, { recursive: true, force: true })))
      },
    }
  }
}

/** The current settings for resources, by handler and provider. */
export function settingsInForce({ capabilities, ports }: Registry): ReadonlyMap<object, SettingValues> {
  const providers = [...ports.values()].flatMap(({ all }) =>
    all.map(({ contribution, access }) => [contribution, access.settings] as const),
  )
  const handlers = [...capabilities.values()].flatMap(({ handler, settings }) => (handler === null ? [] : [[handler, settings] as const]))
  return new Map<object, SettingValues>([...providers, ...handlers])
}
