import { openResource, ResourceTable, type Resource, type ResourceHost } from '../../../../core/sdk/index.js'
import type { TestEnvironment } from './test-environment.js'
import { ScriptError } from './script.js'

/** Resources of one fixture case: those in memory are opened directly, those that need a program require a live fixture. */
export class ScriptedResources {
  readonly #table = new ResourceTable()
  readonly #machine: TestEnvironment
  readonly #settings: Readonly<Record<string, unknown>>
  readonly #blame: (error: ScriptError) => ScriptError

  constructor(machine: TestEnvironment, settings: Readonly<Record<string, unknown>>, blame: (error: ScriptError) => ScriptError) {
    this.#machine = machine
    this.#settings = settings
    this.#blame = blame
  }

  use<R>(resource: Resource<R>): Promise<R> {
    const known = this.#table.get(resource)
    if (known !== undefined) return known
    const value = openResource(resource, this.#host(resource.id))
    this.#table.set(resource, value, async () => {
      const [settled] = await Promise.allSettled([value])
      if (settled.status === 'fulfilled') await resource.close?.(settled.value)
    })
    return value
  }

  async close(): Promise<void> {
    await Promise.all(this.#table.takeAll().map((close) => close()))
  }

  #host(id: string): ResourceHost {
    const missing = (what: string): Error =>
      this.#blame(
        new ScriptError(`ctx.use: ${id} needs ${what}, which is available only in a fixture with "live", in a run with resources`),
      )
    return {
      program: (name) => this.#machine.program(name),
      launcher: () => Promise.reject(missing('a launcher')),
      start: () => Promise.reject(missing('a program')),
      folder: () => Promise.reject(missing('a folder')),
      settings: this.#settings,
      log: () => undefined,
      get proxyUrl(): string {
        throw missing('the guard proxy')
      },
    }
  }
}
